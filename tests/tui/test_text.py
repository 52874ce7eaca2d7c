"""Text from a server is data: never markup, never raw to the terminal."""

import pytest

from inspector.tui.text import content


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/", "[b +", "[link='x']y[/]", "a [b]"])
def test_markup_from_a_server_is_just_text(text: str) -> None:
    assert content(text).plain == text
    assert not content(text).spans


def test_escape_sequences_and_direction_overrides_show_as_marks() -> None:
    assert content("\x1b[31mred\u202e").plain == "␛[31mred\\u202e"


def test_a_line_feed_stays_only_where_it_is_asked_for() -> None:
    assert content("a\nb").plain == "a␊b"
    assert content("a\nb", multiline=True).plain == "a\nb"


def test_a_style_is_for_the_whole_of_it() -> None:
    styled = content("[red]", style="bold")
    assert styled.plain == "[red]"
    assert [(span.start, span.end) for span in styled.spans] == [(0, 5)]
