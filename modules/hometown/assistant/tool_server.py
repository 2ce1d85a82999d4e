"""The MCP server: its tools, over standard input and output or over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import wraps
from socket import socket
from typing import Any

import orjson
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from starlette.responses import JSONResponse

from hometown.errors import HometownError
from hometown.version import __version__
from hometown.web.access import is_same

INSTRUCTIONS = """Hometown simulates towns of residents who remember, plan and talk, each played by \
a language model. A simulation is called a run; it advances in steps. Begin with list_runs and \
describe_run. Quote residents' words from conversations and memories, and name their step."""

Scope = MutableMapping[str, Any]
Channel = Callable[..., Awaitable[Any]]


def build_server(
    reading: Iterable[Callable[..., Any]], changing: Iterable[Callable[..., Any]] = ()
) -> MCPServer:
    """Return a server with tools that only read, and, where the user allows them, tools that change
    runs or call models.
    """
    server = MCPServer(
        "hometown", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tools, reads_only in ((reading, True), (changing, False)):
        for tool in tools:
            annotations = ToolAnnotations(read_only_hint=reads_only, open_world_hint=False)
            server.add_tool(_answer_in_text(tool), annotations=annotations, structured_output=False)
    return server


def serve_http(server: MCPServer, listener: socket, token: str) -> None:
    """Serve over HTTP at `/mcp`, on a listening socket, until Ctrl-C or SIGTERM. Requests need the
    token, as `Authorization: Bearer TOKEN`.
    """
    app = require_token(server.streamable_http_app(), token)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])


def require_token(app: Channel, token: str) -> Channel:
    """Return an ASGI app that answers 401 to HTTP requests without the token."""

    async def checked(scope: Scope, receive: Channel, send: Channel) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"").decode("latin-1")
        is_allowed = scope["type"] != "http" or is_same(given, f"Bearer {token}")
        answer = app if is_allowed else JSONResponse({"error": "wrong or missing token"}, 401)
        await answer(scope, receive, send)

    return checked


def _answer_in_text(tool: Callable[..., Any]) -> Callable[..., str]:
    """Return the tool with its result as JSON, which takes dataclasses and moments, and an error of
    Hometown as a message for the assistant.
    """

    @wraps(tool)
    def run(*args: Any, **kwargs: Any) -> str:
        try:
            return orjson.dumps(tool(*args, **kwargs)).decode()
        except HometownError as error:
            raise ToolError(str(error)) from None

    return run
