"""A town for tests: minitown on the scripted model, lived for some steps in a folder of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment
from hometown.config import combine
from hometown.game import Game
from hometown.garbage import tune_collector
from hometown.language import Lang
from hometown.model.embedding import make_embedder
from hometown.model.llm import Embedder, LanguageModel
from hometown.new_run import create_run
from hometown.scripted.model import ScriptedModel
from hometown.settings import Machine
from hometown.storage.run import RunFile
from hometown.world.load import load_world
from hometown.world.persona import Persona
from hometown.world.state import State
from hometown.world.world import World

MORNING = datetime(2025, 2, 13, 6, 0)

Check = Callable[[Game], None]


def minitown(lang: Lang = "en", **changes: Mapping[str, Any]) -> World:
    """The world, with fields of single residents replaced: `minitown(wang_fang={"bed": 120})`."""
    world = _minitown(lang)
    personas: dict[str, Persona] = {
        who: replace(persona, **changes.get(who, {})) for who, persona in world.personas.items()
    }
    return replace(world, personas=personas)


@cache
def _minitown(lang: Lang) -> World:
    return load_world("minitown", lang)


async def lived(
    folder: Path,
    steps: int,
    *,
    world: World | None = None,
    start: datetime = MORNING,
    stride: int = 10,
    seed: int = 1,
    name: str = "town",
    settings: Mapping[str, Any] | None = None,
    model: LanguageModel | None = None,
    embedder: Embedder | None = None,
    after_each: Check | None = None,
) -> list[str]:
    """Founds a run, or opens the one that is there, and lives so many steps of it, looking for
    cycles as rarely as a run does. Gives all digests.
    """
    town = world or minitown()
    chosen = combine([settings or {}], town.settings)
    speaks, embeds = model or ScriptedModel(), embedder or make_embedder("hash", chosen)
    there = (folder / "checkpoints" / name / "run.sqlite").exists()
    run = (
        RunFile.open(folder, name, write=True)
        if there
        else await create_run(
            folder,
            town,
            chosen,
            speaks,
            embeds,
            name=name,
            start=start,
            stride=stride,
            seed=seed,
            steps=steps,
        )
    )
    with run, tune_collector() as between_steps:
        game = Game(run, town, speaks, embeds)
        for _ in range(steps):
            await game.step()
            between_steps()
            if after_each is not None:
                after_each(game)
        return list(run.digests())


def game_on(run: RunFile, world: World | None = None, model: LanguageModel | None = None) -> Game:
    """Return a game that lives on with an open run: of minitown and on the scripted model, where
    nothing else is given.
    """
    settings = run.manifest.settings.add_machine(Machine())
    return Game(run, world or minitown(), model or ScriptedModel(), make_embedder("hash", settings))


def live(folder: Path, steps: int, **how: Any) -> list[str]:
    """`lived`, to its end."""
    return asyncio.run(lived(folder, steps, **how))


def begin_town(folder: Path, lang: Lang = "en", start: datetime = MORNING, seed: int = 1) -> None:
    """Put a town into a results folder that has lived its first step, as `live(folder, 1)` would:
    each is lived once in a process and copied.
    """
    for path, content in _first_step(lang, start, seed).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


@cache
def _first_step(lang: Lang, start: datetime, seed: int) -> Mapping[Path, bytes]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        live(folder, 1, world=minitown(lang), start=start, seed=seed)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder): path.read_bytes() for path in files}


def opened(folder: Path, name: str = "town") -> RunFile:
    return RunFile.open(folder, name)


def state_of(folder: Path, name: str = "town") -> State:
    with opened(folder, name) as run:
        return run.restore()


def join_readily(patch: pytest.MonkeyPatch) -> None:
    """Let residents join all talks near them."""
    patch.setattr("hometown.agent.thinking_group.wants_to_mingle", lambda mind, talking: True)


def minds_of(game: Game, people: Sequence[str], now: datetime | None = None) -> dict[str, Mind]:
    """Minds on the town as it now stands, as its next step wakes them, or a step at another time
    would.
    """
    context = game.look(
        Moment(game.state.clock.step + 1, now or game.state.clock.now, game.manifest.stride)
    )
    return {who: Mind(who, context) for who in people}
