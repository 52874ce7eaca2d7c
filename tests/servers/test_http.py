"""The HTTP servers answer in both eras, and leave nothing behind."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from mcp import Client
from mcp.client.sse import sse_client
from starlette.responses import PlainTextResponse

from inspector.demo.crm import build
from tests.servers.http import serve_application, serve_sse, serve_streamable

ERAS = [("auto", "2026-07-28"), ("legacy", "2025-11-25")]


@pytest.mark.parametrize(("mode", "version"), ERAS)
async def test_streamable_http_serves_both_eras(tmp_path: Path, mode: str, version: str) -> None:
    async with serve_streamable(build(tmp_path)) as served, Client(served.url, mode=mode) as client:
        assert client.protocol_version == version
        contents = (await client.read_resource("crm://signals/42")).contents
    assert '"id":42' in contents[0].text
    assert {request.path for request in served.requests} == {"/mcp"}
    assert all(request.headers["host"].startswith("127.0.0.1:") for request in served.requests)


@pytest.mark.parametrize(("mode", "version"), ERAS)
async def test_sse_serves_both_eras(tmp_path: Path, mode: str, version: str) -> None:
    async with serve_sse(build(tmp_path)) as served, Client(sse_client(served.url), mode=mode) as client:
        assert client.protocol_version == version
        assert len((await client.list_resource_templates()).resource_templates) == 3


async def test_the_port_is_free_again_afterwards() -> None:
    async with serve_application(PlainTextResponse("no server here", status_code=503)) as served:
        port = urlsplit(served.url).port
        assert port is not None
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
