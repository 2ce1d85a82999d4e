"""A model server in a process of its own: it speaks OpenAI's protocol, and knows every reply of one run by heart.

    python -m tests.torture.answers BOOK LOG [DELAY]      prints its port

`BOOK` is a JSON object: the key of a request (`key_of`) to [name, reply]. The name of each request that was
answered goes to `LOG`, a line each, before the reply is sent: that is what a user would have paid for.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hometown.model.ollama import SEEDS
from hometown.records import Message
from hometown.rng import stream_seed
from hometown.storage.run import Run


def key_of(messages: Sequence[tuple[str, str]], seed: int) -> str:
    """What tells one request from all others: (role, content) of its messages, and the seed as servers get it."""
    return blake2b(json.dumps([list(messages), seed % SEEDS]).encode(), digest_size=16).hexdigest()


def name_of(step: int, who: str, kind: str, ordinal: int, attempt: int) -> str:
    """A request by its place in the run."""
    return f"{step}/{who}/{kind}/{ordinal}/{attempt}"


def book_of(run: Run) -> dict[str, tuple[str, str]]:
    """Every request of a run in which no reply was asked for twice, with its name and reply."""
    book = {}
    for call in run.calls():
        assert len(call.attempts) == 1, f"{call.ref} of step {call.step} was asked again"
        seed = stream_seed(stream_seed(run.manifest.seed, call.who, call.step, call.kind, call.ordinal), 0)
        book[key_of([_pair(one) for one in call.messages], seed)] = (name_of(call.step, call.who, call.kind, call.ordinal, 0), call.attempts[0].text)
    return book


def _pair(message: Message) -> tuple[str, str]:
    return message.role, message.content


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: Any) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = self.server.book.get(key_of([(one["role"], one["content"]) for one in body["messages"]], body["seed"]))
        if found is None:
            self.send(404, {"error": {"message": "this was never asked in the run that was not killed", "type": "not_found"}})
            return
        name, reply = found
        time.sleep(self.server.delay)
        with self.server.lock:
            self.server.log.write(name + "\n")
            self.server.log.flush()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        self.send(200, {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice], "usage": usage})

    def send(self, status: int, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, book: dict[str, tuple[str, str]], log: Path, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.book = book
        self.delay = delay
        self.log = log.open("a", encoding="utf-8")
        self.lock = threading.Lock()

    def handle_error(self, *_: Any) -> None:
        """Clients that were killed are what this is about."""


def main() -> None:
    book, log = map(Path, sys.argv[1:3])
    server = _Server(json.loads(book.read_text("utf-8")), log, float(sys.argv[3]) if len(sys.argv) > 3 else 0.0)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
