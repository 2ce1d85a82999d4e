"""Runs get other names, or go away. Never while a process writes them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.errors import BadRun, reason_of
from modules.storage.database import connect_writer, fold, guarded
from modules.storage.lock import RunLock, creation_lock
from modules.storage.names import existing_file, folder_of


def rename_run(root: Path, name: str, new: str) -> None:
    """Gives a run another name, in its folder and in its manifest; digests stay, since no name is in them.

    Raises BadRun where there is no such run, a process writes it, or the new name is taken or none.
    """
    target = folder_of(root, new)
    with _at_rest(root, name) as folder:
        if target.exists() and target != folder:
            raise BadRun("there is a run {new!r} already: choose another name, or remove that one first", new=new)
        _name(folder / "run.sqlite", new)
    _move(folder, target)


def remove_run(root: Path, name: str) -> None:
    """Deletes a run and all that is in its folder. Raises BadRun where there is no such run, or a process writes it."""
    with _at_rest(root, name) as folder:
        pass
    rubbish = Path(tempfile.mkdtemp(prefix=".gone-", dir=folder.parent))
    _move(folder, rubbish / name)  # gone in one moment; what a crash leaves of it is no run
    shutil.rmtree(rubbish, ignore_errors=True)


def size_of(root: Path, name: str) -> int:
    """Bytes that a run takes on disk, all its files together."""
    return sum(file.stat().st_size for file in folder_of(root, name).iterdir() if file.is_file())


@contextmanager
def _at_rest(root: Path, name: str) -> Iterator[Path]:
    """The folder of a run that nobody writes; its lock is held within, and let go before the folder moves, as Windows demands."""
    folder = existing_file(root, name).parent
    lock = RunLock(folder)
    with creation_lock(folder.parent):
        lock.acquire()
        try:
            yield folder
        finally:
            lock.release()


def _name(file: Path, name: str) -> None:
    with guarded(file):
        database = connect_writer(file, "FULL")
        try:
            database.execute("UPDATE meta SET value = json_set(CAST(value AS TEXT), '$.name', ?) WHERE key = 'manifest'", (name,))
            fold(database)
        finally:
            database.close()


def _move(folder: Path, target: Path) -> None:
    try:
        folder.rename(target)
    except OSError as error:
        raise BadRun("run {name!r} can't be moved: {reason}; close what has it open, then try again", name=folder.name, reason=reason_of(error)) from error
