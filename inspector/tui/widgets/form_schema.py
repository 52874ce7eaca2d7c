"""Reads an `inputSchema`: which fields it asks for. References within it are followed, `allOf` is merged where
that is simple, `anyOf` and `oneOf` are collapsed to what a person can fill in.

A schema may have any shape, and refer to itself. What no field can be made of is a field for JSON, never an error;
what is elsewhere is never fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote

from inspector.extension import Declaration
from inspector.tui.text import visible
from inspector.tui.widgets.form_json import nests_too_deep, show_json
from inspector.tui.widgets.form_model import ABSENT, MOST_FIELDS, Field, FieldKind

_DEEPEST: Final = 24
"""References and parts within each other that are followed."""

_MOST_STEPS: Final = 500
"""Schemas that are looked at for one argument: few parts that refer to each other can make very many."""

_MOST_PARTS: Final = 64
"""Alternatives, and parts of an `allOf`, that are looked at."""

_SHAPING: Final = frozenset(("enum", "const", "items", "anyOf", "oneOf"))
"""Keywords that say what kind of field there is: two that differ do not merge."""

_FACTS: Final[Mapping[str, str]] = {
    "format": "format {}",
    "pattern": "pattern {}",
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "no item twice",
}
"""What is said of a field, beside its kind."""


class _NotSimple(Exception):
    """A schema that no field of its own kind can be made of. Its text says why, for a person; it may be empty."""


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: FieldKind
    choices: tuple[Any, ...] = ()
    titles: tuple[str, ...] = ()
    nullable: bool = False
    empty: Any = ABSENT
    note: str = ""
    facts: tuple[str, ...] = ()


def read_fields(schema: Mapping[str, Any], declaration: Declaration) -> tuple[Field, ...]:
    """The fields of a schema, in its order; then the declared arguments that it does not name.

    No more than `MOST_FIELDS`: those that are required or declared come before others.
    """
    reader = _Reader(schema)
    top = reader.settle_top()
    found = top.get("properties")
    properties: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    required = top.get("required")
    names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    # Up to draft 3 an argument says itself that it is required.
    names |= {
        name for name, each in properties.items() if isinstance(each, Mapping) and each.get("required") is True
    }
    wanted = [name for name in properties if name in names or declaration.argument(name)]
    shown = set(wanted[:MOST_FIELDS])
    shown |= set([name for name in properties if name not in shown][: MOST_FIELDS - len(shown)])
    fields = [
        reader.read(name, properties[name], name in names, _schemes(declaration, name))
        for name in properties
        if name in shown
    ]
    fields += [
        Field(argument.name, FieldKind.STRINGS, argument.name in names, argument.schemes, known=False, empty=[])
        for argument in declaration.arguments
        if argument.name not in properties
    ]
    return tuple(fields)


def count_properties(schema: Mapping[str, Any]) -> int:
    """How many arguments a schema names."""
    properties = _Reader(schema).settle_top().get("properties")
    return len(properties) if isinstance(properties, Mapping) else 0


def _schemes(declaration: Declaration, name: str) -> tuple[str, ...]:
    argument = declaration.argument(name)
    return argument.schemes if argument else ()


class _Reader:
    """Reads the parts of one schema, in which their references are looked up."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._steps = 0

    def settle_top(self) -> Mapping[str, Any]:
        self._steps = 0
        try:
            return self._settle(self._root)
        except _NotSimple:
            return self._root

    def read(self, name: str, schema: Any, required: bool, schemes: tuple[str, ...]) -> Field:
        """The field of one argument."""
        said: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        self._steps = 0
        try:
            said = self._settle(schema)
            shape = self._shape(said, bool(schemes), 0)
        except _NotSimple as reason:
            shape = _Shape(FieldKind.JSON, note=str(reason))
        examples = said.get("examples")
        given = (said.get("default", ABSENT), *(examples[:9] if isinstance(examples, list) else ()))
        # What no call could hold is offered to nobody.
        default, *others = (ABSENT if nests_too_deep(each) else each for each in given)
        return Field(
            name=name,
            kind=shape.kind,
            required=required,
            schemes=schemes,
            description=_text(said.get("description")),
            choices=shape.choices,
            default=default,
            examples=tuple(each for each in others if each is not ABSENT),
            titles=shape.titles,
            nullable=shape.nullable,
            title=_text(said.get("title")),
            empty=shape.empty,
            note=shape.note,
            facts=shape.facts,
        )

    # References and allOf

    def _settle(self, schema: Any, trail: tuple[str, ...] = (), depth: int = 0) -> dict[str, Any]:
        """The schema with its reference followed and its `allOf` merged into it. Raises _NotSimple."""
        if schema is True:
            return {}
        if not isinstance(schema, Mapping):
            raise _NotSimple("")
        self._steps += 1
        if depth > _DEEPEST or self._steps > _MOST_STEPS:
            raise _NotSimple("its schema is too involved for a field")
        found = dict(schema)
        reference = found.pop("$ref", None)
        if isinstance(reference, str):
            if reference in trail:
                raise _NotSimple("its schema refers to itself")
            target = self._settle(self._find(reference), (*trail, reference), depth + 1)
            # What stands beside a reference is nearer to the argument: its words count.
            found = _merge(found, target)
        parts = found.pop("allOf", None)
        for part in parts[:_MOST_PARTS] if isinstance(parts, list) else ():
            found = _merge(found, self._settle(part, trail, depth + 1))
        return found

    def _find(self, reference: str) -> Any:
        if not reference.startswith("#"):
            raise _NotSimple(f"it refers to {visible(reference, 120)}, which is never fetched")
        found: Any = self._root
        steps = unquote(reference[1:]).split("/")
        if steps[0]:
            named = [self._root.get("$defs"), self._root.get("definitions")]
            parts = [part for each in named if isinstance(each, Mapping) for part in each.values()]
            return next((part for part in parts if _is_named(part, steps[0])), None)
        for step in steps[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, Mapping) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
                found = found[int(key)]
            else:
                raise _NotSimple(f"it refers to {visible(reference, 120)}, which is not in the schema")
        return found

    # The kind of field

    def _shape(self, schema: Mapping[str, Any], declared: bool, depth: int) -> _Shape:
        if depth > 2:
            return _Shape(FieldKind.JSON)
        options = list(self._alternatives(schema))
        if options:
            return self._collapse(schema, options, declared, depth)
        facts = tuple(_facts(schema))
        choices = schema.get("enum")
        if isinstance(choices, list) and choices:
            return _of_choices(choices, _titles(schema.get("enumNames"), len(choices)))
        if "const" in schema:
            return _of_choices([schema["const"]], (_text(schema.get("title")),))
        match schema.get("type"):
            case "string":
                return _Shape(FieldKind.TEXT, empty="", facts=facts)
            case "integer":
                return _Shape(FieldKind.INTEGER, facts=facts)
            case "number":
                return _Shape(FieldKind.NUMBER, facts=facts)
            case "boolean":
                return _Shape(FieldKind.CHOICE, (True, False))
            case "null":
                return _Shape(FieldKind.CHOICE, (None,))
            case "array":
                return self._array(schema, declared, facts)
            case "object":
                return _Shape(FieldKind.JSON, empty={}, facts=facts)
            case None if declared:
                return _Shape(FieldKind.STRINGS, empty=[], facts=facts)
        return _Shape(FieldKind.JSON, facts=facts)

    def _array(self, schema: Mapping[str, Any], declared: bool, facts: tuple[str, ...]) -> _Shape:
        items = schema.get("items", ABSENT)
        if items is ABSENT or isinstance(items, list) or "prefixItems" in schema:
            strings = declared and items is ABSENT
        else:
            try:
                settled = self._settle(items)
            except _NotSimple as reason:
                return _Shape(FieldKind.JSON, empty=[], note=str(reason), facts=facts)
            strings = settled.get("type") == "string" or (declared and "type" not in settled)
            allowed = settled.get("enum")
            if strings and isinstance(allowed, list):
                facts = (*facts, f"each one of {show_json(allowed, 200)[1:-1]}")
        return _Shape(FieldKind.STRINGS if strings else FieldKind.JSON, empty=[], facts=facts)

    def _alternatives(self, schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The schemas that a value may be of, where there are several."""
        rest = {name: value for name, value in schema.items() if name not in ("anyOf", "oneOf", "type")}
        for keyword in ("anyOf", "oneOf"):
            options = schema.get(keyword)
            if isinstance(options, list) and options:
                # A pair of anyOf and oneOf is rare: the first says which field there is.
                shared = {**rest, "type": schema["type"]} if "type" in schema else rest
                for option in options[:_MOST_PARTS]:
                    yield _merge(self._settle(option), shared)
                return
        types = schema.get("type")
        if isinstance(types, list):
            for name in types[:_MOST_PARTS]:
                yield {**rest, "type": name}

    def _collapse(
        self, schema: Mapping[str, Any], options: Sequence[Mapping[str, Any]], declared: bool, depth: int
    ) -> _Shape:
        others = [
            option for option in options if option.get("type") != "null" and option.get("const", 0) is not None
        ]
        nullable = len(others) < len(options)
        if not others:
            return _Shape(FieldKind.CHOICE, (None,))
        if len(others) > 1 and all(_is_choice(option) for option in others):
            shapes = [self._shape({**option, "type": None}, declared, depth + 1) for option in others]
            values = [value for shape in shapes for value in shape.choices]
            return replace(
                _of_choices(values, [title for shape in shapes for title in shape.titles]), nullable=nullable
            )
        shapes = [self._shape(option, declared, depth + 1) for option in others]
        fillable = [shape for shape in shapes if shape.kind is not FieldKind.JSON]
        kinds = {shape.kind for shape in shapes}
        if not fillable:
            return replace(shapes[0], nullable=nullable, facts=())
        first = next((s for s in fillable if declared and s.kind is FieldKind.STRINGS), fillable[0])
        if len(shapes) == 1:
            return replace(first, nullable=nullable or first.nullable)
        if kinds == {FieldKind.INTEGER, FieldKind.NUMBER}:
            return _Shape(FieldKind.NUMBER, nullable=nullable)
        words = dict.fromkeys(
            kind_word(shape.kind, shape.empty) for shape in shapes if shape.kind is not first.kind
        )
        note = f"or {', '.join(words)}: in the JSON (^t)" if words else ""
        return replace(first, nullable=nullable, note=note, facts=first.facts if words else ())


def kind_word(kind: FieldKind, empty: Any) -> str:
    """What a kind of field holds, in a word."""
    if kind is not FieldKind.JSON:
        return kind.value
    return {"{}": "object", "[]": "array"}.get(show_json(empty, 4) if empty is not ABSENT else "", kind.value)


def _of_choices(values: Sequence[Any], titles: Sequence[str]) -> _Shape:
    kept = [
        (value, visible(title, 60))
        for value, title in zip(values, titles, strict=False)
        if not nests_too_deep(value)
    ]
    if not kept:
        return _Shape(FieldKind.JSON)
    return _Shape(FieldKind.CHOICE, tuple(value for value, _ in kept), tuple(title for _, title in kept))


def _titles(names: Any, count: int) -> list[str]:
    if not isinstance(names, list) or len(names) != count:
        return [""] * count
    return [_text(name) for name in names]


def _is_choice(option: Mapping[str, Any]) -> bool:
    return "const" in option or isinstance(option.get("enum"), list)


def _is_named(part: Any, anchor: str) -> bool:
    return isinstance(part, Mapping) and (part.get("$anchor") == anchor or part.get("$id") == f"#{anchor}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _facts(schema: Mapping[str, Any]) -> Iterator[str]:
    for keyword, words in _FACTS.items():
        value = schema.get(keyword)
        if isinstance(value, str | int | float) and value is not False:
            yield words.format(visible(value if isinstance(value, str) else show_json(value, 40), 80))


def _merge(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Both schemas in one, where that is simple; the left one's words count. Raises _NotSimple."""
    merged = dict(left)
    for keyword, value in right.items():
        mine = merged.get(keyword, ABSENT)
        if mine is ABSENT:
            merged[keyword] = value
        elif keyword == "type":
            merged["type"] = _common_type(mine, value)
        elif keyword == "properties" and isinstance(mine, Mapping) and isinstance(value, Mapping):
            merged["properties"] = _both(mine, value)
        elif keyword == "required" and isinstance(mine, list) and isinstance(value, list):
            merged["required"] = [*mine, *value]
        elif keyword in _SHAPING and not _same(mine, value):
            raise _NotSimple("its schema joins parts that no one field can be made of")
    return merged


def _both(mine: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of two schemas; one that both name has to hold to both."""
    names = dict.fromkeys((*mine, *other))
    return {
        name: {"allOf": [mine[name], other[name]]}
        if name in mine and name in other
        else mine.get(name, other.get(name))
        for name in names
    }


def _common_type(left: Any, right: Any) -> Any:
    lefts, rights = (each if isinstance(each, list) else [each] for each in (left, right))
    if "number" in rights and "integer" in lefts:
        rights = [*rights, "integer"]
    if "number" in lefts and "integer" in rights:
        lefts = [*lefts, "integer"]
    common = [name for name in lefts if name in rights]
    if not common:
        raise _NotSimple("its schema joins types that no value has")
    return common[0] if len(common) == 1 else common


def _same(left: Any, right: Any) -> bool:
    try:
        return bool(left == right)
    except RecursionError:
        return False
