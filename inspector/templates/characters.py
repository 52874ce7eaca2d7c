"""The characters of RFC 6570: what stands as it is, what is percent-encoded, and what counts as one.

Text of a URI is ASCII here: `is_uri_text` refuses everything else before any other function is asked.
"""

import re
from functools import cache
from typing import Final

UNRESERVED: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
RESERVED: Final = ":/?#[]@!$&'()*+,;="

_TRIPLET = "%[0-9A-Fa-f]{2}"


def _octet(low: int, high: int) -> str:
    """A pattern for one percent-encoded octet between `low` and `high`, in either case of its digits."""
    choices = "|".join(
        "".join(f"[{digit}{digit.lower()}]" if digit.isalpha() else digit for digit in f"{octet:02X}")
        for octet in range(low, high + 1)
    )
    return f"%(?:{choices})"


_TAIL = _octet(0x80, 0xBF)

# The well-formed sequences of UTF-8 beyond ASCII, percent-encoded (Unicode, table 3-7).
ENCODED_CHARACTER: Final = "|".join(
    (
        f"{_octet(0xC2, 0xDF)}{_TAIL}",
        f"{_octet(0xE0, 0xE0)}{_octet(0xA0, 0xBF)}{_TAIL}",
        f"{_octet(0xE1, 0xEC)}{_TAIL}{_TAIL}",
        f"{_octet(0xED, 0xED)}{_octet(0x80, 0x9F)}{_TAIL}",
        f"{_octet(0xEE, 0xEF)}{_TAIL}{_TAIL}",
        f"{_octet(0xF0, 0xF0)}{_octet(0x90, 0xBF)}{_TAIL}{_TAIL}",
        f"{_octet(0xF1, 0xF3)}{_TAIL}{_TAIL}{_TAIL}",
        f"{_octet(0xF4, 0xF4)}{_octet(0x80, 0x8F)}{_TAIL}{_TAIL}",
    )
)


@cache
def _character() -> re.Pattern[str]:
    """One character as `:n` counts it (R25): a UTF-8 sequence, an octet that is part of none, or itself.

    Compiled on first use: it takes longer than all the rest of this module, and few templates need it.
    """
    return re.compile(f"{ENCODED_CHARACTER}|{_TRIPLET}|.", re.DOTALL)


_URI_TEXT = re.compile(f"(?:[{re.escape(UNRESERVED + RESERVED)}]++|{_TRIPLET})*+")
_TRIPLETS = re.compile(f"(?:{_TRIPLET})+")


def is_uri_text(text: str) -> bool:
    """Whether `text` is made of nothing but unreserved and reserved characters and whole `%HH`.

    No expansion of any template holds anything else, so what is refused here has no owner.
    """
    return _URI_TEXT.fullmatch(text) is not None


def first_fault_in_uri(text: str) -> int | None:
    """The offset of the first character that no expansion can hold, or None where there is none."""
    matched = _URI_TEXT.match(text)
    end = matched.end() if matched else 0
    return None if end == len(text) else end


def split_characters(text: str) -> list[str]:
    """`text` cut into what RFC 6570 section 2.4.1 counts as characters, triplets kept whole (R25)."""
    return _character().findall(text)


def decode(text: str) -> str:
    """The value that expands to `text` where only unreserved characters stand for themselves.

    An octet that is part of no UTF-8 sequence becomes a lone surrogate (U+DC80 to U+DCFF), which
    `encode_octets` and expansion turn back into that octet.
    """
    return _TRIPLETS.sub(_decode_octets, text) if "%" in text else text


def _decode_octets(run: "re.Match[str]") -> str:
    return bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "surrogateescape")


def decode_reserved(text: str) -> str:
    """A value that expands to `text` under `{+x}` or `{#x}`, which pass `%HH` through.

    What expansion would encode again is decoded (`%20`, a UTF-8 sequence); every other triplet stays
    (`%2F`, `%25`, `%41`, an octet that is part of no sequence), since decoding it would lose it.
    """
    return _TRIPLETS.sub(_decode_run, text) if "%" in text else text


def _decode_run(run: "re.Match[str]") -> str:
    text = run[0]
    pieces: list[str] = []
    at = 0
    for character in decode(text):
        width = 3 * len(character.encode("utf-8", "surrogateescape"))
        keeps = "\udc80" <= character <= "\udcff" or character in UNRESERVED or character in RESERVED
        pieces.append(text[at : at + width] if keeps or character == "%" else character)
        at += width
    return "".join(pieces)


def encode_octets(text: str) -> str:
    """`text` with each of its characters percent-encoded as UTF-8.

    Raises ValueError where it holds a surrogate that stands for no octet.
    """
    return "".join(f"%{octet:02X}" for octet in text.encode("utf-8", "surrogateescape"))


def encode_reserved(text: str) -> str:
    """`text` as `{+x}` and `{#x}` expand it: reserved characters and `%HH` as they are (section 3.2.3).

    Raises ValueError where it holds a surrogate that stands for no octet.
    """
    return _TO_ENCODE.sub(lambda found: encode_octets(found[0]), text)


_TO_ENCODE = re.compile(f"(?!{_TRIPLET})[^{re.escape(UNRESERVED + RESERVED)}]")


def fold_octets(text: str) -> str:
    """`text` in one spelling of its percent-encoded octets: upper case, unreserved ones decoded.

    Two texts that fold alike differ in nothing that R25 tells apart in a value.
    """
    return _TRIPLETS.sub(_fold_run, text) if "%" in text else text


def _fold_run(run: "re.Match[str]") -> str:
    octets = bytes.fromhex(run[0].replace("%", ""))
    return "".join(chr(octet) if chr(octet) in UNRESERVED else f"%{octet:02X}" for octet in octets)
