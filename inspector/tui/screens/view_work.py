"""What is done with what a JSON view shows: copied, opened in the editor or the pager, saved, read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from inspector.host.copies import CannotCopy, command_line, mcp_inspector_line, python_script, request_text
from inspector.host.json_text import Number, write_json_text
from inspector.host.visible import visible
from inspector.tui.clipboard import copy_text
from inspector.tui.messages import Notice, ViewRequested
from inspector.tui.outside import CannotOpen, editor_command, open_outside, pager_command
from inspector.tui.screens.choices import Choice, ChoicesScreen
from inspector.tui.widgets.compose_view import PREVIEW, RESULT
from inspector.tui.widgets.compose_words import describe_age
from inspector.tui.widgets.content_items import ContentItem

if TYPE_CHECKING:
    from inspector.host.resolution import Resolution
    from inspector.tui.app import InspectorApp
    from inspector.tui.widgets.compose_state import ComposedCall
    from inspector.tui.widgets.json_view import JsonView

_SLICE: Final = 1 << 16
_SHORT: Final = 400
"""Characters of a line of words that is not worth a program of its own."""


class Copy(NamedTuple):
    """Something that can be copied: its key, its name in a sentence, the suffix of a file, and its text."""

    key: str
    what: str
    suffix: str
    make: Callable[[], str]


def take_request(app: InspectorApp, request: ViewRequested) -> None:
    """Does what was asked for."""
    view = request.view
    if request.what == "copy":
        _open_menu(app, view)
    elif request.what in ("edit", "page"):
        app.run_worker(
            _open_outside(app, _wanted(app, view), page=request.what == "page"), group="outside", exclusive=True
        )
    elif isinstance(view.subject, ContentItem):
        (_save if request.what == "save" else _read)(app, view.subject)


# Copying


def copies_of_call(app: InspectorApp) -> Iterator[Copy]:
    """What can be copied of the composed call: of the one that was sent where its result is shown."""
    call, resolution = _call(app), _resolution(app)
    if call is None:
        return
    if call.sent is not None and call.sent.reply.result is not None:
        result = call.sent.reply.result
        yield Copy("r", "the result", ".json", lambda: write_json_text(result))
    if resolution is None:
        return
    setup = app.setup
    connection = app.host.workspace.connections.get(resolution.tool.server)
    yield Copy("m", "the _meta", ".json", lambda: write_json_text(resolution.meta))
    yield Copy("j", "the call as JSON-RPC", ".json", lambda: request_text(resolution))
    yield Copy("l", "the call as a ra-inspector line", ".sh", lambda: command_line(setup, resolution))
    if connection is not None:
        entry = connection.entry
        line = "the call as an mcp-inspector line"
        yield Copy("i", line, ".sh", lambda: mcp_inspector_line(setup, resolution, entry))
        yield Copy("p", "the call as Python", ".py", lambda: python_script(setup, resolution, entry))


def copy(app: InspectorApp, what: Copy) -> None:
    """Copies it, and says where to."""
    app.run_worker(_copy(app, what), group="copy", exclusive=True)


async def _copy(app: InspectorApp, what: Copy) -> None:
    try:
        # In a thread: some megabytes take longer to write out than a screen may stand.
        said = await copy_text(app, await asyncio.to_thread(what.make), what.what, suffix=what.suffix)
    except CannotCopy as fault:
        _say(app, f"Cannot copy {what.what}: {fault}.", wrong=True)
    except OSError as error:
        _say(app, f"Cannot copy {what.what}: there is no clipboard, and no file: {error.strerror}.", wrong=True)
    else:
        _say(app, said)


def _open_menu(app: InspectorApp, view: JsonView) -> None:
    value = view.value
    copies = [Copy("v", "the value at the cursor", _suffix(value), lambda: text_of(value))]
    if app.screen is app.main and app.main.pages.active == "compose":
        copies += copies_of_call(app)
    resolution = _resolution(app) if len(copies) > 1 else None
    facts = [("resolved", describe_age(resolution))] if resolution is not None else []
    choices = [Choice(each.key, each.key, each.what) for each in copies]

    def answer(key: str | None) -> None:
        chosen = next((each for each in copies if each.key == key), None)
        if chosen is not None:
            copy(app, chosen)

    app.push_screen(ChoicesScreen("Copy", facts, choices), answer)


# The editor and the pager


async def _open_outside(app: InspectorApp, value: Any, *, page: bool) -> None:
    try:
        command = pager_command() if page else editor_command()
        text = await asyncio.to_thread(_seen if page else text_of, value)
        await open_outside(app, command, text, suffix=_suffix(value))
    except CannotOpen as fault:
        _say(app, str(fault), wrong=True)


def _wanted(app: InspectorApp, view: JsonView) -> Any:
    """What stands at the cursor; on a short line of words about the whole, that: the `_meta`, or the result."""
    value, call = view.value, _call(app)
    if not view.on_words or view.subject is not None or len(value) > _SHORT or call is None:
        return value
    if view.id == f"view-{PREVIEW}" and call.resolution is not None:
        return call.resolution.meta
    if view.id == f"view-{RESULT}" and call.sent is not None and call.sent.reply.result is not None:
        return call.sent.reply.result
    return value


def text_of(value: Any) -> str:
    """A value as it is copied or opened: a text as it is, anything else as JSON."""
    return value if _is_text(value) else write_json_text(value)


def _seen(value: Any) -> str:
    """The same for a pager, which may pass on to the terminal whatever it gets."""
    text = text_of(value)
    return "".join(visible(text[at : at + _SLICE], multiline=True) for at in range(0, len(text), _SLICE))


def _suffix(value: Any) -> str:
    return ".txt" if _is_text(value) else ".json"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


# Content blocks


def _save(app: InspectorApp, item: ContentItem) -> None:
    from inspector.tui.screens.save_as import SaveScreen

    def answer(saved: str | None) -> None:
        if saved is not None:
            _say(app, saved)

    if item.can_be_saved:
        app.push_screen(SaveScreen(item.saveable), answer)


def _read(app: InspectorApp, item: ContentItem) -> None:
    call = _call(app)
    if item.uri is not None and call is not None and call.sent is not None:
        server = call.sent.resolution.tool.server
        app.main.servers_work.run(_open(app, item.uri, server), f"reading {visible(item.uri, 60)}")


async def _open(app: InspectorApp, uri: str, server: str) -> None:
    from inspector.tui.screens.read_resource import ResourceScreen

    reply = await app.host.read(uri, server)
    app.push_screen(ResourceScreen(uri, server, reply))


# The call at hand


def _call(app: InspectorApp) -> ComposedCall | None:
    composer = app.main.composer
    pane = None if composer is None else composer.pane
    return None if pane is None else pane.call


def _resolution(app: InspectorApp) -> Resolution | None:
    call, composer = _call(app), app.main.composer
    if call is None or composer is None or composer.pane is None:
        return None
    shows_result = composer.pane.view.view == RESULT and call.sent is not None
    return call.sent.resolution if shows_result and call.sent is not None else call.resolution


def _say(app: InspectorApp, text: str, *, wrong: bool = False) -> None:
    app.main.post_message(Notice(text, "error" if wrong else "information"))
