"""Games of sessions whose minds are on shards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from importlib.util import find_spec

from hometown.errors import BadInput
from hometown.game import Game
from hometown.model.call_budget import BudgetedModel
from hometown.model.llm import LanguageModel
from hometown.model.permission import names_of_run
from hometown.model.retrying import notify_user
from hometown.model.routing import usual_name
from hometown.paths import pip_command
from hometown.session import Session
from hometown.settings import Machine, RunSettings
from hometown.shards.remote_minds import RemoteMinds
from hometown.shards.shard import ShardConfig
from hometown.world.world import World, sector_of

IN_PROCESS = ("gguf", "huggingface")
"""Backends whose models are processes or memory of the run's own, so that each shard would load
them again.
"""


@asynccontextmanager
async def game_on_shards(
    session: Session, model: LanguageModel, listens: bool
) -> AsyncIterator[Game]:
    """Yield the game of a session with its minds on shards, as many as the machine's settings say
    and at most one for each resident; they share the model's budget. Raises BadInput where they
    can't be.
    """
    refuse_unequipped(session.machine)
    count = min(session.machine.shards, len(session.world.personas))
    refuse_unshardable(session.run.manifest.settings, session.run.manifest.llm)
    from hometown.shards.cluster import RayCluster

    budgeted = model if isinstance(model, BudgetedModel) else None
    configs = make_configs(session, count, listens)
    budget = budgeted.budget if budgeted else None
    with closing(RayCluster(configs, session.machine.ray, budget)) as cluster:
        if budgeted and cluster.budget:
            budgeted.budget = cluster.budget
        where = assign_homes(session.world, count)
        async with RemoteMinds(cluster, where, session.run, notify_user) as minds:
            yield Game(session.run, session.world, model, session.embedder, session.machine, minds)


def refuse_unequipped(machine: Machine) -> None:
    """Raise BadInput where shards are asked for and the package ray is not installed."""
    if machine.shards and find_spec("ray") is None:
        raise BadInput(
            "--shards needs the package ray, which is not installed: {command}",
            command=pip_command("ray"),
        )


def refuse_unshardable(settings: RunSettings, llm: str) -> None:
    """Raise BadInput for a run with sequential turns, or with a model that each shard would load
    for itself.
    """
    if settings.turn_order == "sequential":
        raise BadInput(
            "--shards needs turn_order simultaneous: this run's residents think one after the other; leave out --shards"
        )
    loaded = [each for each in names_of_run(llm, settings) if each.partition(":")[0] in IN_PROCESS]
    if loaded:
        raise BadInput(
            "--shards needs a model server, since each shard would load {llm} for itself: use ollama:MODEL or openai:MODEL",
            llm=loaded[0],
        )


def assign_homes(world: World, count: int) -> dict[str, int]:
    """Return the number of each resident's shard, from 0: as many residents on each, and those of
    one house on the same, as far as that goes.
    """
    people = sorted(world.personas, key=lambda who: sector_of(world.personas[who].home))
    return {who: at * count // len(people) for at, who in enumerate(people)}


def make_configs(session: Session, count: int, listens: bool) -> list[ShardConfig]:
    """Return the configuration of each shard: its share of the slots is as large as that of the
    others, give or take one, and one at least; `ahead` is 0.
    """
    manifest, slots = session.run.manifest, session.machine.slots
    fixed = (manifest.seed, usual_name(manifest.llm), manifest.embedding, listens)
    shares = [max(1, slots // count + (number < slots % count)) for number in range(count)]
    machines = [session.machine.model_copy(update={"slots": n, "ahead": 0}) for n in shares]
    return [
        ShardConfig(session.world, manifest.settings.add_machine(own), *fixed) for own in machines
    ]
