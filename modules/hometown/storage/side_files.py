"""The small files beside a run's database, none of which is ever reached through a link.

A run may come from a stranger, and archives keep links. So a run whose files are links is not
opened, the folder of a run that is written is no link, and files beside the database are written by
renaming, which replaces any link that has appeared meanwhile.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from hometown.errors import BadRun, reason_of
from hometown.system import open_unlinked


def refuse_links(file: Path, *, write: bool) -> None:
    """Raise BadRun for a run whose files are links, devices or pipes, and before writing also for
    one with hard links.
    """
    folder = file.parent
    if odd := odd_files(folder):
        raise BadRun(
            "run {name!r} has files that lead elsewhere ({files}): replace each by the file itself",
            name=folder.name,
            files=odd,
        )
    if write and folder.is_symlink():
        raise BadRun(
            "run {name!r} is a link to {target}, and through a link runs are only read: copy the folder to {folder} in its place",
            name=folder.name,
            target=folder.resolve(),
            folder=folder,
        )
    if write and file.is_file() and file.stat().st_nlink > 1:
        raise BadRun(
            "{file} has {count} names on this disk (hard links), and writing would change all of them: replace it by a copy of itself",
            file=file,
            count=file.stat().st_nlink,
        )


def odd_files(folder: Path) -> list[str]:
    """Return the names in a run's folder that are neither files nor folders, such as links. Raises
    BadRun if it cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            return sorted(
                one.name
                for one in entries
                if one.is_symlink()
                or not (one.is_file(follow_symlinks=False) or one.is_dir(follow_symlinks=False))
            )
    except OSError as error:
        raise BadRun(
            "{file} can't be read: {reason}", file=folder, reason=reason_of(error)
        ) from None


def replace_file(file: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it. Raises OSError. Only one writer may call
    this at a time.
    """
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.unlink(missing_ok=True)
    try:
        with open(unfinished, "xb", opener=open_unlinked) as opened:
            opened.write(data)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
