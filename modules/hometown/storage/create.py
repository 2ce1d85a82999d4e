"""Creates a run's folder: it is built under a temporary name and then renamed, so that it appears
whole or not at all.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from hometown.errors import reason_of
from hometown.files import discard
from hometown.memory.arithmetic import Vector
from hometown.storage import table_schema
from hometown.storage.checksum import seal, seal_meta
from hometown.storage.codec import encode
from hometown.storage.database import failure_kind, transaction, translate_damage
from hometown.storage.digest import step_digest, to_canonical
from hometown.storage.identity import write_identity
from hometown.storage.inbox import FILE as INBOX
from hometown.storage.inbox import append, encode_lines
from hometown.storage.lock import creation_lock
from hometown.storage.manifest import Manifest
from hometown.storage.run_names import check_path, refuse_taken, run_folder
from hometown.storage.step_record import StepRecord, full_state, statements, write_step
from hometown.storage.vector_table import INSERT, VectorTable
from hometown.storage.world_copy import NO_FILES, keep_world
from hometown.system import sync_folder
from hometown.world.effects import Logged
from hometown.world.interventions import Intervention
from hometown.world.snapshot import Files
from hometown.world.state import State


def create_run_folder(
    root: Path,
    manifest: Manifest,
    planned_end: int,
    state: State,
    effects: Sequence[Logged],
    interventions: Sequence[Intervention] = (),
    world_files: Files = NO_FILES,
) -> None:
    """Write the manifest, the world, the user's `interventions`, and step 0, which is all of
    `state`.

    Raises BadRun if the name is taken or the folder cannot be written.
    """
    changes = full_state(state)
    vectors = {
        memory.text: state.vector(memory.text)
        for memories in changes.memories.values()
        for memory in memories
    }

    def write(database: sqlite3.Connection) -> None:
        keep_vectors(database, manifest, vectors)
        step = to_canonical(changes)
        write_step(
            database,
            statements(
                StepRecord(0, manifest.start, changes, effects),
                step,
                step_digest("", step),
                prompts=False,
            ),
        )
        seal(database, 0)

    build_run(
        root, manifest, planned_end, write, interventions=interventions, world_files=world_files
    )


def build_run(
    root: Path,
    manifest: Manifest,
    planned_end: int,
    write: Callable[[sqlite3.Connection], None],
    attach: Path | None = None,
    interventions: Sequence[Intervention] = (),
    world_files: Files = NO_FILES,
    parent: str = "",
) -> None:
    """Create a run's folder.

    Args:
        root: The results folder.
        manifest: The manifest.
        planned_end: The last planned step.
        write: Fills the tables; the database is migrated afterwards.
        attach: A database whose tables are created, visible to `write` as the schema `parent`.
        interventions: Requests for the inbox.
        world_files: Files of the copy of the world.
        parent: The id of the parent run.

    Raises:
        BadRun: The name is taken, or the folder cannot be written.
    """
    with new_folder(root, manifest.name) as building:
        with _create_database(building / "run.sqlite", attach) as database:
            write(database)
            table_schema.migrate(database)
            _write_meta(database, manifest, planned_end, parent)
            keep_world(database, world_files)
        if interventions:
            append(building / INBOX, encode_lines(interventions))


@contextmanager
def new_folder(root: Path, name: str) -> Iterator[Path]:
    """Yield a temporary folder that becomes the folder of the run `name` when the context ends,
    after removing what interrupted creations left. Raises BadRun if the name is taken, or the
    folder cannot be written.
    """
    folder = run_folder(root, name)
    for place in (folder, folder.with_name(".new-12345678")):
        check_path(place / "run.sqlite")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with creation_lock(folder.parent):
            for leftover in folder.parent.glob(".new-*"):
                discard(leftover)
            refuse_taken(root, name)
            building = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
            try:
                yield building
                _rename(building, folder)
            except BaseException:
                discard(building)
                raise
    except (OSError, sqlite3.OperationalError) as error:
        raise failure_kind(error)(
            "run {name!r} can't be created in {folder}: {reason}",
            name=folder.name,
            folder=folder.parent,
            reason=reason_of(error),
        ) from error


@contextmanager
def _create_database(file: Path, attach: Path | None) -> Iterator[sqlite3.Connection]:
    """Create a database with its tables; all that the context writes is one transaction."""
    with (
        closing(sqlite3.connect(file, isolation_level=None, uri=True)) as database,
        translate_damage(attach or file),
    ):
        if attach:
            database.execute(
                "ATTACH DATABASE ? AS parent", (f"{attach.resolve().as_uri()}?mode=ro",)
            )
        with transaction(database):
            if attach:
                table_schema.create_tables_like(database, database, "parent")
            else:
                table_schema.create_tables(database)
            yield database


def _write_meta(
    database: sqlite3.Connection, manifest: Manifest, planned_end: int, parent: str
) -> None:
    """Write the manifest, the planned end, the run's new id and its parent's, and their checksum."""
    rows = [("manifest", manifest.model_dump_json().encode()), ("planned_end", encode(planned_end))]
    database.executemany("INSERT INTO meta VALUES (?,?)", rows)
    write_identity(database, parent)
    seal_meta(database)


def keep_vectors(
    database: sqlite3.Connection, manifest: Manifest, vectors: Mapping[str, Vector]
) -> None:
    """Write the vectors of texts, of the manifest's embedding."""
    table = VectorTable(database, manifest.embedding, manifest.dimension)
    database.executemany(INSERT, (row for _, row in table.rows(vectors)))


def _rename(building: Path, folder: Path) -> None:
    """Rename the finished folder, in one moment and in place of an empty one, so that it survives a
    power cut from then on.
    """
    if folder.exists():
        folder.rmdir()
    building.rename(folder)
    sync_folder(folder.parent)
