"""Ollama fetches a model: its progress is passed on, and what it says instead of success is an
error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from hometown.errors import ModelUnavailable
from hometown.model.pull import pull


@contextmanager
def ollama(*lines: dict[str, Any], status: int = 200) -> Iterator[str]:
    """A server that answers a pull with these lines, and its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

        def do_POST(self) -> None:
            assert self.path == "/api/pull"
            assert json.loads(self.rfile.read(int(self.headers["Content-Length"]))) == {
                "model": "m",
                "insecure": False,
                "stream": True,
            }
            self.send_response(status)
            self.end_headers()
            self.wfile.write("".join(json.dumps(line) + "\n" for line in lines).encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_progress_is_passed_on() -> None:
    seen: list[tuple[int, int]] = []
    parts = [{"status": "pulling abc", "total": 10, "completed": done} for done in (3, 10)]
    with ollama({"status": "pulling manifest"}, *parts, {"status": "success"}) as host:
        await pull("m", host, lambda have, size: seen.append((have, size)))
    assert seen == [(3, 10), (10, 10)]


@pytest.mark.parametrize(
    ("lines", "status", "message"),
    [
        (
            [{"error": "pull model manifest: file does not exist"}],
            200,
            "could not fetch it: pull model manifest: file does not exist",
        ),
        (
            [{"error": "no space left on device"}],
            500,
            "could not fetch it: no space left on device",
        ),
        ([{"status": "pulling manifest"}], 200, "could not fetch it: pulling manifest"),
        ([], 200, "could not fetch it: "),
    ],
)
async def test_what_is_no_success_is_an_error(
    lines: list[dict[str, Any]], status: int, message: str
) -> None:
    with ollama(*lines, status=status) as host, pytest.raises(ModelUnavailable, match=message):
        await pull("m", host, lambda have, size: None)
