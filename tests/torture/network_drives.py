"""Carries runs between a local disk and a network drive, and kills them on both.

On a network drive no run may have a write-ahead log, and one that a local disk has left with its
log is refused there. The drives are simulated: Hometown reads another list of mounted drives.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random
from unittest import mock

from hometown.cli.commands import main
from hometown.paths import WORLDS
from hometown.storage.run_names import run_folder
from hometown.system import NETWORK_TYPES, network_type
from hometown.web.server import create_app
from tests.torture import crash
from tests.torture.cases import Lost, case
from tests.torture.crash import KilledRun, Original, original
from tests.torture.lives import KILL

KILLS_OF_A_RUN = 3
"""How often one run is killed at most, before it is left to live to its end."""

REFUSED = (
    ("resume", "{name}"),
    ("verify", "{name}"),
    ("check", "{name}"),
    ("export", "{name}"),
    ("repair", "{name}"),
    ("ask", "{name}", "Lin Yue: how are you?"),
    ("fork", "{name}@0", "--name", "bough"),
)
"""Commands on a run that a network drive cannot hold."""

SHARED = ("run.sqlite-wal", "run.sqlite-shm")
"""Files of a run that need memory which all who read it share."""


@dataclass
class Toll:
    """How many runs were carried, how many lives there were on a drive and on the disk, and how
    often a command was refused there.
    """

    runs: int = 0
    lives: dict[str, int] = field(default_factory=lambda: {"drive": 0, "disk": 0})
    refused: int = 0
    kills: crash.Toll = field(default_factory=crash.Toll)


def carried(folder: Path, count: int, first: int = 0) -> Toll:
    """Carry so many runs. Raises Lost where a step or a reply is lost, a run on a network drive has
    a write-ahead log, or one that was not closed is read there.
    """
    toll = Toll()
    with original(folder, 0.0) as town:
        for number in range(first, first + count):
            with case("drives", number):
                _CarriedRun(town, number, toll).live()
            toll.runs += 1
    return toll


class _CarriedRun(KilledRun):
    """A run that is carried to a drive of one type, or back, before each of its lives."""

    most_kills = KILLS_OF_A_RUN
    choices = (KILL, KILL, signal.SIGTERM)

    def __init__(self, town: Original, number: int, toll: Toll) -> None:
        super().__init__(town, number, toll.kills)
        self._carrier = Random(f"carried {number}")
        self._all = toll
        self._kind = self._carrier.choice(sorted(NETWORK_TYPES))
        self._mounts = town.folder / f"mounts-{number}"
        self._mounts.write_text(_list_mounts(town.folder, self._kind, self._carrier), "utf-8")
        self._run = run_folder(town.folder, self.name)

    def live(self) -> None:
        try:
            super().live()
        finally:
            self.town.lives.mounts = ""

    def _life(self, *, mortal: bool) -> bool:
        left_open = self._is_left_open()
        if left_open:
            self._refuse()
        on_drive = not left_open and self._carrier.random() < 0.6
        self.town.lives.mounts = str(self._mounts) if on_drive else ""
        self._all.lives["drive" if on_drive else "disk"] += 1
        finished = super()._life(mortal=mortal)
        if on_drive and self._is_left_open():
            raise Lost(f"a write-ahead log on a network drive ({self._kind})")
        return finished

    def _point(self, there: bool) -> str:
        """Where the next life is to end: never before there is a run that could be carried."""
        return super()._point(there=True)

    def _look(self, before: set[str]) -> set[str]:
        with _mounted(self._mounts if self.town.lives.mounts else None):
            return super()._look(before)

    def _is_left_open(self) -> bool:
        return any((self._run / name).exists() for name in SHARED)

    def _refuse(self) -> None:
        """Try to use a copy of the run, which was not closed, on a drive."""
        drive = self.town.folder / f"drive-{self.name}"
        copy = run_folder(drive, self.name)
        shutil.copytree(self._run, copy)
        before = _contents(copy)
        with _mounted(self._mounts), mock.patch.dict(os.environ, LC_ALL="C.UTF-8"):
            command = self._carrier.choice(REFUSED)
            self._refuse_command([word.format(name=self.name) for word in command], drive)
            self._refuse_page(drive)
        if _contents(copy) != before:
            raise Lost("a run that was refused has changed")
        shutil.rmtree(drive)

    def _refuse_command(self, argv: list[str], drive: Path) -> None:
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = main([*argv, "--results", str(drive)])
        told = said.getvalue()
        if code != 2 or f"network drive ({self._kind})" not in told or "Traceback" in told:
            raise Lost(f"{argv} of a run that was not closed: exit code {code}\n{told}")
        self._all.refused += 1

    def _refuse_page(self, drive: Path) -> None:
        client = create_app(drive, WORLDS).test_client()
        for path, status in (("/", 200), (f"/api/v1/runs/{self.name}", 422)):
            answer = client.get(path)
            if answer.status_code != status or f"({self._kind})" not in answer.text:
                raise Lost(f"GET {path}: {answer.status_code}\n{answer.text[:1000]}")


def _list_mounts(folder: Path, kind: str, random: Random) -> str:
    """Return a list of mounted drives, as Linux writes it, in which a folder lies on a drive of
    that type.
    """
    device = folder.stat().st_dev
    lines = [f"{at} 1 0:{900 + at} / /mnt/{at} rw - ext4 /dev/sd{at} rw" for at in range(4)]
    optional = random.choice(("", "shared:1 ", "shared:1 master:2 "))
    number = f"{os.major(device)}:{os.minor(device)}"
    lines.append(f"9 1 {number} / /my\\040drive rw,relatime {optional}- {kind} host:/town rw")
    random.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def _mounted(mounts: Path | None) -> Iterator[None]:
    """Let this process read a list of mounted drives while the context lasts."""
    if mounts is None:
        yield
        return
    with mock.patch.object(network_type, "__defaults__", (mounts,)):
        yield


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
