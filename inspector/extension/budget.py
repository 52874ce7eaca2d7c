"""The calling server's resource budget: a token bucket (R17). Time comes in as an argument; nothing waits here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BudgetRate:
    """How a bucket fills: tokens a second, up to `burst`. The defaults are the public host's."""

    per_second: float = 100.0
    burst: float = 1000.0


class Budget:
    """One server's bucket. It starts full. `now` is in seconds on any clock that does not run backwards."""

    def __init__(self, rate: BudgetRate, now: float) -> None:
        self.rate = rate
        self._level = rate.burst
        self._at = now

    def level(self, now: float) -> float:
        """The tokens that are there now."""
        filled = self._level + max(0.0, now - self._at) * self.rate.per_second
        return min(self.rate.burst, filled)

    def take(self, count: int, now: float) -> None:
        """Takes a token for each read that is made. Raises ValueError where fewer are there."""
        level = self.level(now)
        if count > level:
            raise ValueError(f"{count} tokens asked of a budget that holds {level:g}")
        self._level, self._at = level - count, now

    def change_rate(self, rate: BudgetRate, now: float) -> None:
        """Fills at another rate from now on. A full budget stays full, another keeps what it holds."""
        level = self.level(now)
        full = level >= self.rate.burst
        self.rate = rate
        self._level, self._at = rate.burst if full else min(level, rate.burst), now

    def drain(self, now: float) -> None:
        """Empties it, so that a person can see `rate_limited`."""
        self._level, self._at = 0.0, now

    def refill(self, now: float) -> None:
        """Fills it up."""
        self._level, self._at = self.rate.burst, now
