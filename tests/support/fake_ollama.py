"""An Ollama server for tests: its API as published, in a thread, with valid replies made from the
schema, and every kind of trouble.

Request bodies are checked against the published fields; what is wrong with them is answered with
400 and kept in `faults`.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

from hometown.model.hashing import hash_vector
from tests.support.weighed_tokens import weighed

CHAT_FIELDS = {
    "model": str,
    "messages": list,
    "tools": list,
    "think": (bool, str),
    "format": (str, dict),
    "options": dict,
    "stream": bool,
    "keep_alive": (str, int),
    "logprobs": bool,
    "top_logprobs": int,
}
MESSAGE_FIELDS = {
    "role": str,
    "content": str,
    "thinking": str,
    "images": list,
    "tool_calls": list,
    "tool_name": str,
}
OPTIONS = {
    "num_keep": int,
    "seed": int,
    "num_predict": int,
    "top_k": int,
    "top_p": (int, float),
    "min_p": (int, float),
    "typical_p": (int, float),
    "repeat_last_n": int,
    "temperature": (int, float),
    "repeat_penalty": (int, float),
    "presence_penalty": (int, float),
    "frequency_penalty": (int, float),
    "penalize_newline": bool,
    "stop": list,
    "numa": bool,
    "num_ctx": int,
    "num_batch": int,
    "num_gpu": int,
    "main_gpu": int,
    "use_mmap": bool,
    "num_thread": int,
}
"""Fields of `/api/chat` and of its options, with their types, after docs/api.md of ollama/ollama.
"""

REFUSALS = {
    "429": (429, "too many requests"),
    "500": (500, "llama runner process has terminated: exit status 2"),
    "503": (503, "server busy, please try again.  maximum pending requests exceeded"),
    "loading": (503, "llm server loading model"),
    "context": (
        400,
        '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",'
        '"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
    ),
    "refused": (400, "invalid options"),
    "no_chat": (400, '"qwen3:8b" does not support chat'),
}
"""Troubles that are an error status with a message."""

WORDS = {
    "en": (
        "tea",
        "bread",
        "the market",
        "a neighbour",
        "the old well",
        "reading",
        "a walk",
        "the garden",
        "and",
        "before",
        "near",
        "with",
    ),
    "zh": (
        "今天",
        "先",
        "去",
        "茶馆",
        "坐坐",
        "然后",
        "同",
        "邻居",
        "聊聊",
        "近来的事",
        "再",
        "回家",
        "做饭",
        "看书",
    ),
}


def capabilities(model: str) -> list[str]:
    """Return what a model is for, as Ollama says it."""
    return (
        ["embedding"] if "embed" in model or model.startswith("bge") else ["completion", "thinking"]
    )


class FakeOllama:
    """A server that listens from construction to `close`. As a context manager it closes itself.

    `trouble` names what goes wrong with coming chats, one each: a key of REFUSALS, or "silent"
    (until it is closed), "half_closed", "garbage", "thinking", "thinking_ends", "empty", "length",
    "cannot_think". `always` are those that later ones meet in turn.

    How long anything takes is not tested with it, but in simulated time (`simulated.py`).
    """

    def __init__(self, *models: str, always: str | Sequence[str] = "") -> None:
        self.models = models or ("qwen3:8b",)
        self.trouble: deque[str] = deque()
        self.always = always
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.faults: list[str] = []
        self.replies = 0
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.gives_probabilities = True
        """False: as before version 0.12.11, which knows no such field and ignores it."""
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def chats(self) -> list[dict[str, Any]]:
        """Bodies of the chats asked for, in order of arrival."""
        return [body for path, body in self.asked if path == "/api/chat"]

    def next_trouble(self) -> str:
        with self.lock:
            if self.trouble:
                return self.trouble.popleft()
            return (
                self.always
                if isinstance(self.always, str)
                else self.always[len(self.asked) % len(self.always)]
            )

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> FakeOllama:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    fake: FakeOllama

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no matter; a mistake of this server is."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self.fake.faults.append(repr(error))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        if self.path == "/api/version":
            self.answer({"version": "0.12.6"})
        elif self.path == "/api/tags":
            self.answer({"models": [_listed(name) for name in self.server.fake.models]})
        elif self.path == "/api/ps":
            self.answer(
                {
                    "models": [
                        {
                            **_listed(name),
                            "size_vram": 5 * 10**9,
                            "expires_at": "2026-01-01T00:00:00Z",
                        }
                        for name in self.server.fake.models
                    ]
                }
            )
        else:
            self.refuse(404, "404 page not found")

    def do_POST(self) -> None:
        fake = self.server.fake
        length = int(self.headers["Content-Length"])
        sent = self.rfile.read(length)
        if len(sent) < length:
            return  # the client hung up
        body = json.loads(sent)
        with fake.lock:
            fake.asked.append((self.path, body))
        route = {"/api/chat": self.chat, "/api/show": self.show, "/api/embed": self.embed}.get(
            self.path
        )
        if route is None:
            self.refuse(404, "404 page not found")
        elif body.get("model") not in fake.models:
            self.refuse(404, f"model '{body.get('model')}' not found")
        else:
            route(body)

    def chat(self, body: dict[str, Any]) -> None:
        fake, wrong = self.server.fake, list(wrong_fields(body))
        if wrong:
            fake.faults += wrong
            self.refuse(400, wrong[0])
        else:
            self.answer_chat(body, fake.next_trouble())

    def answer_chat(self, body: dict[str, Any], trouble: str) -> None:
        if trouble == "silent":
            self.server.fake.over.wait()
            self.close_connection = True
        elif trouble in REFUSALS:
            self.refuse(*REFUSALS[trouble])
        elif trouble == "cannot_think" and "think" in body:
            self.refuse(400, f'"{body["model"]}" does not support thinking')
        elif trouble == "garbage":
            self.send(200, b"<html>Welcome to the router</html>", "text/html")
        elif trouble == "half_closed":
            self.hang_up(body)
        else:
            self.send_reply(body, *said(body, trouble), "length" if trouble == "length" else "stop")

    def send_reply(self, body: dict[str, Any], thinking: str, content: str, reason: str) -> None:
        """The reply, whole or as NDJSON in pieces, which is what Ollama does unless told otherwise."""
        with self.server.fake.lock:
            self.server.fake.replies += 1
        about = {"model": body["model"], "created_at": "2026-01-01T00:00:00.000000Z"}
        written = 3 if reason == "length" else max(1, len(content) // 4)
        read = sum(len(message.get("content", "")) for message in body["messages"]) // 4
        end = {
            "done": True,
            "done_reason": reason,
            "total_duration": 9,
            "load_duration": 1,
            "prompt_eval_count": read,
            "prompt_eval_duration": 3,
            "eval_count": written,
            "eval_duration": 5,
        }
        message = {"role": "assistant", "content": content} | (
            {"thinking": thinking} if thinking else {}
        )
        weighs = body.get("logprobs") and self.server.fake.gives_probabilities
        count = body.get("top_logprobs", 0)
        if body.get("stream", True):
            parts = [
                {**about, "message": {"role": "assistant", "content": part}, "done": False}
                | ({"logprobs": weighed(part, count)} if weighs else {})
                for part in re.findall(r"(?s).{1,8}", content)
            ]
            parts.append({**about, "message": {"role": "assistant", "content": ""}, **end})
            self.send(
                200,
                b"".join(json.dumps(part).encode() + b"\n" for part in parts),
                "application/x-ndjson",
            )
        else:
            given = {"logprobs": weighed(content, count)} if weighs else {}
            self.answer({**about, "message": message, **end, **given})

    def show(self, body: dict[str, Any]) -> None:
        self.answer(
            {
                "modelfile": "",
                "parameters": "",
                "template": "{{ .Prompt }}",
                "capabilities": capabilities(body["model"]),
                "details": _listed(body["model"])["details"],
                "model_info": {
                    "general.architecture": "qwen3",
                    "qwen3.context_length": 40960,
                    "general.parameter_count": 8190735360,
                },
            }
        )

    def embed(self, body: dict[str, Any]) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors = [hash_vector(text, body.get("dimensions", 64)).tolist() for text in texts]
        self.answer(
            {
                "model": body["model"],
                "embeddings": vectors,
                "total_duration": 9,
                "load_duration": 1,
                "prompt_eval_count": 8,
            }
        )

    def hang_up(self, body: dict[str, Any]) -> None:
        """Promises a reply, sends its beginning, and closes the line."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"model": "')
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def answer(self, value: Any) -> None:
        self.send(200, json.dumps(value).encode(), "application/json; charset=utf-8")

    def refuse(self, status: int, error: str) -> None:
        self.send(status, json.dumps({"error": error}).encode(), "application/json; charset=utf-8")

    def send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def wrong_fields(body: dict[str, Any]) -> Iterator[str]:
    """What in a chat's body is not as published."""
    yield from _wrong("chat", body, CHAT_FIELDS)
    yield from _wrong("options", body.get("options", {}), OPTIONS)
    for message in body.get("messages", []):
        yield from _wrong("message", message, MESSAGE_FIELDS)
        if message.get("role") not in ("system", "user", "assistant", "tool"):
            yield f"role {message.get('role')!r}"
    if isinstance(body.get("format"), str) and body["format"] not in ("", "json"):
        yield f"invalid format {body['format']!r}"
    if not -(2**31) <= body.get("options", {}).get("seed", 0) < 2**31:
        yield "seed out of range"
    if not re.fullmatch(r"-?[\d.]+(ms|s|m|h)", str(body.get("keep_alive", "5m"))):
        yield f"time: missing unit in duration {body['keep_alive']!r}"


def _wrong(what: str, given: dict[str, Any], known: dict[str, Any]) -> Iterator[str]:
    for name, value in given.items():
        if name not in known:
            yield f"{what} has no field {name!r}"
        elif not isinstance(value, known[name]) or (
            isinstance(value, bool) and known[name] in (int, (int, float))
        ):
            yield f"{what}.{name} is {value!r}"


def said(body: dict[str, Any], trouble: str) -> tuple[str, str]:
    """(thinking, content) of the reply to a chat."""
    schema = body.get("format")
    text = (
        json.dumps(Maker(body).value(schema), ensure_ascii=False)
        if isinstance(schema, dict)
        else "Fine, thank you."
    )
    thought = "A {good} question."
    return {
        "thinking": ("", f"<think>\n{thought}\n</think>\n\n{text}"),
        "thinking_ends": (thought, f"{thought}\n</think>\n{text}"),
        "empty": ("", ""),
        "length": ("", text[:10]),
    }.get(trouble, ("", text))


def _listed(name: str) -> dict[str, Any]:
    details = {
        "parent_model": "",
        "format": "gguf",
        "family": "qwen3",
        "families": ["qwen3"],
        "parameter_size": "8.2B",
        "quantization_level": "Q4_K_M",
    }
    size = 10**9 if "embedding" in capabilities(name) else 5 * 10**9
    return {
        "name": name,
        "model": name,
        "modified_at": "2026-01-01T00:00:00Z",
        "size": size,
        "digest": "0" * 64,
        "details": details,
    }


class Maker:
    """Makes values by schema, by the seed of the request and the language of its last message;
    lists of six where they may be.
    """

    def __init__(self, body: dict[str, Any]) -> None:
        self.random = Random(
            f"{body.get('options', {}).get('seed', 0)}{body['messages'][-1]['content']}"
        )
        chinese = re.search(r"[\u4e00-\u9fff]", body["messages"][-1]["content"])
        self.words, self.blank = (WORDS["zh"], "") if chinese else (WORDS["en"], " ")

    def value(self, schema: dict[str, Any], name: str = "", place: int = 0) -> Any:
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema["type"]
        if kind == "object":
            return {key: self.value(one, key, place) for key, one in schema["properties"].items()}
        if "prefixItems" in schema:
            return [self.value(one, one["title"], place) for one in schema["prefixItems"]]
        if kind == "array":
            count = (
                min(max(6, schema["minItems"]), schema.get("maxItems", 6))
                if schema.get("minItems")
                else 0
            )
            return [self.value(schema["items"], name, number) for number in range(count)]
        if kind == "string":
            return self.text(schema, name, place)
        return {
            "integer": min(max(3, schema.get("minimum", 3)), schema.get("maximum", 3)),
            "number": 0.5,
            "boolean": False,
        }[kind]

    def text(self, schema: dict[str, Any], name: str, place: int) -> str:
        pattern, clock = (
            schema.get("pattern", ""),
            "22:30" if name == "bed" else f"{7 + place * 2:02}:00",
        )
        sentence = self.blank.join(self.random.choices(self.words, k=9))[
            : schema.get("maxLength", 400) - 1
        ] + ("。" if not self.blank else ".")
        return next(
            one
            for one in (
                "2025-02-14" if schema.get("format") == "date" else sentence,
                clock,
                "22:30",
                "🍵",
            )
            if re.search(pattern, one)
        )
