"""A line to type into whose room does not depend on what stands in it."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input


class SteadyInput(Input):
    """Textual's input lays the whole screen out at every key, for inputs as wide as their text. Ours never are."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
