"""A run that is killed, again and again, lives the same steps as one that never was."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hometown.paths import ROOT
from hometown.settings import Machine
from hometown.storage.run_names import file_of
from tests.support.hang import HANG
from tests.torture import experiments
from tests.torture.cases import Lost
from tests.torture.crash import KilledRun, Original, kill_runs
from tests.torture.lives import POINTS, watch
from tests.torture.suspend import stop_runs

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither SIGKILL nor fork")

KILLS = 8
"""`make torture SHORT=1` does 16, `make torture` 1,000 at real latencies."""


def test_nothing_is_lost_or_paid_for_twice_however_often_a_run_is_killed(
    unkilled: Original,
) -> None:
    toll = kill_runs(unkilled, KILLS)
    assert toll.kills >= KILLS
    assert len({ended.split()[0] for ended in toll.ended} & {*POINTS}) >= len(POINTS) // 3, (
        toll.ended
    )
    assert toll.again <= KILLS * Machine().slots, "more replies than can be on their way at once"


@pytest.mark.parametrize(
    "point",
    [*POINTS.values(), *((module, path) for module, path, _ in experiments.POINTS.values())],
    ids=".".join,
)
def test_there_is_such_a_point(point: tuple[str, str]) -> None:
    """A run of the test before comes to a few of them only, by the luck of the draw."""
    watch(*point, lambda function: function)


def test_the_harness_sees_what_is_lost(unkilled: Original, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a kept reply forgotten after a kill, it would say so, and how to repeat it."""
    look = KilledRun._look

    def forgetful(run: KilledRun, before: set[str]) -> set[str]:
        kept = look(run, before)
        with sqlite3.connect(file_of(run.town.folder, run.name)) as database:
            database.execute("DELETE FROM journal")
            database.execute("UPDATE calls SET ordinal = ordinal + 90 WHERE step = 3")
        return kept

    monkeypatch.setattr(KilledRun, "_look", forgetful)
    with pytest.raises(Lost, match=r"python -m tests\.torture kills \d+ 1: "):
        kill_runs(unkilled, KILLS, first=50)


def test_a_run_that_was_stopped_and_moved_through_time_goes_on(unkilled: Original) -> None:
    """In the midst of its calls, by SIGSTOP."""
    assert stop_runs(unkilled, 3).stops >= 3


@pytest.fixture
def town(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in a process of its own, some steps old."""
    command = [
        sys.executable,
        str(ROOT / "start.py"),
        "--results",
        str(tmp_path),
        "--name",
        "town",
        "--world",
        "minitown",
        "--llm",
        "scripted",
        "--step",
        "200",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        deadline = time.monotonic() + HANG
        while last_step(tmp_path) < 5 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        yield process
        process.kill()


def last_step(results: Path) -> int:
    file = file_of(results, "town")
    if not file.exists():
        return -1
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=HANG)) as database:
        return int(database.execute("SELECT max(step) FROM steps").fetchone()[0])


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_within_the_step_and_says_how_to_go_on(
    town: subprocess.Popen[str], by: int, tmp_path: Path
) -> None:
    """The town is stopped meanwhile, so that it lives no step between the look and the signal."""
    town.send_signal(signal.SIGSTOP)
    os.waitpid(town.pid, os.WUNTRACED)
    before = last_step(tmp_path)
    town.send_signal(by)
    town.send_signal(signal.SIGCONT)
    output, _ = town.communicate(timeout=HANG)
    assert town.returncode == 130, output
    assert "--name town --resume" in output
    assert last_step(tmp_path) - before <= 1
