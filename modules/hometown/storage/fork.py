"""Forks a run: a new run begins with a copy of another one's steps. The parent is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from hometown.memory.arithmetic import Vector
from hometown.storage.create import build_run, keep_vectors
from hometown.storage.inbox import number_interventions
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from hometown.world.incidents import Intervened
from hometown.world.interventions import Intervention, Kind
from hometown.world.snapshot import Files

COPIED = (
    "steps",
    "effects",
    "state",
    "memories",
    "memory_changes",
    "conversations",
    "trajectories",
    "calls",
    "prompts",
)
"""Tables whose rows belong to a step."""


def fork_run(
    root: Path,
    parent: RunFile,
    at: int,
    manifest: Manifest,
    planned_end: int,
    vectors: Mapping[str, Vector] | None,
    interventions: Sequence[Intervention],
    world_files: Files,
) -> list[Intervention]:
    """Create the run of `manifest` with steps 0 to `at` of `parent`, and return `interventions`
    with their numbers.

    The parent's requests that are still open after step `at` are copied, too.

    Args:
        root: The results folder.
        parent: The run to copy from.
        at: The last step to copy.
        manifest: The manifest of the fork.
        planned_end: The last planned step.
        vectors: Vectors of all texts remembered by then, if the fork has an embedding of its own;
            otherwise the parent's are copied.
        interventions: Requests to add to the inbox.
        world_files: Files of the fork's world.

    Raises:
        BadRun: The name is taken, or the folder cannot be written.
    """

    def write(database: sqlite3.Connection) -> None:
        _copy_steps(database, at)
        if vectors is None:
            _copy_vectors(database, manifest.embedding)
        else:
            keep_vectors(database, manifest, vectors)

    waiting = open_requests(parent, at)
    added = number_interventions(
        interventions, max(parent.answered(at).latest, *(request.number for request in waiting), 0)
    )
    build_run(
        root, manifest, planned_end, write, parent.file, [*waiting, *added], world_files, parent.id
    )
    return added


def _copy_steps(database: sqlite3.Connection, at: int) -> None:
    """Copy the rows of steps up to `at` from the schema `parent`."""
    tables = {
        table
        for (table,) in database.execute(
            "SELECT name FROM parent.sqlite_master WHERE type = 'table'"
        )
    }
    for table in (*COPIED, "checksums"):
        if table in tables:  # which an older parent may lack
            database.execute(
                f"INSERT INTO main.{table} SELECT * FROM parent.{table} WHERE step <= ?", (at,)
            )


def _copy_vectors(database: sqlite3.Connection, embedding: str) -> None:
    """Copy the vectors of an embedding from the schema `parent`."""
    database.execute(
        "INSERT INTO main.embeddings SELECT * FROM parent.embeddings WHERE embedding = ?",
        (embedding,),
    )


def open_requests(
    parent: RunFile, at: int, unreadable: tuple[type[Exception], ...] = ()
) -> list[Intervention]:
    """Return the requests not carried out by step `at`, by number: those of the inbox, and those
    that later steps carried out, made from the steps' effects.

    Requests that raise one of `unreadable` are skipped.
    """
    requests: dict[int, Intervention] = {}
    with suppress(*unreadable):
        answered = parent.answered(at)
        requests = {
            request.number: request
            for request in parent.inbox.interventions()
            if request.number not in answered
        }
    for (step,) in parent.database.execute(
        "SELECT step FROM state WHERE key = 'answered/town' AND step > ? ORDER BY step", (at,)
    ).fetchall():
        with suppress(*unreadable):
            requests |= {request.number: request for request in _carried_out(parent, step)}
    return [requests[number] for number in sorted(requests)]


def _carried_out(parent: RunFile, step: int) -> list[Intervention]:
    """Return the requests that were carried out in a step, made from its effects."""
    effects = (logged.effect for _, logged in parent.effects(step, step))
    return [
        Intervention(
            cast(Kind, effect.kind), effect.target, effect.text, step, effect.number, effect.memory
        )
        for effect in effects
        if isinstance(effect, Intervened)
    ]


def remembered_texts(parent: RunFile, at: int) -> list[str]:
    """Return the texts of all memories made up to step `at`, retired ones too, each once."""
    return [
        text
        for (text,) in parent.database.execute(
            "SELECT DISTINCT text FROM memories WHERE step <= ? ORDER BY text", (at,)
        )
    ]
