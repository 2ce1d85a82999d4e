"""A new run's folder: built under a temporary name, then renamed, so that it is there whole or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from modules.errors import BadRun, reason_of
from modules.memory.associate import Vector
from modules.storage import schema
from modules.storage.codec import encode
from modules.storage.database import guarded, transaction
from modules.storage.digest import step_digest, written
from modules.storage.inbox import FILE as INBOX
from modules.storage.inbox import lines
from modules.storage.lock import creation_lock
from modules.storage.manifest import Manifest
from modules.storage.names import folder_of
from modules.storage.step import StepRecord, statements, whole_state, write_step
from modules.storage.vectors import INSERT, VectorTable
from modules.world.effects import Logged
from modules.world.interventions import Intervention
from modules.world.state import State


def create_run(root: Path, manifest: Manifest, planned_end: int, state: State, effects: Sequence[Logged], asked: Sequence[Intervention] = ()) -> None:
    """Writes manifest, step 0, which is the whole of `state`, and what the user has `asked` for.

    Raises BadRun where the name is taken or nothing can be written.
    """
    changes = whole_state(state)
    vectors = {one.text: state.vector(one.text) for memories in changes.memories.values() for one in memories}

    def write(database: sqlite3.Connection) -> None:
        keep_vectors(database, manifest, vectors)
        step = written(changes)
        write_step(database, statements(StepRecord(0, manifest.start, changes, effects), step, step_digest("", step), prompts=False))

    build_run(root, manifest, planned_end, write, asked=asked)


def build_run(
    root: Path,
    manifest: Manifest,
    planned_end: int,
    write: Callable[[sqlite3.Connection], None],
    attach: Path | None = None,
    asked: Sequence[Intervention] = (),
) -> None:
    """Makes a run's folder, with the requests `asked` in its inbox.

    `write` fills its tables, which hold the manifest already, and sees the database `attach` as `parent`.
    Raises BadRun where the name is taken or nothing can be written."""
    folder = folder_of(root, manifest.name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with creation_lock(folder.parent):
            for leftover in folder.parent.glob(".new-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            _refuse_taken(folder)
            building = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
            _build(building / "run.sqlite", manifest, planned_end, write, attach)
            if asked:
                (building / INBOX).write_bytes(lines(asked))
            _rename(building, folder)
    except OSError as error:
        raise BadRun("run {name!r} can't be made in {folder}: {reason}", name=folder.name, folder=folder.parent, reason=reason_of(error)) from error


def _build(file: Path, manifest: Manifest, planned_end: int, write: Callable[[sqlite3.Connection], None], attach: Path | None) -> None:
    kept = manifest.model_dump_json(exclude={"settings": {"machine"}}).encode()
    database = sqlite3.connect(file, isolation_level=None, uri=True)
    try:
        if attach:
            database.execute("ATTACH DATABASE ? AS parent", (f"{attach.resolve().as_uri()}?mode=ro",))
        with guarded(file), transaction(database):
            for statement in schema.TABLES.split(";\n"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION}")
            database.executemany("INSERT INTO meta VALUES (?,?)", [("manifest", kept), ("planned_end", encode(planned_end))])
            write(database)
    finally:
        database.close()


def keep_vectors(database: sqlite3.Connection, manifest: Manifest, vectors: Mapping[str, Vector]) -> None:
    """Writes the vectors of texts, of the manifest's embedding."""
    table = VectorTable(database, manifest.embedding, manifest.dimension)
    database.executemany(INSERT, (row for _, row in table.rows(vectors)))


def _refuse_taken(folder: Path) -> None:
    if (folder / "run.sqlite").exists():
        raise BadRun("there is a run {name!r} already: go on with it by --resume, or choose another name", name=folder.name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRun("{folder} is in the way of a new run, and is none: remove it, or choose another name", folder=folder)


def _rename(building: Path, folder: Path) -> None:
    """The run appears under its name in one moment, and outlasts a power cut from then on."""
    if folder.exists():
        folder.rmdir()
    building.rename(folder)
    if os.name == "posix":
        parent = os.open(folder.parent, os.O_RDONLY)
        try:
            os.fsync(parent)
        finally:
            os.close(parent)
