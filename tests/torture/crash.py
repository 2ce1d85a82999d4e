"""Kills a run again and again, and looks after each time whether anything of it was lost.

The town speaks through a model server in another process, which answers as the scripted model did in a run that
nobody killed: so the digests of the two can be compared, and the server's log tells what was asked twice.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import orjson

from hometown.paths import ROOT
from hometown.storage.run import Run
from hometown.storage.run_names import file_of
from tests.torture.answers import book_of, name_of
from tests.torture.lives import POINTS

WISHES = ("--at", "3", "--tell", "Lin Yue: sing at noon", "--set", "cafe/main/counter: covered in flour", "--event", "park/grounds: a kite is stuck in a tree")
TOWN = (
    "--world", "minitown", "--lang", "en", "--residents", "3", "--seed", "3", "--start", "20250213-12:00", "--step", "10", "--embedding", "hash", *WISHES,
)  # fmt: skip
"""What the user wants to happen there may be neither lost nor carried out twice."""

FOUNDING = ("found", "rename")
"""Points that only a new run comes to."""

ARRIVALS = {"think": 25, "reply": 20, "journal": 12, "walk": 12, "transaction": 30, "observe": 6, "commit": 4, "save": 3, "committed": 3, "talk": 20}
"""How many times a life may come to a point, at most, before it ends there; once where nothing is said."""

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)

AFTER_A_KILL = {-signal.SIGKILL, -signal.SIGTERM, 130}
"""Exit statuses of a life that was ended."""


@dataclass
class Toll:
    """What became of it all. `again`: replies asked for a second time, though the server had sent them; none of them had been kept."""

    kills: int = 0
    runs: int = 0
    again: int = 0
    requests: int = 0
    needed: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """Kills by where and by what."""


class Lost(AssertionError):
    """Something that had been kept is gone, or is another than in a run that was never killed."""


class Lives:
    """The process that `lives.py` is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.lives"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def live(self, *argv: str, point: str = "", nth: int = 1, by: int = 0, after: float = -1.0) -> tuple[int, str]:
        """Exit status (below 0: the signal) and output of one life; `after` so many seconds it is sent the signal `by` from outside."""
        output = self.folder / "output"
        order = {
            "argv": [*argv, "--results", str(self.folder)], "env": self.env, "output": str(output),
            "point": point, "nth": nth, "signal": int(by), "after": after,
        }  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(json.loads(self._process.stdout.readline())["status"]), output.read_text("utf-8")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Torture:
    """One town, killed as often as is wanted."""

    def __init__(self, folder: Path, lives: Lives, seed: int) -> None:
        self.folder = folder
        self.lives = lives
        self.random = Random(seed)
        self.toll = Toll()
        self.log = folder / "paid"
        self.log.touch()
        self._points: list[str] = []
        status, output = lives.live("--name", "whole", "--llm", "scripted", *TOWN)
        assert status == 0, output
        with Run.open(folder, "whole") as run:
            self.whole, self.book = run.digests(), book_of(run)

    def torture(self, kills: int) -> Toll:
        """Ends lives until there were so many; every run that was begun is lived to its end."""
        while self.toll.kills < kills:
            self.toll.runs += 1
            self._run(f"run-{self.toll.runs}", kills)
        return self.toll

    def _run(self, name: str, kills: int) -> None:
        """One run, from its founding to its end, with kills on the way."""
        paid_before, finished = len(self._paid()), False
        kept: set[str] = set()
        while not finished:
            paid = len(self._paid())
            finished = self._life(name, mortal=self.toll.kills < kills)
            twice = kept.intersection(self._paid()[paid:])
            if twice:
                raise Lost(f"asked for again, though the reply had been kept: {sorted(twice)}")
            if file_of(self.folder, name).exists():
                kept = self._look(name, kept)
        paid_for = self._paid()[paid_before:]
        if set(paid_for) != {who for who, _ in self.book.values()}:
            raise Lost(f"{name}: not what the run that was never killed has asked")
        self.toll.requests += len(paid_for)
        self.toll.needed += len(self.book)
        self.toll.again += len(paid_for) - len(self.book)
        with Run.open(self.folder, name) as run:
            if run.digests() != self.whole:
                raise Lost(f"{name}: digests differ")

    def _life(self, name: str, *, mortal: bool) -> bool:
        """Whether it came to the end of its run."""
        there = file_of(self.folder, name).exists()
        argv: tuple[str, ...] = ("--name", name, "--lang", "en") if not there else ("--name", name, "--resume", "--lang", "en")
        argv += () if there else ("--llm", "openai:town", *TOWN)
        point, by = self._point(there) if mortal else "", self.random.choice(SIGNALS)
        if point == "time":
            status, output = self.lives.live(*argv, by=by, after=self.random.random() * 0.8)
        else:
            status, output = self.lives.live(*argv, point=point, nth=self.random.randint(1, ARRIVALS.get(point, 1)), by=by)
        if "Traceback" in output or status not in {0, *AFTER_A_KILL}:
            raise Lost(f"exit status {status} after {point or 'no kill'}, {signal.Signals(by).name}:\n{output}")
        if status == 130 and file_of(self.folder, name).exists() and "--resume" not in output:
            raise Lost(f"stopped by {signal.Signals(by).name}, and it was not said how to go on:\n{output}")
        if status:
            self.toll.kills += 1
            self.toll.ended[f"{point} {signal.Signals(by).name}"] += 1
        return status == 0

    def _point(self, there: bool) -> str:
        """Where the next life is to end: every point in turn, in an order drawn anew each time; "time" is any moment."""
        if not there and self.random.random() < 0.7:
            return self.random.choice(FOUNDING)
        if not self._points:
            self._points = [*(point for point in POINTS if point not in FOUNDING), "time", "time", "time"]
            self.random.shuffle(self._points)
        return self._points.pop()

    def _look(self, name: str, before: set[str]) -> set[str]:
        """Is all as it should be? Gives the names of the replies that have been kept."""
        with Run.open(self.folder, name) as run:
            digests = run.digests()
            kept = {name_of(*row) for row in run.database.execute("SELECT step, resident, kind, ordinal, attempt FROM journal")}
            kept |= {
                name_of(step, who, kind, ordinal, 0) for step, who, kind, ordinal in run.database.execute("SELECT step, resident, kind, ordinal FROM calls")
            }
        if digests != self.whole[: len(digests)]:
            raise Lost(f"{name}: digests differ after step {len(digests) - 1}")
        if before - kept:
            raise Lost(f"{name}: replies are gone: {sorted(before - kept)}")
        status, output = self.lives.live("--verify", name, "--lang", "en")
        if status:
            raise Lost(f"{name}: --verify says\n{output}")
        return kept

    def _paid(self) -> list[str]:
        """The names of all requests that the server has answered."""
        return self.log.read_text("utf-8").splitlines()


@contextmanager
def serving(torture: Torture) -> Iterator[None]:
    """The model server is there while the context lasts."""
    book = torture.folder / "book.json"
    book.write_bytes(orjson.dumps(torture.book))
    server = subprocess.Popen([sys.executable, "-m", "tests.torture.answers", str(book), str(torture.log)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        torture.lives.env["OPENAI_BASE_URL"] = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        yield
    finally:
        server.kill()
        server.communicate()


def killed(folder: Path, kills: int, seed: int = 0) -> Toll:
    """Kills runs in a folder so many times. Raises Lost at the first thing that isn't there any more."""
    lives = Lives(folder)
    try:
        torture = Torture(folder, lives, seed)
        with serving(torture):
            return torture.torture(kills)
    finally:
        lives.close()
