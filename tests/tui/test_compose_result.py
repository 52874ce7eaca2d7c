"""A result in blocks: how the call ended, each content block by its kind, what differs from the last."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from inspector.host.call import SentCall
from inspector.host.profile import HostSettings
from inspector.host.resolution import Resolution
from inspector.tui.widgets.difference import compare_lines, difference_blocks
from inspector.tui.widgets.form_call import compare_meta, read_call
from inspector.tui.widgets.json_view_lines import Block, Heading, Json, Pair, Prose
from inspector.tui.widgets.result import judge_output, result_blocks, result_word
from inspector.workspace.catalog import Tool
from inspector.workspace.reply import Failure, Reply

KEY = "ai.nimblebrain/resource-arguments"
RESOLUTION = Resolution(Tool("outbox", "send", {}), HostSettings(), {}, False, (), {}, 0.0, 1)


def sent(result: dict[str, Any] | None, **reply: Any) -> SentCall:
    return SentCall(RESOLUTION, Reply("tools/call", result, 9.0, **reply), 0.0)


def blocks(result: dict[str, Any] | None, **reply: Any) -> tuple[Block, ...]:
    return result_blocks(sent(result, **reply))


def difference(after: dict[str, Any], before: dict[str, Any], *, wide: bool = False) -> tuple[Block, ...]:
    return difference_blocks(sent(before), sent(after), wide=wide)


def checked(schema: Any, result: dict[str, Any]) -> list[str]:
    tool = Tool("outbox", "send", {"outputSchema": schema})
    call = SentCall(replace(RESOLUTION, tool=tool), Reply("tools/call", result, 9.0), 0.0)
    return words(result_blocks(call, judge_output(call)))


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
    assert "the reason" in words(result_blocks(call))


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


def result_of(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def test_the_difference_to_the_last_result_is_line_by_line_with_counts() -> None:
    shown = difference(result_of("same\nnew"), result_of("same\nold"))
    assert words(shown) == [
        "compared with the last result of this tool · +1 −1 lines",
        "⋯ 1 line the same",
        "  text",
        "  same",
        "- old",
        "+ new",
    ]
    assert words(difference(result_of("x"), result_of("x"))) == ["The same as the last result of this tool."]


def test_where_there_is_room_the_two_results_stand_side_by_side() -> None:
    shown = difference(result_of("same\nnew\nmore"), result_of("same\nold"), wide=True)
    assert [(block.left, block.right) for block in shown if isinstance(block, Pair)] == [
        ("text", "text"),
        ("same", "same"),
        ("old", "new"),
        (None, "more"),
    ]


def test_bytes_that_differ_are_told_apart() -> None:
    def picture(data: str) -> dict[str, Any]:
        return {"content": [{"type": "image", "mimeType": "image/png", "data": data}]}

    assert "+1 −1 lines" in words(difference(picture("AAAA"), picture("AAAB")))[0]
    assert words(difference(picture("AAAA"), picture("AAAA"))) == ["The same as the last result of this tool."]


def test_a_long_result_is_compared_whole_where_little_of_it_differs() -> None:
    before, after = (["line"] * 50_000, ["line"] * 25_000 + ["new"] + ["line"] * 25_000)
    shown = compare_lines(before, after, wide=False)
    assert "+ new" in words(shown)
    assert "+1 −0 line" in words(shown)[0]


def test_a_result_too_long_to_compare_says_so() -> None:
    shown = difference(result_of("line\n" * 50_000), result_of("".join(f"{n}\n" for n in range(9000))))
    assert words(shown)[-1].startswith("Too long to compare line by line: 9,00")


def test_the_structured_content_is_held_against_the_tools_schema() -> None:
    schema = {"type": "object", "properties": {"sent": {"type": "boolean"}}, "required": ["sent"]}
    kept = {"content": [], "structuredContent": {"sent": True}}
    broken = {"content": [], "structuredContent": {"sent": "yes"}}
    assert "structuredContent · ✓ as its outputSchema has it" in checked(schema, kept)
    assert "structuredContent · ! 1 place breaks its outputSchema" in checked(schema, broken)
    assert any(line.startswith("! sent: ") for line in checked(schema, broken))
    assert "! the whole: there is none, and the tool publishes an outputSchema" in checked(schema, {"content": []})
    assert any(line.startswith("structuredContent · not checked: ") for line in checked("none", kept))
    assert "structuredContent" in checked(None, kept)
    assert not any("outputSchema" in line for line in checked(schema, {"content": [], "isError": True}))


def test_what_can_be_done_with_a_block_is_known_to_its_heading() -> None:
    content = [
        {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        {"type": "resource_link", "uri": "crm://x", "name": "a link", "size": 1200},
        {"type": "resource", "resource": {"uri": "crm://y", "text": "é", "mimeType": "text/markdown"}},
        {"type": "audio", "mimeType": "audio/wav", "data": "no base64!"},
    ]
    items = [b.subject for b in blocks({"content": content}) if isinstance(b, Heading) and b.subject is not None]
    image, link, embedded, audio = items
    assert (image.uri, image.saveable.file_name, image.saveable.encoded) == (None, "image.png", True)
    assert (link.uri, link.can_be_saved) == ("crm://x", False)
    assert (embedded.uri, embedded.saveable.data, embedded.saveable.encoded) == ("crm://y", "é", False)
    assert audio.can_be_saved


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
