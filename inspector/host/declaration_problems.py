"""What is wrong with declarations: shapes, schemes, arguments that cannot hold what is declared (R4 to R6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from inspector.extension import HOST_SCHEMES, KEY, Declaration, DeclaredArgument, scheme_of
from inspector.host.problems import Published, listing
from inspector.host.snippets import (
    declaration_snippet,
    mended_declaration,
    mended_schemes,
    snippet_of,
    strings_snippet,
    template_snippet,
)
from inspector.templates import InvalidTemplate, UriTemplate
from inspector.workspace.catalog import Tool
from inspector.workspace.problem import Problem, Severity

_URI_WORD: Final = re.compile(r"\bUR[IL]s?\b", re.IGNORECASE)
_REF_DEPTH: Final = 32


def declaration_problems(published: Published) -> Iterator[Problem]:
    """The declaration row of the table, for every tool."""
    serving = _served_schemes(published)
    for tool, declaration in published.tools():
        yield from _faults(tool, declaration)
        yield from _key_in_schema(tool)
        for argument in declaration.arguments:
            yield from _argument_problems(published, tool, argument)
            yield from _scheme_problems(published, tool, argument, serving)
        if not declaration.present:
            yield from _undeclared_uris(tool)


def _faults(tool: Tool, declaration: Declaration) -> Iterator[Problem]:
    if not declaration.faults:
        return
    snippet = mended_declaration(tool.meta, _likely_argument(tool))
    for fault in declaration.faults:
        severity = Severity.ERROR if fault.fatal else Severity.WARNING
        message, remedy = f"{fault.place} {fault.message}", _sentence(fault.remedy)
        yield Problem(severity, tool.server, f"tool {tool.name}", fault.rule, message, remedy, snippet=snippet)


def _likely_argument(tool: Tool, unlike: str = "") -> str:
    """The argument that a declaration most likely means: the nearest by name, else the first for strings."""
    properties = tool.input_schema.get("properties")
    listed = properties.items() if isinstance(properties, Mapping) else ()
    arguments = {str(name): schema for name, schema in listed}
    near = get_close_matches(unlike, list(arguments), 1) if unlike else []
    taking = (name for name in arguments if any(_admits(arguments[name], tool.input_schema, _REF_DEPTH)))
    return near[0] if near else next(taking, "NAME")


def _key_in_schema(tool: Tool) -> Iterator[Problem]:
    if _holds_key(tool.input_schema, _REF_DEPTH):
        properties = tool.input_schema.get("properties")
        marked = {
            str(name): mended_schemes(schema[KEY])
            for name, schema in (properties.items() if isinstance(properties, Mapping) else ())
            if isinstance(schema, Mapping) and KEY in schema
        }
        yield Problem(
            Severity.ERROR,
            tool.server,
            f"tool {tool.name}",
            "R4",
            f"{KEY} stands inside inputSchema, where no host looks for it",
            "Move it into the tool's _meta.",
            snippet=declaration_snippet(marked or {_likely_argument(tool): ["SCHEME"]}),
        )


def _holds_key(value: Any, depth: int) -> bool:
    if depth == 0:
        return False
    if isinstance(value, Mapping):
        return KEY in value or any(_holds_key(item, depth - 1) for item in value.values())
    return isinstance(value, list) and any(_holds_key(item, depth - 1) for item in value)


def _argument_problems(published: Published, tool: Tool, argument: DeclaredArgument) -> Iterator[Problem]:
    subject = f"tool {tool.name}"
    properties = tool.input_schema.get("properties")
    if not isinstance(properties, Mapping) or argument.name not in properties:
        # A schema that names no properties at all says nothing about which arguments there are.
        if isinstance(properties, Mapping) and properties:
            message = f"declares the argument {argument.name}, which inputSchema lacks"
            names = listing([str(name) for name in properties][:8])
            remedy = f"Declare one of the tool's own arguments: {names}."
            meant = {_likely_argument(tool, argument.name): list(argument.schemes)}
            snippet = declaration_snippet(meant)
            yield Problem(Severity.WARNING, tool.server, subject, "R4", message, remedy, snippet=snippet)
        return
    schema = properties[argument.name]
    strings, arrays = _admits(schema, tool.input_schema, _REF_DEPTH)
    if not strings and not arrays:
        message = f"declares {argument.name}, whose schema admits neither a string nor an array of strings"
        remedy = "Let it take a string or an array of strings: only those are resolved."
        snippet = strings_snippet(argument.name)
        yield Problem(Severity.WARNING, tool.server, subject, "R6", message, remedy, snippet=snippet)
    longest = schema.get("maxItems") if isinstance(schema, Mapping) else None
    limit = published.limits.max_uris
    if isinstance(longest, int) and not isinstance(longest, bool) and longest > limit:
        message = f"{argument.name} takes up to {longest} items, and a host resolves {limit} of a call (maxUris)"
        remedy = f"Set maxItems to {limit} or fewer."
        shorter = snippet_of({"properties": {argument.name: {**schema, "maxItems": limit}}})
        yield Problem(Severity.WARNING, tool.server, subject, "R12", message, remedy, snippet=shorter)


def _admits(schema: Any, root: Mapping[str, Any], depth: int) -> tuple[bool, bool]:
    """Whether a schema admits a string, and an array that may hold a string."""
    if depth == 0 or schema is True or not isinstance(schema, Mapping):
        return (schema is not False, schema is not False)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = _local(reference, root)
        return (True, True) if target is None else _admits(target, root, depth - 1)
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list) and branches:
            admitted = [_admits(branch, root, depth - 1) for branch in branches]
            return any(s for s, _ in admitted), any(a for _, a in admitted)
    types = schema.get("type")
    named = [types] if isinstance(types, str) else types if isinstance(types, list) else None
    strings = named is None or "string" in named
    arrays = named is None or "array" in named
    items = schema.get("items")
    if arrays and isinstance(items, Mapping | bool):
        arrays = _admits(items, root, depth - 1)[0]
    choices = schema.get("enum")
    if isinstance(choices, list):
        strings = strings and any(isinstance(choice, str) for choice in choices)
    return strings, arrays


def _local(reference: str, root: Mapping[str, Any]) -> Any:
    """What a reference into the same schema means; None where it leads elsewhere (never fetched) or nowhere."""
    if not reference.startswith("#"):
        return None
    value: Any = root
    for step in filter(None, reference[1:].split("/")):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return value


def _scheme_problems(
    published: Published, tool: Tool, argument: DeclaredArgument, serving: frozenset[str] | None
) -> Iterator[Problem]:
    subject = f"tool {tool.name}"
    lowered = [scheme.lower() for scheme in argument.schemes]
    if all(scheme in HOST_SCHEMES for scheme in lowered):
        message = (
            f"{argument.name} declares only host schemes ({listing(lowered)}), which no server can answer for"
        )
        remedy = "Declare the scheme of a server's own resources; files are read with host resources."
        snippet = declaration_snippet({argument.name: sorted(serving or ())[:3] or ["SCHEME"]})
        yield Problem(Severity.WARNING, tool.server, subject, "R13", message, remedy, snippet=snippet)
        return
    if serving is None:
        return
    for scheme in lowered:
        if scheme not in serving and scheme not in HOST_SCHEMES:
            message = f"{argument.name} declares {scheme}, and no template of the workspace serves it"
            missing = f" Not connected: {listing(published.absent)}." if published.absent else ""
            remedy = f"Publish a template that begins with {scheme}:, or connect the server that does.{missing}"
            snippet = template_snippet(f"{scheme}://RECORDS/{{id}}", "NAME")
            yield Problem(Severity.WARNING, tool.server, subject, "R14", message, remedy, snippet=snippet)


def _served_schemes(published: Published) -> frozenset[str] | None:
    """The schemes that templates of the workspace begin with; None where one can begin with any."""
    schemes: set[str] = set()
    for server in published.owners:
        for published_template in published.catalogs[server].templates:
            try:
                template = UriTemplate.parse(published_template.text)
            except InvalidTemplate:
                continue
            if template.scheme is None:
                if published_template.text.partition(":")[0].count("{"):
                    return None
                continue
            schemes.add(template.scheme)
    return frozenset(schemes)


def _undeclared_uris(tool: Tool) -> Iterator[Problem]:
    properties = tool.input_schema.get("properties")
    if not isinstance(properties, Mapping):
        return
    for name, schema in properties.items():
        if not isinstance(schema, Mapping) or not any(_admits(schema, tool.input_schema, _REF_DEPTH)):
            continue
        described = schema.get("description")
        formats = [schema.get("format")]
        items = schema.get("items")
        if isinstance(items, Mapping):
            formats.append(items.get("format"))
        says_so = isinstance(described, str) and "resource" in described.lower() and _URI_WORD.search(described)
        if says_so or "uri" in formats:
            scheme = _scheme_in(described) or "SCHEME"
            yield Problem(
                Severity.NOTE,
                tool.server,
                f"tool {tool.name}",
                "R4",
                f"{name} is described as a URI, and the tool declares no resource arguments",
                "Declare it, and the host hands the resource over with the call.",
                snippet=declaration_snippet({str(name): [scheme]}),
            )


def _scheme_in(described: Any) -> str | None:
    if not isinstance(described, str):
        return None
    found = re.search(r"[A-Za-z][A-Za-z0-9+.-]*(?=://)", described)
    return scheme_of(f"{found.group()}:") if found else None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
