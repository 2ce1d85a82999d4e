"""The process of llama.cpp: it ends with its parent, is started again when it has died, and says
why it can't serve.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hometown.errors import BadInput, ModelBusy, ModelUnavailable
from hometown.model.llama import llama_server as servers
from hometown.model.llama.llama_server import LlamaServer, keep_logs, server_for
from hometown.model.llama.log import LlamaLog
from hometown.model.llama.process import LlamaOptions
from hometown.paths import ROOT
from tests.model.llama.conftest import FAKE
from tests.support.gguf_files import write_gguf
from tests.support.hang import HANG

PARENT = """
import sys
from hometown.model.llama import process
from hometown.model.llama.llama_server import LlamaServer
process.COMMAND = tuple(sys.argv[2:]) or process.COMMAND
server = LlamaServer("m", process.LlamaOptions(sys.argv[1], 1, 64, 0, threads=1))
server.start("en", lambda _: None, 60)
print(server._child._process.pid, flush=True)
sys.stdin.read()
"""


def ended(pid: int) -> bool:
    """Whether a process, of whomever, ends in time; waits for the kernel to tell."""
    try:
        told = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with os.fdopen(told, "rb"):
        return bool(select.select([told], [], [], HANG)[0])


def order_of(file: Path) -> LlamaOptions:
    return LlamaOptions(str(file), 2, 64, 0)


def pid_of(server: LlamaServer) -> int:
    child = server._child
    assert child
    assert child._process
    return child._process.pid


@pytest.fixture
def server(fake: Path) -> LlamaServer:
    return LlamaServer("gguf:small.gguf", order_of(fake))


def started(server: LlamaServer) -> LlamaServer:
    server.start("en", print, HANG)
    return server


def test_it_is_started_once_and_stopped(server: LlamaServer) -> None:
    first = server.start("en", print, HANG)
    assert server.start("en", print, HANG) == first == server.running
    assert first.key not in repr(server._child)
    pid = pid_of(server)
    server.stop()
    assert ended(pid)
    assert server.running is None


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux when a process has ended")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_parent_that_is_killed_leaves_no_child(how: signal.Signals, fake: Path) -> None:
    """The stand-in asks nothing of the kernel: its input ends with its parent, on every system."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "modules")}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(fake), *FAKE],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.send_signal(how)
    assert ended(child)


def test_it_ends_with_the_last_who_uses_it(fake: Path) -> None:
    server = started(server_for("m", order_of(fake)))
    assert server_for("another name", order_of(fake)) is server
    pid = pid_of(server)
    del server
    gc.collect()
    assert ended(pid)


async def test_one_that_died_is_started_again_elsewhere(server: LlamaServer) -> None:
    first = started(server).running
    assert await server.death() is None
    os.kill(pid_of(server), signal.SIGKILL)
    assert server._child
    server._child.thread.join()
    assert server.running is None
    assert "llama.cpp has ended (code -9)" in str(await server.death())
    again = server.start("en", print, HANG)
    assert again == server.running != first


def test_one_that_dies_for_ever_is_given_up(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "MOST_STARTS", 2)
    for _ in range(2):
        started(server).stop()
    with pytest.raises(ModelUnavailable, match=r"llama\.cpp has ended 2 times") as caught:
        server.start("en", print, HANG)
    assert not isinstance(caught.value, ModelBusy)


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ("fail", r"cannot load this file \(gguf_init: bad tensor\)"),
        ("crash", r"cannot load this file \(it ended with code 7\)"),
        (
            "memory",
            r"with 2 concurrent requests of 64 tokens the model needs about 0\.0 GB, and 1\.0 GB are free; lower machine\.slots",
        ),
    ],
)
def test_why_it_cannot_serve_is_said_in_a_line(
    does: str, message: str, server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_LLAMA", does)
    with pytest.raises(BadInput, match=message) as caught:
        server.start("en", print, HANG)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_one_that_could_serve_and_cannot_now_may_later(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory may be somebody else's for a while: the run waits."""
    started(server).stop()
    monkeypatch.setenv("FAKE_LLAMA", "memory")
    with pytest.raises(ModelBusy, match="too little memory"):
        server.start("en", print, HANG)


def test_one_that_says_nothing_is_not_waited_for_without_end(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_LLAMA", "hang")
    with pytest.raises(
        BadInput, match=r"has not loaded it within 0\.1 s \(machine\.timeout_seconds\)"
    ):
        server.start("en", print, 0.1)
    assert server._child
    server._child.thread.join()
    assert server._child.has_ended


def test_one_that_loads_longer_than_before_may_load_later(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(server).stop()
    monkeypatch.setenv("FAKE_LLAMA", "hang")
    with pytest.raises(ModelBusy, match=r"has not loaded it within 0\.1 s"):
        server.start("en", print, 0.1)


async def test_whoever_no_longer_waits_stops_it(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by Ctrl-C while a large model is loading."""
    monkeypatch.setenv("FAKE_LLAMA", "hang")
    loading = asyncio.create_task(server.address("en", print, HANG))
    while server._child is None or server._child._process is None:
        await asyncio.sleep(0)
    loading.cancel()
    await asyncio.wait([loading])
    assert loading.cancelled()
    assert ended(pid_of(server))


async def test_nothing_is_started_for_those_who_no_longer_wait(
    server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by Ctrl-C while several calls wait for a restart: the program's end waits for its threads."""
    monkeypatch.setenv("FAKE_LLAMA", "hang")
    calls = [asyncio.create_task(server.address("en", print, 3)) for _ in range(3)]
    while server._child is None or server._child._process is None:
        await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await asyncio.get_running_loop().shutdown_default_executor()
    assert server.starts == 1


async def test_whoever_no_longer_waits_stops_none_for_which_another_waits(
    server: LlamaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a call ahead of its time that is dropped."""
    monkeypatch.setenv("FAKE_LLAMA_UNTIL", str(until := tmp_path / "until"))
    waiting, dropped = (asyncio.create_task(server.address("en", print, HANG)) for _ in range(2))
    while server._child is None or server._child._process is None:
        await asyncio.sleep(0)
    dropped.cancel()
    await asyncio.wait([dropped])
    until.touch()
    assert await waiting == server.running


def test_a_long_load_is_told(
    server: LlamaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "DELAY", 0.0)
    told: list[str] = []

    def notify(line: str) -> None:
        told.append(line)
        until.touch()

    monkeypatch.setenv("FAKE_LLAMA_UNTIL", str(until := tmp_path / "until"))
    server.start("zh", notify, HANG)
    assert told[0] == "正在加载 gguf:small.gguf（0.0 GB）……"
    assert re.fullmatch(r"gguf:small\.gguf 已加载，用了 \d+ 秒", told[1])
    assert len(told) == 2


def test_its_log_is_kept_beside_the_run(fake: Path, tmp_path: Path) -> None:
    """Also what it said before there was a run, and what a second process says."""
    server = started(server_for("m", order_of(fake)))
    (run := tmp_path / "run").mkdir()
    keep_logs(run)
    server.stop()
    started(server)
    keep_logs(run)
    started(other := server_for("n", order_of(write_gguf(tmp_path / "other.gguf"))))
    for each in (server, other):
        each.stop()
        assert each._child
        each._child.thread.join()
    line = "0.00.000.000 I serving 2 slots of 64 tokens\n"
    assert (run / "llama-small.log").read_text() == 2 * line
    assert (run / "llama-other.log").read_text() == line


def test_a_log_stays_small_and_a_disk_that_is_full_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hometown.model.llama.log.MAX_BYTES", 100)
    log = LlamaLog()
    log.write_to(tmp_path / "a.log")
    for _ in range(50):
        log.add("x" * 20)
    assert (tmp_path / "a.log").stat().st_size <= 100
    assert {file.name for file in tmp_path.iterdir()} == {"a.log", "a.log.1"}
    log.write_to(tmp_path / "gone" / "a.log")
    log.add("y")
