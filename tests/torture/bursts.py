"""Stops a run by several signals within milliseconds, as an impatient user, a supervisor and a
terminal that is closed do.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hometown.paths import ROOT
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.support.dead_server import dead_server
from tests.support.hang import HANG
from tests.torture.cases import Lost, case
from tests.torture.crash import ARRIVALS, TOWN, Original, original
from tests.torture.lives import STOPS

POINTS = (
    "think",
    "part",
    "reply",
    "talk",
    "observe",
    "commit",
    "walk",
    "save",
    "transaction",
    "committed",
    "journal",
)
"""Where a run is when the first signal comes; most of the time a call is under way."""

GAPS = (0.0, 0.0005, 0.001, 0.002, 0.005, 0.05)
"""Seconds between two signals."""

MOST = 6
"""Signals of a burst."""

LOADING = 4.0
"""Seconds after the start of a process within which it gets a burst, at most."""

STOPPED = 130
"""Exit status of a run that was stopped."""

NOT_LISTENING = {-number for number in STOPS}
"""Exit statuses of a process that was stopped before any of its code ran."""


@dataclass
class Toll:
    """How many bursts there were, and where."""

    bursts: int = 0
    starts: int = 0
    silent: int = 0


def stopped(folder: Path, count: int, first: int = 0, seconds: float = 0.0) -> Toll:
    """Stops so many runs. Raises Lost where one hangs, ends in another way than it may, or loses a
    step.
    """
    with original(folder, seconds) as town:
        return stop_by_bursts(town, count, first)


def stop_by_bursts(town: Original, count: int, first: int = 0) -> Toll:
    """Stop so many runs of a town, as `stopped` does. Raises Lost."""
    toll = Toll()
    with dead_server("silent") as silent:
        for number in range(first, first + count):
            with case("bursts", number):
                match number % 4:
                    case 0:
                        _stop_starting(town.folder, number)
                        toll.starts += 1
                    case 1:
                        _stop_unanswered(town, number, silent)
                        toll.silent += 1
                    case _:
                        _stop_living(town, number)
            toll.bursts += 1
    return toll


def make_burst(chance: Random) -> list[tuple[int, float]]:
    """Return signals, and the seconds after each."""
    return [
        (int(chance.choice(STOPS)), chance.choice(GAPS)) for _ in range(chance.randint(2, MOST))
    ]


def _stop_living(town: Original, number: int) -> None:
    """A run that calls a model server, or the scripted model; afterwards it lives to its end."""
    chance, name = Random(number), f"burst-{number}"
    llm, points = chance.choice((("openai:town", POINTS), ("scripted", POINTS[3:10])))
    point = chance.choice(points)
    life = town.lives.live(
        "--name",
        name,
        "--llm",
        llm,
        *TOWN,
        point=point,
        nth=chance.randint(1, ARRIVALS[point]),
        signal=int(signal.SIGSTOP),
        burst=make_burst(chance),
        hasty=not town.seconds,
    )
    _look(life.status, life.output, name if file_of(town.folder, name).exists() else "")
    if life.status == STOPPED:
        rest = town.lives.live("--name", name, "--resume", hasty=not town.seconds)
        if rest.status:
            raise Lost(f"exit status {rest.status} of the run that was resumed:\n{rest.output}")
    with RunFile.open(town.folder, name) as run:
        if llm == "openai:town" and run.digests() != town.digests:
            raise Lost("digests differ")


def _stop_unanswered(town: Original, number: int, server: str) -> None:
    """A run whose model server takes requests and never answers."""
    chance, name = Random(number), f"silent-{number}"
    before, town.lives.env["OPENAI_BASE_URL"] = town.lives.env["OPENAI_BASE_URL"], server
    try:
        life = town.lives.live(
            "--name",
            name,
            "--llm",
            "openai:town",
            *TOWN,
            point="think",
            nth=chance.randint(1, 3),
            signal=int(signal.SIGSTOP),
            burst=make_burst(chance),
        )
    finally:
        town.lives.env["OPENAI_BASE_URL"] = before
    if life.status != STOPPED:
        raise Lost(f"exit status {life.status}:\n{life.output}")
    _look(life.status, life.output, name)


def _stop_starting(folder: Path, number: int) -> None:
    """A process that is just being started."""
    chance, name = Random(number), f"start-{number}"
    process = subprocess.Popen(
        [
            sys.executable,
            "start.py",
            "--results",
            str(folder),
            "--name",
            name,
            "--llm",
            "scripted",
            *TOWN,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    try:
        time.sleep(chance.uniform(0.0, LOADING))
        for signum, seconds in make_burst(chance):
            process.send_signal(signum)
            time.sleep(seconds)
        output, _ = process.communicate(timeout=HANG)
    except subprocess.TimeoutExpired:
        raise Lost("it hangs") from None
    finally:
        process.kill()
        process.communicate()
    if process.returncode not in NOT_LISTENING:
        _look(process.returncode, output, "")
    if "Traceback" in output and "site.py" not in output:
        raise Lost(output)


def _look(status: int, output: str, name: str) -> None:
    """Raises Lost for a life that was not stopped as it should be; one that has come to its end
    before is as good.
    """
    if status not in (0, STOPPED) or "Traceback" in output:
        raise Lost(f"exit status {status}:\n{output}")
    if status and name and f"--name {name} --resume" not in output:
        raise Lost(f"it doesn't say how to continue:\n{output}")
