"""Kills an experiment again and again, with all its processes, and compares what it writes in the
end with what one writes that nobody killed.

python -m tests.torture.experiments FILE RESULTS PROCESSES POINT NTH      one life, which ends at
the nth arrival of a process at a point
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from hometown.paths import ROOT
from tests.support.experiments import small, tables
from tests.torture.cases import Lost, case
from tests.torture.lives import before, watch

POINTS: dict[str, tuple[str, str, int]] = {
    "create": ("hometown.session", "create_session", 2),
    "fork": ("hometown.session", "fork_session", 1),
    "step": ("hometown.game", "Game.step", 8),
    "answer": ("hometown.study.experiment.interview_ledgers", "Ledger.put", 40),
    "torn answer": ("hometown.study.experiment.interview_ledgers", "Ledger.put", 40),
    "file": ("pathlib", "Path.replace", 20),
}
"""By name: the function before which all processes end, or for "torn answer" in the midst of which,
and the most arrivals of one until then.
"""

DEATHS = (
    "create",
    "step",
    "step",
    "step",
    "fork",
    "answer",
    "torn answer",
    "answer",
    "torn answer",
    "file",
)
"""Where one experiment is killed, a life after the other, before it is left to come to its end."""


@dataclass
class Toll:
    """What became of it all; `kills` by the point."""

    experiments: int = 0
    kills: Counter[str] = field(default_factory=Counter)


def killed(
    folder: Path, whole: Path, count: int, first: int = 0, deaths: Sequence[str] = DEATHS
) -> Toll:
    """Kills so many experiments; `whole` are the results of the same one that nobody has killed.
    Raises Lost.
    """
    toll, expected = Toll(), tables(whole)
    for number in range(first, first + count):
        with case("experiments", number):
            _kill_one(folder / str(number), number, deaths, toll)
            if differing := find_differences(tables(folder / str(number)), expected):
                raise Lost("not as in one life:\n" + "\n".join(differing))
        toll.experiments += 1
    return toll


def find_differences(found: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    """A line for each file that differs: its path, and its first line that does, in both."""
    return [
        f"{path}: {one!r}, not {other!r}"
        for path in sorted(found.keys() | expected.keys())
        for one, other in islice(
            (
                lines
                for lines in zip_longest(
                    found.get(path, b"no file").splitlines(),
                    expected.get(path, b"no file").splitlines(),
                )
                if lines[0] != lines[1]
            ),
            1,
        )
    ]


def lived(results: Path) -> None:
    """The experiment in one life. Raises Lost."""
    results.mkdir(parents=True)
    _life(results, 2)


def _kill_one(results: Path, number: int, deaths: Sequence[str], toll: Toll) -> None:
    """The number says how far each life goes; with one process, as every second one has, that is
    the same moment each time.
    """
    chance, processes = Random(number), 1 + number % 2
    results.mkdir(parents=True)
    for point in deaths:
        if not _life(results, processes, point, chance.randint(1, POINTS[point][2])):
            raise Lost(
                f"it came to its end, and not to {point}: what had been done must have been done again, or was never to be done"
            )
        toll.kills[point] += 1
    _life(results, processes)


def _life(results: Path, processes: int, point: str = "", nth: int = 0) -> bool:
    """Whether it was killed. Raises Lost where it ended in another way than it may."""
    life = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.torture.experiments",
            str(small(results)),
            str(results),
            str(processes),
            point,
            str(nth),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        start_new_session=True,
        env=os.environ | {"LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    if life.returncode not in {0, -signal.SIGKILL if point else 0} or "Traceback" in life.stdout:
        raise Lost(f"exit status {life.returncode} after {point or 'no kill'}:\n{life.stdout}")
    return life.returncode != 0


# in the process that dies --------------------------------------------------------------------


def _arm(point: str, nth: int) -> None:
    """From now on the nth arrival of this process, or of one forked from it, ends all of its group."""
    left = nth

    def last() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    def arrived() -> None:
        if last():
            _end()

    module, path, _ = POINTS[point]
    watch(
        module,
        path,
        (lambda put: _torn(put, last))
        if point == "torn answer"
        else (lambda function: before(function, arrived)),
    )


def _torn(put: Callable[..., Any], last: Callable[[], bool]) -> Callable[..., Any]:
    """`Ledger.put`, of which the last line has no end."""

    @functools.wraps(put)
    def torn(ledger: Any, *entry: Any) -> None:
        put(ledger, *entry)
        if last():
            os.truncate(ledger.file, ledger.file.stat().st_size - 5)
            _end()

    return torn


def _end() -> None:
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main(argv: list[str]) -> int:
    """Processes are forked, so that they know where to die, and need not import everything again."""
    from hometown.cli.main import run_hometown as hometown
    from hometown.study.experiment import work_pools

    file, results, processes, point, nth = argv
    spawned = multiprocessing.get_context
    work_pools.multiprocessing.get_context = lambda _: spawned("fork")  # type: ignore[attr-defined, method-assign, assignment]
    work_pools.count_workers = lambda *_: int(processes)
    if point:
        _arm(point, int(nth))
    return hometown(["experiment", file, "--results", results, "--lang", "en"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
