"""Random templates, values for them, and URIs that nearly expand from them."""

from typing import Any

from hypothesis import strategies as st

OPERATORS = ["", "", "+", "#", ".", "/", ";", "?", "&"]
LITERALS = ["a", "b", "/", "-", ".", "x", ",", "=", "?", "&", ";", "é", "%2F", "ab", "x="]
TEXTS = [
    "",
    "a",
    "b",
    "x",
    "/",
    ",",
    "=",
    ".",
    "-",
    " ",
    "%",
    "é",
    "€",
    "𝄞",
    "%2F",
    "%41",
    "%C3%A9",
    "&",
    ";",
    "?",
]

texts = st.lists(st.sampled_from(TEXTS), max_size=3).map("".join)
names = st.sampled_from(["x", "y", "z", "ab"])
modifiers = st.sampled_from(["", "", "", "*", "*", ":1", ":2", ":9999"])


def templates(repeats: bool) -> st.SearchStrategy[str]:
    """Templates of up to five parts; without `repeats`, no name occurs twice."""

    @st.composite
    def build(draw: Any) -> str:
        pieces: list[str] = []
        fresh = iter(f"{name}{index}" for index in range(4) for name in "xyz")
        for _ in range(draw(st.integers(1, 5))):
            if draw(st.booleans()):
                pieces.append(draw(st.sampled_from(LITERALS)))
                continue
            variables = [
                (draw(names) if repeats else next(fresh)) + draw(modifiers) for _ in range(draw(st.integers(1, 2)))
            ]
            pieces.append("{" + draw(st.sampled_from(OPERATORS)) + ",".join(variables) + "}")
        return "".join(pieces)

    return build()


@st.composite
def values_for(draw: Any, variables: tuple[str, ...], strings_only: frozenset[str]) -> dict[str, Any]:
    """A value, or none, for each variable; strings for those that have a prefix modifier."""
    values: dict[str, Any] = {}
    for name in variables:
        kinds: list[Any] = [st.none(), texts, texts]
        if name not in strings_only:
            kinds += [st.lists(texts, max_size=3), st.lists(st.tuples(texts, texts), max_size=2)]
        value = draw(st.one_of(kinds))
        if value is not None:
            values[name] = value
    return values


@st.composite
def near(draw: Any, uri: str) -> str:
    """`uri` with a few characters changed."""
    characters = list(uri)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(characters)))
        change = draw(st.sampled_from(["insert", "delete", "replace"]))
        if change != "insert" and at < len(characters):
            del characters[at]
        if change != "delete":
            characters.insert(at, draw(st.sampled_from([*"abxyz/-.,=?&;#1:", "%2F", "%c3", "%A9", "x0=", "é"])))
    return "".join(characters)
