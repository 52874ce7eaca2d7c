"""The top line: which workspace is open, and which host is played."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from inspector.host.visible import visible


class HeaderLine(Widget):
    """`ra-inspector  demo` at the left, `host ▸ workspace connector` at the right: that part opens the host."""

    DEFAULT_CSS = """
    HeaderLine {
        dock: top;
        height: 1;
        background: $panel;
        color: $foreground;
        padding: 0 1;
    }
    """

    class HostClicked(Message):
        """The host's part was clicked."""

    host: reactive[str] = reactive("")

    watching: reactive[bool] = reactive(False)
    """Whether the servers' files are watched."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._workspace = visible(workspace, 60)

    def _host_part(self) -> Content:
        return Content.assemble(("host ▸ ", "$text-muted"), (self.host, "bold"))

    def render(self) -> Content:
        """The line, cut at the workspace's name where it is too long."""
        right = self._host_part()
        room = max(0, self.size.width - right.cell_length - 2)
        left = Content.assemble(("ra-inspector", "bold $primary"), "  ", self._workspace)
        if self.watching:
            left += Content.styled("  ◉ watching", "$text-muted")
        left = left.truncate(room, ellipsis=True)
        return (left.pad_right(max(0, room - left.cell_length) + 2) + right).truncate(
            self.size.width, ellipsis=True
        )

    @property
    def host_column(self) -> int:
        """Where the host's part begins, in cells from the line's left edge."""
        return max(0, self.size.width + self.gutter.left - self._host_part().cell_length)

    def on_click(self, event: events.Click) -> None:
        """Opens the host's panel where the click was on it."""
        if event.x >= self.host_column:
            self.post_message(self.HostClicked())
