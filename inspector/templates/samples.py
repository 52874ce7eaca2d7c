"""Values that a person would write for a variable, told from its name: what an example URI is made of."""

import re
from typing import Final

_BY_WORD: Final = {
    "year": "2024",
    "month": "06",
    "day": "15",
    "date": "2024-06-15",
    "time": "12",
    "n": "17",
    "num": "17",
    "number": "17",
    "no": "17",
    "seq": "17",
    "issue": "17",
    "limit": "10",
    "size": "10",
    "offset": "20",
    "page": "2",
    "version": "2",
    "revision": "2",
    "port": "8080",
    "lang": "en",
    "language": "en",
    "locale": "en",
    "q": "tea",
    "query": "tea",
    "search": "tea",
    "user": "ada",
    "username": "ada",
    "owner": "ada",
    "author": "ada",
    "email": "ada",
}
_NUMBERS: Final = frozenset(("id", "ids", "uuid", "guid", "key", "code", "index", "idx", "count", "x", "y"))
_PATHS: Final = frozenset(("path", "filepath", "rest", "file", "subpath"))
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_LONGEST: Final = 16


def sample_for(name: str, spans_segments: bool) -> str:
    """A value for the variable `name`: digits where it names a number or an id, letters otherwise.

    The last word of the name decides (`userId`, `user_id`). A name that says nothing is its own value.
    `spans_segments`: whether the value may hold a raw `/`.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    last = words[-1] if words else ""
    if last in _NUMBERS or (last.endswith("id") and len(words) == 1):
        return "42"
    if last in _PATHS:
        return "notes/today" if spans_segments else "notes"
    if last in _BY_WORD:
        return _BY_WORD[last]
    own = "".join(words)[:_LONGEST]
    return own or "a"
