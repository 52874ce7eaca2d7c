"""Whether two JSON values are sent as the same text."""

from __future__ import annotations

import json
from typing import Any


def same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same to the letter: order, and `1` against `1.0` or `true`, count."""
    return json.dumps(left) == json.dumps(right)
