"""A model server in a process of its own, which knows the replies of a run by heart and takes the
time of a graphics card for them.

    python -m benchmarks.timed_server BOOK SPEED     prints its port

It speaks OpenAI's protocol. `BOOK` is what `tests.torture.answers.book_of` makes of a run. Each of
its slots reads and writes by itself, keeps what it read and wrote last, and has in RAM what
Hometown's own llama.cpp would have (`kept_prompts.py`); all of it is `SPEED` times as fast as the
card. What the run has never asked, as a copy that runs ahead may that guessed wrong, gets the
latest reply of its kind, and takes its time.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.kept_prompts import Slots
from benchmarks.turns import CARD_12_GB
from hometown.model.llama.gguf_files import CACHED_TOKENS
from hometown.scripted.words import tokens
from tests.support.json_handler import JsonHandler
from tests.torture.answers import key_of


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, book: dict[str, tuple[str, str]], speed: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.book, self.speed = book, speed
        self.slots, self.lock = Slots(CARD_12_GB.slots, CACHED_TOKENS), threading.Lock()
        self.latest: dict[str, str] = {}

    def reply(self, body: dict[str, Any]) -> tuple[str, int, int]:
        """The reply to a request, once its time is over, and the tokens of prompt and reply."""
        kind = body.get("response_format", {}).get("json_schema", {}).get("name", "")
        prompt = "\0".join(message["content"] for message in body["messages"])
        found = self.book.get(
            key_of(
                [(message["role"], message["content"]) for message in body["messages"]],
                body["seed"],
            )
        )
        with self.lock:
            text = self.latest[kind] = found[1] if found else self.latest.get(kind, "{}")
            read, _ = self.slots.take(prompt)
        time.sleep((read / CARD_12_GB.read + tokens(text) / CARD_12_GB.written) / self.speed)
        with self.lock:
            self.slots.give_back(f"{prompt}\0{text}")
        return text, tokens(prompt), tokens(text)


class _Handler(JsonHandler):
    server: _Server

    def do_POST(self) -> None:
        body = self.body()
        text, read, written = self.server.reply(body)
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        }
        usage = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        }
        head = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
        }
        self.send(200, {**head, "choices": [choice], "usage": usage})


def main() -> None:
    server = _Server(json.loads(Path(sys.argv[1]).read_text("utf-8")), float(sys.argv[2]))
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
