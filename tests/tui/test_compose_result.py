"""A result in blocks: how the call ended, each content block by its kind, what differs from the last."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.host.call import SentCall
from inspector.host.profile import HostSettings
from inspector.host.resolution import Resolution
from inspector.tui.widgets.form_call import compare_meta, read_call
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Prose
from inspector.tui.widgets.result import result_blocks, result_word
from inspector.workspace.catalog import Tool
from inspector.workspace.reply import Failure, Reply

KEY = "ai.nimblebrain/resource-arguments"
RESOLUTION = Resolution(Tool("outbox", "send", {}), HostSettings(), {}, False, (), {}, 0.0, 1)


def sent(result: dict[str, Any] | None, **reply: Any) -> SentCall:
    return SentCall(RESOLUTION, Reply("tools/call", result, 9.0, **reply), 0.0)


def blocks(
    result: dict[str, Any] | None, previous: dict[str, Any] | None = None, **reply: Any
) -> tuple[Block, ...]:
    return result_blocks(sent(result, **reply), None if previous is None else sent(previous))


def words(shown: tuple[Block, ...]) -> list[str]:
    return [block.text for block in shown if isinstance(block, Heading | Prose)]


@pytest.mark.parametrize(
    ("failure", "code", "word"),
    [
        (Failure.ERROR, -32602, "✗ the server answered with an error -32602"),
        (Failure.TIMEOUT, None, "✗ no answer in time"),
        (Failure.CLOSED, None, "✗ the connection ended before an answer"),
        (Failure.MALFORMED, None, "✗ the answer is no result"),
        (Failure.REFUSED, None, "✗ not sent"),
    ],
)
def test_a_call_without_a_result_says_why(failure: Failure, code: int | None, word: str) -> None:
    call = sent(None, failure=failure, code=code, message="the reason")
    assert result_word(call) == (word, "error")
    assert "the reason" in words(result_blocks(call, None))


def test_a_tool_that_refuses_is_told_by_glyph_and_word() -> None:
    assert words(blocks({"content": [], "isError": True}))[0] == "✗ isError: the tool refused or failed · 9 ms"
    assert words(blocks({"content": []}))[0] == "✓ answered · 9 ms"


def test_each_content_block_is_shown_by_its_kind() -> None:
    content = [
        {"type": "text", "text": "plain [b]words[/b]"},
        {"type": "text", "text": '{"price": 1.10}', "annotations": {"audience": ["user"]}},
        {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        {"type": "audio", "mimeType": "audio/wav", "data": "AAA="},
        {"type": "resource_link", "uri": "crm://x", "name": "a link", "description": "what it is"},
        {"type": "resource", "resource": {"uri": "crm://y", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "crm://z", "blob": "AAAA", "mimeType": "image/png"}},
        {"type": "hologram", "data": 7},
        "no object",
    ]
    shown = blocks({"content": content})
    assert words(shown)[2:] == [
        "text · 18 characters",
        "plain [b]words[/b]",
        'text · JSON, laid out · 15 characters · audience ["user"]',
        "image · image/png · about 3 B",
        "audio · audio/wav · about 2 B",
        "resource link · a link · crm://x",
        "what it is",
        "resource · crm://y · 6 characters",
        "inside",
        "resource · crm://z · image/png · about 3 B",
        "content of type 'hologram'",
        "a content block that is no object",
    ]
    assert [
        str(block.value["price"]) for block in shown if isinstance(block, Json) and "price" in block.value
    ] == ["1.10"]


def test_an_empty_result_says_that_it_is_empty() -> None:
    assert "The result is empty: it has no content." in words(blocks({"content": []}))
    assert "The result is empty: it has no content." in words(blocks({}))


@pytest.mark.parametrize("content", [None, "text", 7, {"type": "text"}, [None], [{"type": None}], [[]]])
def test_content_of_any_shape_is_no_crash(content: Any) -> None:
    assert blocks({"content": content, "structuredContent": [1], "isError": "yes", "other": {"a": 1}})


def test_what_is_not_as_the_protocol_has_it_is_shown() -> None:
    assert "! not as the protocol has it: no resultType" in words(blocks({}, departures=("no resultType",)))


def test_the_difference_to_the_last_result_is_line_by_line() -> None:
    before = {"content": [{"type": "text", "text": "same\nold"}]}
    after = {"content": [{"type": "text", "text": "same\nnew"}]}
    assert {"-old", "+new"} <= set(words(blocks(after, before)))
    assert words(blocks(after, after))[-1] == "The same as the last result of this tool."


def test_a_result_too_long_to_compare_says_so() -> None:
    long = {"content": [{"type": "text", "text": "line\n" * 5000}]}
    assert words(blocks(long, {"content": []}))[-1] == "Too long to compare here."


def test_a_call_is_read_from_a_request_or_from_its_params_and_from_nothing_else() -> None:
    params = '{"name": "send", "arguments": {"b": 1, "a": 2}, "_meta": {"x": 1}}'
    for text in (params, f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'):
        call = read_call(text)
        assert call is not None
        assert (call.tool, list(call.arguments), call.meta) == ("send", ["b", "a"], {"x": 1})
    for text in (
        "",
        "crm://x",
        '{"name": 1}',
        '{"name": "x"}',
        '{"method": "tools/list", "params": {"name": "x"}}',
    ):
        assert read_call(text) is None


def test_a_pasted_meta_is_compared_string_by_string() -> None:
    resolved = {"contents": [{"uri": "a", "text": "1"}]}
    missing = {"error": {"code": "not_found", "message": ""}}
    assert compare_meta({KEY: {"a": resolved}}, {KEY: {"a": resolved}}) == ()
    assert compare_meta({}, {KEY: {}}) == ("the pasted call lacks the key, here it is present",)
    assert compare_meta({KEY: {"a": resolved, "b": missing}}, {KEY: {"a": missing, "c": resolved}}) == (
        "a: resolved in the pasted call, not_found here",
        "b: not_found in the pasted call, not here",
        "c: not in the pasted call, here resolved",
    )
    other = {"contents": [{"uri": "a", "text": "2"}]}
    assert compare_meta({KEY: {"a": resolved}}, {KEY: {"a": other}}) == (
        "a: resolved in the pasted call, to the letter not the same here",
    )
