"""What each rule says, in one sentence: a number is cited with every outcome and every problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {
    "R1": "a host claims the extension with maxChars, maxSize and maxUris",
    "R2": "the claim goes out in initialize, or in every request of 2026-07-28, on each workspace connection",
    "R3": "where a host resolves nothing there is no claim",
    "R4": "a tool declares in its _meta which of its arguments hold URIs, and of which schemes",
    "R5": "a scheme is a letter, then letters, digits, +, - or .; there is no wildcard, and case does not count",
    "R6": "a declared argument is read as a string, or as an array of which the direct strings count",
    "R7": "each distinct string has one entry, keyed as it was written, in the order of the arguments",
    "R8": "a string of two declared arguments is declared if either of them declares its scheme",
    "R9": "where nothing is declared or resolved the key is absent from _meta",
    "R10": "a string whose scheme its argument does not declare, or that has none, is scheme_not_declared",
    "R11": "a run that may not read resources reads none: not_found",
    "R12": "only the first maxUris distinct strings of a declared scheme are looked at: the others are over_limit",
    "R13": "files, ui, skill, artifact and conversation are the host's own: no server can answer for them",
    "R14": "a URI is owned by the server that has a template it expands from; without one it is not_found",
    "R15": "a URI that templates of two servers claim is ambiguous, and neither is asked",
    "R16": "a read that could take the call past maxSize is not made: over_limit",
    "R17": "a server whose reads are spent is rate_limited until its budget fills again",
    "R18": "a read goes to the owner, over its own connection and afresh",
    "R19": "a read that fails, runs out of time or brings nothing is not_found, and the tool learns no more",
    "R20": "a resource with any blob is not_text",
    "R21": "a resource of more than maxChars characters is too_large; it is never cut",
    "R22": "what was read is handed on as the server gave it: uri, text, mimeType and _meta of each entry",
    "R23": "an error entry is a code and a message, and nothing else",
    "R24": "a URI expands from a template where some values of its variables make it, by RFC 6570",
    "R25": "what a template spells out must stand in the URI letter for letter",
    "R26": "a variable that occurs twice has one value; too hard a question is undecided",
    "R27": "what is no RFC 6570 template owns nothing; the server's other templates stand",
    "R28": "the trace of a call has one event for each URI, without its contents",
    "R29": "what is sent is what was shown, and how old that is",
    "R30": "the call is always sent: what a missing record means is the tool's to decide",
    "protocol": "the Model Context Protocol itself says so, in the version that the server speaks",
}
"""One clause for each rule by its number, without a full stop; `protocol` for what the protocol itself asks."""


def explain_rule(rule: str) -> str:
    """`R14: a URI is owned by …`; the rule alone where it is not known."""
    said = RULES.get(rule)
    return rule if said is None else f"{rule}: {said}"
