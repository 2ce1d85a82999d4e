"""The public interface to the upkeep of runs, which are given by their names: they are checked,
verified and repaired, also where their files are damaged.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

from hometown.config import combine
from hometown.errors import BadInput, reason_of
from hometown.forking import Config, permit_layers
from hometown.frozen import frozen
from hometown.history.names import Names
from hometown.model.llm import Embedder
from hometown.paths import RESULTS
from hometown.repair import UNOPENABLE, Recovery, Soundness, examine_run, readable_copy, rescue
from hometown.session import same_embedder
from hometown.settings import Settings
from hometown.storage.database import refuse_open_wal
from hometown.storage.run import RunFile
from hometown.storage.run_names import existing_file, lengthen_name, refuse_taken
from hometown.storage.salvage import UNREADABLE, connect_leniently, page_faults
from hometown.storage.side_files import refuse_links
from hometown.storage.world_copy import world_note
from hometown.verify import (
    Mismatch,
    Obstacle,
    Rehearsal,
    fold,
    rehearse,
    report_unreadable,
    rethinking_obstacle,
)
from hometown.worker import for_asyncio, run_in_thread
from hometown.world.world import World

REPAIRED = "-repaired"
"""The end of the name of a repaired run, unless it is given one."""

Stage = Literal["fold", "think"]
"""The two halves of a verification: effects are applied, then residents think again."""

Watch = Callable[[Iterable[int], Stage, int], Iterable[int]]
"""Passes on the steps of a stage, whose number is given, and may show how far it is."""


@frozen
class Verification:
    """The result of a verification.

    Attributes:
        steps: the last step of the run.
        folded: the last step up to which the recorded effects produce the recorded states and
            digests; −1 if not even step 0 matches.
        first: the step after which residents thought again; up to there, a fork has the steps of
            its parent.
        thought: the number of steps that residents think again as recorded, from the recorded
            replies.
        obstacle: "engine", "world" or "prompts" where the steps cannot be thought again, since this
            is another engine, the world is changed or missing, or prompts were shortened to fit
            the model's context and not kept; otherwise "".
        difference: the first difference from the records, None if there is none.
        note: a sentence about the run's world, if its folder differs from it; otherwise "".
    """

    name: str
    parent: str
    engine: int
    steps: int
    note: str
    folded: int = -1
    first: int = 0
    thought: int = 0
    obstacle: Obstacle = ""
    difference: Mismatch | None = None

    @property
    def matches(self) -> bool:
        """Return True if nothing differs from the records."""
        return self.difference is None


def pass_on(steps: Iterable[int], stage: Stage, total: int) -> Iterable[int]:
    """Return the steps, and show nothing."""
    return steps


# checking ----------------------------------------------------------------------------------


def check_run(name: str, *, results: Path = RESULTS) -> Soundness:
    """Examine which parts of a run are intact; the run is only read. Raises BadRun if there is no
    such run, or none of it can be read.
    """
    file = existing_file(results, name)
    refuse_links(file, write=False)
    refuse_open_wal(file)
    try:
        with RunFile.open(results, name) as run:
            found = examine_run(run)
    except UNREADABLE as error:
        found = replace(UNOPENABLE, unreadable=reason_of(error))
    return found if found.sound else _examine_copy(file, found)


check_run_async = for_asyncio(check_run)


def _examine_copy(file: Path, found: Soundness) -> Soundness:
    """Return the intact parts of a damaged file, of which a first look has `found` some."""
    with closing(connect_leniently(file)) as database:
        pages = tuple(page_faults(database))
    with readable_copy(file) as run:
        rest = examine_run(run)
    unreadable = (found.unreadable,) if found.unreadable else ()
    return replace(
        rest,
        pages=pages or unreadable,
        steps=max(found.steps, rest.steps),
        inbox=found.inbox,
        unreadable=found.unreadable,
    )


# repairing ---------------------------------------------------------------------------------


def repair_run(
    name: str, new: str = "", *, settings: Config | None = None, results: Path = RESULTS
) -> Recovery:
    """Create a new run, by default NAME-repaired, from the intact part of a damaged one, which is
    only read; memories that have lost their vectors are embedded again.

    Raises BadRun if nothing is intact, the new name is taken, or vectors are lost and their
    embedding is not to be had; ModelUnavailable if its server does not answer.
    """
    return run_in_thread(rescue_by_name(name, new, combine(permit_layers(settings)), results))


repair_run_async = for_asyncio(repair_run)


async def rescue_by_name(name: str, new: str, here: Settings, results: Path) -> Recovery:
    """Create a new run from the intact part of a damaged one, with the settings of this machine.
    Raises as `repair_run` does.
    """
    new = new or lengthen_name(name, REPAIRED)
    refuse_taken(results, new)
    file = existing_file(results, name)
    refuse_links(file, write=False)
    with readable_copy(file) as run:
        await asyncio.sleep(0)  # where it can be interrupted
        return await rescue(run, results, new, _find_embedder(run, here))


def _find_embedder(run: RunFile, here: Settings) -> Embedder | None:
    """Return the run's embedding; None if it is not available here or no longer the same."""
    try:
        return same_embedder(run.manifest, here)
    except BadInput:
        return None


# verifying ---------------------------------------------------------------------------------


async def verify_by_name(
    name: str, results: Path, worlds: Path, watch: Watch = pass_on
) -> Verification:
    """Compare a run with its own records, without a model: its effects have to produce its states,
    and its residents, thinking again with the recorded replies, these effects. `watch` sees each
    step. Raises BadRun if there is no such run.
    """
    with RunFile.open(results, name) as run:
        note, manifest = world_note(run, worlds), run.manifest
        found = Verification(name, manifest.parent or "", manifest.engine, run.last.step, note)
        world = Names.of(run, worlds).world
        try:
            for step in watch(fold(run), "fold", found.steps + 1):
                found = replace(found, folded=step)
                await asyncio.sleep(0)  # where it can be interrupted
            obstacle = rethinking_obstacle(run, world)
            if obstacle or world is None:
                return replace(found, obstacle=obstacle)
            rehearsal = Rehearsal(run)
            found = replace(found, first=rehearsal.first)
            async for thought in _think(rehearsal, world, found.steps, watch):
                found = replace(found, thought=thought)
        except Mismatch as difference:
            return replace(found, difference=difference)
    return found


async def _think(rehearsal: Rehearsal, world: World, last: int, watch: Watch) -> AsyncIterator[int]:
    """Think the steps of the rehearsal up to `last` again, and yield their number after each one.
    Raises Mismatch at the first that differs from its record, or whose record cannot be read.
    """
    first, game = rehearsal.first, rehearse(rehearsal, world)
    for step in watch(range(first, last), "think", last - first):
        with report_unreadable(step + 1, "calls"):
            await game.step()
        yield step + 1 - first
