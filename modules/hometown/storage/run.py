"""A run: a folder with one SQLite file, written step by step and read by everything else.

    with Run.create(results, manifest, planned_end, state) as run:
        state = run.restore()
        ...
        run.commit(StepRecord(1, time, state.take_changes(), effects, calls, stats))

`results` is the folder above `checkpoints`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from hometown.errors import BadRun
from hometown.storage import table_schema
from hometown.storage.checksum import seal, seal_meta
from hometown.storage.codec import UNDECODABLE, encode
from hometown.storage.committed import note_step, remove_note
from hometown.storage.create import create_run_folder
from hometown.storage.damage import damage_behind
from hometown.storage.database import (
    Synchronous,
    checkpoint_wal,
    connect_reader,
    connect_writer,
    transaction,
    translate_sqlite_errors,
)
from hometown.storage.digest import step_digest, to_canonical
from hometown.storage.identity import parent_id, run_id, settle_identity
from hometown.storage.inbox import Inbox
from hometown.storage.integrity import check_header, read_checked_manifest, read_manifest
from hometown.storage.journal import ImmediateWriter, RunJournal
from hometown.storage.lock import RunLock
from hometown.storage.manifest import Manifest
from hometown.storage.memory_editor import MemoryEditor
from hometown.storage.queries import History
from hometown.storage.restore import restore_state
from hometown.storage.run_names import existing_file
from hometown.storage.side_files import refuse_links
from hometown.storage.step_record import StepRecord, statements, write_step
from hometown.storage.vector_table import VectorTable
from hometown.storage.world_copy import NO_FILES
from hometown.world.effects import Logged
from hometown.world.interventions import Intervention
from hometown.world.snapshot import Files
from hometown.world.state import State

__all__ = ["Logged", "Run", "RunFile", "StepRecord"]

_FULL = 2
"""SQLite's number for the mode in which a commit survives a power failure."""


class RunFile(History):
    """A run's open database. `journal` exists only if it is open for writing."""

    def __init__(self, file: Path, database: sqlite3.Connection, lock: RunLock | None) -> None:
        """Wrap a connection; use `create` or `open` instead."""
        super().__init__(database)
        self.file = file
        self.manifest = read_manifest(database, file)
        self.inbox = Inbox(file.parent)
        self._lock = lock
        self._durable = database.execute("PRAGMA synchronous").fetchone() >= (_FULL,)
        self.transaction_ms = 0.0
        """Wall milliseconds of the last step's transaction."""
        self._writer = ImmediateWriter(file) if lock else None
        self.vectors = VectorTable(
            database, self.manifest.embedding, self.manifest.dimension, self._writer
        )
        if self._writer:
            self.journal = RunJournal(database, self._writer)

    @classmethod
    def create(
        cls,
        root: Path,
        manifest: Manifest,
        planned_end: int,
        state: State,
        effects: Sequence[Logged] = (),
        interventions: Sequence[Intervention] = (),
        *,
        world_files: Files = NO_FILES,
        synchronous: Synchronous = "FULL",
    ) -> Self:
        """Create a run under `root`/checkpoints and open it for writing, with the requests
        `interventions` in its inbox and a copy of its world.

        Step 0 is all of `state`, whose record of changes is cleared. The run appears with all of
        step 0 or not at all. Raises BadRun if the name is taken.
        """
        create_run_folder(root, manifest, planned_end, state, effects, interventions, world_files)
        return cls.open(root, manifest.name, write=True, synchronous=synchronous)

    @classmethod
    def open(
        cls, root: Path, name: str, *, write: bool = False, synchronous: Synchronous = "FULL"
    ) -> Self:
        """Open an existing run under `root`/checkpoints for reading (even while it is simulated) or
        for writing.

        For writing, an older database is migrated and the run's name and id are settled. Raises
        BadRun if there is none, another process writes it, or its database is damaged or newer.
        """
        file = existing_file(root, name)
        refuse_links(file, write=write)
        with translate_sqlite_errors(file):
            if not write:
                return cls(file, _open_checked(file, write=False), None)
            _open_checked(file, write=True).close()
            lock = RunLock(file.parent)
            lock.acquire()
            try:
                database = connect_writer(file, synchronous)
                _migrate(database)
                settle_identity(database, file)
                return cls(file, database, lock)
            except BaseException:
                lock.release()
                raise

    def close(self) -> None:
        """Merge the WAL, so that a single file is left that can be copied, and close the database.
        The run is released even if that fails.
        """
        with ExitStack() as finally_:
            if self._lock:
                finally_.callback(self._lock.release)
            finally_.callback(self.database.close)
            if self._writer:
                self._writer.close()
                if checkpoint_wal(self.database):
                    remove_note(self.file.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Close the run. Raises BadRun in place of an error that is due to damage."""
        damage = damage_behind(error, self.database, self.file)
        self.close()
        if damage:
            raise damage from error

    # writing ------------------------------------------------------------------------------

    def commit(self, record: StepRecord) -> str:
        """Write a step in one transaction, drop its replies from the journal, note it beside the
        database if it survives a power cut, and return its digest.

        Raises ValueError for a step that does not follow the last, BadRun if the disk refuses.
        """
        last = self.last
        if record.step != last.step + 1:
            raise ValueError(f"step {record.step} can't be committed: step {last.step + 1} is next")
        self.journal.flush()
        step = to_canonical(record.changes)
        digest = step_digest(last.digest, step)
        prepared = statements(record, step, digest, prompts=self.manifest.settings.record_prompts)
        sections = record.sections(prepared)
        with translate_sqlite_errors(self.file):
            began = time.perf_counter()
            with transaction(self.database):
                write_step(self.database, prepared)
                seal(self.database, record.step, sections)
            self.transaction_ms = (time.perf_counter() - began) * 1000
        self.journal.drop(record.step)
        if self._durable:
            note_step(self.file.parent, record.step, digest)
        return digest

    def ask(self, interventions: Sequence[Intervention]) -> list[Intervention]:
        """Add requests to the inbox and return them with their numbers. The run may be open for
        reading.

        Raises BadRun if the inbox cannot be written.
        """
        if not interventions:
            return []
        return self.inbox.add(interventions, self.answered(self.last.step).latest)

    def waiting(self) -> list[Intervention]:
        """Return the interventions that no step has carried out yet, in the order of their entry."""
        answered = self.answered(self.last.step)
        return [entry for entry in self.inbox.interventions() if entry.number not in answered]

    @property
    def planned_end(self) -> int:
        """The last step to simulate."""
        (value,) = self.database.execute(
            "SELECT value FROM meta WHERE key = 'planned_end'"
        ).fetchone()
        return int(value)

    def set_planned_end(self, step: int) -> None:
        """Set the last step to simulate."""
        with translate_sqlite_errors(self.file), transaction(self.database):
            self.database.execute(
                "UPDATE meta SET value = ? WHERE key = 'planned_end'", (encode(step),)
            )
            seal_meta(self.database)

    @property
    def id(self) -> str:
        """The id of the run, which survives renaming; "" if it was last written before there were
        ids.
        """
        return run_id(self.database)

    @property
    def parent_id(self) -> str:
        """The id of the run that this one was forked from; "" if it is unknown, or this is no fork."""
        return parent_id(self.database)

    # reading ------------------------------------------------------------------------------

    def find_step(self, at: int | None = None) -> int:
        """Return a step of the run, by default the last one. Raises BadRun for one that does not
        exist.
        """
        last = self.last.step
        if at is None:
            return last
        if not 0 <= at <= last:
            raise BadRun(
                "run {name!r} has no step {step}: it has steps 0 to {last}",
                name=self.manifest.name,
                step=at,
                last=last,
            )
        return at

    def restore(self, at: int | None = None, *, tiers: bool | None = None) -> State:
        """Return the state after step `at` (the last one by default). Raises BadRun for a step that
        does not exist.

        With `tiers`, retired memories can be recalled; the default is the run's
        `faculties.consolidate`.
        """
        tiers = self.manifest.settings.faculties.consolidate if tiers is None else tiers
        at = self.find_step(at)
        with translate_sqlite_errors(self.file):
            try:
                return restore_state(
                    self.database, at, self.manifest.residents, self.vectors, tiers
                )
            except UNDECODABLE as error:
                raise BadRun(
                    "{file} is damaged: the state after step {step} can't be read;"
                    " restore a backup, or recover what is intact with hometown repair (start.py --repair)",
                    file=self.file,
                    step=at,
                ) from error

    def edit_memories(self, state: State) -> MemoryEditor:
        """Return an editor for the memories of a state of this run; see
        `hometown.memory.store.MemoryStore`.
        """
        return MemoryEditor(self, self.manifest.name, self.vectors, state)


def _open_checked(file: Path, *, write: bool) -> sqlite3.Connection:
    """Open a connection for reading and check the run, with `write` as thoroughly as before
    writing. Raises BadRun.
    """
    check_header(file)
    database = connect_reader(file)
    try:
        read_checked_manifest(database, file, write=write)
    except BaseException:
        database.close()
        raise
    return database


Run = RunFile
"""The former name, under which scripts import the class."""


def _migrate(database: sqlite3.Connection) -> None:
    """Bring an older database up to date, in one transaction."""
    if table_schema.read_schema_version(database) < table_schema.SCHEMA_VERSION:
        with transaction(database):
            table_schema.migrate(database)
