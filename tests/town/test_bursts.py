"""A run that gets several stop signals within milliseconds ends, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hometown.cli.main import launch
from hometown.cli.signals import STOPS, run_stoppable, stoppable
from hometown.paths import ROOT
from tests.support.hang import HANG
from tests.torture.bursts import stop_by_bursts
from tests.torture.crash import Original

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")

BURSTS = 4
"""One as a process starts, one with a silent server, two in a step; `make torture` does 200."""


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Signals mean after a test what they meant before it."""
    before = {number: signal.getsignal(number) for number in STOPS}
    yield
    assert {number: signal.getsignal(number) for number in STOPS} == before


def test_bursts_of_signals_end_a_run_and_lose_nothing(unkilled: Original) -> None:
    toll = stop_by_bursts(unkilled, BURSTS)
    assert (toll.bursts, toll.starts, toll.silent) == (BURSTS, 1, 1)


def test_signals_in_a_row_cancel_once_and_no_wake_up_is_lost() -> None:
    """The second one used to raise KeyboardInterrupt in the event loop itself, while tasks were
    being cancelled.
    """
    cancelled: list[str] = []

    async def work() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(HANG)
        except asyncio.CancelledError:
            cancelled.append("once")
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.raise_signal(number)
            await asyncio.sleep(0)
            cancelled.append("tidied up")
            raise

    with pytest.raises(KeyboardInterrupt):
        run_stoppable(work())
    assert cancelled == ["once", "tidied up"]


def test_a_second_signal_does_not_cost_a_group_its_wake_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two signals 2 ms apart used to hang one run in forty: the second one interrupted a callback
    of the event loop, and what waited for it was never told that its tasks had ended.
    """
    on_task_done = asyncio.TaskGroup._on_task_done  # type: ignore[attr-defined]

    def interrupted(group: asyncio.TaskGroup, task: asyncio.Task[None]) -> None:
        signal.raise_signal(signal.SIGTERM)
        on_task_done(group, task)

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(HANG))
            await asyncio.sleep(0)
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(asyncio.TaskGroup, "_on_task_done", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_stoppable(work())


def test_a_stop_before_the_work_begins_is_not_lost() -> None:
    async def work() -> None:
        pytest.fail("it has begun")

    with stoppable() as stop:
        with pytest.raises(KeyboardInterrupt), stop.defer():
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            stop.run(work())


def test_packages_are_imported_whole_before_a_stop_takes_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An interrupted import of a package in C has crashed Python."""
    imported: list[str] = []

    def slowly(name: str) -> Any:
        signal.raise_signal(signal.SIGTERM)
        imported.append(name)

    monkeypatch.setattr("hometown.cli.main.import_module", lambda name: slowly(name) or sys)
    monkeypatch.setattr(
        sys, "main", lambda argv: pytest.fail("the command was begun"), raising=False
    )
    with pytest.raises(KeyboardInterrupt):
        launch("hometown.cli.commands", [])
    assert imported == ["hometown.cli.commands"]


STUCK = """
import asyncio, threading, time
from hometown.cli.signals import stop_process
stop = stop_process()
stop.farewell = lambda: print("farewell", flush=True)
{stuck}
"""

WAYS = {
    "deaf": """
ready = iter(["ready"])
while True:
    try:
        for word in ready: print(word, flush=True)
        time.sleep(600)
    except KeyboardInterrupt: pass
""",
    "waiting for a lock": """
lock = threading.Lock()
lock.acquire()
ready = iter(["ready"])
while True:
    try:
        for word in ready: print(word, flush=True)
        lock.acquire()
    except KeyboardInterrupt: pass
""",
    "not to be cancelled": """
async def work():
    print("ready", flush=True)
    while True:
        try: await asyncio.sleep(600)
        except asyncio.CancelledError: pass
stop.run(work())
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_does_not_end_of_itself_is_ended(way: str) -> None:
    command = [sys.executable, "-c", STUCK.format(stuck=WAYS[way])]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "modules")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=HANG)
    assert (process.returncode, out, error) == (130, "farewell\n", "")
