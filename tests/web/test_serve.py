"""The server behind replay.py: connections are kept, streams flow, and nobody can hold more of it
than there is.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hometown.storage.run import RunFile
from hometown.web import live as live_module
from hometown.web import serve as serve_module
from tests.support.hang import HANG
from tests.support.page_views import served
from tests.support.storage_sample import first_state, live, manifest
from tests.support.synthetic_run import make_run

Connect = Callable[[], http.client.HTTPConnection]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    make_run(folder, "sample")
    return folder


def start(results: Path) -> Connect:
    """Starts a server with the bounds that are in force now, and gives what connects to it."""
    address = served(results).removeprefix("http://")
    return lambda: http.client.HTTPConnection(address, timeout=HANG)


@pytest.fixture(scope="module")
def connect(results: Path) -> Iterator[Connect]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(live_module, "POLL_SECONDS", 0.01)
        yield start(results)


def events(response: http.client.HTTPResponse, count: int) -> list[bytes]:
    """The next events of a stream."""
    found: list[bytes] = []
    while len(found) < count:
        line = response.readline()
        assert line, f"the stream ended after {found}"
        if line.startswith(b"data: "):
            found.append(line.strip())
    return found


def test_a_connection_serves_many_requests_and_says_nothing_of_the_server(connect: Connect) -> None:
    connection = connect()
    connection.connect()
    own = connection.sock
    for path in ("/", "/api/v1/runs", "/?name=sample"):
        connection.request("GET", path)
        reply = connection.getresponse()
        assert reply.status == 200
        assert reply.read()
        assert reply.headers["Connection"] in (None, "keep-alive")
        assert reply.headers["Server"] is None
    assert connection.sock is own


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 40_000 + b"\r\n\r\n", b"431"),
        (
            b"POST /api/v1/runs/sample/name HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n",
            b"413",
        ),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"403"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"nonsense\r\n\r\n", b"400"),
    ],
)
def test_what_is_too_large_or_malformed_is_refused(
    request_: bytes, status: bytes, connect: Connect
) -> None:
    connection = connect()
    connection.connect()
    connection.sock.sendall(request_)
    assert connection.sock.recv(100).split()[1] == status


def test_a_stream_flows_while_the_run_goes_on(results: Path, connect: Connect) -> None:
    with _new(results, "flowing") as run:
        connection = connect()
        connection.request("GET", "/api/v1/runs/flowing/live")
        stream = connection.getresponse()
        state = b'data: {"first":%d,"step":%d,"finished":%s,"running":true}'
        assert events(stream, 1) == [state % (1, 0, b"false")]
        town = run.restore()
        for step, finished in ((1, b"false"), (2, b"true")):
            live(run, town, 1)
            assert events(stream, 1) == [state % (step, step, finished)]
        other = connect()
        other.request("GET", "/api/v1/runs")
        assert other.getresponse().status == 200, "others are answered meanwhile"
    assert events(stream, 1) == [b'data: {"finished":true,"cause":""}']
    assert stream.read() == b"\n"


def _new(results: Path, name: str) -> RunFile:
    return RunFile.create(results, manifest(name), 2, first_state())


def test_viewers_beyond_the_last_stream_ask_again(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "MOST_STREAMS", 1)
    connect = start(results)
    with _new(results, "crowded"):
        first, second = connect(), connect()
        for connection in (first, second):
            connection.request("GET", "/api/v1/runs/crowded/live")
        replies = [_first_event(connection.getresponse()) for connection in (first, second)]
        assert all(b'"step":0' in reply for reply in replies)
        assert sum(b"retry: 4000" in reply for reply in replies) == 1


def _first_event(reply: http.client.HTTPResponse) -> bytes:
    """What a stream has sent up to the end of its first event."""
    lines = [reply.readline()]
    while not lines[-1].startswith(b"data: "):
        lines.append(reply.readline())
    return b"".join(lines)


def test_half_open_connections_are_bounded_and_end(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests that never end keep no thread, and are closed in time; meanwhile further ones wait
    and are not lost.
    """
    for name, value in {"CONNECTIONS": 20, "IDLE_SECONDS": 1, "TIDY_SECONDS": 0}.items():
        monkeypatch.setattr(serve_module, name, value)
    most = threading.active_count() + serve_module.THREAD_COUNT + 1
    connect = start(results)
    with ExitStack() as stack:
        for _ in range(30):
            connection = connect()
            stack.callback(connection.close)
            connection.connect()
            connection.sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert any(_answers(connect()) for _ in range(50))
        assert threading.active_count() <= most


def _answers(connection: http.client.HTTPConnection) -> bool:
    """Whether a request is answered; on a machine that is slow, a good connection may be taken for
    an idle one.
    """
    try:
        connection.request("GET", "/api/v1/runs")
        return connection.getresponse().status == 200
    except (ConnectionError, http.client.HTTPException):
        return False
