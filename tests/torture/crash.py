"""Kills a run again and again, and looks after each time whether anything of it was lost.

The town speaks through a model server in another process, which answers as the scripted model did
in a run that nobody killed: so the digests of the two can be compared, and the server's log tells
what was asked twice.
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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import orjson

from hometown.paths import ROOT
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.torture.answers import book_of, name_of
from tests.torture.cases import Lost, case
from tests.torture.lives import KILL, NO_MEMORY, POINTS, Order

WISHES = (
    "--at",
    "3",
    "--tell",
    "Lin Yue: sing at noon",
    "--set",
    "cafe/main/counter: covered in flour",
    "--event",
    "park/grounds: a kite is stuck in a tree",
)
TOWN = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--residents",
    "3",
    "--seed",
    "3",
    "--start",
    "20250213-12:00",
    "--step",
    "10",
    "--embedding",
    "hash",
    *WISHES,
)
"""What the user wants to happen there may be neither lost nor carried out twice."""

SOCIETY_WISHES = (
    "--at",
    "3",
    "--tell",
    "Bai Zhi: sing at noon",
    "--set",
    "inn/main/counter: covered in flour",
    "--event",
    "market/street: a kite is stuck",
)
SOCIETY = (
    "--world",
    "cloudvale",
    "--lang",
    "en",
    "--residents",
    "4",
    "--seed",
    "3",
    "--start",
    "20250306-12:00",
    "--step",
    "10",
    "--embedding",
    "hash",
    "--config",
    str(Path(__file__).parent / "feeling.json"),
    *SOCIETY_WISHES,
)
"""A town that works, trades, feels and has threads of stories."""

FOUNDING = ("found", "rename")
"""Points that only a new run comes to."""

ARRIVALS = {
    "think": 25,
    "part": 100,
    "reply": 20,
    "journal": 12,
    "walk": 12,
    "transaction": 30,
    "observe": 6,
    "commit": 4,
    "save": 3,
    "committed": 3,
    "talk": 20,
}
"""How many times a life may come to a point, at most, before it ends there; once where nothing is
said.
"""

ENDS: dict[int, tuple[str, set[int]]] = {
    KILL: ("SIGKILL", {-KILL}),
    signal.SIGTERM: ("SIGTERM", {-signal.SIGTERM, 130}),
    signal.SIGINT: ("SIGINT", {130}),
    NO_MEMORY: ("no memory", {3}),
}
"""What ends lives, and their exit statuses then."""

CHOICES = (KILL, KILL, KILL, signal.SIGTERM, signal.SIGINT, NO_MEMORY)

KILLS_OF_A_RUN = 8
"""How often one run is killed at most, before it is left to live to its end."""

LIFE = 0.8
"""Seconds that a whole life takes where replies take none."""


@dataclass
class Toll:
    """What became of it all. `again`: replies asked for a second time, though the server had sent
    them; none of them had been kept.
    """

    kills: int = 0
    runs: int = 0
    again: int = 0
    requests: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """Kills by where and by what."""


@dataclass(frozen=True)
class Life:
    """How a life ended: its exit status (below 0: the signal), its output, and how often it was
    stopped on its way.
    """

    status: int
    output: str
    stops: int


class Lives:
    """The process that `lives.py` is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {}
        self.mounts = ""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.lives"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def live(self, *argv: str, **order: Any) -> Life:
        """One life; `order` as in `lives.Order`."""
        output = self.folder / "output"
        whole = Order(
            [*argv, "--results", str(self.folder)],
            str(output),
            self.env,
            mounts=self.mounts,
            **order,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(whole)) + "\n")
        self._process.stdin.flush()
        ended = json.loads(self._process.stdout.readline())
        return Life(ended["status"], output.read_text("utf-8"), ended["stops"])

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Original:
    """The town that nobody kills, lived by the scripted model, and the server that knows all its
    replies; each takes `seconds`.
    """

    def __init__(self, folder: Path, lives: Lives, seconds: float, argv: tuple[str, ...]) -> None:
        self.folder = folder
        self.lives = lives
        self.seconds = seconds
        self.argv = argv
        self.log = folder / "paid"
        self.log.touch()
        born = lives.live("--name", "whole", "--llm", "scripted", *argv, careless=True)
        assert born.status == 0, born.output
        with RunFile.open(folder, "whole") as run:
            self.digests, self.book = run.digests(), book_of(run)
        assert len({name.rpartition("/")[0] for name, _ in self.book.values()}) < len(self.book), (
            "no reply was requested again"
        )

    @contextmanager
    def serving(self) -> Iterator[None]:
        """The server is there while the context lasts."""
        book = self.folder / "book.json"
        book.write_bytes(orjson.dumps(self.book))
        command = [
            sys.executable,
            "-m",
            "tests.torture.answers",
            str(book),
            str(self.log),
            str(self.seconds),
            "rough",
        ]
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            self.lives.env["OPENAI_BASE_URL"] = (
                f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            )
            yield
        finally:
            server.kill()
            server.communicate()

    def paid(self) -> list[str]:
        """The names of all requests that the server has answered."""
        return self.log.read_text("utf-8").splitlines()


@contextmanager
def original(folder: Path, seconds: float, argv: tuple[str, ...] = TOWN) -> Iterator[Original]:
    """A town in a folder, and its server, while the context lasts."""
    lives = Lives(folder)
    try:
        town = Original(folder, lives, seconds, argv)
        with town.serving():
            yield town
    finally:
        lives.close()


class KilledRun:
    """A run of that town, which is killed some times and then lives to its end. The same number is
    killed in the same places.
    """

    most_kills = KILLS_OF_A_RUN
    choices: tuple[int, ...] = CHOICES

    def __init__(self, town: Original, number: int, toll: Toll) -> None:
        self.town, self.toll = town, toll
        self.name = f"run-{number}"
        self.random = Random(number)
        self._points: list[str] = []

    def live(self) -> None:
        """Raises Lost at the first thing that isn't there any more."""
        paid_before, kills, finished = len(self.town.paid()), 0, False
        kept: set[str] = set()
        while not finished:
            paid = len(self.town.paid())
            finished = self._life(mortal=kills < self.most_kills)
            kills += not finished
            twice = kept.intersection(self.town.paid()[paid:])
            if twice:
                raise Lost(f"asked for again, though the reply had been kept: {sorted(twice)}")
            if file_of(self.town.folder, self.name).exists():
                kept = self._look(kept)
        paid_for = self.town.paid()[paid_before:]
        if set(paid_for) != {name for name, _ in self.town.book.values()}:
            raise Lost("not what the run that was never killed has asked")
        self.toll.runs += 1
        self.toll.kills += kills
        self.toll.requests += len(paid_for)
        self.toll.again += len(paid_for) - len(self.town.book)
        with RunFile.open(self.town.folder, self.name) as run:
            if run.digests() != self.town.digests:
                raise Lost("digests differ")

    def _life(self, *, mortal: bool) -> bool:
        """Whether it came to the end of its run."""
        there = file_of(self.town.folder, self.name).exists()
        argv = (
            "--name",
            self.name,
            "--lang",
            "en",
            *(("--resume",) if there else ("--llm", "openai:town", *self.town.argv)),
        )
        point, by = self._point(there) if mortal else "", self.random.choice(self.choices)
        hasty = not self.town.seconds
        if point == "time":
            by = by or KILL
            life = self.town.lives.live(
                *argv,
                signal=by,
                after=self.random.random() * (LIFE + 60 * self.town.seconds),
                hasty=hasty,
            )
        else:
            life = self.town.lives.live(
                *argv,
                point=point,
                nth=self.random.randint(1, ARRIVALS.get(point, 1)),
                signal=by,
                hasty=hasty,
            )
        by_what, statuses = ENDS[by]
        if "Traceback" in life.output or life.status not in {0, *statuses}:
            raise Lost(
                f"exit status {life.status} after {point or 'no kill'}, {by_what}:\n{life.output}"
            )
        if (
            life.status > 0
            and file_of(self.town.folder, self.name).exists()
            and "--resume" not in life.output
        ):
            raise Lost(f"stopped by {by_what}, and it was not said how to go on:\n{life.output}")
        if life.status:
            self.toll.ended[f"{point} {by_what}"] += 1
        return life.status == 0

    def _point(self, there: bool) -> str:
        """Where the next life is to end: every point in turn, in an order drawn anew each time;
        "time" is any moment.
        """
        if not there and self.random.random() < 0.7:
            return self.random.choice(FOUNDING)
        if not self._points:
            self._points = [
                *(point for point in POINTS if point not in FOUNDING),
                "time",
                "time",
                "time",
            ]
            self.random.shuffle(self._points)
        return self._points.pop()

    def _look(self, before: set[str]) -> set[str]:
        """Is all as it should be? Gives the names of the replies that have been kept."""
        with RunFile.open(self.town.folder, self.name) as run:
            digests = run.digests()
            kept = {
                name_of(*row)
                for row in run.database.execute(
                    "SELECT step, resident, kind, ordinal, attempt FROM journal"
                )
            }
            kept |= {
                name_of(call.step, call.who, call.kind, call.ordinal, at)
                for call in run.calls()
                for at in range(len(call.attempts))
            }
        if digests != self.town.digests[: len(digests)]:
            raise Lost(f"digests differ after step {len(digests) - 1}")
        if before - kept:
            raise Lost(f"replies are gone: {sorted(before - kept)}")
        verified = self.town.lives.live("--verify", self.name, "--lang", "en")
        if verified.status:
            raise Lost(f"--verify says\n{verified.output}")
        return kept


def killed(
    folder: Path, kills: int, first: int = 0, seconds: float = 0.0, argv: tuple[str, ...] = TOWN
) -> Toll:
    """Kills runs so many times at least, those numbered from `first` on; replies take so many
    seconds. Raises Lost.
    """
    with original(folder, seconds, argv) as town:
        return kill_runs(town, kills, first)


def kill_runs(town: Original, kills: int, first: int = 0) -> Toll:
    """Kill runs of a town so many times at least, those numbered from `first` on. Raises Lost."""
    toll = Toll()
    while toll.kills < kills:
        number = first + toll.runs
        with case("kills" if town.argv is TOWN else "society", number):
            KilledRun(town, number, toll).live()
    return toll
