"""A server on this machine that speaks OpenAI's protocol, and misbehaves when told to.

It checks request bodies against the fields that OpenAI publishes, answers prompts of `conformance`
with their good replies, and keeps what it was asked. It runs in a thread, so that blocking clients
may ask it too.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, get_type_hints

from ollama._types import EmbedRequest

from hometown.model.hashing import hash_vector
from tests.support.conformance import REQUESTS
from tests.support.prompt_samples import REPLIES
from tests.support.serving import Served
from tests.support.weighed_tokens import weighed

SERVERS_OWN = {"chat_template_kwargs"}
"""A field of vLLM, llama.cpp and SGLang, which OpenAI does not know."""

KINDS = {asked.messages[-1].content: kind for (kind, _), asked in REQUESTS.items()}

DIMENSION = 48


@cache
def published_fields() -> dict[str, set[str]]:
    """Return the fields of a request's body by its path. OpenAI's package takes long to import,
    and only a worker whose tests ask such a server needs it.
    """
    from openai.types.chat.completion_create_params import (
        CompletionCreateParamsNonStreaming,
        CompletionCreateParamsStreaming,
    )
    from openai.types.embedding_create_params import EmbeddingCreateParams

    return {
        "/v1/chat/completions": {
            *get_type_hints(CompletionCreateParamsNonStreaming),
            *get_type_hints(CompletionCreateParamsStreaming),
        },
        "/v1/embeddings": set(get_type_hints(EmbeddingCreateParams)),
        "/api/embed": set(EmbedRequest.model_fields),
    }


class FakeOpenAI(Served):
    """Speaks Ollama's `/api/embed` too, which takes the same and answers in its own words.

    `refuses` are response formats and fields that it answers with 400; `text` replaces every reply;
    `key`, if any, is asked for.

    One that doesn't stream (`streams`) sends its answer whole, whatever it was asked for. `faults`
    are taken one per request: a status, or "silent" (until it is closed), "half-closed", "closed",
    "not json", "html", "no choices". How long anything takes is not tested with it, but in
    simulated time (`simulated.py`).
    """

    def __init__(
        self,
        refuses: Iterable[str] = (),
        *,
        text: str | None = None,
        key: str = "",
        dimension: int = DIMENSION,
    ) -> None:
        self.models = ["town-7b"]
        self.fields = published_fields()
        self.refuses = set(refuses)
        self.text, self.key, self.dimension = text, key, dimension
        self.message = ""
        self.usage = True
        self.faults: list[int | str] = []
        self.bodies: list[dict[str, Any]] = []
        self.streams = True
        self.over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __exit__(self, *_: object) -> None:
        self.over.set()
        super().__exit__()

    def formats(self) -> list[str]:
        """The response formats it was asked for, in order."""
        return [body.get("response_format", {"type": "text"})["type"] for body in self.bodies]

    def refusal(self, path: str, body: dict[str, Any]) -> tuple[int, str] | None:
        """The status and the message with which a body is refused; None if it is not."""
        unknown = set(body) - self.fields[path] - SERVERS_OWN | set(body) & self.refuses
        if unknown:
            return 400, f"Unrecognized request argument supplied: {', '.join(sorted(unknown))}"
        if body["model"] not in self.models:
            return 404, f"The model `{body['model']}` does not exist"
        form = body.get("response_format", {"type": "text"})["type"]
        if form in self.refuses:
            return 400, f"'response_format.type' must not be '{form}'"
        if form == "json_object" and "json" not in str(body["messages"]).lower():
            return (
                400,
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            )
        return None

    def send_word(self, body: dict[str, Any], at: int) -> None:
        """The word of this number, from 0, of a reply that is streamed is to be sent."""

    def reply(self, body: dict[str, Any]) -> str:
        kind = KINDS.get(body["messages"][-1]["content"])
        return (
            self.text
            if self.text is not None
            else json.dumps(REPLIES[kind] if kind else {"ok": True}, ensure_ascii=False)
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    """Connections that may wait; five, as it is otherwise, are fewer than a town makes at once."""

    def handle_error(self, *_: Any) -> None:
        """Clients that have gone away are no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # or else each part waits 40 ms for the last one to be acknowledged
    )

    def setup(self) -> None:
        self.fake: FakeOpenAI = self.server.fake  # type: ignore[attr-defined]
        super().setup()

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self.send(
                {
                    "object": "list",
                    "data": [
                        {"id": name, "object": "model", "created": 0, "owned_by": "town"}
                        for name in self.fake.models
                    ],
                }
            )
        else:
            self.refuse(404, "Not Found")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.fake.bodies.append(body)
        if self.path not in self.fake.fields:
            return self.refuse(404, "Not Found")
        if self.fake.key and self.headers.get("Authorization") != f"Bearer {self.fake.key}":
            return self.refuse(
                401,
                f"Incorrect API key provided: {self.headers.get('Authorization', '').removeprefix('Bearer ')}.",
            )
        if self.fake.faults:
            return self.misbehave(self.fake.faults.pop(0))
        refusal = self.fake.refusal(self.path, body)
        if refusal is not None:
            return self.refuse(*refusal)
        if self.path == "/v1/embeddings":
            return self.send(self.embeddings(body))
        if self.path == "/api/embed":
            return self.send(
                {
                    "model": body["model"],
                    "embeddings": [one["embedding"] for one in self.embeddings(body)["data"][::-1]],
                }
            )
        return (
            self.stream(body)
            if body.get("stream") and self.fake.streams
            else self.send(self.completion(body))
        )

    def completion(self, body: dict[str, Any]) -> dict[str, Any]:
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": self.fake.reply(body)},
            "logprobs": _weigh(body, self.fake.reply(body)),
        }
        answer = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
        }
        return answer | (
            {"usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}
            if self.fake.usage
            else {}
        )

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors = [
            (3 * hash_vector(text, self.fake.dimension)).tolist() for text in texts
        ]  # of length 3: not every server normalises
        data = [
            {"object": "embedding", "index": at, "embedding": vector}
            for at, vector in enumerate(vectors)
        ]
        return {
            "object": "list",
            "data": data[::-1],
            "model": body["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def stream(self, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        head = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body["model"],
        }
        for at, word in enumerate(re.findall(r"[^ ]* |[^ ]+$", self.fake.reply(body))):
            self.fake.send_word(body, at)
            choice = {
                "index": 0,
                "delta": {"content": word},
                "logprobs": _weigh(body, word),
                "finish_reason": None,
            }
            self.chunk(f"data: {json.dumps(head | {'choices': [choice]})}\n\n")
        self.chunk(
            f"data: {json.dumps(head | {'choices': [{'index': 0, 'delta': {}, 'finish_reason': 'stop'}]})}\n\n"
        )
        if self.fake.usage and body.get("stream_options", {}).get("include_usage"):
            self.chunk(
                f"data: {json.dumps(head | {'choices': [], 'usage': {'prompt_tokens': 100, 'completion_tokens': 10, 'total_tokens': 110}})}\n\n"
            )
        self.chunk("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, text: str) -> None:
        encoded = text.encode()
        self.wfile.write(f"{len(encoded):x}\r\n".encode() + encoded + b"\r\n")

    def misbehave(self, fault: int | str) -> None:
        if isinstance(fault, int):
            self.refuse(fault, self.fake.message or "something is wrong")
        elif fault == "silent":
            self.fake.over.wait()
            self.close_connection = True
        elif fault == "half-closed":
            self.send_raw(b'{"id": "chatcmpl-1", "choi', promised=500)
        elif fault == "closed":
            self.close_connection = True
        elif fault == "not json":
            self.send_raw(b"{'id'")
        elif fault == "html":
            self.send_raw(b"<html>It works!</html>", kind="text/html")
        else:
            self.send(
                {
                    "id": "chatcmpl-1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": "town-7b",
                    "choices": [],
                }
            )

    def refuse(self, status: int, message: str) -> None:
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        self.send({"error": message if self.path.startswith("/api/") else error}, status)

    def send(self, answer: dict[str, Any], status: int = 200) -> None:
        self.send_raw(json.dumps(answer).encode(), status)

    def send_raw(
        self,
        body: bytes,
        status: int = 200,
        kind: str = "application/json",
        promised: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status == 429:
            self.send_header("Retry-After", "3")
        self.send_header("Content-Length", str(promised or len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = promised is not None


def _weigh(body: dict[str, Any], text: str) -> dict[str, Any] | None:
    """The probabilities of a text's tokens, or null as by default."""
    return {"content": weighed(text, body["top_logprobs"])} if body.get("logprobs") else None
