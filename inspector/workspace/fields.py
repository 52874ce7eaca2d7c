"""One server of a workspace file: its fields checked, its variables expanded, its paths made absolute."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from inspector.workspace.json_values import name_type
from inspector.workspace.positions import JsonPath
from inspector.workspace.server import Connector, Era, InputRequest, ServerEntry, Transport
from inspector.workspace.variables import Variables

Refuse = Callable[[JsonPath, str], Exception]
"""Makes the error that says what is wrong with the value at a path."""

SERVER_FIELDS = frozenset(
    {
        "type",
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "headers",
        "protocolEra",
        "connectionTimeout",
        "requestTimeout",
        "connector",
    }
)
"""The fields of a server that are read; others are passed over with a note."""

_TRANSPORTS: Mapping[str, Transport] = {
    "stdio": Transport.STDIO,
    "http": Transport.HTTP,
    "sse": Transport.SSE,
    # The name that the MCP Inspector writes.
    "streamable-http": Transport.HTTP,
}
_MOST_MILLISECONDS = 1e15
_INPUT = re.compile(r"\$\{input:([^}]+)\}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"([!-~]([\t -~]*[!-~])?)?")

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class ServerReader:
    """Reads one server's object. `folder` is what relative paths count from; `refuse` makes the errors."""

    name: str
    path: JsonPath
    fields: Mapping[str, Any]
    folder: Path
    environment: Mapping[str, str]
    inputs: Mapping[str, InputRequest]
    refuse: Refuse

    def read(self) -> ServerEntry:
        """The entry. Raises what `refuse` makes for a field of the wrong type, or one that is missing."""
        variables = Variables(self.environment)
        transport = self._transport()
        command = url = ""
        args: tuple[str, ...] = ()
        cwd: str | None = None
        env: dict[str, str] = {}
        headers: dict[str, str] = {}
        if transport is Transport.STDIO:
            command = self._resolve_command(variables.expand(self._string("command") or ""))
            args = tuple(variables.expand(word) for word in self._strings("args"))
            given = self._string("cwd")
            cwd = str(self.folder / variables.expand(given)) if given else str(self.folder)
            env = {name: variables.expand(value) for name, value in self._string_map("env").items()}
            for name in env:
                if not name or "=" in name:
                    self._complain(("env", name), 'is no name of a variable: it is empty or holds "="')
        else:
            url = variables.expand(self._string("url") or "")
            if variables.unset is None and not re.match(r"(https?://[^/?#]|\$\{input:)", url, re.IGNORECASE):
                self._complain("url", "should begin with http:// or https:// and a host")
            headers = {name: variables.expand(value) for name, value in self._string_map("headers").items()}
            for name, value in headers.items():
                if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
                    self._complain(
                        ("headers", name), "is no header: its name or value holds what HTTP does not carry"
                    )
        texts = (command, *args, cwd or "", *env.values(), url, *headers.values())
        if any("\0" in text for text in (*texts, *env)):
            self._complain((), "holds the character NUL, which no process and no address can be given")
        return ServerEntry(
            name=self.name,
            transport=transport,
            command=command,
            args=args,
            env=env,
            cwd=cwd,
            url=url,
            headers=headers,
            era=self._choice("protocolEra", {era.value: era for era in Era}, Era.AUTO),
            connector=self._choice(
                "connector", {connector.value: connector for connector in Connector}, Connector.WORKSPACE
            ),
            connection_timeout=self._seconds("connectionTimeout", 15.0),
            request_timeout=self._seconds("requestTimeout", 30.0),
            unset=variables.unset,
            inputs=self._needed_inputs(texts),
        )

    def _transport(self) -> Transport:
        has_command, has_url = "command" in self.fields, "url" in self.fields
        if "type" in self.fields:
            transport = self._choice("type", _TRANSPORTS, Transport.STDIO)
        elif has_command and has_url:
            self._complain((), 'has both command and url: say which counts with "type": "stdio" or "http"')
        else:
            transport = Transport.HTTP if has_url else Transport.STDIO
        needed = "command" if transport is Transport.STDIO else "url"
        if needed not in self.fields:
            also = ' (or "url")' if "type" not in self.fields else ""
            self._complain((), f'lacks "{needed}"{also}')
        if not self._string(needed):
            self._complain(needed, "is empty")
        return transport

    def _resolve_command(self, command: str) -> str:
        """A command with a slash counts from the folder; a bare one is looked for in PATH."""
        separators = [separator for separator in (os.sep, os.altsep) if separator]
        if any(separator in command for separator in separators):
            return str(self.folder / command)
        return command

    def _string(self, key: str) -> str | None:
        value = self.fields.get(key)
        if key in self.fields and not isinstance(value, str):
            self._complain(key, f"should be a string, is {name_type(value)}")
        return value

    def _strings(self, key: str) -> list[str]:
        value = self.fields.get(key, [])
        if not isinstance(value, list):
            self._complain(key, f"should be an array of strings, is {name_type(value)}")
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self._complain((key, index), f"should be a string, is {name_type(item)}: put it in quotes")
        return value

    def _string_map(self, key: str) -> dict[str, str]:
        value = self.fields.get(key, {})
        if not isinstance(value, dict):
            self._complain(key, f"should be an object of strings, is {name_type(value)}")
        for name, item in value.items():
            if not isinstance(item, str):
                self._complain((key, name), f"should be a string, is {name_type(item)}: put it in quotes")
        return value

    def _choice(self, key: str, choices: Mapping[str, Choice], default: Choice) -> Choice:
        if key not in self.fields:
            return default
        value = self.fields[key]
        if not isinstance(value, str) or value not in choices:
            shown = f'"{value}"' if isinstance(value, str) else name_type(value)
            allowed = ", ".join(choice for choice in choices if choice != "streamable-http")
            self._complain(key, f"should be one of {allowed}, is {shown}")
        return choices[value]

    def _seconds(self, key: str, default: float) -> float:
        value = self.fields.get(key)
        if key not in self.fields:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._complain(key, f"should be a number of milliseconds, is {name_type(value)}")
        if not value > 0:
            self._complain(key, f"should be more than 0 milliseconds, is {value}")
        if value >= _MOST_MILLISECONDS:
            self._complain(key, "is too large: write at most 15 digits")
        return value / 1000

    def _needed_inputs(self, texts: tuple[str, ...]) -> tuple[InputRequest, ...]:
        found = dict.fromkeys(identifier for text in texts for identifier in _INPUT.findall(text))
        requests: list[InputRequest] = []
        for identifier in found:
            known = self.inputs.get(identifier)
            # Of one that the file does not describe nobody knows whether it is a secret: it is masked.
            requests.append(
                InputRequest(self.name, identifier, password=True)
                if known is None
                else InputRequest(
                    self.name, identifier, known.description, known.password, known.default, known.options
                )
            )
        return tuple(requests)

    def _complain(self, step: str | JsonPath, message: str) -> NoReturn:
        raise self.refuse((*self.path, *((step,) if isinstance(step, str) else step)), message)


def read_inputs(path: JsonPath, value: Any, refuse: Refuse) -> dict[str, InputRequest]:
    """The `inputs` of a workspace file by identifier. Raises what `refuse` makes for one of the wrong
    type."""
    if not isinstance(value, list):
        raise refuse(path, f"should be an array of objects, is {name_type(value)}")
    inputs: dict[str, InputRequest] = {}
    for index, item in enumerate(value):
        here = (*path, index)
        if not isinstance(item, dict):
            raise refuse(here, f"should be an object, is {name_type(item)}")
        for key, kinds, wanted in (
            ("id", str, "a string"),
            ("description", str, "a string"),
            ("default", str, "a string"),
            ("password", bool, "true or false"),
        ):
            if (key == "id" or key in item) and not isinstance(item.get(key), kinds):
                raise refuse((*here, key), f"should be {wanted}, is {name_type(item.get(key))}")
        options = item.get("options", [])
        if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
            raise refuse((*here, "options"), "should be an array of strings")
        inputs[item["id"]] = InputRequest(
            server="",
            identifier=item["id"],
            description=item.get("description", ""),
            password=item.get("password", False),
            default=item.get("default"),
            options=tuple(options),
        )
    return inputs
