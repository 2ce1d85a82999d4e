"""Pauses runs from the page while the note of who writes them is right, wrong, old or no note.

A process that writes no run must never get a signal, and the writer only one that was asked for.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from unittest import mock

from flask.testing import FlaskClient

from hometown.paths import WORLDS
from hometown.storage.run_names import run_folder
from hometown.system import end_process, process_start_time
from hometown.web import processes
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.hang import waited_for
from tests.support.town import live
from tests.torture.cases import Lost, case
from tests.web.asking import ask, signed_in

RUN = "town"

PROCESS = """
import os, signal, sys
sys.path[:0] = {path!r}
def note(number, _):
    with open({signals!r}, "a") as file:
        file.write(f"{{number}}\\n")
    if number == signal.SIGTERM and {ends!r}:
        os._exit(0)
for number in signal.valid_signals() - {{signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}}:
    signal.signal(number, note)
{work}
print("ready", flush=True)
while True:
    signal.pause()
"""
"""A process that notes each signal it gets."""

WRITES = """
from pathlib import Path
from hometown.storage.lock import RunLock
lock = RunLock(Path({folder!r}))
lock.acquire()
"""

LOCKS = """
import fcntl
file = open({lock!r}, "w")
fcntl.flock(file, fcntl.LOCK_EX)
"""

SHORT_WAIT_SECONDS = 0.2
"""How long a note is waited for that will not come."""


@dataclass
class Toll:
    """Pauses by the state of the note, and how many writers were ended."""

    notes: Counter[str] = field(default_factory=Counter)
    ended: int = 0


class Process:
    """A process that notes the signals it gets, and does some `work` first; one that `ends` obeys
    SIGTERM.
    """

    def __init__(self, signals: Path, work: str, *, ends: bool) -> None:
        self._signals = signals
        signals.touch()
        code = PROCESS.format(path=sys.path, signals=str(signals), ends=ends, work=work)
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, text=True
        )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def signals(self) -> list[int]:
        """Return the signals it got; one that ended it unnoted is below 0."""
        noted = [int(line) for line in self._signals.read_text("ascii").split()]
        return noted + ([code] if (code := self._process.poll()) else [])

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        assert self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()


@contextmanager
def writer_of(folder: Path, signals: Path) -> Iterator[Process]:
    """A process that writes a run, while the context lasts."""
    with closing(Process(signals, WRITES.format(folder=str(folder)), ends=True)) as writer:
        yield writer


@dataclass(frozen=True)
class Scene:
    """A run that `writer` writes, and a `bystander` that has nothing to do with any run, and has
    locked the file `locked`.

    What `stack` holds is undone at the end of the case.
    """

    folder: Path
    writer: Process
    bystander: Process
    locked: Path
    random: Random
    stack: ExitStack

    def note(self, data: bytes) -> None:
        """Replace the note of who writes the run."""
        (self.folder / "run.holder").write_bytes(data)

    def name(self, process: object, started: str = "", host: str = "") -> None:
        """Note a process as the writer."""
        line = f"process {process} on {host or socket.gethostname()} since 2025-01-01 00:00:00"
        self.note((line + (f"\nstarted {started}" if started else "")).encode())

    def name_with_other_start(self, process: int) -> None:
        """Note a process that had the number of a present one before."""
        ago = self.random.randint(1, 10**6)
        self.name(process, str(int(process_start_time(process)) - ago))

    def list_owner(self, owner: int) -> None:
        """Let the kernel's list of locks have this owner of the run's lock alone; 0 for none."""
        owners = frozenset({owner} if owner else ())
        self.stack.enter_context(
            mock.patch("hometown.storage.lock.lock_owners", return_value=owners)
        )


def _name_elsewhere(scene: Scene) -> None:
    scene.name(scene.bystander.pid, process_start_time(scene.bystander.pid), "another-machine")


def _outdate(scene: Scene) -> None:
    """The note is of an earlier writer, which is still a process."""
    scene.name(scene.bystander.pid, process_start_time(scene.bystander.pid))


def _reuse_listed_number(scene: Scene) -> None:
    """The kernel lists a process that has ended, and whose child has inherited the lock."""
    scene.name_with_other_start(scene.bystander.pid)
    scene.list_owner(scene.bystander.pid)


def _note_nonsense(scene: Scene) -> None:
    here = f"on {socket.gethostname()} since now"
    lines = (
        "",
        "\0" * 50,
        f"process {scene.bystander.pid}",
        f"process -{scene.bystander.pid} {here}",
        f"process {'9' * scene.random.choice((10, 20, 5000))} {here}",
        f"process 0 {here}",
        "process \u0663 " + here,
        f"process {scene.bystander.pid} {here}\nstarted \nstarted 1",
    )
    noise = scene.random.randbytes(200)
    scene.note(scene.random.choice((*(line.encode() for line in lines), noise)))


def _put_in_place_of_note(scene: Scene) -> None:
    """A pipe, a folder, or a link to a note that names the bystander."""
    file, kind = scene.folder / "run.holder", scene.random.choice(("pipe", "folder", "link"))
    if kind == "link":
        scene.name(scene.bystander.pid, process_start_time(scene.bystander.pid))
        file.rename(scene.folder / "note")
        file.symlink_to(scene.folder / "note")
        return
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.mkdir()


def _link_lock(scene: Scene) -> None:
    """The lock is a link to a file that the bystander has locked, as in a run from a stranger."""
    scene.name(scene.bystander.pid)
    (scene.folder / "run.lock").unlink()
    (scene.folder / "run.lock").symlink_to(scene.locked)


def _replace_writer(scene: Scene) -> None:
    """The writer ends just before it would get its signal, and another one takes its place."""

    def replace(number: int, is_right: Callable[[], bool]) -> bool:
        scene.writer.close()
        other = scene.stack.enter_context(writer_of(scene.folder, scene.folder.parent / "other"))
        try:
            return end_process(number, is_right)
        finally:
            if other.signals():
                raise Lost(f"another writer got the signals {other.signals()}")

    scene.stack.enter_context(mock.patch("hometown.web.processes.end_process", replace))


NOTES: dict[str, tuple[Callable[[Scene], object], bool]] = {
    "right": (lambda scene: None, True),
    "by an older version": (lambda scene: scene.name(scene.writer.pid), True),
    "not listed": (lambda scene: scene.list_owner(0), True),
    "reused number": (lambda scene: scene.name_with_other_start(scene.bystander.pid), False),
    "reused number, older version": (lambda scene: scene.name(scene.bystander.pid), False),
    "reused number, listed": (_reuse_listed_number, False),
    "outdated": (_outdate, False),
    "the server": (lambda scene: scene.name(os.getpid()), False),
    "elsewhere": (_name_elsewhere, False),
    "nonsense": (_note_nonsense, False),
    "no file": (_put_in_place_of_note, False),
    "linked lock": (_link_lock, False),
    "replaced writer": (_replace_writer, False),
}
"""By name: what becomes of the note, and whether the writer is to be ended."""


def paused(folder: Path, count: int, first: int = 0) -> Toll:
    """Pause so often. Raises Lost where a process gets a signal that writes no run, or the right
    one does not end.
    """
    toll = Toll()
    live(folder / "original", 1, name=RUN)
    locks = LOCKS.format(lock=str(folder / "locked"))
    with closing(Process(folder / "signals", locks, ends=False)) as bystander:
        for number in range(first, first + count):
            with case("pauses", number):
                results = folder / str(number)
                shutil.copytree(folder / "original", results)
                _pause(results, number, bystander, toll)
                shutil.rmtree(results)
    return toll


def _pause(results: Path, number: int, bystander: Process, toll: Toll) -> None:
    kind = list(NOTES)[number % len(NOTES)]
    change, ends = NOTES[kind]
    folder = run_folder(results, RUN)
    with ExitStack() as stack:
        writer = stack.enter_context(writer_of(folder, results / "signals"))
        scene = Scene(folder, writer, bystander, results.parent / "locked", Random(number), stack)
        change(scene)
        if not ends:
            stack.enter_context(mock.patch.object(processes, "END_SECONDS", SHORT_WAIT_SECONDS))
        answer = ask(_client(results), f"runs/{RUN}/pause")
        told = f"{kind}: {answer.status_code} {answer.text}"
        if bystander.signals():
            raise Lost(f"a process that writes no run got {bystander.signals()}; {told}")
        if answer.status_code != (200 if ends else 409) or "\n" in answer.json.get("error", ""):
            raise Lost(told)
        if ends:
            waited_for(lambda: not writer.is_alive())
        if writer.signals() != ([signal.SIGTERM] if ends else []) and kind != "replaced writer":
            raise Lost(f"the writer got the signals {writer.signals()}; {told}")
    toll.notes[kind] += 1
    toll.ended += ends


def _client(results: Path) -> FlaskClient:
    return signed_in(create_app(results, WORLDS, access=Access(token="a token")))
