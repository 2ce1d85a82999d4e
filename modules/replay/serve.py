"""Runs the app on a socket."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from modules.replay.server import create_app


class Quiet(WSGIRequestHandler):
    """Tells of errors alone; a connection is kept for what a page asks for next."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        pass


def serve(listener: socket.socket, results: Path, worlds: Path, names: Iterable[str] = ()) -> None:
    """Answers until Ctrl-C, several requests at once."""
    host, port = listener.getsockname()[:2]
    server = make_server(host, port, create_app(results, worlds, names), threaded=True, request_handler=Quiet, fd=listener.fileno())
    with suppress(KeyboardInterrupt):
        server.serve_forever()
    server.server_close()
