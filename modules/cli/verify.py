"""`start.py --verify`: whether a run is what it says it is, without a model and without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from modules.cli.text import Text
from modules.replay.names import Names
from modules.replay.output import progress
from modules.storage.run import Run
from modules.text import said
from modules.verify import Difference, Rehearsal, fold, reading, rehearse, thinkable
from modules.world.world import World

DIFFERENT = 1

LONGEST = 400
"""Characters of a value that are printed."""


def verify(name: str, results: Path, worlds: Path, text: Text) -> int:
    """Prints what was found; `worlds` is where the run's world is looked for.

    Gives 0 where the run is the same, 1 where it is not. Raises BadRun for what is no run at all.
    """
    with Run.open(results, name) as run:
        last, world = run.last.step, Names.of(run.manifest, worlds).world
        try:
            _through(fold(run), text("verify_fold"), last + 1)
            print(text("verify_folded", name=name, steps=last), flush=True)
            obstacle = thinkable(run, world)
            if obstacle or world is None:
                print(text(f"verify_no_{obstacle}", engine=run.manifest.engine))
                return 0
            rehearsal = Rehearsal(run)
            asyncio.run(_think(rehearsal, world, text, last))
            print(text("verify_thought", name=name, steps=last - rehearsal.first))
            if rehearsal.first:
                print(text("verify_parent", parent=run.manifest.parent, steps=rehearsal.first))
        except Difference as found:
            print(_told(found, text))
            return DIFFERENT
    return 0


async def _think(rehearsal: Rehearsal, world: World, text: Text, last: int) -> None:
    game = rehearse(rehearsal, world)
    for step in progress(range(rehearsal.first, last), text("verify_think"), text("unit"), last - rehearsal.first):
        with reading(step + 1, "calls"):
            await game.step()


def _through(steps: Iterable[int], what: str, total: int) -> None:
    for _ in progress(steps, what, "step", total):
        pass


def _told(found: Difference, text: Text) -> str:
    """The difference: where it is, then both values, a line each."""
    where = text("verify_differs", step=found.step, who=found.who or "–", what=found.what)
    recorded, now = (_short(said(value, text.lang)) for value in (found.recorded, found.found))
    return "\n".join((where, text("verify_recorded", value=recorded), text("verify_found", value=now)))


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
