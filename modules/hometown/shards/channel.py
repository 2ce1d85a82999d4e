"""A way between two processes on which whole messages go, in both directions: one TCP connection,
with the length of each message before it.

Ray starts shards and knows when they are gone, but each message by Ray costs the process of the run
four times as much processor time as one by a connection of its own. A shard opens a door for one
caller, who has to have the secret that the shard was told by Ray, and closes it behind that one;
another door is for its neighbours, until all of them have called.
"""

from __future__ import annotations

import asyncio
import hmac
import struct
from collections import deque
from collections.abc import Callable
from typing import Any

_LENGTH = struct.Struct("!Q")

TIME_TO_ENTER = 5.0
"""Seconds that a caller has to show its secret."""

Address = tuple[str, int]
"""A host and its port."""


class Channel(asyncio.BufferedProtocol):
    """One end of a connection. Each message is read to where it is taken from, since streams would
    copy it twice.
    """

    def __init__(self) -> None:
        self._transport: Any = None
        self._head = bytearray(_LENGTH.size)
        self._part, self._filled = self._head, 0
        """What comes next, of which so many bytes are there."""
        self._messages: deque[bytearray] = deque()
        self._arrived, self._lost = asyncio.Event(), False

    def send(self, data: bytes) -> None:
        """Sends a message, whether the other end is still there or not."""
        self._transport.write(_LENGTH.pack(len(data)) + data)

    async def receive(self) -> bytearray:
        """The next message. Raises EOFError where the other end is gone."""
        while not self._messages:
            if self._lost:
                raise EOFError("the connection has ended")
            self._arrived.clear()
            await self._arrived.wait()
        return self._messages.popleft()

    def close(self) -> None:
        """Ends the connection at once; who waits at one of its ends learns of it."""
        self._transport.abort()

    # what asyncio calls -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return memoryview(self._part)[self._filled :]

    def buffer_updated(self, nbytes: int) -> None:
        self._filled += nbytes
        if self._filled == len(self._part):
            self._filled, self._part = 0, self._after(self._part)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._arrived.set()

    def _after(self, part: bytearray) -> bytearray:
        """What comes after a part that is there: after a message's length the message, unless it is
        empty, and after a message the length of the next.
        """
        if part is self._head and (length := _LENGTH.unpack(part)[0]):
            return bytearray(length)
        self._messages.append(bytearray() if part is self._head else part)
        self._arrived.set()
        return self._head


class _Caller(Channel):
    """The inner end of a connection, of which nothing is read until its secret has been compared."""

    def __init__(self, secret: bytes, knock: Callable[[_Caller, bytes], None]) -> None:
        super().__init__()
        self._shown: bytearray | None = bytearray(len(secret))
        self._part, self._knock = self._shown, knock

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._in_time = asyncio.get_running_loop().call_later(TIME_TO_ENTER, self.close)

    def _after(self, part: bytearray) -> bytearray:
        if part is not self._shown:
            return super()._after(part)
        self._shown = None
        self._in_time.cancel()
        self._knock(self, bytes(part))
        return self._head


class Door:
    """Where a shard waits for so many callers: for the process of the run, or for its neighbours."""

    def __init__(self, secret: bytes, enter: Callable[[Channel], None], callers: int = 1) -> None:
        self._secret, self._enter, self._awaited = secret, enter, callers
        self._server: asyncio.Server | None = None

    async def open(self, host: str) -> Address:
        """Listens at this host, at a port that is free."""
        self._server = await asyncio.get_running_loop().create_server(
            lambda: _Caller(self._secret, self._knock), host
        )
        port: int = self._server.sockets[0].getsockname()[1]
        return host, port

    def _knock(self, caller: Channel, shown: bytes) -> None:
        if self._server is None or not hmac.compare_digest(shown, self._secret):
            caller.close()
            return
        self._awaited -= 1
        if not self._awaited:
            self.close()
        self._enter(caller)

    def close(self) -> None:
        """Lets nobody in any more."""
        if self._server is not None:
            self._server.close()
            self._server = None


async def called_on(address: Address, secret: bytes) -> Channel:
    """The other end of the connection. Raises OSError where nobody is at home."""
    transport, channel = await asyncio.get_running_loop().create_connection(Channel, *address)
    transport.write(secret)
    return channel
