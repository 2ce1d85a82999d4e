"""Renames, removes and restores runs, never while a process writes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hometown.errors import BadRun, reason_of
from hometown.files import discard, owner_mark, remove_leftovers
from hometown.storage import table_schema
from hometown.storage.database import (
    checkpoint_wal,
    connect_reader,
    connect_writer,
    transaction,
    translate_sqlite_errors,
)
from hometown.storage.identity import rename_in_manifest
from hometown.storage.integrity import check_header, read_checked_manifest
from hometown.storage.lock import RunLock, creation_lock
from hometown.storage.run_names import existing_file, refuse_taken, run_folder
from hometown.storage.side_files import odd_files, refuse_links
from hometown.system import MOVES_LOCKED_FOLDERS

GONE = ".gone-"
"""Prefix of a removed run's folder; the mark of the process that removed it (`files.owner_mark`)
follows, then the run's name.
"""


def rename_run(root: Path, name: str, new: str) -> None:
    """Rename a run: its folder, and its name in the manifest. Digests do not cover it.

    Raises BadRun if there is no such run, a process writes it, or the new name is taken or invalid.
    """
    target = run_folder(root, new)
    refuse_links(existing_file(root, name), write=True)
    with _lock_run(root, name) as (folder, lock):
        if target != folder:
            refuse_taken(root, new)
        _rename_in_file(folder / "run.sqlite", new)
        _move(folder, target, lock)


def remove_run(root: Path, name: str) -> None:
    """Remove a run with its folder; `restore_run` can restore it for as long as this process lives.

    Runs removed by processes that have ended are deleted. Raises BadRun if there is no such run, or
    a process writes it.
    """
    file = existing_file(root, name)
    delete_removed_runs(root)
    aside = _aside(root, name)
    discard(aside)
    if file.parent.is_symlink() or odd_files(
        file.parent
    ):  # links are not followed, not even to a lock
        file.parent.rename(aside)
        return
    with _lock_run(root, name) as (folder, lock):
        _move(folder, aside, lock)  # gone in one moment


def delete_run(root: Path, name: str) -> None:
    """Remove a run for good. Raises BadRun as `remove_run` does."""
    remove_run(root, name)
    discard(_aside(root, name))


def restore_run(root: Path, name: str) -> None:
    """Restore a removed run. Raises BadRun if this process has removed no run of that name, or
    another one has its name by now.
    """
    aside = _aside(root, name)
    if not aside.exists():
        raise BadRun(
            "run {name!r} can't be put back: it was not removed since this program began", name=name
        )
    with creation_lock(aside.parent):
        refuse_taken(root, name)
        aside.rename(run_folder(root, name))


def delete_removed_runs(root: Path) -> None:
    """Delete the runs that were removed by processes that have ended."""
    remove_leftovers(root / "checkpoints", GONE)


def _aside(root: Path, name: str) -> Path:
    """Return the path of a run that this process has removed."""
    folder = run_folder(root, name)
    return folder.with_name(f"{GONE}{owner_mark()}-{folder.name}")


def disk_usage(root: Path, name: str) -> int:
    """Return the bytes that a run takes on disk: all files in its folder, not in subfolders."""
    return sum(file.stat().st_size for file in run_folder(root, name).iterdir() if file.is_file())


@contextmanager
def _lock_run(root: Path, name: str) -> Iterator[tuple[Path, RunLock]]:
    """Hold the lock of a run that no process writes; yields its folder and the lock."""
    folder = existing_file(root, name).parent
    lock = RunLock(folder)
    with creation_lock(folder.parent):
        lock.acquire()
        try:
            yield folder, lock
        finally:
            lock.release()


def _rename_in_file(file: Path, name: str) -> None:
    """Write a name into a run's manifest, after checking the database and bringing it up to date."""
    check_header(file)
    with translate_sqlite_errors(file):
        with closing(connect_reader(file)) as reader:
            read_checked_manifest(reader, file, write=False)
        database = connect_writer(file, "FULL")
        try:
            with transaction(database):
                table_schema.migrate(database)
                rename_in_manifest(database, name)
            checkpoint_wal(database)
        finally:
            database.close()


def _move(folder: Path, target: Path, lock: RunLock) -> None:
    """Move a folder, holding its lock as long as the system permits; otherwise no process can have
    it open. Raises BadRun where it can't be moved.
    """
    lock.remove_holder()
    if not MOVES_LOCKED_FOLDERS:
        lock.release()
    try:
        folder.rename(target)
    except OSError as error:
        raise BadRun(
            "run {name!r} can't be moved: {reason}; close the program that has it open, then try again",
            name=folder.name,
            reason=reason_of(error),
        ) from error
