"""The step: determinism, concurrency, resume, and the laws of the town after every step."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hometown.model.embedding import make_embedder
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.storage.digest import state_hash
from hometown.world.clones import populate
from hometown.world.effects import Began
from tests.support.days import STEPS, lived_day
from tests.support.laws import laws
from tests.support.town import live, minitown, opened, state_of


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day that was never stopped, with replies that come at once."""
    return lived_day(tmp_path_factory)


@pytest.fixture(scope="module")
def digests(day: Path) -> list[str]:
    """The digests of that day."""
    with opened(day) as run:
        return list(run.digests())


def test_two_seeds_live_differently_and_not_only_in_their_digest(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lives = []
    for seed in (1, 2):
        with opened(lived_day(tmp_path_factory, seed=seed)) as run:
            talks = [talk.lines for talk in run.conversations()]
            places = [
                (logged.who, logged.effect.action.address)
                for _, logged in run.effects()
                if isinstance(logged.effect, Began)
            ]
        lives.append((talks, places))
    assert lives[0][0] != lives[1][0]
    assert lives[0][1] != lives[1][1]


def test_interrupted_and_resumed_is_the_same_as_never_stopped(
    tmp_path: Path, day: Path, digests: list[str]
) -> None:
    for steps in (13, 1, 30, 6):
        parts = live(tmp_path, steps)
    assert parts == digests[:51]
    with opened(day) as one, opened(tmp_path) as other:
        assert state_hash(one.restore(50)) == state_hash(other.restore())


def test_the_laws_of_the_town_hold_after_every_step_in_which_residents_take_turns(
    tmp_path: Path,
) -> None:
    live(tmp_path, 54, settings={"turn_order": "sequential"}, after_each=laws)


class Reordering(ScriptedModel):
    """The scripted model behind a line that delays and reorders replies at random."""

    def __init__(self, order: int) -> None:
        super().__init__()
        self._random = random.Random(order)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        for _ in range(self._random.randrange(12)):
            await asyncio.sleep(0)
        completion = await super().complete(request, seed=seed, priority=priority)
        for _ in range(self._random.randrange(6)):
            await asyncio.sleep(0)
        return completion


class Rebatching:
    """The hash embedding, answered in batches of random sizes and after random delays."""

    def __init__(self, order: int) -> None:
        self._inner = make_embedder("hash", Settings())
        self.name, self.dimension = self._inner.name, self._inner.dimension
        self._random = random.Random(order)

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        parts, at = [], 0
        while at < len(texts):
            size = self._random.randint(1, 5)
            await asyncio.sleep(0)
            parts.append(await self._inner.embed(texts[at : at + size]))
            at += size
        return np.concatenate(parts)


ORDERS = int(os.environ.get("HOMETOWN_ORDERS", "1"))
"""How many orders of replies are tried; `make fuzz` tries 50."""


@pytest.mark.parametrize("order", range(ORDERS))
def test_concurrent_equals_one_at_a_time_and_the_laws_of_the_town_hold_after_every_step(
    tmp_path: Path, digests: list[str], order: int
) -> None:
    assert (
        live(tmp_path, STEPS, model=Reordering(order), embedder=Rebatching(order), after_each=laws)
        == digests
    )


def test_what_the_database_holds_is_the_live_state(tmp_path: Path) -> None:
    hashes: list[str] = []
    live(tmp_path, 30, after_each=lambda game: hashes.append(state_hash(game.state)))
    assert state_hash(state_of(tmp_path)) == hashes[-1]
    with opened(tmp_path) as run:
        assert [state_hash(run.restore(step)) for step in (1, 15, 30)] == [
            hashes[0],
            hashes[14],
            hashes[29],
        ]


def test_a_town_of_one_lives_too(tmp_path: Path) -> None:
    world = minitown()
    alone = populate(world, list(world.personas)[:1])
    assert len(live(tmp_path, 108, world=alone)) == 109
