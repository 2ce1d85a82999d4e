"""Slots of the model server are kept busy, and the town does not depend on which reply comes first."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from benchmarks.slots import live_day
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.world.clones import crowd, populate
from tests.support.town import live, minitown


def test_a_slot_is_never_idle_while_a_call_is_ready() -> None:
    town = minitown()
    meter, _ = live_day(populate(town, crowd(list(town.personas), 25)), until=9 * 60)
    assert meter.idle_seconds == 0
    assert meter.busy_seconds / meter.seconds >= 3.2


class Whimsical(ScriptedModel):
    """Replies after some turns of the event loop or others, so that thoughts overtake each other."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        for _ in range(self.random.randrange(30)):
            await asyncio.sleep(0)
        return await super().complete(request, seed=seed)


def test_a_town_is_the_same_whichever_reply_comes_first(tmp_path: Path) -> None:
    settings = {"think": {"poignancy_max": 20}}
    digests = [
        live(tmp_path / str(seed), 24, world=minitown(), model=Whimsical(seed), settings=settings)
        for seed in range(2)
    ]
    assert digests[0] == digests[1]
