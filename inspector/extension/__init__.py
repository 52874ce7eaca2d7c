"""What the extension says, as pure functions: no I/O, no SDK, no Textual.

A call goes one way through: `find_citations` (R6 to R8), `admit` (R10 to R17), a read of each admitted string by
whoever plays the host, `judge_result` (R19 to R22), and `Outcome.entry` (R23).
"""

from inspector.extension.admission import Admission, Owners, admit
from inspector.extension.budget import Budget, BudgetRate
from inspector.extension.capability import HOST_SCHEMES, KEY, Limits, is_scheme, scheme_of
from inspector.extension.citations import Citation, find_citations
from inspector.extension.declaration import Declaration, DeclaredArgument, Fault, read_declaration
from inspector.extension.outcome import (
    FAILED_READ_REMEDY,
    MESSAGES,
    REMEDIES,
    Code,
    Outcome,
    RawEntry,
    Reading,
    judge_result,
    utf16_length,
)
from inspector.extension.record import EVENT, ResourceArgument, record

__all__ = [
    "EVENT",
    "FAILED_READ_REMEDY",
    "HOST_SCHEMES",
    "KEY",
    "MESSAGES",
    "REMEDIES",
    "Admission",
    "Budget",
    "BudgetRate",
    "Citation",
    "Code",
    "Declaration",
    "DeclaredArgument",
    "Fault",
    "Limits",
    "Outcome",
    "Owners",
    "RawEntry",
    "Reading",
    "ResourceArgument",
    "admit",
    "find_citations",
    "is_scheme",
    "judge_result",
    "read_declaration",
    "record",
    "scheme_of",
    "utf16_length",
]
