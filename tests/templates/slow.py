"""A slow, independent answer to whether a URI expands from a template, by the letter of RFC 6570, appendix A.

It shares no code with the program: it cuts the URI in every way, guesses the values of each piece, and
expands them. Only for short URIs.
"""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

TABLE = {
    "": ("", ",", False, "", False),
    "+": ("", ",", False, "", True),
    "#": ("#", ",", False, "", True),
    ".": (".", ".", False, "", False),
    "/": ("/", "/", False, "", False),
    ";": (";", ";", True, "", False),
    "?": ("?", "&", True, "=", False),
    "&": ("&", "&", True, "=", False),
}
UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
RESERVED = frozenset(b":/?#[]@!$&'()*+,;=")
TOKEN = re.compile("%[0-9A-Fa-f]{2}|[^%]", re.DOTALL)
UNDEFINED = object()


def expands(template: str, uri: str) -> bool:
    """Whether some assignment of the variables makes `template` expand to `uri` (R24 to R26)."""
    if not all(ord(character) < 128 for character in uri):
        return False
    tokens = TOKEN.findall(uri)
    if "".join(tokens) != uri:
        return False
    pieces = re.split(r"\{([^}]*)\}", template)
    parts: list[Any] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            operator = piece[0] if piece[0] in TABLE else ""
            names = piece[len(operator) :].split(",")
            parts.append((operator, tuple(re.fullmatch(r"([^:*]*)(\*?):?(\d*)", name).groups() for name in names)))
        else:
            parts.append(encode_literal(piece))
    return any(consistent(texts) for texts in cuts(tuple(parts), tuple(tokens)))


def cuts(parts: tuple[Any, ...], tokens: tuple[str, ...]) -> Iterator[list[Any]]:
    """Every way to give each variable a piece of the URI, or nothing at all."""
    if not parts:
        if not tokens:
            yield []
        return
    part, rest = parts[0], parts[1:]
    if isinstance(part, str):
        wanted = TOKEN.findall(part)
        if list(tokens[: len(wanted)]) == wanted:
            yield from cuts(rest, tokens[len(wanted) :])
        return
    operator, variables = part
    for end in range(len(tokens) + 1):
        heads = list(expression_cuts(operator, variables, tokens[:end], False))
        if heads:
            for tail in cuts(rest, tokens[end:]):
                for head in heads:
                    yield head + tail


def expression_cuts(operator: str, variables: Any, tokens: tuple[str, ...], opened: bool) -> Iterator[list[Any]]:
    if not variables:
        if not tokens:
            yield []
        return
    for tail in expression_cuts(operator, variables[1:], tokens, opened):
        yield [(operator, variables[0], None), *tail]
    lead = TABLE[operator][1 if opened else 0]
    if lead and tokens[:1] != (lead,):
        return
    tokens = tokens[1:] if lead else tokens
    for end in range(len(tokens) + 1):
        text = "".join(tokens[:end])
        if guesses(operator, variables[0], text):
            for tail in expression_cuts(operator, variables[1:], tokens[end:], True):
                yield [(operator, variables[0], text), *tail]


def consistent(texts: list[Any]) -> bool:
    """Whether one value for each name gives all its texts."""
    for name in {variable[0] for _, variable, _ in texts}:
        group = [entry for entry in texts if entry[1][0] == name]
        if all(text is None for _, _, text in group):
            continue
        if any(text is None for _, _, text in group):
            return False
        values = [value for entry in group for value in guesses(*entry)]
        if not any(all(gives(entry, value) for entry in group) for value in values):
            return False
    return True


def gives(entry: Any, value: Any) -> bool:
    operator, variable, text = entry
    if variable[2] and not isinstance(value, str):
        return False
    return fold(expand(operator, variable, value)) == fold(text)


@lru_cache(maxsize=100_000)
def guesses(operator: str, variable: Any, text: str) -> tuple[Any, ...]:
    """Values that expand to `text`."""
    name, explode, prefix = variable
    candidates: list[Any] = []
    bare = text
    if TABLE[operator][2]:
        bare = text[len(name) + 1 :]
    candidates += decodings(bare)
    if not prefix:
        joins = {",", TABLE[operator][1]} if explode else {","}
        for join in joins:
            for members in splits(text if explode else bare, join):
                is_keyed = explode and TABLE[operator][2]
                plain = [member[len(name) + 1 :] if is_keyed else member for member in members]
                candidates += [list(choice) for choice in itertools.product(*map(decodings, plain))]
                candidates += pairs_of(members if explode else bare.split(","), explode)
        if not explode:
            for members in splits(bare, ","):
                candidates += pairs_of(members, "")
    unique = []
    for value in candidates:
        if value not in unique and gives((operator, variable, text), value):
            unique.append(value)
    return tuple(unique)


def pairs_of(members: list[str], explode: str) -> list[Any]:
    if explode:
        parted = [member.partition("=")[::2] for member in members]
    elif len(members) % 2 == 0:
        parted = list(zip(members[::2], members[1::2], strict=True))
    else:
        return []
    choices = [decodings(text) for pair in parted for text in pair]
    return [
        [(flat[index], flat[index + 1]) for index in range(0, len(flat), 2)]
        for flat in itertools.product(*choices)
    ]


def splits(text: str, join: str) -> Iterator[list[str]]:
    """`text` cut at any of its joins."""
    members = text.split(join)
    for kept in itertools.product((False, True), repeat=min(len(members) - 1, 6)):
        cut = [members[0]]
        for keep, member in zip(kept, members[1:], strict=False):
            if keep:
                cut[-1] += join + member
            else:
                cut.append(member)
        yield cut + members[len(kept) + 1 :]


def decodings(text: str) -> list[str]:
    """Strings that may stand for `text`: all its octets decoded, or each run of them left alone."""
    runs = re.split("((?:%[0-9A-Fa-f]{2})+)", text)
    choices = [
        [run, bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape")] if index % 2 else [run]
        for index, run in enumerate(runs)
    ]
    return list(dict.fromkeys("".join(choice) for choice in itertools.product(*choices)))


def expand(operator: str, variable: Any, value: Any) -> str:
    """Appendix A, for one defined variable."""
    name, explode, prefix = variable
    _, separator, named, if_empty, reserved = TABLE[operator]

    def encode(text: str) -> str:
        if reserved:
            return "".join(
                piece if index % 2 else quote(piece, UNRESERVED | RESERVED)
                for index, piece in enumerate(re.split("(%[0-9A-Fa-f]{2})", text))
            )
        return quote(text, UNRESERVED)

    def pair(key: str, text: str) -> str:
        return key + (f"={text}" if text else if_empty)

    if isinstance(value, str):
        if prefix:
            characters = re.findall("(?:%[0-9A-Fa-f]{2})+|.", value, re.DOTALL) if reserved else list(value)
            value = "".join(itertools.islice(split_triplets(characters), int(prefix)))
        return pair(name, encode(value)) if named else encode(value)
    is_pairs = isinstance(value[0], tuple)
    if not explode:
        joined = (
            ",".join(f"{encode(a)},{encode(b)}" for a, b in value) if is_pairs else ",".join(map(encode, value))
        )
        return pair(name, joined) if named else joined
    if is_pairs:
        return separator.join(
            pair(encode(a), encode(b)) if named else f"{encode(a)}={encode(b)}" for a, b in value
        )
    return separator.join(pair(name, encode(member)) if named else encode(member) for member in value)


def split_triplets(characters: list[str]) -> Iterator[str]:
    """Runs of `%HH` cut into what they encode: a UTF-8 sequence is one character, a stray octet another."""
    for run in characters:
        if len(run) < 3:
            yield run
            continue
        at = 0
        for character in bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape"):
            width = 3 * len(character.encode("utf-8", "surrogateescape"))
            yield run[at : at + width]
            at += width


def quote(text: str, safe: frozenset[int]) -> str:
    octets = text.encode("utf-8", "surrogateescape")
    return "".join(chr(octet) if octet in safe else f"%{octet:02X}" for octet in octets)


def encode_literal(text: str) -> str:
    return "".join(character if ord(character) < 128 else quote(character, frozenset()) for character in text)


def fold(text: str) -> list[str]:
    """Octet by octet, so that `%41`, `A` and `%c3`, `%C3` are alike."""
    return [
        chr(int(token[1:], 16)) + ("" if int(token[1:], 16) in UNRESERVED else "%") if len(token) == 3 else token
        for token in TOKEN.findall(text)
    ]
