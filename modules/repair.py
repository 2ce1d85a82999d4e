"""What is sound in a run, and a new run made of it. The damaged file is only read, and repaired in a copy."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from modules.errors import BadRun, reason_of
from modules.memory.associate import Vector
from modules.model.llm import Embedder
from modules.storage import schema
from modules.storage.create import build_run
from modules.storage.database import connect_reader, guarded, transaction
from modules.storage.digest import step_digest, written_at
from modules.storage.fork import COPIED, remembered, still_to_come
from modules.storage.inbox import FILE as INBOX
from modules.storage.inbox import Inbox, lines
from modules.storage.run import Run
from modules.storage.salvage import UNREADABLE, calls_readable, journalled, lenient, page_faults, requests, rows, vectors
from modules.storage.tables import text_hash
from modules.storage.vectors import INSERT, VectorTable
from modules.text import Phrase
from modules.verify import Difference, fold

TOLD = ("calls", "prompts")
"""Tables that tell how a step came about; a step is sound without them."""


@dataclass(frozen=True, slots=True)
class Soundness:
    """What is sound in a run. Steps are the last of an unbroken row from step 0 on, −1 where not even that one is.

    `steps`: the last one recorded; `digests`: what the tables hold meets its digest; `folds`: the effects lead there;
    `calls`: steps up to `folds` whose calls can't be read; `vectors`: memories whose vector is gone; `journal`: replies kept for the next step.
    """

    pages: tuple[str, ...]
    steps: int
    digests: int
    folds: int
    difference: str
    calls: tuple[int, ...]
    vectors: int
    journal: int

    @property
    def sound(self) -> bool:
        return not (self.pages or self.difference or self.calls or self.vectors) and self.steps == self.digests == self.folds >= 0


_NO_VERSION = 1000

NOTHING = Soundness((), -1, -1, -1, "", (), 0, 0)
"""Of a file that can't even be opened."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """How far a run could be rescued; `steps` is the last one that it recorded, −1 where that can't be told; `calls` and `vectors` as in `Soundness`."""

    last: int
    steps: int
    calls: int
    vectors: int


def examine(run: Run) -> Soundness:
    """Looks at all of a run. Never raises for what is damaged."""
    folds, difference = _folds(run)
    missing = len(_without_vector(run, folds, vectors(run)))
    calls = tuple(step for step in range(1, folds + 1) if not calls_readable(run, step))
    return Soundness(tuple(page_faults(run.database)), _last(run), _digests(run), folds, difference, calls, missing, len(journalled(run, folds + 1)))


def _last(run: Run) -> int:
    try:
        return run.last.step
    except UNREADABLE:
        return -1


def _digests(run: Run) -> int:
    """The last step of those from step 0 on whose rows meet their digests."""
    sound, previous = -1, ""
    with suppress(*UNREADABLE):
        while (digest := run.digest(sound + 1)) is not None and step_digest(previous, written_at(run.database, sound + 1)) == digest:
            sound, previous = sound + 1, digest
    return sound


def _folds(run: Run) -> tuple[int, str]:
    """The last step to which the effects lead, and what is different in the next; "" if nothing is."""
    sound = -1
    try:
        for step in fold(run):
            sound = step
    except Difference as found:
        return sound, Phrase("{step}: {what}", step=found.step, what=found.what)
    except UNREADABLE as error:
        return sound, Phrase("{step}: {what}", step=sound + 1, what=reason_of(error))
    return sound, ""


def _without_vector(run: Run, last: int, known: Mapping[bytes, bytes]) -> list[str]:
    """Texts of memories up to a step whose vector is not among those known."""
    try:
        return [text for text in remembered(run, last) if text_hash(text) not in known]
    except UNREADABLE:
        return []


# repairing ---------------------------------------------------------------------------------


@contextmanager
def mended(file: Path) -> Iterator[Run]:
    """A copy of all rows of a run and all requests in its inbox that can be read, with indexes of its own. It goes when the context ends.

    Raises BadRun where not even the manifest can be read."""
    try:
        with tempfile.TemporaryDirectory(prefix=".repair-", dir=file.parent.parent) as folder:
            copy = Path(folder) / file.name
            _salvage(file, copy)
            (copy.parent / INBOX).write_bytes(lines(requests(file.parent / INBOX)))
            with closing(_opened(copy, file)) as run:
                yield run
    except OSError as error:
        raise BadRun("{file} can't be copied to be repaired: {reason}; make room and try again", file=file, reason=reason_of(error)) from error


def _salvage(file: Path, copy: Path) -> None:
    with closing(lenient(file)) as damaged, closing(sqlite3.connect(copy, isolation_level=None)) as database, guarded(copy), transaction(database):
        _refuse_other_version(damaged, file)
        for statement in schema.TABLES.split(";\n"):
            database.execute(statement)
        for table in sorted(schema.TABLE_NAMES):
            for row in rows(damaged, table):
                with suppress(sqlite3.IntegrityError, sqlite3.InterfaceError):  # a row that is none
                    database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(row))})", row)


def _refuse_other_version(damaged: sqlite3.Connection, file: Path) -> None:
    """Another version's rows aren't ours to sort out; a number that no version has is damage."""
    try:
        (version,) = damaged.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return
    if version != schema.SCHEMA_VERSION and 0 < version < _NO_VERSION:
        raise BadRun(
            "{file} has database version {version}, this Hometown repairs {known}: use the Hometown that wrote it",
            file=file, version=version, known=schema.SCHEMA_VERSION,
        )  # fmt: skip


class _AnyVector(VectorTable):
    """Vectors for applying effects, which is done whatever they are: in place of one that is gone there is a zero."""

    def get(self, text: str) -> Vector:
        try:
            return super().get(text)
        except (LookupError, ValueError):
            return np.zeros(self._dimension, np.float32)


def _opened(copy: Path, file: Path) -> Run:
    database = connect_reader(copy)
    try:
        run = Run(file, database, None)
        run.vectors = _AnyVector(database, run.manifest.embedding, run.manifest.dimension)
        run.inbox = Inbox(copy.parent)
        return run
    except UNREADABLE as error:
        database.close()
        raise BadRun("nothing of {file} can be rescued: what the run is can't be read any more; put a copy in its place", file=file) from error


async def rescue(run: Run, results: Path, new: str, embedder: Embedder | None) -> Rescued:
    """Makes the run `new` of all that is sound in a mended one, and of what the user still wants to happen.

    Memories without a vector are embedded anew.

    Raises BadRun where nothing is sound, or vectors are gone and there is no `embedder`; ModelUnavailable if that is away.
    """
    last, _ = _folds(run)
    if last < 0:
        raise BadRun("nothing of run {name!r} can be rescued: what it began with is damaged; put a copy in its place", name=run.manifest.name)
    known = vectors(run)
    missing = _without_vector(run, last, known)
    if missing and embedder is None:
        raise BadRun("{count} memories have lost their vectors: {embedding} is needed to embed them anew", count=len(missing), embedding=run.manifest.embedding)
    if missing and embedder is not None:
        made = np.asarray(await embedder.embed(missing), "<f4")
        known |= {text_hash(text): row.tobytes() for text, row in zip(missing, made, strict=True)}
    untold = [step for step in range(last + 1) if not calls_readable(run, step)]
    asked = still_to_come(run, last, UNREADABLE)
    manifest = run.manifest.model_copy(update={"name": new})
    build_run(results, manifest, max(_planned_end(run), last), lambda database: _copy(run, database, last, set(untold), known), asked=asked)
    return Rescued(last, _last(run), len(untold), len(missing))


def _planned_end(run: Run) -> int:
    try:
        return run.planned_end
    except UNREADABLE:
        return 0


def _copy(run: Run, database: sqlite3.Connection, last: int, untold: set[int], known: Mapping[bytes, bytes]) -> None:
    """Steps up to `last`; without the calls of those in `untold`."""
    for table in COPIED:
        for step in range(last + 1):
            if table not in TOLD or step not in untold:
                columns = "step, time, digest, CAST('{}' AS BLOB)" if table == "steps" and step in untold else "*"
                found = run.database.execute(f"SELECT {columns} FROM {table} WHERE step = ?", (step,))
                _insert(database, table, found.fetchall())
    _insert(database, "journal", journalled(run, last + 1))
    database.executemany(INSERT, ((run.manifest.embedding, text, vector) for text, vector in known.items()))


def _insert(database: sqlite3.Connection, table: str, found: list[tuple[Any, ...]]) -> None:
    if found:
        database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(found[0]))})", found)
