"""Two hundred clients and two thousand half-open connections at the server of `replay.py`, in a
process of its own.

The server may let them wait; it may neither fail, nor grow, nor lose one of them.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hometown.paths import ROOT
from hometown.web.serve import THREAD_COUNT
from tests.support.town import live
from tests.torture.cases import Lost

NAME = "town"
STEPS = 8
PATHS = (
    "/",
    f"/?name={NAME}",
    "/api/v1/runs",
    f"/api/v1/runs/{NAME}",
    f"/api/v1/runs/{NAME}/frames?from=1&to=4",
    f"/api/v1/runs/{NAME}/map",
)

OTHER_THREADS = 4
"""Threads of the server's process besides those that answer."""

GROWTH = 150.0
"""Megabytes by which the process may grow under the crowd, most of them caches and connections."""

PROBING = 10
"""Seconds between two probes of a connection that says nothing."""

HALF = (
    b"",
    b"G",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /api/v1/runs/town/name HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{",
)
"""What half-open connections have sent, after which they say nothing."""


@dataclass
class Toll:
    """Requests that were answered, and half-open connections; the server's threads and megabytes at
    the most.
    """

    requests: int = 0
    half_open: int = 0
    threads: int = 0
    megabytes: float = 0.0
    grown: float = 0.0


def crowded(
    folder: Path, requests: int, clients: int, half_open: int, *, patient: bool = True
) -> Toll:
    """So many requests by so many clients at once, among half-open connections, which are to be
    closed by the server where there is time to wait for it.

    Raises Lost at the first bad answer, and for a server without bounds.
    """
    live(folder, STEPS, name=NAME)
    port = _free_port()
    command = [
        sys.executable,
        str(ROOT / "replay.py"),
        "--port",
        str(port),
        "--results",
        str(folder),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        token = server.stdout.readline().partition("?token=")[2].partition(" ")[0]
        if not token:
            raise Lost("the server did not start")
        toll = asyncio.run(
            _Crowd(server, port, token).come(requests, clients, half_open, patient=patient)
        )
        if server.poll() is not None:
            raise Lost(f"the server ended with {server.poll()}")
    finally:
        server.terminate()
        server.communicate()
    if toll.threads > THREAD_COUNT + OTHER_THREADS or toll.grown > GROWTH:
        raise Lost(f"the server has {toll.threads} threads and has grown by {toll.grown:.0f} MB")
    return toll


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _probed(connection: socket.socket) -> None:
    """Has the system ask now and then whether the server still knows this connection.

    One that was dropped from its full queue, and on which nothing was sent, would be taken for open
    for ever.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option in ("TCP_KEEPIDLE", "TCP_KEEPINTVL"):  # not on every system
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), PROBING)


class _Crowd:
    def __init__(self, server: subprocess.Popen[str], port: int, token: str) -> None:
        self.server, self.port, self.token = server, port, token
        self.toll = Toll()

    async def come(self, requests: int, clients: int, half_open: int, *, patient: bool) -> Toll:
        """Each client opens its connection first; then the half-open ones come, while all of them
        ask.
        """
        for path in PATHS:
            await self._once(path)
        before = self._look()
        opened = [await self._open() for _ in range(clients)]
        hanging = [
            asyncio.create_task(self._hang(HALF[number % len(HALF)])) for number in range(half_open)
        ]
        share = requests // clients
        watching = asyncio.create_task(self._watch())
        try:
            await asyncio.gather(
                *(self._ask(number, connection, share) for number, connection in enumerate(opened))
            )
            if patient:
                await asyncio.gather(*hanging)
            await self._once(PATHS[0])
        finally:
            for task in (watching, *hanging):
                task.cancel()
        self.toll.grown = self.toll.megabytes - before
        return self.toll

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self.server.poll() is None:
            with suppress(OSError):  # the queue of connections is full for a moment
                return await asyncio.open_connection("127.0.0.1", self.port)
            await asyncio.sleep(0.1)
        raise Lost("the server is gone")

    async def _ask(
        self, number: int, connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], count: int
    ) -> None:
        """Asks on one connection, which the server may close between two requests; then on a new
        one.
        """
        for at in range(count):
            path = PATHS[(number + at) % len(PATHS)]
            try:
                await self._answer(connection, path)
            except (asyncio.IncompleteReadError, ConnectionError):
                connection[1].close()
                connection = await self._open()
                await self._answer(connection, path)
        connection[1].close()

    async def _once(self, path: str) -> None:
        connection = await self._open()
        await self._answer(connection, path)
        connection[1].close()

    async def _answer(
        self, connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: str
    ) -> None:
        reader, writer = connection
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].partition("\r\n")[0])
        body = await reader.readexactly(length)
        if not head.startswith("http/1.1 200 "):
            raise Lost(f"{path}: {head.splitlines()[0]} {body[:300]!r}")
        if "json" in head:
            json.loads(body)
        self.toll.requests += 1

    async def _hang(self, said: bytes) -> None:
        """A connection that says no more, until the server closes it."""
        reader, writer = await self._open()
        _probed(writer.get_extra_info("socket"))
        self.toll.half_open += 1
        with suppress(OSError):
            writer.write(said)
            await reader.read()
        writer.close()

    async def _watch(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(0.2)

    def _look(self) -> float:
        """The megabytes of the server's process; keeps the most, and the most threads."""
        with suppress(OSError):  # not on every system
            status = Path(f"/proc/{self.server.pid}/status").read_text()
            threads, kilobytes = (
                int(status.partition(name)[2].split()[0]) for name in ("Threads:", "VmRSS:")
            )
            self.toll.threads, self.toll.megabytes = (
                max(self.toll.threads, threads),
                max(self.toll.megabytes, kilobytes / 1024),
            )
        return self.toll.megabytes
