"""Servers without sockets, for simulated time, so that hours of silence are tested in milliseconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson
import pytest

from hometown.model import connection
from tests.support.simulated_time import SimulatedLoop

NDJSON = "application/x-ndjson"
"""The kind of Ollama's streams."""


@dataclass(frozen=True)
class Pause:
    """The server sends nothing for `seconds`; with `suspended`, this process is stopped meanwhile."""

    seconds: float
    suspended: bool = False


Part = bytes | Pause | Exception
"""What a server does next: sends bytes, pauses, or fails so."""


def jump(seconds: float) -> None:
    """Suspends this process for that long."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    loop._skipping.now += seconds


@dataclass
class Sent:
    """A response: its parts one after the other."""

    parts: Iterable[Part]
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


class Wire(httpx.AsyncBaseTransport):
    """A server in this process: `answers` are its responses, one for each request, and `always` all
    later ones, unless `answer` makes them.

    With `gone`, nobody is there.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[Sent] = []
        self.always: Sent | None = None
        self.answer: Callable[[dict[str, Any]], Sent] | None = None
        self.gone = False
        self.requests: list[httpx.Request] = []
        monkeypatch.setattr(
            connection, "new_client", lambda address, kept: httpx.AsyncClient(transport=self)
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.gone:
            raise httpx.ConnectError("nobody listens")
        if self.answers:
            sent = self.answers.pop(0)
        elif self.answer:
            sent = self.answer(orjson.loads(request.content or b"{}"))
        else:
            assert self.always is not None, "nothing is left to answer"
            sent = self.always
        if (
            sent.kind == NDJSON
            and request.content
            and orjson.loads(request.content).get("stream") is False
        ):
            sent = _whole(sent)
        return httpx.Response(
            sent.status,
            headers={"content-type": sent.kind, **sent.headers},
            stream=_Stream(sent.parts),
        )

    def bodies(self) -> list[dict[str, Any]]:
        return [orjson.loads(request.content) for request in self.requests]


def _whole(sent: Sent) -> Sent:
    """What Ollama sends of the same reply where it was asked not to stream it: one object, half of
    it where the stream has no end. Odd lines stay.
    """
    if not isinstance(sent.parts, list):
        return sent
    lines = [part for part in sent.parts if isinstance(part, bytes)]
    try:
        parts = [orjson.loads(line) for line in lines]
        text = "".join(part["message"]["content"] for part in parts)
        body = orjson.dumps(parts[-1] | {"message": {"role": "assistant", "content": text}})
        ends = parts[-1].get("done") is True
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError):
        return sent
    pauses: list[Part] = [part for part in sent.parts if isinstance(part, Pause)]
    failures: list[Part] = [part for part in sent.parts if isinstance(part, Exception)]
    return Sent(
        [*pauses, body if ends else body[: len(body) // 2], *failures],
        sent.status,
        "application/json",
        sent.headers,
    )


class Endless:
    """The same parts for ever."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self.sent = 0

    def __iter__(self) -> Iterator[Part]:
        while True:
            yield from self.parts
            self.sent += 1


class _Stream(httpx.AsyncByteStream):
    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            elif isinstance(part, Exception):
                raise part
            elif part.suspended:
                jump(part.seconds)
            else:
                await asyncio.sleep(part.seconds)


CUT = httpx.ReadError("the server closed the connection")


def sse(*parts: Any, done: bool = True) -> list[Part]:
    """Parts of an event stream, each a JSON value, or bytes as they are."""
    lines = [
        part if isinstance(part, Part) else b"data: " + orjson.dumps(part) + b"\n\n"
        for part in parts
    ]
    return [*lines, *([b"data: [DONE]\n\n"] if done else [])]


def ndjson(*parts: Any) -> list[Part]:
    """Lines of Ollama's protocol, each a JSON value, or bytes as they are."""
    return [part if isinstance(part, Part) else orjson.dumps(part) + b"\n" for part in parts]
