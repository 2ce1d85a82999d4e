"""Copies, renames, restores and links runs by hand, and lives what is named: no other run may
change by it.
"""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from hometown.cli.commands import main
from hometown.errors import BadRun
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder, run_names
from tests.torture.cases import Lost, case

NEW = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--llm",
    "scripted",
    "--residents",
    "1",
    "--start",
    "20250213-03:00",
)

BESIDE = (
    "run.sqlite",
    "run.sqlite-wal",
    "run.sqlite-shm",
    "run.lock",
    "run.holder",
    "run.committed",
    "inbox.jsonl",
    "inbox.lock",
    "speaking.json",
)

COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))


@dataclass
class Toll:
    """How many runs were lived under another name, and how many were refused; `kinds` by what was
    done to them.
    """

    lived: int = 0
    refused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def _copied(runs: Path, _: Random) -> str:
    shutil.copytree(runs / "first", runs / "copy")
    return "copy"


def _renamed(runs: Path, _: Random) -> str:
    (runs / "first").rename(runs / "renamed")
    return "renamed"


def _restored(runs: Path, chance: Random) -> str:
    shutil.copytree(runs / "first", runs / "backup")
    shutil.rmtree(runs / "first")
    return _renamed_back(runs) if chance.random() < 0.5 else "backup"


def _renamed_back(runs: Path) -> str:
    (runs / "backup").rename(runs / "first")
    return "first"


def _accented(runs: Path, chance: Random) -> str:
    named, typed = chance.sample((COMPOSED, DECOMPOSED), 2)
    (runs / "first").rename(runs / named)
    return typed


def _linked(runs: Path, _: Random) -> str:
    (runs / "link").symlink_to(runs / "first")
    return "link"


def _linked_file(runs: Path, chance: Random) -> str:
    shutil.copytree(runs / "first", runs / "odd")
    file = runs / "odd" / chance.choice(BESIDE)
    file.unlink(missing_ok=True)
    file.symlink_to(chance.choice((runs / "first/run.sqlite", runs.parent / "precious")))
    return "odd"


def _hard_linked(runs: Path, _: Random) -> str:
    shutil.copytree(runs / "first", runs / "hard", copy_function=os.link)
    return "hard"


WAYS: dict[str, tuple[Callable[[Path, Random], str], bool]] = {
    "copied": (_copied, True),
    "renamed": (_renamed, True),
    "restored": (_restored, True),
    "accented": (_accented, True),
    "linked": (_linked, False),
    "with a linked file": (_linked_file, False),
    "hard-linked": (_hard_linked, False),
}
"""By name: what is done to the run `first`, which gives the name to be lived; and whether that is
lived or refused.
"""


def live_original(results: Path) -> Path:
    """Live the run `first`, two steps long, and return its results folder. Raises Lost where that
    fails.
    """
    if main(["run", "first", "--step", "2", *NEW, "--results", str(results)]):
        raise Lost("the run that was to be handled could not be lived")
    return results


def handled(folder: Path, count: int, first: int = 0, original: Path | None = None) -> Toll:
    """Handles so many copies of `original`, or of one lived here. Raises Lost where another one is
    lived than the one named, or anything else changes.
    """
    toll = Toll()
    original = original or live_original(folder / "original")
    for number in range(first, first + count):
        with case("identities", number):
            results = folder / str(number)
            shutil.copytree(original, results)
            _handle(results, number, toll)
            shutil.rmtree(results)
    return toll


def _handle(results: Path, number: int, toll: Toll) -> None:
    kind = list(WAYS)[number % len(WAYS)]
    change, lives = WAYS[kind]
    precious = results / "precious"
    precious.write_text("mine")
    named = change(results / "checkpoints", Random(number))
    before = {name: last_step(results, name) for name in run_names(results)}
    code = main(["resume", named, "--step", "1", "--results", str(results)])
    after = {name: last_step(results, name) for name in run_names(results)}
    folder = run_folder(results, named).name
    expected = before | ({folder: before[folder] + 1} if lives else {})
    if after != expected or code != (0 if lives else 2):
        raise Lost(f"{kind}: {before} became {after} by resuming {named!r}, with exit code {code}")
    if precious.read_text() != "mine":
        raise Lost(f"{kind}: a file was written through a link")
    if lives and len(set(ids(results).values())) != len(after):
        raise Lost(f"{kind}: two runs have one id")
    toll.kinds[kind] += 1
    toll.lived += lives
    toll.refused += not lives


def last_step(results: Path, name: str) -> int:
    """The last step of a run, -1 where it can't be read."""
    try:
        with RunFile.open(results, name) as run:
            return run.last.step
    except BadRun:
        return -1


def ids(results: Path) -> dict[str, str]:
    """The ids of all runs, by name."""
    found = {}
    for name in run_names(results):
        with RunFile.open(results, name) as run:
            found[name] = run.id
    return found
