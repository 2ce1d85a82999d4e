"""What residents see on their way, each shard finds out for its own, as one process does for all."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from hometown.storage.run import Run
from hometown.world.clones import crowd, populate
from hometown.world.effects import Arrived, Effect, Moved, PassedBy, Refused, TalkEnded
from hometown.world.world import World
from tests.support.shards import spread
from tests.support.town import game_on, live, minitown, opened

RESIDENTS, SHARDS, STEPS = 30, 4, 9
BEDTIME = datetime(2025, 2, 13, 22, 0)
"""Some sleep, others talk and walk home."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages do not wait."""
    monkeypatch.setattr("hometown.shards.wire.GRACE", 0.0)


def test_a_crowd_sees_on_shards_what_it_sees_in_one_process(tmp_path: Path) -> None:
    here, far, town = tmp_path / "here", tmp_path / "far", minitown()
    town = populate(town, crowd(list(town.personas), RESIDENTS))
    live(here, STEPS, world=town, start=BEDTIME)
    live(far, 0, world=town, start=BEDTIME)
    asyncio.run(on_shards(far, town))
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


async def on_shards(folder: Path, town: World) -> None:
    with Run.open(folder, "town", write=True) as run:
        game = game_on(run, town)
        spread(game, SHARDS)
        while run.last.step < STEPS:
            await game.step()


def lived(folder: Path) -> tuple[list[str], list[Effect]]:
    """The digests of a run, and all that has happened in it."""
    with opened(folder) as run:
        return list(run.digests()), [logged.effect for _, logged in run.effects(1, STEPS)]
