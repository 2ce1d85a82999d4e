"""HTTP to a server, over sockets: idle connections, redirects, compression, and what is never
shown.
"""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from hometown.errors import ModelBusy, ModelUnavailable
from hometown.model import connection
from hometown.model.connection import Connection, ErrorResponse, Redirected, Unreachable
from hometown.model.envelope import BadResponse
from hometown.model.openai_server import OpenAIModel
from hometown.settings import Settings
from tests.support.fake_openai import FakeOpenAI
from tests.support.protocols import ASKED


class Server:
    """Speaks HTTP by hand. `answer` makes the bytes of a response from those of a request; "" hangs
    up. `connections` counts them.
    """

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self.answer = answer
        self.connections = 0
        self.requests: list[bytes] = []
        self.port = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(
                    head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0
                )
                self.requests.append(head + await reader.readexactly(length))
                sent = self.answer(self.requests[-1])
                writer.write(sent)
                await writer.drain()
                if not sent:
                    break
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def serving(answer: Callable[[bytes], bytes]) -> AsyncIterator[Server]:
    server = Server(answer)
    listening = await asyncio.start_server(server, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()


def ok(body: bytes = b"{}", status: str = "200 OK", *headers: str) -> bytes:
    lines = "".join(
        f"{header}\r\n"
        for header in ("Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    )
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


async def test_a_connection_is_used_again_and_closed_on_our_side_before_servers_close_theirs() -> (
    None
):
    async with serving(lambda _: ok()) as server:
        client = Connection(server.address)
        for _ in range(3):
            await client.json("POST", "x", {})
        assert server.connections == 1
        kept = client._client(kept=True)._transport
        assert kept._pool._keepalive_expiry == connection.IDLE_SECONDS < 5  # type: ignore[attr-defined]
        await client.close()


async def test_a_kept_connection_that_the_server_has_closed_is_replaced_silently_once() -> None:
    """A server hangs up just as the second request arrives, which no waiting can prevent."""
    async with serving(lambda _: b"" if len(server.requests) == 2 else ok()) as server:
        client = Connection(server.address)
        for _ in range(2):
            assert await client.json("POST", "x", {"text": "lamp"}) == {}
        assert (server.connections, len(server.requests)) == (2, 3)
        await client.close()


def test_a_connection_is_closed_in_another_event_loop_than_it_was_used_in() -> None:
    """Where the earlier one has ended; and is used again after that."""

    async def use() -> None:
        assert (await client.json("GET", "models"))["object"] == "list"

    with FakeOpenAI() as server:
        client = Connection(server.url)
        for _ in range(2):
            asyncio.run(use())
            asyncio.run(client.close())


async def test_a_second_failure_is_told() -> None:
    async with serving(lambda _: ok() if len(server.requests) == 1 else b"") as server:
        client = Connection(server.address)
        await client.json("POST", "x", {})
        with pytest.raises(BadResponse, match="closed the connection"):
            await client.json("POST", "x", {})
        assert len(server.requests) == 3
        with pytest.raises(BadResponse):
            await Connection(server.address).json("POST", "x", {})
        assert len(server.requests) == 4, "a new connection that fails is told at once"
        await client.close()


@pytest.mark.parametrize(
    "status",
    [
        "301 Moved Permanently",
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
        "300 Many",
    ],
)
async def test_no_redirect_is_followed(status: str) -> None:
    async with serving(lambda _: ok()) as elsewhere:
        location = f"Location: http://ida:secret@127.0.0.1:{elsewhere.port}/v1?key=secret"
        async with serving(lambda _: ok(b"", status, location)) as server:
            with pytest.raises(Redirected) as caught:
                await Connection(server.address).json("POST", "x", {})
            assert caught.value.target == f"http://127.0.0.1:{elsewhere.port}/v1"
            model = OpenAIModel(
                "town-7b", Settings.model_validate({"machine": {"openai_base_url": server.address}})
            )
            with pytest.raises(
                ModelUnavailable,
                match="redirects are not followed; if that is your server, give its address instead",
            ) as told:
                await model.complete(ASKED, seed=1)
            assert not isinstance(told.value, ModelBusy)
        assert elsewhere.requests == []


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate", "gzip, gzip"])
async def test_nothing_compressed_is_asked_for_or_read(coding: str) -> None:
    async with serving(
        lambda _: ok(b"\x1f\x8b" * 10, "200 OK", f"Content-Encoding: {coding}")
    ) as server:
        with pytest.raises(BadResponse, match="compressed"):
            await Connection(server.address).json("GET", "x")
        assert b"accept-encoding: identity\r\n" in server.requests[0].lower()


async def test_an_error_whose_body_cannot_be_read_keeps_its_status() -> None:
    async with serving(
        lambda _: ok(b"\x1f\x8b", "401 Unauthorized", "Content-Encoding: gzip")
    ) as server:
        with pytest.raises(ErrorResponse, match="401: sent a compressed response"):
            await Connection(server.address).json("GET", "x")


async def test_a_redirect_to_no_address_is_told() -> None:
    async with serving(lambda _: ok(b"", "302 Found", "Location: http://[bad/")) as server:
        with pytest.raises(Redirected) as caught:
            await Connection(server.address).json("GET", "x")
        assert caught.value.target == "http://[bad/"


async def test_a_server_that_is_gone_and_one_that_speaks_something_else() -> None:
    async with serving(lambda _: b"220 mail.example ESMTP\r\n\r\n") as server:
        with pytest.raises(BadResponse):
            await Connection(server.address).json("GET", "x")
    with pytest.raises(Unreachable):
        await Connection("http://127.0.0.1:9").json("GET", "x")


async def test_secrets_are_sent_and_masked() -> None:
    """Those of the address and the key, also where the server repeats them, among control
    characters.
    """

    def repeats(request: bytes) -> bytes:
        said = b" ".join(request.split(b"\r\n")[:9]).replace(b'"', b"'")
        return ok(b'{"error": "\\u001b[2J' + said + b'"}', "418 Teapot")

    async with serving(repeats) as server:
        address = f"http://ida:pass-word@127.0.0.1:{server.port}/v1?api_key=top-secret"
        client = Connection(address, "the key")
        assert client.shown == f"http://127.0.0.1:{server.port}/v1"
        with pytest.raises(ErrorResponse) as caught:
            await client.json("POST", "x", {})
        assert b"/v1/x?api_key=top-secret" in server.requests[0]
        assert b"Authorization: Basic " in server.requests[0], (
            "a password in the address takes the place of the key"
        )
        assert caught.value.detail.startswith("[2JPOST /v1/x?api_key=***")
        assert not any(
            secret in caught.value.detail
            for secret in ("top-secret", "pass-word", b64encode(b"ida:pass-word").decode())
        )
        assert caught.value.detail.isprintable()


@pytest.mark.parametrize(
    ("before", "shown"),
    [("", "'[2JGET /v1/x?api_key=*** HTTP/1.1'"), ("no " * 20, f"'[2J{'no ' * 20}GET'")],
)
async def test_secrets_are_masked_in_a_page_that_repeats_them(before: str, shown: str) -> None:
    def repeats(request: bytes) -> bytes:
        title = b"\x1b[2J" + before.encode() + request.split(b"\r\n")[0]
        return ok(b"<html><title>" + title + b"</title>")

    async with serving(repeats) as server:
        client = Connection(f"{server.address}/v1?api_key=top-secret")
        with pytest.raises(BadResponse) as caught:
            await client.json("GET", "x")
    assert f"titled {shown}" in caught.value.message
    assert "HTML 网页" in caught.value.message.localize("zh")


async def test_any_key_can_be_sent() -> None:
    async with serving(lambda _: ok()) as server:
        await Connection(server.address, "schlüssel 钥匙").json("GET", "x")
        assert "Authorization: Bearer schlüssel 钥匙\r\n".encode() in server.requests[0]
        await Connection(server.address, os.fsdecode(b"sk-\xff")).json("GET", "x")
        assert b"Authorization: Bearer sk-\xff\r\n" in server.requests[1]


async def test_a_server_may_say_how_long_to_wait_in_seconds_alone() -> None:
    for value, seconds in (
        ("3", 3.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 0.0),
        ("-1", 0.0),
        ("٣", 0.0),
    ):
        async with serving(
            lambda _, value=value: ok(b"{}", "429 Busy", f"Retry-After: {value}").replace(  # type: ignore[misc]
                "٣".encode(), b"\xd9\xa3"
            )
        ) as server:
            with pytest.raises(ErrorResponse) as caught:
                await Connection(server.address).json("GET", "x")
            assert caught.value.retry_after == seconds
