"""A new run's folder: built under a temporary name, then renamed, so that it is there whole or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path

from modules.errors import BadRun
from modules.storage import schema
from modules.storage.codec import encode
from modules.storage.database import guarded, transaction
from modules.storage.digest import step_digest, written
from modules.storage.lock import creation_lock
from modules.storage.manifest import Manifest
from modules.storage.names import folder_of
from modules.storage.step import StepRecord, statements, whole_state, write_step
from modules.storage.vectors import INSERT, VectorTable
from modules.world.effects import Logged
from modules.world.state import State


def create_run(root: Path, manifest: Manifest, planned_end: int, state: State, effects: Sequence[Logged]) -> None:
    """Writes manifest and step 0, which is the whole of `state`. Raises BadRun where the name is taken or nothing can be written."""
    folder = folder_of(root, manifest.name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with creation_lock(folder.parent):
            for leftover in folder.parent.glob(".new-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            _refuse_taken(folder)
            building = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
            _build(building / "run.sqlite", manifest, planned_end, state, effects)
            _rename(building, folder)
    except OSError as error:
        raise BadRun(f"run {folder.name!r} can't be made in {folder.parent}: {error.strerror or error}") from error


def _build(file: Path, manifest: Manifest, planned_end: int, state: State, effects: Sequence[Logged]) -> None:
    changes = whole_state(state)
    step = written(changes)
    vectors = {one.text: state.vector(one.text) for memories in changes.memories.values() for one in memories}
    kept = manifest.model_dump_json(exclude={"settings": {"machine"}}).encode()
    database = sqlite3.connect(file, isolation_level=None)
    try:
        with guarded(file), transaction(database):
            for statement in schema.TABLES.split(";\n"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION}")
            database.executemany("INSERT INTO meta VALUES (?,?)", [("manifest", kept), ("planned_end", encode(planned_end))])
            table = VectorTable(database, manifest.embedding, manifest.dimension)
            database.executemany(INSERT, (row for _, row in table.rows(vectors)))
            record = StepRecord(0, manifest.start, changes, effects)
            write_step(database, statements(record, step, step_digest("", step), prompts=False))
    finally:
        database.close()


def _refuse_taken(folder: Path) -> None:
    if (folder / "run.sqlite").exists():
        raise BadRun(f"there is a run {folder.name!r} already: go on with it by --resume, or choose another name")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRun(f"{folder} is in the way of a new run, and is none: remove it, or choose another name")


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
