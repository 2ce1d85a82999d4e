"""Asks a resident while the model server is dead in one of several ways: it is told in lines, and the run is only read."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from random import Random
from unittest import mock

from hometown.cli.commands import main
from hometown.storage.run_names import folder_of
from tests.torture.cases import Lost, case

NEW = ("--world", "minitown", "--lang", "en", "--llm", "scripted", "--residents", "1", "--start", "20250213-08:00", "--step", "1")

PATIENCE = 0.5
"""Seconds of silence after which the server is given up."""

DEAD: dict[str, Callable[[socket.socket], None]] = {
    "hangs up": lambda client: client.close(),
    "resets": lambda client: client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"),
    "noise": lambda client: client.sendall(os.urandom(200)),
    "half a status": lambda client: client.sendall(b"HTTP/1.1 2"),
    "half a reply": lambda client: client.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"choices": ['),
    "overloaded": lambda client: client.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
}
"""By name: the answer of a server to a connection."""

KINDS = ("closed", "silent", *DEAD)


def asked(folder: Path, count: int, first: int = 0) -> Counter[str]:
    """Ask so often; return how often by the kind of death. Raises Lost where the command falls over, or the run has changed."""
    toll: Counter[str] = Counter()
    impatient = folder / "impatient.json"
    impatient.write_text(json.dumps({"llm": {"give_up_after": PATIENCE}}), "utf-8")
    with redirect_stdout(StringIO()):
        if main(["run", "town", *NEW, "--results", str(folder)]):
            raise Lost("the run that was to be asked could not be lived")
    before = (folder_of(folder, "town") / "run.sqlite").read_bytes()
    for number in range(first, first + count):
        kind = KINDS[number % len(KINDS)]
        with case("interviews", number), _dead_server(kind) as address, mock.patch.dict(os.environ, OPENAI_BASE_URL=address):
            said = StringIO()
            with redirect_stdout(said), redirect_stderr(said), mock.patch("hometown.model.retrying.FIRST_WAIT", 0.01):
                question = f"Chen Siyuan: how are you, {Random(number).random()}?"
                code = main(["ask", "town", question, "--llm", "openai:x", "--config", str(impatient), "--results", str(folder)])
            if code != 3 or "Traceback" in said.getvalue():
                raise Lost(f"{kind}: exit code {code}\n{said.getvalue()}")
            if (folder_of(folder, "town") / "run.sqlite").read_bytes() != before:
                raise Lost("the run has changed")
        toll[kind] += 1
    return toll


@contextmanager
def _dead_server(kind: str) -> Iterator[str]:
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
