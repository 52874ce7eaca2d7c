"""`${VAR}` and `${VAR:-default}` in the fields of a workspace file."""

from __future__ import annotations

import re
from collections.abc import Mapping

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


class Variables:
    """Expands texts with the variables of an environment; `unset` is the first one that was needed and
    missing.

    As in a shell, the default stands in where the variable is unset or empty. What looks otherwise, as
    `${input:token}` does, stays as it is.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.unset: str | None = None

    def expand(self, text: str) -> str:
        """The text with its variables replaced; a missing one stays in it, and is remembered."""
        return _VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name, default = match.groups()
        value = self._environment.get(name)
        if default is not None:
            return value or default
        if value is None:
            self.unset = self.unset or name
            return match[0]
        return value
