"""Ollama's own package over our connection: the package knows the protocol, and the connection
bounds and checks all that a server sends.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any, TypeVar, cast

import httpx
import ollama
import orjson
from pydantic import ValidationError

from hometown.model.connection import IN_BODY, Connection, ErrorResponse, Response
from hometown.model.envelope import BadResponse, count, member, message_in, object_of, require_type
from hometown.model.token_alternatives import encode_places, read_token_places
from hometown.text import Phrase

T = TypeVar("T")

COUNTS = (
    "prompt_eval_count",
    "eval_count",
    "prompt_eval_duration",
    "eval_duration",
    "completed",
    "total",
)
"""Members that must be numbers: the package would convert booleans and texts as well."""

ABSENT: dict[str, Any] = {"models": [], "model_info": {}, "done": False}
"""Defaults for members that are missing or null; the package requires some that a server may leave
out.
"""

READ = {
    *COUNTS,
    *ABSENT,
    "message",
    "done_reason",
    "embeddings",
    "details",
    "status",
    "capabilities",
    "logprobs",
}
"""The members that are read; the package would refuse a response for an odd value in any other."""

BREAKS = {sign.encode(): f"\\u{ord(sign):04x}".encode() for sign in "\x85\u2028\u2029"}
"""Characters that JSON may contain as they are, and at which `httpx` would break a line, with their
escapes.
"""


class OllamaClient:
    """One Ollama server: `api` has Ollama's methods, which send through `connection`.

    Calls of `api` belong within `as_published`; they raise ErrorResponse and the errors of connections.
    """

    def __init__(self, address: str) -> None:
        self.connection = Connection(address)
        self.shown = self.connection.shown
        self.api = ollama.AsyncClient(
            "http://ollama", transport=_Transport(self.connection), follow_redirects=False
        )

    @contextmanager
    def as_published(self) -> Iterator[None]:
        """Turn the package's errors for JSON of another shape into BadResponse."""
        try:
            yield
        except ValidationError as error:
            name = ".".join(map(str, error.errors()[0]["loc"]))
            raise BadResponse(
                Phrase(
                    "sent unexpected JSON: {name!r} does not follow Ollama's protocol",
                    name=name,
                )
            ) from error

    @asynccontextmanager
    async def parts(self, call: Awaitable[AsyncIterator[T]]) -> AsyncIterator[AsyncIterator[T]]:
        """Enter the parts of a streamed answer, within `as_published`; parts that are unread when
        the context ends are dropped.
        """
        with self.as_published():
            async with aclosing(cast("AsyncGenerator[T, None]", await call)) as parts:
                yield parts

    async def close(self) -> None:
        """Close all connections; the next request opens new ones."""
        await self.connection.close()


class _Transport(httpx.AsyncBaseTransport):
    """Sends requests through a connection. Only their method, path and body are used; address, keys
    and headers are the connection's.

    Every response is passed on with status 200, since the package would raise errors of its own for
    some statuses, and the connection has raised all that matter.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread() or None
        streams = content is not None and bool(object_of(content).get("stream"))
        with self._connection.translate_http_failures():
            response = await self._connection.open_response(
                request.method, request.url.path.removeprefix("/"), content
            )
        return httpx.Response(200, stream=_Stream(self._connection, response, streams))


class _Stream(httpx.AsyncByteStream):
    """The body of a response: one checked JSON object, or one in each line if it `streams`."""

    def __init__(self, connection: Connection, response: Response, streams: bool) -> None:
        self._connection, self._response, self._streams = connection, response, streams

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with self._connection.translate_http_failures():
            if self._streams:
                async for line in self._response.lines():
                    yield _check_object(line) + b"\n"
            else:
                yield _check_object(await self._response.body())

    async def aclose(self) -> None:
        await self._response.close()


def _check_object(data: bytes) -> bytes:
    """Return a JSON object on one line, with all members that the package `ollama` reads and no
    other, each of its type. Raises BadResponse for one of another type, and ErrorResponse for an
    error in the midst of a stream.
    """
    value = object_of(data)
    if value.get("error"):
        raise ErrorResponse(IN_BODY, message_in(value))
    value = ABSENT | {name: value[name] for name in READ if value.get(name) is not None}
    require_type(value["done"], "done", bool)
    value["message"] = member(value, "message", dict, {}) | {"role": "assistant"}
    if any(
        set(map(type, require_type(vector, "embeddings", list))) - {int, float}
        for vector in member(value, "embeddings", list, [])
    ):
        raise BadResponse(Phrase("returned no vectors; does it serve an embedding model?"))
    value |= (
        {"logprobs": encode_places(read_token_places(value["logprobs"]))}
        if "logprobs" in value
        else {}
    )
    value |= {name: count(value, name) for name in COUNTS if name in value}
    try:
        line = orjson.dumps(value)
    except orjson.JSONEncodeError:
        raise BadResponse(Phrase("sent JSON that is nested too deeply")) from None
    for sign, escaped in BREAKS.items():
        line = line.replace(sign, escaped)
    return line
