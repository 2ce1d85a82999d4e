"""Damages copies of a run, and looks at what every command makes of them: what `--check` finds,
`--repair` rescues, and what others say.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from hometown.cli import compress
from hometown.cli.start import main
from hometown.game import Game
from hometown.paths import DATA
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.verify import fold
from hometown.web.server import create_app
from hometown.world.clones import populate
from tests.support.town import live, minitown
from tests.torture.cases import Lost, case
from tests.torture.wounds import files_of, kind_of, wounded

NAME = "town"
STEPS = 12

PATIENCE = 60
"""Seconds of the processor after which a command is said to hang."""

PATHS = (
    "/?name=town",
    "/api/v1/runs",
    "/api/v1/runs/town",
    "/api/v1/runs/town/frames?from=1&to=2",
    "/api/v1/runs/town/residents/lin_yue?step=2",
)


@dataclass
class Toll:
    """`found`: damages that --check speaks of; `harmless`: those that changed nothing that a run
    has kept; `hopeless`: nothing could be rescued.
    """

    tries: int = 0
    found: int = 0
    harmless: int = 0
    rescued: int = 0
    hopeless: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Original:
    """A run as it was closed, and as a kill leaves it, with its log; in folders of that name."""

    results: Path
    digests: list[str]
    content: list[object]

    @classmethod
    def made(cls, results: Path, steps: int = STEPS) -> Original:
        world = minitown()

        def killed(game: Game) -> None:
            if game.state.clock.step == steps:
                shutil.copytree(results / "closed", results / "killed")

        digests = live(
            results / "closed",
            steps,
            world=populate(world, list(world.personas)[:2]),
            seed=3,
            name=NAME,
            after_each=killed,
        )
        return cls(results, digests, _content(results / "closed"))


def damaged(original: Original, folder: Path, tries: int, first: int = 0) -> Toll:
    """Damages copies of the run so many times, in `folder`. Raises Lost where anything is invented,
    lost beyond the damage, or goes unseen.
    """
    toll = Toll()
    for number in range(first, first + tries):
        with case("damages", number), _watched():
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(original.results / kind_of(number), folder)
            how = wounded(file_of(folder, NAME), number)
            try:
                _Wounded(original, folder, toll).look(Random(number))
            except Lost as lost:
                raise Lost(f"{how}: {lost}") from lost
        toll.tries += 1
        toll.kinds[how.split()[0]] += 1
    return toll


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    """Raises Lost where something hangs."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def hangs(*_: object) -> None:
        raise Lost("hangs")

    before = signal.signal(signal.SIGVTALRM, hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class _Wounded:
    """A damaged copy, which all commands but the last ones only read."""

    def __init__(self, original: Original, folder: Path, toll: Toll) -> None:
        self.original, self.folder, self.toll = original, folder, toll

    def look(self, chance: Random) -> None:
        before = files_of(self.folder, NAME)
        reading: list[Callable[[], object]] = [
            lambda: self.said(main, "--verify", NAME),
            lambda: self.said(main, "--digest", NAME),
            self.export,
            self.show,
        ]
        chance.shuffle(reading)
        for read in reading[:2]:
            read()
        sound = self.check()
        if files_of(self.folder, NAME) != before:
            raise Lost("the damaged file was written to")
        self.resume(sound)

    def check(self) -> bool:
        """Whether `--check` finds nothing, which is then true; and `--repair` rescues what it found
        intact.
        """
        code, told = self.said(main, "--check", NAME)
        if code == 0 and _content(self.folder) != self.original.content:
            raise Lost("went unseen")
        self.toll.harmless += code == 0
        self.toll.found += code != 0
        folds = re.search(r"lead up to step (-?\d+)", told)
        intact = int(folds[1]) if folds else -1
        repaired, told = self.said(main, "--repair", NAME)
        if repaired == 0:
            self.rescued(intact, told)
        elif intact >= 0:
            raise Lost(f"intact up to step {intact}, but {told}")
        else:
            self.toll.hopeless += 1
        return code == 0

    def rescued(self, intact: int, told: str) -> None:
        with RunFile.open(self.folder, f"{NAME}-repaired", write=True) as run:
            rescued, folded = run.digests(), list(fold(run))
            run.restore()
        if (
            rescued != self.original.digests[: len(rescued)]
            or folded != list(range(len(rescued)))
            or len(rescued) <= intact
        ):
            raise Lost(f"intact up to step {intact}, rescued {len(rescued) - 1}: {told}")
        self.toll.rescued += 1

    def export(self) -> None:
        self.said(compress.main, "--name", NAME)

    def show(self) -> None:
        """The page's server answers, and never with its own fault."""
        client = create_app(self.folder, DATA / "worlds").test_client()
        for path in PATHS:
            reply = client.get(path)
            if reply.status_code >= 500:
                raise Lost(f"{path}: {reply.status_code} {reply.get_data(as_text=True)[:300]}")

    def resume(self, sound: bool) -> None:
        """A run that is sound goes on, or the file beside it that is in the way is named; any other
        does, or says why not.
        """
        code, told = self.said(main, "--name", NAME, "--resume", "--step", "1")
        if sound and code != 0 and str(file_of(self.folder, NAME).parent) not in told:
            raise Lost(f"sound, and yet it can't be resumed: {told}")

    def said(self, command: Callable[[list[str]], int], *argv: str) -> tuple[int, str]:
        """The exit code of a command, and what it printed."""
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = command(
                    [
                        *argv,
                        "--results",
                        str(self.folder),
                        *(("--lang", "en") if command is main else ()),
                    ]
                )
        except Lost:
            raise
        except Exception as error:
            raise Lost(f"{' '.join(argv)} fell over: {error!r}") from error
        if code not in (0, 1, 2, 3) or "Traceback" in said.getvalue():
            raise Lost(f"{' '.join(argv)} gave {code}: {said.getvalue()}")
        return code, said.getvalue()


def _content(results: Path) -> list[object]:
    """All that a run has kept: every row of every table."""
    with contextlib.closing(
        sqlite3.connect(f"{file_of(results, NAME).as_uri()}?mode=ro", uri=True)
    ) as database:
        tables: Sequence[Any] = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return [
            (table, sorted(database.execute(f"SELECT * FROM {table}").fetchall(), key=repr))
            for (table,) in tables
        ]
