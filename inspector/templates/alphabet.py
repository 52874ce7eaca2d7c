"""The tokens of a URI as bits of an integer, so that what two templates both allow is one operation.

A token is a character, or a whole `%HH` in one spelling of its digits: literals compare exactly (R25). The
tokens are in the order in which an example URI prefers them, so the lowest bit of a set is its best member.
"""

from functools import lru_cache
from typing import Final

_DIGITS: Final = "0123456789ABCDEFabcdef"
_CHARACTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/,=:@&?;+!$'()*#[]"
_TOKENS: Final[tuple[str, ...]] = (*_CHARACTERS, *(f"%{high}{low}" for high in _DIGITS for low in _DIGITS))
_BITS: Final[dict[str, int]] = {token: 1 << index for index, token in enumerate(_TOKENS)}
_TRIPLETS: Final = sum(bit for token, bit in _BITS.items() if len(token) == 3)


def bit_of(token: str) -> int:
    """The set that holds this token alone; the empty one where `token` cannot stand in a URI."""
    return _BITS.get(token, 0)


def best_of(tokens: int) -> str:
    """The token of a set that an example URI had best take; the set is not empty."""
    return _TOKENS[(tokens & -tokens).bit_length() - 1]


@lru_cache(maxsize=64)
def tokens_of(characters: str) -> int:
    """The set of these characters; `%` stands for every `%HH`."""
    plain = sum(_BITS[character] for character in set(characters) - {"%"})
    return plain | _TRIPLETS if "%" in characters else plain


@lru_cache(maxsize=64)
def octets(low: int, high: int) -> int:
    """The set of every `%HH` from octet `low` to octet `high`, both included."""
    return sum(bit for token, bit in _BITS.items() if len(token) == 3 and low <= int(token[1:], 16) <= high)


def token_at(text: str, position: int) -> str:
    """The token that stands at `position` of a text of a URI."""
    return text[position : position + 3] if text[position] == "%" else text[position]


def common_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
