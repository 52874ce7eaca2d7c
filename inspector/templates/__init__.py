"""RFC 6570 read backwards: which template does a URI expand from? Pure."""

from inspector.templates.encoded import Expanded, expand_marked
from inspector.templates.expansion import Value
from inspector.templates.grammar import InvalidTemplate
from inspector.templates.nearest import Near, nearest
from inspector.templates.overlap import Overlap, find_overlap, find_overlaps, find_overlaps_with
from inspector.templates.ownership import Claim, Entry, InvalidEntry, Lookup, OwnershipMap
from inspector.templates.template import Match, UriTemplate

__all__ = [
    "Claim",
    "Entry",
    "Expanded",
    "InvalidEntry",
    "InvalidTemplate",
    "Lookup",
    "Match",
    "Near",
    "Overlap",
    "OwnershipMap",
    "UriTemplate",
    "Value",
    "expand_marked",
    "find_overlap",
    "find_overlaps",
    "find_overlaps_with",
    "nearest",
]
