"""A child that stands for llama.cpp: it takes the same order, reports in the same way and answers
every request with the text it is given.

Run as a script, with nothing but the standard library, so that it starts at once. What it does is
in the environment: FAKE_LLAMA is "serve" (the default), "fail" (llama.cpp can't load the file),
"crash" (it ends before it has said anything), "hang" (it says nothing), or "memory". It loads until
there is a file FAKE_LLAMA_UNTIL, if that is set. FAKE_LLAMA_TEXT is its reply. A request whose text
contains "die" ends it. Each process ends in the midst of its reply number FAKE_LLAMA_DIES, if that
is set; with FAKE_LLAMA_SPOILS, its file is empty from then on.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MARK = "hometown-llama "


class Handler(BaseHTTPRequestHandler):
    order: dict[str, Any]
    replies = 0

    def log_message(self, *_: Any) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != f"Bearer {self.order['key']}":
            return self.send(401, {"error": {"message": "Invalid API Key"}})
        if "die" in str(body.get("messages", body.get("input"))):
            os._exit(9)
        if self.path == "/v1/embeddings":
            return self.send(
                200,
                {
                    "data": [
                        {"index": at, "embedding": [len(text), 1.0]}
                        for at, text in enumerate(body["input"])
                    ]
                },
            )
        message = {"role": "assistant", "content": os.environ.get("FAKE_LLAMA_TEXT", "{}")}
        usage = {
            "prompt_tokens": 3,
            "completion_tokens": 2,
            "total_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 1},
        }
        return self.send(
            200,
            {
                "id": "",
                "object": "chat.completion",
                "created": 0,
                "model": "",
                "usage": usage,
                "timings": {
                    "prompt_n": 2,
                    "cache_n": 1,
                    "predicted_n": 2,
                    "prompt_ms": 4.0,
                    "predicted_ms": 50.0,
                },
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            },
        )

    def send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        Handler.replies += 1
        dying = Handler.replies == int(os.environ.get("FAKE_LLAMA_DIES", "0"))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if dying else data)
        if dying:
            self.wfile.flush()
            if os.environ.get("FAKE_LLAMA_SPOILS"):
                os.truncate(self.order["file"], 0)
            os._exit(9)


def main() -> None:
    Handler.order = order = json.loads(sys.stdin.readline())
    print(
        f"0.00.000.000 I serving {order['slots']} slots of {order['context']} tokens",
        file=sys.stderr,
        flush=True,
    )
    while not os.path.exists(os.environ.get("FAKE_LLAMA_UNTIL", "/")):
        time.sleep(0.01)
    match os.environ.get("FAKE_LLAMA", "serve") if os.path.getsize(order["file"]) else "fail":
        case "crash":
            os._exit(7)
        case "fail":
            print(
                "0.00.000.001 E gguf_init: bad tensor\n0.00.000.002 E srv: exiting",
                file=sys.stderr,
                flush=True,
            )
            print(MARK + json.dumps({"failure": "load"}), flush=True)
        case "hang":
            sys.stdin.read()
        case "memory":
            print(MARK + json.dumps({"failure": "memory", "free": 1_000_000_000}), flush=True)
        case _:
            server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            print(
                MARK + json.dumps({"address": f"http://127.0.0.1:{server.server_port}"}), flush=True
            )
            sys.stdin.read()


if __name__ == "__main__":
    main()
