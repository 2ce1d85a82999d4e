"""A model server in a process of its own: it speaks OpenAI's protocol, and knows every reply of one
run by heart.

    python -m tests.torture.answers BOOK LOG [SECONDS [rough]]      prints its port

`BOOK` is a JSON object: the key of a request (`key_of`) to [name, reply]. The name of each request
that was answered goes to `LOG`, a line each, before the reply's last part is sent: that is what a
user would have paid for.

A reply takes `SECONDS`. A rough server is as real ones are: it streams, takes now less and now more
time, and fails at some requests, which it answers when they are sent again. Whether it does depends
on the request and on how often it came, and on nothing else.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any, Literal

from hometown.model.ollama import SEEDS
from hometown.prompt.render import Templates
from hometown.records import Message
from hometown.rng import stream_seed
from hometown.storage.run import RunFile
from tests.support.json_handler import JsonHandler

Trouble = Literal["", "overloaded", "broken", "gone", "cut", "cut quietly"]

TROUBLES: tuple[Trouble, ...] = ("overloaded", "broken", "gone", "cut", "cut quietly")
"""How a rough server fails: by a status, without a word, in the midst of a stream, or with an end
that looks orderly.
"""

TROUBLED = 0.12
"""Share of the requests that a rough server fails at when they come first."""

PARTS = 6
"""Parts in which a reply is streamed."""


def key_of(messages: Sequence[tuple[str, str]], seed: int) -> str:
    """What tells one request from all others: (role, content) of its messages, and the seed as
    servers get it.
    """
    return blake2b(json.dumps([list(messages), seed % SEEDS]).encode(), digest_size=16).hexdigest()


def name_of(step: int, who: str, kind: str, ordinal: int, attempt: int) -> str:
    """A request by its place in the run."""
    return f"{step}/{who}/{kind}/{ordinal}/{attempt}"


def book_of(run: RunFile) -> dict[str, tuple[str, str]]:
    """Every request of a run, those that were repeated with an error too, with its name and reply."""
    book, templates = {}, Templates(run.manifest.lang)
    for call in run.calls():
        seed = stream_seed(run.manifest.seed, call.who, call.step, call.kind, call.ordinal)
        messages: tuple[Message, ...] = call.messages
        for number, attempt in enumerate(call.attempts):
            name = name_of(call.step, call.who, call.kind, call.ordinal, number)
            book[key_of([_pair(one) for one in messages], stream_seed(seed, number))] = (
                name,
                attempt.text,
            )
            messages = (*messages, *templates.again(attempt.text, attempt.error))
    return book


def _pair(message: Message) -> tuple[str, str]:
    return message.role, message.content


class _Handler(JsonHandler):
    server: _Server

    def do_POST(self) -> None:
        body = self.body()
        key = key_of([(one["role"], one["content"]) for one in body["messages"]], body["seed"])
        found = self.server.book.get(key)
        if found is None:
            self.send(
                404,
                {
                    "error": {
                        "message": "this was never asked in the run that was not killed",
                        "type": "not_found",
                    }
                },
            )
        elif self.server.rough:
            self.stream(*found, *self.server.arrived(key))
        else:
            time.sleep(self.server.seconds)
            self.server.note(found[0])
            self.send(200, _whole(found[1], body["model"]))

    def stream(self, name: str, reply: str, trouble: Trouble, seconds: float) -> None:
        """Sends a reply part by part, or fails at it."""
        if trouble in ("overloaded", "broken"):
            return self.send(
                503 if trouble == "overloaded" else 500,
                {"error": {"message": "not now", "type": "server_error"}},
            )
        if trouble == "gone":
            self.close_connection = True
            return None
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for at in range(PARTS):
            time.sleep(seconds / PARTS)
            if trouble and at == PARTS // 2:
                if trouble == "cut quietly":
                    self.chunk(b"")
                self.close_connection = True
                return None
            if at == PARTS - 1:
                self.server.note(name)
            self.event(
                {
                    "choices": [
                        {
                            "index": 0,
                            "delta": {"content": reply[_cut(reply, at) : _cut(reply, at + 1)]},
                            "finish_reason": None,
                        }
                    ]
                }
            )
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.event({"choices": [], "usage": _USAGE})
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")
        return None

    def event(self, value: dict[str, Any]) -> None:
        self.chunk(b"data: " + json.dumps(value).encode() + b"\n\n")

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


def _whole(reply: str, model: str) -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": reply},
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": _USAGE,
    }


def _cut(reply: str, part: int) -> int:
    return len(reply) * part // PARTS


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self, book: dict[str, tuple[str, str]], log: Path, seconds: float, rough: bool
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.book = book
        self.seconds, self.rough = seconds, rough
        self._log = log.open("a", encoding="utf-8")
        self._lock = threading.Lock()
        self._arrivals: Counter[str] = Counter()

    def note(self, name: str) -> None:
        """A reply that is as good as sent."""
        with self._lock:
            self._log.write(name + "\n")
            self._log.flush()

    def arrived(self, key: str) -> tuple[Trouble, float]:
        """How this request is answered, and within how many seconds. Every second time it comes it
        is answered well.
        """
        with self._lock:
            self._arrivals[key] += 1
            times = self._arrivals[key]
        chance = Random(f"{key} {times}")
        trouble: Trouble = (
            chance.choice(TROUBLES) if times % 2 and chance.random() < TROUBLED else ""
        )
        return trouble, self.seconds * chance.uniform(0.2, 1.8)

    def handle_error(self, *_: Any) -> None:
        """Clients that were killed are what this is about."""


def main() -> None:
    book, log = map(Path, sys.argv[1:3])
    server = _Server(
        json.loads(book.read_text("utf-8")),
        log,
        float(sys.argv[3]) if len(sys.argv) > 3 else 0.0,
        "rough" in sys.argv[4:],
    )
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
