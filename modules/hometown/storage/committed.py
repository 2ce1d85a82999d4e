"""A note of the last committed step beside the database, which reveals that a run has lost its
write-ahead log.

SQLite ignores a missing log, and all that follows damage in a log, and opens the database as it was
before. So each commit is followed by a note of its step, in `run.committed`, which is removed when
a run is closed and its log merged. The note may be behind, never ahead: it is written after the
commit, which has waited for the disk. If it is missing or unreadable, as after a power failure or a
kill while it was written, a loss cannot be detected.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import orjson

from hometown.errors import BadRun
from hometown.storage.side_files import replace_file

FILE = "run.committed"


def note_step(folder: Path, step: int, digest: str) -> None:
    """Note a committed step. A note that cannot be written is no error."""
    with suppress(OSError):
        replace_file(folder / FILE, orjson.dumps({"step": step, "digest": digest}))


def remove_note(folder: Path) -> None:
    """Remove the note: the database has no log that could be lost."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


def read_note(folder: Path) -> tuple[int, str]:
    """Return the noted step and its digest, or (-1, "") without a note."""
    try:
        found = orjson.loads((folder / FILE).read_bytes())
        step, digest = found["step"], found["digest"]
    except (OSError, ValueError, TypeError, LookupError):
        return -1, ""
    return (step, digest) if isinstance(step, int) and isinstance(digest, str) else (-1, "")


def lost_step(database: sqlite3.Connection, folder: Path) -> int | None:
    """Return the noted step if the database lacks it or has it with another digest; None otherwise."""
    step, digest = read_note(folder)
    found = database.execute("SELECT digest FROM steps WHERE step = ?", (step,)).fetchone()
    return step if step >= 0 and (found is None or found[0] != digest) else None


def refuse_rewound(database: sqlite3.Connection, file: Path) -> None:
    """Raise BadRun for a database that lacks the noted step, or has it with another digest."""
    step = lost_step(database, file.parent)
    if step is not None:
        (last,) = database.execute("SELECT max(step) FROM steps").fetchone()
        raise BadRun(
            "{file} lacks step {step}, which was committed: run.sqlite-wal beside it was lost or damaged, or the file was replaced. Put them back from a"
            " copy, or remove {note} to continue from step {last}",
            file=file,
            step=step,
            note=file.with_name(FILE),
            last=last,
        )
