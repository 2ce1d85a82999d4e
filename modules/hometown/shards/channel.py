"""A way between two processes on which whole messages go, in both directions: one TCP connection, with the length of each message before it.

Ray starts shards and knows when they are gone, but each message by Ray costs the process of the run four times as much processor time as one by a connection
of its own. A shard opens a door for one caller, who has to have the secret that the shard was told by Ray, and closes it behind that one; another door is for
its neighbours, until all of them have called.
"""

from __future__ import annotations

import asyncio
import hmac
import struct
from collections.abc import Callable

_LENGTH = struct.Struct("!Q")

AT_ONCE = 1 << 22
"""Bytes that are read ahead of a message's end, at most."""

TIME_TO_ENTER = 5.0
"""Seconds that a caller has to show its secret."""

Address = tuple[str, int]
"""A host and its port."""


class Channel:
    """One end of a connection. Where the other is gone, `receive` raises EOFError or OSError."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        """Sends a message, whether the other end is still there or not."""
        self._writer.write(_LENGTH.pack(len(data)))
        self._writer.write(data)

    async def receive(self) -> bytes:
        """The next message."""
        (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
        return await self._reader.readexactly(length)

    def close(self) -> None:
        """Ends the connection at once; who waits at one of its ends learns of it."""
        self._writer.transport.abort()


class Door:
    """Where a shard waits for so many callers: for the process of the run, or for its neighbours."""

    def __init__(self, secret: bytes, enter: Callable[[Channel], None], callers: int = 1) -> None:
        self._secret, self._enter, self._awaited = secret, enter, callers
        self._server: asyncio.Server | None = None

    async def open(self, host: str) -> Address:
        """Listens at this host, at a port that is free."""
        self._server = await asyncio.start_server(self._knock, host, limit=AT_ONCE)
        port: int = self._server.sockets[0].getsockname()[1]
        return host, port

    async def _knock(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(TIME_TO_ENTER):
                shown = await reader.readexactly(len(self._secret))
        except (TimeoutError, EOFError, OSError):
            shown = b""
        if self._server is not None and hmac.compare_digest(shown, self._secret):
            self._awaited -= 1
            if not self._awaited:
                self.close()
            self._enter(Channel(reader, writer))
        else:
            writer.transport.abort()

    def close(self) -> None:
        """Lets nobody in any more."""
        if self._server is not None:
            self._server.close()
            self._server = None


async def called_on(address: Address, secret: bytes) -> Channel:
    """The other end of the connection. Raises OSError where nobody is at home."""
    reader, writer = await asyncio.open_connection(*address, limit=AT_ONCE)
    writer.write(secret)
    return Channel(reader, writer)
