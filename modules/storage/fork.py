"""A new run that begins with another one's past: a copy of it up to a step. The parent is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from modules.memory.associate import Vector
from modules.storage.create import build_run, keep_vectors
from modules.storage.manifest import Manifest
from modules.storage.run import Run

COPIED = ("steps", "effects", "state", "memories", "memory_changes", "conversations", "trajectories", "calls", "prompts")
"""Tables whose rows belong to a step."""


def fork_run(root: Path, parent: Run, at: int, manifest: Manifest, planned_end: int, vectors: Mapping[str, Vector] | None = None) -> None:
    """Makes the run of `manifest` with steps 0 to `at` of `parent`.

    `vectors` are those of all texts remembered by then, where the new run has an embedding of its own; else the
    parent's are copied. Raises BadRun where the name is taken or nothing can be written.
    """

    def write(database: sqlite3.Connection) -> None:
        for table in COPIED:
            database.execute(f"INSERT INTO main.{table} SELECT * FROM parent.{table} WHERE step <= ?", (at,))
        if vectors is None:
            database.execute("INSERT INTO main.embeddings SELECT * FROM parent.embeddings WHERE embedding = ?", (manifest.embedding,))
        else:
            keep_vectors(database, manifest, vectors)

    build_run(root, manifest, planned_end, write, attach=parent.file)


def remembered(parent: Run, at: int) -> list[str]:
    """The texts of all memories made up to step `at`, retired ones too, each once."""
    return [text for (text,) in parent.database.execute("SELECT DISTINCT text FROM memories WHERE step <= ? ORDER BY text", (at,))]
