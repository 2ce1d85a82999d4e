"""Towns to measure: on the scripted model, with hashed embeddings, from the same seed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from time import process_time

import numpy as np
from tqdm import tqdm

from hometown.config import combine
from hometown.game import Game
from hometown.garbage import tune_collector
from hometown.language import Lang
from hometown.memory.arithmetic import Vector
from hometown.model.embedding import make_embedder
from hometown.model.llm import Completion, Embedder, LanguageModel, Request
from hometown.new_run import create_run
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.world.clones import crowd, populate
from hometown.world.load import load_world
from hometown.world.world import World

STRIDE = 10
"""Game minutes of a step."""

STEPS_A_DAY = 1440 // STRIDE


def town_of(name: str, residents: int, lang: Lang = "en") -> World:
    """A world that ships, with so many residents: its cast, then clones of it."""
    world = load_world(name, lang)
    return populate(world, crowd(list(world.personas), residents))


class KnownVectors:
    """Hashed embeddings, which stand in for an embedding model: a text that was embedded in an
    earlier life takes no time again.
    """

    def __init__(self) -> None:
        self._hashing = make_embedder("hash", Settings())
        self.name, self.dimension = self._hashing.name, self._hashing.dimension
        self._known = dict[str, Vector]()

    async def embed(self, texts: Sequence[str]) -> Vector:
        new = [text for text in texts if text not in self._known]
        if new:
            self._known.update(zip(new, await self._hashing.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


class Remembering:
    """The scripted model, which gives the reply again that it has given in an earlier life to the
    same request of the same run, without thinking.

    `embedder` goes with it.
    """

    name = "scripted"

    def __init__(self) -> None:
        self.model, self.known = ScriptedModel(), dict[int, Completion]()
        self.embedder = KnownVectors()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if seed not in self.known:  # the seed of a request is its own
            self.known[seed] = await self.model.complete(request, seed=seed)
        return self.known[seed]


async def new_run(
    folder: Path,
    world: World,
    *,
    steps: int,
    name: str = "bench",
    start: datetime | None = None,
    settings: Settings | None = None,
    model: LanguageModel | None = None,
    embedder: Embedder | None = None,
    seed: int = 1,
) -> tuple[RunFile, Game]:
    """A run and its game before the first step; the caller closes the run."""
    settings = settings or combine([world.settings])
    model, embedder = model or ScriptedModel(), embedder or make_embedder("hash", settings)
    run = await create_run(
        folder,
        world,
        settings,
        model,
        embedder,
        name=name,
        start=start or world.start,
        stride=STRIDE,
        seed=seed,
        steps=steps,
    )
    return run, Game(run, world, model, embedder, settings.machine)


async def seconds_of_steps(
    world: World, model: Remembering, steps: int, start: datetime | None = None
) -> list[float]:
    """Seconds of the processor for each step of a new town, with its database, as a run lives them."""
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(
            Path(folder), world, steps=steps, start=start, model=model, embedder=model.embedder
        )
        with run, tune_collector() as between_steps:
            times = [process_time()]
            for _ in tqdm(range(steps), desc=f"{len(world.personas)} residents", unit="step"):
                await game.step()
                between_steps()
                times.append(process_time())
    return [after - before for before, after in pairwise(times)]
