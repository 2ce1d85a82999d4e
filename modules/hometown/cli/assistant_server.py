"""The work of `hometown mcp`: the server for an assistant."""

from __future__ import annotations

import hashlib
import hmac
import logging
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hometown.cli.options import Folders
from hometown.cli.page_server import interview_desk, listen
from hometown.cli.texts import Text
from hometown.config import Layer
from hometown.optional_parts import explain_missing_packages

if TYPE_CHECKING:
    from hometown.assistant.changing_tools import ChangingTools

HOST = "127.0.0.1"
"""The address that HTTP is served on: this machine only."""


def serve_assistant(
    folders: Folders, layers: Sequence[Layer], llm: str, text: Text, *, may_write: bool, port: int
) -> int:
    """Serve an assistant until its connection or Ctrl-C ends it, and return 0.

    Args:
        folders: The folders of runs and worlds.
        layers: The user's settings.
        llm: The model that answers questions to residents; "" for each run's own.
        text: The user's language.
        may_write: Whether the assistant may change runs.
        port: The port for HTTP; 0 for standard input and output, which hold nothing else then.
    """
    logging.getLogger("hometown").addHandler(logging.NullHandler())
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with explain_missing_packages("mcp"):
        from hometown.assistant.reading_tools import ReadingTools
        from hometown.assistant.tool_server import build_server, serve_http
    changing = _changing_tools(folders, layers, llm).all if may_write else ()
    server = build_server(ReadingTools(folders.results, folders.worlds).all, changing)
    if not port:
        server.run("stdio")
        return 0
    token = make_token()
    print(
        text(
            "http://{host}:{port}/mcp, with the header “Authorization: Bearer {token}” "
            "(Ctrl-C ends the server)",
            host=HOST,
            port=port,
            token=token,
        ),
        file=sys.stderr,
        flush=True,
    )
    serve_http(server, listen(HOST, port), token)
    return 0


def make_token() -> str:
    """Return this user's token for assistants: always the same, since it stands in an assistant's
    settings.
    """
    from hometown.web.access import kept_key

    return hmac.new(kept_key(), b"assistants", hashlib.sha256).hexdigest()


def _changing_tools(folders: Folders, layers: Sequence[Layer], llm: str) -> ChangingTools:
    """Return the tools that change runs, with the page's app behind them."""
    from hometown.assistant.changing_tools import ChangingTools
    from hometown.web.server import create_app

    desk = interview_desk(layers, llm)
    return ChangingTools(create_app(folders.results, folders.worlds, desk=desk))
