"""The step: determinism, concurrency, resume, and the laws of the town after every step."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from modules.model.embedding import make_embedder
from modules.model.llm import Completion, Request
from modules.model.scripted.model import ScriptedModel
from modules.settings import Settings
from modules.storage.digest import state_hash
from modules.world.clones import populated
from modules.world.effects import Began
from tests.laws import laws
from tests.town import live, minitown, opened, state_of


def test_one_seed_lives_the_same_life_twice(tmp_path: Path) -> None:
    assert live(tmp_path / "a", 40) == live(tmp_path / "b", 40)


def test_two_seeds_live_differently_and_not_only_in_their_digest(tmp_path: Path) -> None:
    lives = []
    for seed in (1, 2):
        live(tmp_path / str(seed), 60, seed=seed)
        with opened(tmp_path / str(seed)) as run:
            talks = [talk.lines for talk in run.talks()]
            places = [(logged.who, logged.effect.action.address) for _, logged in run.effects() if isinstance(logged.effect, Began)]
        lives.append((talks, places))
    assert lives[0][0] != lives[1][0]
    assert lives[0][1] != lives[1][1]


def test_interrupted_and_resumed_is_the_same_as_never_stopped(tmp_path: Path) -> None:
    whole = live(tmp_path / "whole", 50)
    for steps in (13, 1, 30, 6):
        parts = live(tmp_path / "parts", steps)
    assert parts == whole
    with opened(tmp_path / "whole") as one, opened(tmp_path / "parts") as other:
        assert state_hash(one.restore()) == state_hash(other.restore())


@pytest.mark.parametrize("turn_order", ["simultaneous", "sequential"])
def test_the_laws_of_the_town_hold_after_every_step(tmp_path: Path, turn_order: str) -> None:
    live(tmp_path, 108, settings={"turn_order": turn_order}, after_each=laws)


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


CONCURRENT_STEPS = 100


@pytest.fixture(scope="session")
def one_at_a_time(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The run as it goes with one call under way at a time, and without delays."""
    return live(tmp_path_factory.mktemp("alone"), CONCURRENT_STEPS)


@pytest.mark.parametrize("order", range(50))
def test_concurrent_equals_one_at_a_time(tmp_path: Path, one_at_a_time: list[str], order: int) -> None:
    assert live(tmp_path, CONCURRENT_STEPS, model=Reordering(order), embedder=Rebatching(order)) == one_at_a_time


def test_what_the_database_holds_is_the_live_state(tmp_path: Path) -> None:
    hashes: list[str] = []
    live(tmp_path, 30, after_each=lambda game: hashes.append(state_hash(game.state)))
    assert state_hash(state_of(tmp_path)) == hashes[-1]
    with opened(tmp_path) as run:
        assert [state_hash(run.restore(step)) for step in (1, 15, 30)] == [hashes[0], hashes[14], hashes[29]]


def test_a_town_of_one_lives_too(tmp_path: Path) -> None:
    world = minitown()
    alone = populated(world, list(world.personas)[:1])
    assert len(live(tmp_path, 108, world=alone)) == 109
