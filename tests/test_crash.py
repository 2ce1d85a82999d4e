"""A run that is killed, again and again, lives the same steps as one that never was."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STEPS = 30


def start(results: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "start.py"), "--results", str(results), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def begin(results: Path) -> subprocess.Popen[str]:
    return start(results, "--name", "town", "--world", "minitown", "--llm", "scripted", "--seed", "3", "--step", str(STEPS))


def resume(results: Path) -> subprocess.Popen[str]:
    return start(results, "--name", "town", "--resume")


def digests(results: Path) -> list[str]:
    done = start(results, "--digest", "town")
    output, _ = done.communicate(timeout=60)
    assert done.returncode == 0, output
    return output.splitlines()


def last_step(results: Path) -> int:
    file = results / "checkpoints" / "town" / "run.sqlite"
    if not file.exists():
        return -1
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=5) as database:
        return database.execute("SELECT max(step) FROM steps").fetchone()[0]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    results = tmp_path_factory.mktemp("whole")
    run = begin(results)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 0, output
    return digests(results)


def wait_for_step(results: Path, step: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while last_step(results) < step and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_in_mid_step_and_resumed_has_the_same_digests(tmp_path: Path, undisturbed: list[str]) -> None:
    chance = random.Random(7)
    process = begin(tmp_path)
    for step in (2, 9, 16, 23):
        wait_for_step(tmp_path, step, process)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        process = resume(tmp_path) if last_step(tmp_path) >= 0 else begin(tmp_path)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert digests(tmp_path) == undisturbed


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_before_the_run_existed_the_same_command_starts_afresh(tmp_path: Path, undisturbed: list[str]) -> None:
    process = begin(tmp_path)
    time.sleep(0.4)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    again = begin(tmp_path) if last_step(tmp_path) < 0 else resume(tmp_path)
    output, _ = again.communicate(timeout=300)
    assert again.returncode == 0, output
    assert digests(tmp_path) == undisturbed


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_ctrl_c_stops_within_two_seconds_and_says_how_to_go_on(tmp_path: Path, undisturbed: list[str]) -> None:
    process = begin(tmp_path)
    wait_for_step(tmp_path, 5, process)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    output, _ = process.communicate(timeout=30)
    assert time.monotonic() - began < 2
    assert process.returncode == 130, output
    assert "--name town --resume" in output
    output, _ = resume(tmp_path).communicate(timeout=300)
    assert digests(tmp_path) == undisturbed
