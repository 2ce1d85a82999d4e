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
from tests.torture.crash import Lost, Torture, killed
from tests.torture.lives import POINTS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither SIGKILL nor fork")

KILLS = 12
"""`make torture SHORT=1` does 20, `make torture` 200."""


def test_nothing_is_lost_or_paid_for_twice_however_often_a_run_is_killed(tmp_path: Path) -> None:
    toll = killed(tmp_path, KILLS)
    assert toll.kills >= KILLS
    assert len({ended.split()[0] for ended in toll.ended} & {*POINTS}) >= len(POINTS) // 2, toll.ended
    assert toll.again <= KILLS * Machine().slots, "more replies than can be on their way at once"


def test_the_harness_sees_what_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the last step forgotten after a kill, it would say so."""
    look = Torture._look

    def forgetful(torture: Torture, name: str, before: set[str]) -> set[str]:
        kept = look(torture, name, before)
        with sqlite3.connect(file_of(torture.folder, name)) as database:
            database.execute("DELETE FROM journal")
            database.execute("UPDATE calls SET ordinal = ordinal + 90 WHERE step = 3")
        return kept

    monkeypatch.setattr(Torture, "_look", forgetful)
    with pytest.raises(Lost):
        killed(tmp_path, KILLS)


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
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
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
def test_ctrl_c_stops_within_the_step_and_says_how_to_go_on(town: subprocess.Popen[str], by: int, tmp_path: Path) -> None:
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
