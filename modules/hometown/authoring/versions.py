"""Versions of the parts of a world, against which changes are checked, so that no change overwrites
another unseen; and a lock for one change at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from hometown.errors import BadWorld, Outdated, explain_write_errors

NEW = "new"
"""Version of a part that does not exist yet."""

WAIT = 30.0
"""Seconds that a change waits for another one."""


def version_of(*files: Path) -> str:
    """Return the version of some files, which depends on their content alone; NEW where none of
    them is there.
    """
    known = [(file.name, file.read_bytes()) for file in files if file.is_file()]
    if not known:
        return NEW
    digest = hashlib.sha256()
    for name, content in known:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


@contextmanager
def changing(folder: Path, version: str | None, *files: Path) -> Iterator[Callable[[], None]]:
    """Hold the lock of a world while some of its files are changed.

    `version` is the version that the change was made for, None for the present one. Yields a
    function that compares the versions again, right before writing: other programs ignore the lock.
    Raises Outdated for another version, and BadWorld if the world is locked for too long or can't
    be written.
    """
    with explain_write_errors(BadWorld, folder):
        lock = FileLock(folder.with_name(f".{folder.name}.lock"), timeout=WAIT)
        try:
            lock.acquire()
        except Timeout:
            raise BadWorld(
                "world {world!r} is being changed by another program: try again in a moment",
                world=folder.name,
            ) from None
        try:
            known = version_of(*files) if version is None else version

            def compare() -> None:
                if version_of(*files) != known:
                    raise Outdated(
                        "{file} was changed meanwhile: load it again, then repeat the change",
                        file=f"{folder.name}/{_path_below(folder, files[-1])}",
                    )

            compare()
            yield compare
        finally:
            lock.release()


def _path_below(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()
