"""Servers that are dead, each in its own way."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

DEAD: dict[str, Callable[[socket.socket], None]] = {
    "hangs up": lambda client: client.close(),
    "resets": lambda client: client.setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
    ),
    "noise": lambda client: client.sendall(os.urandom(200)),
    "half a status": lambda client: client.sendall(b"HTTP/1.1 2"),
    "half a reply": lambda client: client.sendall(
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"choices": ['
    ),
    "overloaded": lambda client: client.sendall(
        b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    ),
}
"""By name: the answer of a server to a connection."""

KINDS = ("closed", "silent", *DEAD)


@contextmanager
def dead_server(kind: str) -> Iterator[str]:
    """The address of a server that is dead in this way."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        if kind == "closed":
            server.close()
        elif kind != "silent":
            threading.Thread(target=_answer, args=(server, DEAD[kind]), daemon=True).start()
        yield address


def _answer(server: socket.socket, answer: Callable[[socket.socket], None]) -> None:
    with suppress(OSError):
        while True:
            client, _ = server.accept()
            with client, suppress(OSError):
                client.recv(65536)
                answer(client)
