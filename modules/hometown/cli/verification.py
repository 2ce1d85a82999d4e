"""The work of `hometown verify`: a run is compared with its own records, without a model and
without a network.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.history.names import Names
from hometown.progress_bar import progress
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_note
from hometown.text import localize
from hometown.verify import (
    Mismatch,
    Rehearsal,
    fold,
    rehearse,
    report_unreadable,
    rethinking_obstacle,
)
from hometown.world.world import World

DIFFERENT = 1

LONGEST = 400
"""The printed characters of a value."""


def verify_run(name: str, results: Path, worlds: Path, text: Text) -> int:
    """Print the result of the comparison.

    Args:
        name: The run.
        results: The folder of runs.
        worlds: The folder in which the run's world is looked for.
        text: The user's language.

    Returns:
        0 if the run matches its records, else 1.

    Raises:
        BadRun: There is no such run.
    """
    with RunFile.open(results, name) as run:
        last, world = run.last.step, Names.of(run, worlds).world
        if note := world_note(run, worlds):
            print(localize(note, text.lang))
        try:
            _watch(fold(run), text("verify_fold"), last + 1)
            print(text("verify_folded", name=name, steps=last), flush=True)
            obstacle = rethinking_obstacle(run, world)
            if obstacle or world is None:
                print(text(f"verify_no_{obstacle}", engine=run.manifest.engine))
                return 0
            rehearsal = Rehearsal(run)
            run_stoppable(_think(rehearsal, world, text, last))
            print(text("verify_thought", name=name, steps=last - rehearsal.first))
            if rehearsal.first:
                print(text("verify_parent", parent=run.manifest.parent, steps=rehearsal.first))
        except Mismatch as difference:
            print(_describe(difference, text))
            return DIFFERENT
    return 0


async def _think(rehearsal: Rehearsal, world: World, text: Text, last: int) -> None:
    game = rehearse(rehearsal, world)
    for step in progress(
        range(rehearsal.first, last), text("verify_think"), text("unit"), last - rehearsal.first
    ):
        with report_unreadable(step + 1, "calls"):
            await game.step()


def _watch(steps: Iterable[int], what: str, total: int) -> None:
    for _ in progress(steps, what, "step", total):
        pass


def _describe(difference: Mismatch, text: Text) -> str:
    """Return the place of a difference, then both values, a line each."""
    where = text(
        "verify_differs", step=difference.step, who=difference.who or "–", what=difference.what
    )
    recorded, now = (
        _short(localize(value, text.lang)) for value in (difference.recorded, difference.computed)
    )
    return "\n".join(
        (where, text("verify_recorded", value=recorded), text("verify_found", value=now))
    )


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
