"""HTTP to a model server, for every protocol. No response is trusted, and its size is bounded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, overload
from urllib.parse import urljoin, urlsplit

import orjson

from hometown.errors import ModelBusy, ModelUnavailable
from hometown.model.address import redacted, secrets_of, uses_proxy
from hometown.model.envelope import BadResponse, describe_html, message_in, object_of
from hometown.model.watchdog import StallTimeout, TooSlow
from hometown.text import Phrase

if TYPE_CHECKING:
    import ssl

    import httpx

CONNECT_SECONDS = 5.0
"""Seconds to wait for a connection."""

IDLE_SECONDS = 2.0
"""Seconds for which an idle connection is kept. Servers close theirs after five seconds or more,
and a request sent at that moment would be lost.
"""

LARGEST_RESPONSE = 1 << 25
"""Bytes of a response, at most: several times the size of a batch of embeddings or of the longest
streamed reply.
"""

LARGEST_ERROR = 1 << 16
LONGEST_DETAIL = 300
"""Bytes read of an error's body, and characters of it that are shown, at most."""

IN_BODY = 200
"""The status of an error that a server sends as the body of a successful response."""

TOO_MANY_REQUESTS = 429

TEMPORARY = (408, 409, 425, TOO_MANY_REQUESTS, 502, 503, 504)
"""HTTP statuses of a server that is overloaded, loading or restarting."""

_KEYS = re.compile(r"\b(sk|hf|gsk)[-_][\w*.-]{4,}")


class ErrorResponse(Exception):
    """An error response of a server: its status, its message in one line, and the seconds to wait
    that it asks for, 0 for none.
    """

    def __init__(self, status: int, detail: str | Phrase, retry_after: float = 0.0) -> None:
        self.status, self.detail, self.retry_after = status, detail, retry_after
        super().__init__(f"{status}: {detail}")


class Unreachable(Exception):
    """No connection to a server."""


class Redirected(Exception):
    """A redirect to `target`."""

    def __init__(self, target: str) -> None:
        self.target = target
        super().__init__(target)


class Connection:
    """Sends HTTP requests to one server. Redirects are not followed, since prompts are sent only
    to the server that the user has named.

    `address` may have a user, a password and parameters, which are sent with each request and never
    shown: `shown` is without them.
    """

    def __init__(self, address: str, key: str = "") -> None:
        self.shown = redacted(address)
        self._address, self._key = address, key
        self._secrets = sorted({*secrets_of(address), key} - {""}, key=len, reverse=True)
        bearer = f"Bearer {key}".encode("utf-8", "surrogateescape")
        self._headers = [
            (b"Accept-Encoding", b"identity"),
            *([(b"Authorization", bearer)] if key else []),
        ]
        self._clients: dict[bool, httpx.AsyncClient] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        _certificates()  # now, so that loading does not count against the first request

    @asynccontextmanager
    async def response(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Response]:
        """Send one request and enter its response while it arrives. Raises ErrorResponse, Redirected,
        Unreachable, BadResponse.
        """
        with self.translate_http_failures():
            response = await self.open_response(
                method, path, None if body is None else orjson.dumps(body)
            )
            try:
                yield response
            finally:
                await response.close()

    async def open_response(self, method: str, path: str, content: bytes | None) -> Response:
        """Send one request and return its response, which the caller reads and closes within
        `translate_http_failures`. `content` is JSON. Raises Redirected and ErrorResponse.
        """
        response = Response(await self._send_or_reconnect(method, path, content))
        try:
            if 300 <= response.status < 400:
                target = _join(self.shown, response.header("location"))
                raise Redirected(self.mask(redacted(target)))
            if response.status >= 400:
                raise ErrorResponse(
                    response.status,
                    await _read_error(response),
                    _parse_retry_after(response.header("retry-after")),
                )
        except BaseException:
            await response.close()
            raise
        return response

    @contextmanager
    def translate_http_failures(self) -> Iterator[None]:
        """Raise all failures of HTTP within the block as Unreachable or BadResponse, and an
        ErrorResponse or a BadResponse again with its secrets masked.
        """
        import httpx

        try:
            yield
        except BadResponse as odd:
            raise BadResponse(self.mask(odd.message)) from None
        except ErrorResponse as refused:  # at once, or in the midst of a stream
            raise ErrorResponse(
                refused.status, self.mask(refused.detail), refused.retry_after
            ) from None
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise Unreachable from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise BadResponse(
                Phrase("closed the connection before its response was complete")
            ) from error

    async def json(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send one request and return the JSON object of its response. Raises as `response` does."""
        async with self.response(method, path, body) as response:
            return object_of(await response.body())

    def move(self, address: str) -> None:
        """Send later requests to another address of the same server."""
        self._address, self.shown = address, redacted(address)

    def copy_at(self, address: str) -> Connection:
        """Return a connection to another address of the same server, with the same key."""
        return Connection(address, self._key)

    @property
    def address(self) -> str:
        """The whole address, which may hold secrets."""
        return self._address

    async def close(self) -> None:
        """Close all connections of the running event loop; the next request opens new ones."""
        clients = self._clients_here()
        while clients:
            await clients.popitem()[1].aclose()

    @overload
    def mask(self, text: Phrase) -> Phrase: ...

    @overload
    def mask(self, text: str) -> str: ...

    def mask(self, text: str) -> str:
        """Return a server's message in one line of at most `LONGEST_DETAIL` characters, without
        control characters and without anything like a key; a phrase keeps its template.
        """
        if isinstance(text, Phrase):
            values = {
                name: self.mask(value if isinstance(value, str) else str(value))
                for name, value in text.values.items()
            }
            return Phrase(text.template, **values)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return " ".join(
            "".join(sign if sign.isprintable() else " " for sign in _KEYS.sub("***", text)).split()
        )[:LONGEST_DETAIL]

    async def _send_or_reconnect(
        self, method: str, path: str, content: bytes | None
    ) -> httpx.Response:
        """Send a request and return the response before its body is read. A reused connection that
        turns out to be closed is replaced silently, once.
        """
        import httpx

        is_new = False

        async def trace(event: str, _: Any) -> None:
            nonlocal is_new
            is_new = is_new or event == "connection.connect_tcp.started"

        try:
            return await self._send(method, path, content, kept=True, extensions={"trace": trace})
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            if is_new:
                raise
        return await self._send(method, path, content, kept=False)

    async def _send(
        self,
        method: str,
        path: str,
        content: bytes | None,
        *,
        kept: bool,
        extensions: dict[str, Any] | None = None,
    ) -> httpx.Response:
        """Send a request through a connection that is `kept` for later ones, or a new one."""
        client = self._client(kept)
        headers = (
            self._headers
            if content is None
            else [*self._headers, (b"Content-Type", b"application/json")]
        )
        request = client.build_request(
            method, self._url(path), content=content, headers=headers, extensions=extensions
        )
        return await client.send(request, stream=True)

    def _url(self, path: str) -> str:
        """Return the address with a path behind its own, its parameters included."""
        parts = urlsplit(self._address)
        return parts._replace(path=f"{parts.path.rstrip('/')}/{path}", fragment="").geturl()

    def _client(self, kept: bool) -> httpx.AsyncClient:
        """Return the client that keeps its connections for a moment, or the one that opens a new
        connection for each request.
        """
        clients = self._clients_here()
        if kept not in clients:
            clients[kept] = new_client(self._address, kept)
        return clients[kept]

    def _clients_here(self) -> dict[bool, httpx.AsyncClient]:
        """Return the clients of the running event loop. Those of an earlier loop ended with it:
        they can be neither used nor closed any more.
        """
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._clients = loop, {}
        return self._clients


class Response:
    """A response that is being received; it is never decompressed, and never longer than
    `LARGEST_RESPONSE`.
    """

    def __init__(self, reply: httpx.Response) -> None:
        self._reply = reply

    @property
    def status(self) -> int:
        return self._reply.status_code

    def header(self, name: str) -> str:
        """Return the value of a header, or "" if it is missing."""
        return str(self._reply.headers.get(name, ""))

    async def close(self) -> None:
        """Return the connection to the pool, or close it if part of the body is unread."""
        await self._reply.aclose()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the non-empty lines of the body, stripped, as they arrive. Raises BadResponse."""
        begun: list[bytes] = []
        async for part in self._parts():
            head, *others = part.split(b"\n")
            begun.append(head)
            for other in others:
                if line := b"".join(begun).strip():
                    yield line
                begun = [other]
        if line := b"".join(begun).strip():
            yield line

    async def body(self) -> bytes:
        """Return the whole body. Raises BadResponse."""
        return b"".join([part async for part in self._parts()])

    async def start(self) -> bytes:
        """Return the first `LARGEST_ERROR` bytes of the body, which hold an error's message."""
        read = b""
        async for part in self._parts():
            read += part
            if len(read) > LARGEST_ERROR:
                break
        return read[:LARGEST_ERROR]

    async def _parts(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives. Raises BadResponse for one that is compressed or longer
        than `LARGEST_RESPONSE`.
        """
        if self.header("content-encoding").lower() not in ("", "identity"):
            raise BadResponse(Phrase("sent a compressed response, which was not asked for"))
        read = 0
        async for part in self._reply.aiter_raw():
            read += len(part)
            if read > LARGEST_RESPONSE:
                raise BadResponse(
                    Phrase("sent a response of more than {limit} MB", limit=LARGEST_RESPONSE >> 20)
                )
            yield part


def new_client(address: str, kept: bool) -> httpx.AsyncClient:
    """Return a client without a read timeout, since the watchdog sets one. Servers on this machine
    are never reached through a proxy.
    """
    import httpx

    limits = httpx.Limits(
        max_connections=None,
        max_keepalive_connections=None if kept else 0,
        keepalive_expiry=IDLE_SECONDS,
    )
    timeout = httpx.Timeout(None, connect=CONNECT_SECONDS)
    return httpx.AsyncClient(
        limits=limits,
        timeout=timeout,
        trust_env=uses_proxy(address),
        follow_redirects=False,
        verify=_certificates(),
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Load the certificates once, since that takes longer than opening a connection."""
    import httpx

    return httpx.create_ssl_context()


def _join(address: str, target: str) -> str:
    """Return the address to which a server redirects: what it says, where that is no address."""
    try:
        return urljoin(address, target)
    except ValueError:
        return target


async def _read_error(response: Response) -> str:
    """Return the message in an error response, or what is wrong with its body."""
    try:
        return _error_message(await response.start())
    except BadResponse as unreadable:
        return unreadable.message


def _error_message(body: bytes) -> str:
    """Return the message in an error's body: that in its JSON, or a description of an HTML page, or
    else the whole text.
    """
    text = body.decode("utf-8", "replace")
    try:
        value = orjson.loads(body)
    except ValueError:
        return describe_html(text) or text
    return message_in(value) or text


def _parse_retry_after(seconds: str) -> float:
    """Parse a `retry-after` header into seconds; 0 without such a header, or with a date."""
    return float(seconds) if seconds.isascii() and seconds.isdecimal() else 0.0


@asynccontextmanager
async def translate_failures(name: str, at: str, hint: Phrase) -> AsyncIterator[None]:
    """Turn all failures of a server into ModelBusy, except a redirect, which becomes
    ModelUnavailable, and ErrorResponse, which passes. `hint` says how to start the server.
    """
    try:
        yield
    except StallTimeout as stall:
        waited = 0.0 if isinstance(stall, TooSlow) else stall.seconds
        raise ModelBusy(
            "{name}: the server at {at} {fault}",
            name=name,
            at=at,
            fault=stall.message,
            waited=waited,
            has_responded=isinstance(stall, TooSlow),
        ) from stall
    except BadResponse as error:
        raise ModelBusy(
            "{name}: the server at {at} {fault}",
            name=name,
            at=at,
            fault=error.message,
            has_responded=True,
        ) from error
    except Unreachable as error:
        raise ModelBusy(
            "{name}: no connection to {at}; {hint}", name=name, at=at, hint=hint, overloaded=True
        ) from error
    except Redirected as error:
        raise ModelUnavailable(
            "{name}: the server at {at} redirects to {target}, and redirects are not followed; if that is your server, give its address instead",
            name=name,
            at=at,
            target=error.target,
        ) from error


def busy_error(name: str, at: str, refused: ErrorResponse) -> ModelBusy | None:
    """Return ModelBusy, with the time to wait, if the same request may succeed later; None if it
    will not.
    """
    if refused.status < 500 and refused.status not in (IN_BODY, *TEMPORARY):
        return None
    return ModelBusy(
        "{name}: the server at {at} limits requests ({status}: {detail}); a town needs about ten a minute, so raise the limit or take another server"
        if refused.status == TOO_MANY_REQUESTS
        else "{name}: the server at {at} cannot respond now ({status}: {detail})",
        name=name,
        at=at,
        status=refused.status,
        detail=refused.detail,
        retry_after=refused.retry_after,
        overloaded=refused.status in TEMPORARY,
        has_responded=True,
    )
