"""The pages of the main screen: made when first shown, and told together of what happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.tui.widgets.pages import Page

if TYPE_CHECKING:
    from inspector.host.host import Host
    from inspector.host.timeline import Timelines
    from inspector.tui.keeping import HistoryKeeper
    from inspector.tui.screens.compose_page import ComposePage
    from inspector.tui.screens.main import MainScreen
    from inspector.tui.widgets.browse import BrowsePane
    from inspector.tui.widgets.ownership import OwnershipPane
    from inspector.tui.widgets.problems import ProblemsPane
    from inspector.tui.widgets.record import RecordPane
    from inspector.workspace.problem import Problem


class MainPages:
    """Each page is None until it was shown once. The screen's host is there before any of them is made."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._timelines: Timelines
        self._keeper: HistoryKeeper
        self._problems: tuple[Problem, ...] | None = None
        self.composer: ComposePage | None = None
        self.ownership: OwnershipPane | None = None
        self.browse: BrowsePane | None = None
        self.record: RecordPane | None = None
        self.problems: ProblemsPane | None = None

    def in_order(self) -> Iterator[Page]:
        """The pages, left to right: their keys count from 1 in this order."""
        yield Page("compose", "Compose", self._make_composer)
        yield Page("ownership", "Ownership", self._make_ownership)
        yield Page("browse", "Browse", self._make_browse)
        yield Page("record", "Record", self._make_record)
        yield Page("problems", "Problems", self._make_problems)

    def _make_composer(self) -> ComposePage:
        from inspector.tui.screens.compose_page import ComposePage

        self.composer = ComposePage(self._screen.host)
        return self.composer

    def _make_ownership(self) -> OwnershipPane:
        from inspector.tui.widgets.ownership import OwnershipPane

        self.ownership = OwnershipPane(self._screen.host, self._screen.servers_work.cited)
        self.ownership.show_problems(self._problems or ())
        return self.ownership

    def _make_browse(self) -> BrowsePane:
        from inspector.tui.widgets.browse import BrowsePane

        self.browse = BrowsePane(self._screen.host, self._screen.servers_work.run)
        return self.browse

    def follow(self, host: Host) -> None:
        """Begins to record what the calls of this host do: the pages that show it may come later."""
        from inspector.host.history import History
        from inspector.host.timeline import Timelines
        from inspector.tui.keeping import HistoryKeeper

        self._timelines = Timelines()
        self._timelines.follow(host)
        self._keeper = HistoryKeeper(History(), self._screen.setup.name, self._screen.post_message)
        host.steps.subscribe(self._keeper.step)

    def _make_record(self) -> RecordPane:
        from inspector.tui.widgets.record import RecordPane

        self.record = RecordPane(self._screen.host, self._timelines, self._keeper)
        return self.record

    def _make_problems(self) -> ProblemsPane:
        from inspector.tui.widgets.problems import ProblemsPane

        self.problems = ProblemsPane()
        self.problems.show(self._problems)
        return self.problems

    def search(self) -> bool:
        """Goes to the search line of the page that is shown. False where it has none."""
        if self.browse is None or self._screen.pages.active != "browse":
            return False
        self.browse.action_find()
        return True

    def host_changed(self) -> None:
        """Shows anew what the host has a say in."""
        if self.composer is not None:
            self.composer.host_changed()
        if self.ownership is not None:
            self.ownership.host_changed()
        if self.browse is not None:
            self.browse.host_changed()

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Shows what is wrong wherever it is shown."""
        self._problems = problems
        if self.problems is not None:
            self.problems.show(problems)
        if self.ownership is not None:
            self.ownership.show_problems(problems)
