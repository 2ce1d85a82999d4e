"""Servers for tests that give one answer to every request, or a reply that depends on the request."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.serving import Served

ANSWER = '{"say": "Hello.", "end": false}'
PROSE = "Good morning! She is on her way to the café."

Says = Callable[[dict[str, Any]], str]


class Obeying(Served):
    """A server of Ollama's and of OpenAI's protocol; `says` returns the reply to a body."""

    def __init__(
        self,
        says: Says,
        version: str = "0.17.6",
        context: int = 40960,
        *,
        refuses_system: bool = False,
    ) -> None:
        self.bodies = list[dict[str, Any]]()
        self.version = version
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: Any) -> None:
                """Print nothing."""

            def do_GET(self) -> None:
                answers = {
                    "/api/version": {"version": fake.version},
                    "/v1/models": {"data": [{"id": "m", "max_model_len": 32768}]},
                }
                self.send(answers.get(self.path, {"error": "no such page"}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/api/show":
                    return self.send({"model_info": {"fake.context_length": context}})
                if refuses_system and body["messages"][0]["role"] == "system":
                    return self.send({"error": "System role not supported"}, 400)
                fake.bodies.append(body)
                text = says(body)
                message = {"role": "assistant", "content": text}
                return self.send(
                    {"message": message, "done": True, "done_reason": "stop", "eval_count": 5}
                    if self.path == "/api/chat"
                    else {"choices": [{"message": message, "finish_reason": "stop"}]}
                )

            def send(self, value: Any, status: int = 404) -> None:
                data = json.dumps(value).encode()
                self.send_response(status if "error" in value else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"


class OneAnswer(Served):
    """A server that gives every request the same answer."""

    def __init__(self, status: int, body: str) -> None:
        self.requests = 0
        self.keys = list[str | None]()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *arguments: Any) -> None:
                """Print nothing."""

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server.requests += 1
                self.do_GET()

            def do_GET(self) -> None:
                server.keys.append(self.headers["Authorization"])
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"


def ollama_answer(**changes: Any) -> str:
    message = {"role": "assistant", "content": changes.pop("content", ""), **changes.pop("add", {})}
    return json.dumps(
        {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": True}
        | changes
    )
