"""Damages a run's file in every way that disks know, and looks at what `--check` finds and `--repair` rescues."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hometown.cli.start import main
from hometown.storage.digest import written_at
from hometown.storage.run import Run
from hometown.storage.run_names import file_of
from hometown.verify import fold
from tests.torture.crash import Lost

PAGE = 4096


def flip(data: bytearray, chance: Random) -> int:
    at = chance.randrange(len(data))
    data[at] ^= 1 << chance.randrange(8)
    return 1


def scribble(data: bytearray, chance: Random) -> int:
    """A stretch of noise."""
    at, length = chance.randrange(len(data)), chance.randint(2, 600)
    end = min(at + length, len(data))
    data[at:end] = chance.randbytes(end - at)
    return end - at


def blank(data: bytearray, chance: Random) -> int:
    """A page that was never written."""
    at = chance.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE)
    return PAGE


def swap(data: bytearray, chance: Random) -> int:
    """Two pages in each other's place."""
    one, other = (chance.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]
    return 2 * PAGE


def cut(data: bytearray, chance: Random) -> int:
    """The end is gone."""
    at = chance.randrange(len(data))
    lost = len(data) - at
    del data[at:]
    return lost


DAMAGES: tuple[Callable[[bytearray, Random], int], ...] = (flip, flip, flip, scribble, blank, swap, cut)


@dataclass
class Toll:
    """`found`: damages that --check speaks of; `harmless`: those that changed nothing that a step wrote; `hopeless`: nothing could be rescued."""

    tries: int = 0
    damaged: int = 0
    found: int = 0
    harmless: int = 0
    rescued: int = 0
    hopeless: int = 0


def damaged(whole: Path, name: str, folder: Path, tries: int, seed: int = 0) -> Toll:
    """Damages copies of a run so many times, in `folder`. Raises Lost where anything is invented, lost beyond the damage, or goes unseen."""
    chance, toll = Random(seed), Toll()
    with Run.open(whole, name) as run:
        digests = run.digests()
    content = _content(whole, name, len(digests))
    file = file_of(folder, name)
    for _ in range(tries):
        shutil.rmtree(folder / "checkpoints", ignore_errors=True)
        file.parent.mkdir(parents=True)
        data = bytearray(file_of(whole, name).read_bytes())
        before = bytes(data)
        how = chance.choice(DAMAGES)
        toll.tries += 1
        toll.damaged += how(data, chance)
        file.write_bytes(data)
        what = f"try {toll.tries}, {how.__name__} at {next((at for at, (a, b) in enumerate(zip(before, data, strict=False)) if a != b), len(data))}"
        _look(folder, name, digests, content, toll, what)
        if file.read_bytes() != data:
            raise Lost(f"{what}: the damaged file was written to")
    return toll


def _look(folder: Path, name: str, digests: list[str], content: list[object], toll: Toll, what: str) -> None:
    for command in ("--verify", "--digest"):
        _said(command, name, folder, what)
    code, told = _said("--check", name, folder, what)
    if code == 0:
        if _content(folder, name, len(digests)) != content:
            raise Lost(f"{what}: went unseen")
        toll.harmless += 1
    else:
        toll.found += 1
    folds = re.search(r"lead up to step (-?\d+)", told)
    sound = int(folds[1]) if folds else -1
    code, told = _said("--repair", name, folder, what)
    if code:
        if sound >= 0:
            raise Lost(f"{what}: sound up to step {sound}, but {told}")
        toll.hopeless += 1
        return
    with Run.open(folder, f"{name}-repaired", write=True) as run:
        rescued = run.digests()
        folded = list(fold(run))
        run.restore()
    if rescued != digests[: len(rescued)] or folded != list(range(len(rescued))) or len(rescued) <= sound:
        raise Lost(f"{what}: sound up to step {sound}, rescued {len(rescued) - 1}: {told}")
    toll.rescued += 1


def _said(command: str, name: str, folder: Path, what: str) -> tuple[int, str]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main([command, name, "--results", str(folder), "--lang", "en"])
    except Exception as error:
        raise Lost(f"{what}: {command} fell over: {error!r}") from error
    if code not in (0, 1, 2):
        raise Lost(f"{what}: {command} gave {code}: {said.getvalue()}")
    return code, said.getvalue()


def _content(folder: Path, name: str, steps: int) -> list[object]:
    """All that steps wrote."""
    with contextlib.closing(sqlite3.connect(f"{file_of(folder, name).as_uri()}?mode=ro", uri=True)) as database:
        return [written_at(database, step) for step in range(steps)]
