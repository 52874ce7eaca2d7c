"""What a server publishes: tools, resource templates, resources and prompts, as it sent them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.workspace.problem import Problem


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of a server. `raw` is the item as it came in `tools/list`."""

    server: str
    name: str
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def reference(self) -> str:
        """How the command line names it: `SERVER/TOOL`."""
        return f"{self.server}/{self.name}"

    @property
    def title(self) -> str | None:
        """The name meant for people, from `title` or the annotations."""
        annotations = self.raw.get("annotations")
        for title in (
            self.raw.get("title"),
            annotations.get("title") if isinstance(annotations, Mapping) else None,
        ):
            if isinstance(title, str) and title:
                return title
        return None

    @property
    def description(self) -> str:
        """What the tool says it does; empty where it says nothing."""
        description = self.raw.get("description")
        return description if isinstance(description, str) else ""

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the arguments; empty where the server sent none."""
        schema = self.raw.get("inputSchema")
        return schema if isinstance(schema, Mapping) else {}

    @property
    def meta(self) -> Any:
        """The tool's `_meta`, as it came; None where there is none."""
        return self.raw.get("_meta")


@dataclass(frozen=True, slots=True)
class Template:
    """A resource template of a server: `text` is its `uriTemplate`, not known to be valid."""

    server: str
    text: str
    name: str
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that a server lists. Being listed gives it no owner (R14)."""

    server: str
    uri: str
    name: str
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of a server."""

    server: str
    name: str
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All that one server publishes, every page of it, in its order, and what was wrong with the lists."""

    tools: tuple[Tool, ...] = ()
    templates: tuple[Template, ...] = ()
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    problems: tuple[Problem, ...] = ()

    def tool(self, name: str) -> Tool | None:
        """The first tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)
