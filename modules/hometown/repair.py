"""Examines a damaged run, and creates a new run from its intact part. The damaged file is only
read; all work is done on a copy.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import field
from pathlib import Path

import numpy as np

from hometown.errors import BadRun, reason_of
from hometown.files import temporary_folder
from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector, pack
from hometown.model.llm import Embedder
from hometown.model.text_vectors import embed_texts
from hometown.storage.checksum import reseal, row_checksum
from hometown.storage.committed import lost_step
from hometown.storage.copying import copy_readable
from hometown.storage.create import build_run
from hometown.storage.database import connect_reader, failure_kind
from hometown.storage.digest import read_canonical, step_digest
from hometown.storage.fork import COPIED, open_requests, remembered_texts
from hometown.storage.inbox import FILE as INBOX
from hometown.storage.inbox import Inbox
from hometown.storage.journal import KEEP_REPLY
from hometown.storage.row_conversion import text_hash
from hometown.storage.run import RunFile
from hometown.storage.salvage import (
    UNREADABLE,
    Checksums,
    calls_readable,
    compare_checksums,
    inbox_lines,
    journal_rows,
    list_verified_steps,
    page_faults,
    vectors,
)
from hometown.storage.vector_table import INSERT, VectorTable, vector_row
from hometown.storage.world_copy import world_files
from hometown.text import Phrase, ngettext
from hometown.verify import Mismatch, fold
from hometown.world.snapshot import Files

CALL_TABLES = ("calls", "prompts")
"""Tables of model calls; a step is intact without them."""


@frozen
class Soundness:
    """The intact parts of a run. A number of steps is the last of an unbroken sequence from step 0
    on, −1 if even step 0 is damaged.

    `pages` are the faults of the database's pages; `steps` is the last step recorded; `digests` the
    last whose tables match the digests; `folds` the last whose tables the effects reproduce;
    `calls` are the steps up to `folds` with unreadable calls; `vectors` counts memories without
    their vector, `journal` the replies kept for the next step; `world` is False if the run's copy
    of the world is unreadable; `lost` is a committed step that is missing from the file; `inbox` is
    the reason why the inbox cannot be read, and `unreadable` why the run cannot be opened, "" if it
    can.
    """

    pages: tuple[str, ...]
    steps: int
    digests: int
    folds: int
    difference: str
    calls: tuple[int, ...]
    vectors: int
    journal: int
    world: bool = True
    checksums: Checksums = field(default_factory=Checksums)
    lost: int | None = None
    inbox: str = ""
    unreadable: str = ""

    @property
    def sound(self) -> bool:
        altered = self.checksums.steps or self.checksums.rows or self.lost is not None or self.inbox
        return (
            not (self.pages or self.difference or self.calls or self.vectors or altered)
            and self.world
            and self.steps == self.digests == self.folds >= 0
        )


UNOPENABLE = Soundness((), -1, -1, -1, "", (), 0, 0)
"""The soundness of a file that cannot be opened."""


@frozen
class Recovery:
    """The extent of a recovery: `name` is the new run, `last` the last step recovered, `steps` the
    last step recorded, −1 if unknown; `calls` counts the steps that lost their calls, and `vectors` the memories
    embedded again.
    """

    name: str
    last: int
    steps: int
    calls: int
    vectors: int


def examine_run(run: RunFile) -> Soundness:
    """Examine all parts of a run. Never raises for damage."""
    folds, difference = _folds(run)
    missing = len(_without_vector(run, folds, vectors(run)))
    calls = tuple(step for step in range(1, folds + 1) if not calls_readable(run, step))
    pages, world_readable = tuple(page_faults(run.database)), _world(run) is not None
    last, kept = _last(run), len(journal_rows(run, folds + 1))
    checksums, lost = compare_checksums(run, last), _lost_step(run)
    return Soundness(
        pages,
        last,
        _digests(run),
        folds,
        difference,
        calls,
        missing,
        kept,
        world_readable,
        checksums,
        lost,
        _inbox(run),
    )


def _lost_step(run: RunFile) -> int | None:
    """Return the step that was noted as saved and is missing; None if the database is unreadable."""
    try:
        return lost_step(run.database, run.file.parent)
    except UNREADABLE:
        return None


def _inbox(run: RunFile) -> str:
    try:
        run.inbox.interventions()
    except BadRun as error:
        return reason_of(error)
    return ""


def _world(run: RunFile) -> Files | None:
    """Return the copy of the world that a run carries, or None if it cannot be read."""
    try:
        return world_files(run)
    except UNREADABLE:
        return None


def _last(run: RunFile) -> int:
    try:
        return run.last.step
    except UNREADABLE:
        return -1


def _digests(run: RunFile) -> int:
    """Return the last step of an unbroken sequence from step 0 on whose rows match their digest."""
    sound, previous = -1, ""
    with suppress(*UNREADABLE):
        while (digest := run.digest(sound + 1)) is not None and step_digest(
            previous, read_canonical(run.database, sound + 1)
        ) == digest:
            sound, previous = sound + 1, digest
    return sound


def _folds(run: RunFile) -> tuple[int, str]:
    """Return the last step that the effects reproduce, and the first difference after it, "" for
    none.
    """
    sound = -1
    try:
        for step in fold(run):
            sound = step
    except Mismatch as difference:
        return sound, Phrase("{step}: {what}", step=difference.step, what=difference.what)
    except UNREADABLE as error:
        return sound, Phrase("{step}: {what}", step=sound + 1, what=reason_of(error))
    return sound, ""


def _without_vector(run: RunFile, last: int, known: Mapping[bytes, bytes]) -> list[str]:
    """Return the texts of memories up to a step without a known vector."""
    try:
        return [text for text in remembered_texts(run, last) if text_hash(text) not in known]
    except UNREADABLE:
        return []


# repairing ---------------------------------------------------------------------------------


@contextmanager
def readable_copy(file: Path) -> Iterator[RunFile]:
    """Copy all readable rows of a run and the interventions in its inbox, with new indexes; the
    copy is removed when the context ends.

    Raises BadRun if the manifest is unreadable, or the copy cannot be written.
    """
    with ExitStack() as opened:
        try:
            folder = opened.enter_context(temporary_folder(file.parent.parent, "repair"))
            copy = folder / file.name
            copy_readable(file, copy)
            (folder / INBOX).write_bytes(inbox_lines(file.parent / INBOX))
        except (OSError, sqlite3.Error) as error:
            raise failure_kind(error)(
                "{file} can't be copied for repair: {reason}; free some space and try again",
                file=file,
                reason=reason_of(error),
            ) from error
        yield opened.enter_context(closing(_open_copy(copy, file)))


class _AnyVector(VectorTable):
    """Vectors for applying effects, which do not depend on their values: a missing one is replaced
    by zeros.
    """

    def get(self, text: str) -> Vector:
        try:
            return super().get(text)
        except (LookupError, ValueError):
            return np.zeros(self._dimension, np.float32)


def _open_copy(copy: Path, file: Path) -> RunFile:
    database = connect_reader(copy)
    try:
        run = RunFile(file, database, None)
        run.vectors = _AnyVector(database, run.manifest.embedding, run.manifest.dimension)
        run.inbox = Inbox(copy.parent)
        return run
    except UNREADABLE as error:
        database.close()
        raise BadRun(
            "nothing in {file} can be recovered: the run's manifest can't be read; restore a backup",
            file=file,
        ) from error


async def rescue(run: RunFile, results: Path, new: str, embedder: Embedder | None) -> Recovery:
    """Create the run `new` from all intact parts of a readable copy and from the interventions that
    are still open.

    Memories without a vector are embedded again.

    Raises:
        BadRun: No step is intact, or vectors are missing and there is no `embedder`.
        ModelUnavailable: The embedder is unavailable.
    """
    last, _ = _folds(run)
    if last < 0:
        raise BadRun(
            "nothing of run {name!r} can be recovered: its step 0 is damaged; restore a backup",
            name=run.manifest.name,
        )
    known = vectors(run)
    missing = _without_vector(run, last, known)
    if missing:
        known |= await _embed_again(run, missing, embedder)
    without_calls = [step for step in range(last + 1) if not calls_readable(run, step)]
    interventions = open_requests(run, last, UNREADABLE)
    manifest = run.manifest.model_copy(update={"name": new})
    build_run(
        results,
        manifest,
        max(_planned_end(run), last),
        lambda database: _copy(run, database, last, set(without_calls), known),
        interventions=interventions,
        world_files=_world(run) or {},
        parent=_parent(run),
    )
    return Recovery(new, last, _last(run), len(without_calls), len(missing))


async def _embed_again(
    run: RunFile, texts: list[str], embedder: Embedder | None
) -> dict[bytes, bytes]:
    """Return packed vectors of texts, by their hash. Raises BadRun without an embedder."""
    if embedder is None:
        raise BadRun(
            ngettext(
                "{count} memory has lost its vector: {embedding} is needed to embed it again",
                "{count} memories have lost their vectors: {embedding} is needed to embed them "
                "again",
                len(texts),
                embedding=run.manifest.embedding,
            )
        )
    vectors_by_text = await embed_texts(embedder, texts)
    return {text_hash(text): pack(vector) for text, vector in vectors_by_text.items()}


def _parent(run: RunFile) -> str:
    try:
        return run.parent_id
    except UNREADABLE:
        return ""


def _planned_end(run: RunFile) -> int:
    try:
        return run.planned_end
    except UNREADABLE:
        return 0


def _copy(
    run: RunFile,
    database: sqlite3.Connection,
    last: int,
    without_calls: set[int],
    known: Mapping[bytes, bytes],
) -> None:
    """Copy the steps up to `last`, without the calls of the steps in `without_calls`."""
    for table in COPIED:
        for step in range(last + 1):
            if table not in CALL_TABLES or step not in without_calls:
                columns = (
                    "step, time, digest, CAST('{}' AS BLOB)"
                    if table == "steps" and step in without_calls
                    else "*"
                )
                selected = run.database.execute(
                    f"SELECT {columns} FROM {table} WHERE step = ?", (step,)
                ).fetchall()
                if selected:
                    database.executemany(
                        f"INSERT INTO {table} VALUES ({','.join('?' * len(selected[0]))})", selected
                    )
    reseal(database, last, set(list_verified_steps(run, last)) - without_calls)
    database.executemany(
        KEEP_REPLY, ((*row, row_checksum(*row)) for row in journal_rows(run, last + 1))
    )
    database.executemany(
        INSERT, (vector_row(run.manifest.embedding, text, vector) for text, vector in known.items())
    )
