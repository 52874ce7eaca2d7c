"""Which keys count now: as a person's keymap has them, and not those that a field takes as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.keys import key_to_character
from textual.screen import Screen

if TYPE_CHECKING:
    _Base = Screen[Any]
else:
    _Base = object


def counting_keys(screen: Screen[Any]) -> Iterator[tuple[ActiveBinding, str]]:
    """Each binding that a key press would reach on this screen now, with how its key is shown."""
    focused = screen.focused
    for active in screen.active_bindings.values():
        binding = active.binding
        if not active.enabled:
            continue
        shown = screen.app.get_key_display(binding)
        character = shown if len(shown) == 1 else key_to_character(binding.key)
        taken = focused is not None and focused.check_consume_key(binding.key, character)
        if binding.priority or not taken:
            yield active, shown


def remapped(bindings: BindingsMap, keymap: Mapping[str, str]) -> BindingsMap:
    """The bindings with the keys of a keymap: those it names have its keys alone, all others keep theirs."""
    moved: dict[str, list[Any]] = {}
    kept: dict[str, list[Any]] = {}
    for key, together in bindings.key_to_bindings.items():
        for binding in together:
            if binding.id is None or binding.id not in keymap:
                kept.setdefault(key, []).append(binding)
                continue
            for wanted in keymap[binding.id].split(","):
                there = moved.setdefault(wanted, [])
                if all(other.id != binding.id for other in there):
                    there.append(binding.with_key(key=wanted, key_display=None))
    # What a person moved to a key comes before what a widget of Textual's does by it.
    for key, together in kept.items():
        moved.setdefault(key, []).extend(together)
    return BindingsMap.from_keys(moved)


class KeymapScreen(_Base):
    """A screen on which a key that a person moved counts wherever it is no text, in a field too.

    Textual leaves out what a field takes as text before it looks at the keymap, and so loses a letter's binding
    that was moved to a key that is none; and where one of two bindings of a key is moved, it loses both.
    """

    @property
    def _binding_chain(self) -> list[tuple[DOMNode, BindingsMap]]:
        keymap = self.app._keymap
        if not keymap:
            return super()._binding_chain
        focused = self.focused if self.focused is not None and not self.focused.loading else None
        nodes: list[DOMNode] = [self, self.app] if focused is None else list(focused.ancestors_with_self)
        chain: list[tuple[DOMNode, BindingsMap]] = []
        for node in nodes:
            bindings = remapped(node._bindings, keymap)
            for nearer, _ in chain:
                for key in list(bindings.key_to_bindings):
                    if nearer.check_consume_key(key, key_to_character(key)):
                        del bindings.key_to_bindings[key]
            chain.append((node, bindings))
        return chain
