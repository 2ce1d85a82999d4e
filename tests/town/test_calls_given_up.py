"""A town whose server fails at some requests for ever: it lives on with fallbacks, and its run can
be verified.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from hometown.errors import CallFailed
from hometown.game import Game
from hometown.model.llm import Completion, Request
from hometown.model.stats import Stats, recorded
from hometown.scripted.model import ScriptedModel
from hometown.storage.queries import History
from hometown.verify import Rehearsal, fold, rehearse
from hometown.world.clones import populate
from tests.support.town import live, minitown, opened

STEPS = 10


class FailsAtSome:
    """The scripted model, on a server that fails at one request in four."""

    name = "fails"

    def __init__(self) -> None:
        self._model = ScriptedModel()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if Random(seed).random() < 0.25:
            raise CallFailed("the grammar could not be compiled")
        completion = await self._model.complete(request, seed=seed)
        return Completion(completion.text, 100, 10, 60, 5.0, 50.0)


def test_calls_that_are_given_up_are_part_of_the_run(tmp_path: Path) -> None:
    town = minitown("en")
    world = populate(town, list(town.personas)[:3])
    live(
        tmp_path,
        STEPS,
        world=world,
        stride=30,
        model=FailsAtSome(),
        settings={"llm": {"max_fallback_share": 1.0}},
    )
    with opened(tmp_path) as run:
        calls = list(History(run.database).calls())
        failed = [call for call in calls if call.attempts[-1].failed]
        assert len(failed) > len(calls) / 8
        assert all(call.outcome == "fallback" for call in failed)
        total = recorded(run.stats())
        assert total == Stats(calls).total
        assert total.cached_tokens == 60 * sum(
            not attempt.failed for call in calls for attempt in call.attempts
        )
        assert (total.reading, total.writing) == (8000.0, 200.0)
        assert list(fold(run)) == list(range(STEPS + 1))
        asyncio.run(_rehearsed(rehearse(Rehearsal(run), world)))


async def _rehearsed(game: Game) -> None:
    for _ in range(STEPS):
        await game.step()
