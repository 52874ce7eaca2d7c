"""RFC 6570 read backwards: which template does a URI expand from? Pure."""

from inspector.templates.expansion import Value
from inspector.templates.grammar import InvalidTemplate
from inspector.templates.nearest import Near, nearest
from inspector.templates.overlap import Overlap, find_overlap, find_overlaps
from inspector.templates.ownership import Claim, InvalidEntry, Lookup, OwnershipMap
from inspector.templates.template import Match, UriTemplate

__all__ = [
    "Claim",
    "InvalidEntry",
    "InvalidTemplate",
    "Lookup",
    "Match",
    "Near",
    "Overlap",
    "OwnershipMap",
    "UriTemplate",
    "Value",
    "find_overlap",
    "find_overlaps",
    "nearest",
]
