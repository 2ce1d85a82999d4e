"""A game of a session, with its minds here or on as many shards as the settings of the machine say."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec

from hometown.errors import BadInput
from hometown.game import Game
from hometown.model.call_budget import BudgetedModel
from hometown.model.llm import LanguageModel
from hometown.model.retrying import notify_user
from hometown.model.routing import usual_name
from hometown.paths import pip_command
from hometown.session import Session
from hometown.settings import Machine, Settings
from hometown.shards.package import Charter
from hometown.world.world import World, sector_of

IN_PROCESS = ("gguf", "huggingface")
"""Backends whose models are processes or memory of the run's own, so that each shard would load
them again.
"""

GRANTED = 16
"""Calls that a shard is granted at once, at most."""


@asynccontextmanager
async def game_of(
    session: Session, model: LanguageModel | None = None, listens: bool = False
) -> AsyncIterator[Game]:
    """The game of a session, on its model or a wrapper of that. Raises BadInput where the minds
    can't be on shards as the settings want.
    """
    asked = model or session.model
    refuse_unequipped(session.machine)
    count = min(session.machine.shards, len(session.world.personas))
    if count == 0:
        yield Game(session.run, session.world, asked, session.embedder, session.machine)
        return
    from hometown.shards.cluster import Cluster
    from hometown.shards.minds import Shards

    settings = session.run.manifest.settings.add_machine(session.machine)
    refuse_unfit(settings, session.run.manifest.llm)
    budget = asked if isinstance(asked, BudgetedModel) and asked.is_limited else None
    home = homes(session.world, count)
    cluster = Cluster(
        charters(session, settings, count, listens, leased=budget is not None), session.machine.ray
    )
    try:
        minds = Shards(cluster, home, session.run, notify_user, grants(budget, count))
        yield Game(session.run, session.world, asked, session.embedder, session.machine, minds)
    finally:
        cluster.close()


def refuse_unequipped(machine: Machine) -> None:
    """Raises BadInput where shards are wanted and what they need is missing, before anything is
    written.
    """
    if not machine.shards:
        return
    if not hasattr(sqlite3.Connection, "deserialize"):
        raise BadInput(
            "--shards needs SQLite 3.36 or newer, and this Python has {version}: use a Python with a newer one",
            version=sqlite3.sqlite_version,
        )
    if find_spec("ray") is None:
        raise BadInput(
            "--shards needs the package ray, which is not installed: {command}",
            command=pip_command("ray"),
        )


def refuse_unfit(settings: Settings, llm: str) -> None:
    """Raises BadInput for a run whose minds can't be on shards."""
    if settings.turn_order == "sequential":
        raise BadInput(
            "--shards needs turn_order simultaneous: this run's residents think one after the other; leave out --shards"
        )
    backend = usual_name(llm).partition(":")[0]
    if backend in IN_PROCESS:
        raise BadInput(
            "--shards needs a model server, since each shard would load {llm} for itself: use ollama:MODEL or openai:MODEL",
            llm=usual_name(llm),
        )


def homes(world: World, count: int) -> dict[str, int]:
    """The shard of each resident, by number: as many on each, and who lives in one house on the
    same, as far as that goes.
    """
    people = sorted(world.personas, key=lambda who: sector_of(world.personas[who].home))
    return {who: at * count // len(people) for at, who in enumerate(people)}


def charters(
    session: Session, settings: Settings, count: int, listens: bool, leased: bool
) -> list[Charter]:
    """What each shard is founded with: its share of the slots is as large as that of the others,
    give or take one, and one at least.
    """
    manifest, slots = session.run.manifest, settings.machine.slots
    shares = [max(1, slots // count + (number < slots % count)) for number in range(count)]
    own = [
        settings.model_copy(
            update={"machine": settings.machine.model_copy(update={"slots": share, "ahead": 0})}
        )
        for share in shares
    ]
    fixed = (manifest.seed, usual_name(manifest.llm), manifest.embedding, listens, leased)
    return [Charter(number, session.world, own[number], *fixed) for number in range(count)]


def grants(budget: BudgetedModel | None, count: int) -> Callable[[], int]:
    """How many more calls a shard may make when it asks: fewer, the fewer are left for all."""
    return lambda: (
        budget.take(lambda left: max(1, min(GRANTED, int(left) // (2 * count)))) if budget else -1
    )
