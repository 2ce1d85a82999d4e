"""A crowd on shards lives and sees on its way what it does in one process, and so does a society."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime
from pathlib import Path

from hometown.storage.run import RunFile
from hometown.world.clones import crowd, populate
from hometown.world.effects import Arrived, Effect, Moved, PassedBy, Refused, TalkEnded
from hometown.world.load import load_world
from hometown.world.world import World
from tests.support.shards import spread
from tests.support.town import game_on, live, minitown, opened

RESIDENTS, STEPS = 30, 9
EVENING = datetime(2025, 2, 13, 20, 0)
"""Some walk home, others talk, and some find that they cannot go where they wanted."""


def test_a_crowd_sees_on_shards_what_it_sees_in_one_process(tmp_path: Path) -> None:
    here, far, town = tmp_path / "here", tmp_path / "far", minitown()
    town = populate(town, crowd(list(town.personas), RESIDENTS))
    live(here, STEPS, world=town, start=EVENING)
    live(far, 0, world=town, start=EVENING)
    asyncio.run(on_shards(far, town, 4, STEPS))
    assert lived(far) == lived(here)
    effects = lived(here)[1]
    happened, passed = (
        Counter(map(type, effects)),
        [each for each in effects if isinstance(each, PassedBy)],
    )
    assert min(happened[Moved], happened[Arrived], happened[TalkEnded]) > 20
    assert happened[Refused]
    assert sum(len(each.people) for each in passed) > 100
    assert sum(bool(shown) for each in passed for _, shown in each.things) > 20


def test_a_town_with_a_society_is_the_same_on_shards(tmp_path: Path) -> None:
    farm, (here, far) = load_world("farmstead", "en"), (tmp_path / name for name in ("here", "far"))
    live(here, 2, world=farm)
    live(far, 0, world=farm)
    asyncio.run(on_shards(far, farm, 2, 2))
    assert lived(far) == lived(here)


async def on_shards(folder: Path, town: World, shards: int, steps: int) -> None:
    with RunFile.open(folder, "town", write=True) as run:
        game = game_on(run, town)
        spread(game, shards)
        while run.last.step < steps:
            await game.step()


def lived(folder: Path) -> tuple[list[str], list[Effect]]:
    """Return the digests of a run, and all that has happened in it."""
    with opened(folder) as run:
        effects = [logged.effect for _, logged in run.effects(1, run.last.step)]
        return list(run.digests()), effects
