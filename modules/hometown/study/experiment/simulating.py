"""Simulation of one run of an experiment, from its last step to its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from hometown import session
from hometown.config import combine, user_layer
from hometown.errors import BadRun
from hometown.game_opening import open_game
from hometown.session import Session
from hometown.settings import Settings
from hometown.storage.inbox import number_interventions
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of, run_folder
from hometown.study.experiment.experiment_worlds import world_for
from hometown.study.experiment.origins import write_origin
from hometown.study.experiment.planned_interventions import (
    list_interventions,
    list_shared_interventions,
)
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.spec import Experiment, Treatment
from hometown.study.experiment.spec_file import convert_types
from hometown.study.experiment.weights import write_weights
from hometown.world.furnish import furnish_world
from hometown.world.world import World

LEAVING = 30.0
"""Seconds to wait for a leftover process of an experiment that was killed."""


def live_run(
    experiment: Experiment,
    plan: RunPlan,
    folder: Path,
    worlds: Path,
    here: Settings,
    watch: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> bool:
    """Simulate a run to its end, and write its origin and the weights of its model; an existing run
    is continued.
    Return True if there was anything left to simulate.

    `here` are the user's settings. `watch` passes the steps on, and may show how far it is. Raises
    the errors of sessions.
    """
    return asyncio.run(_live(experiment, plan, folder, worlds, here, watch))


def is_lived(plan: RunPlan, folder: Path) -> bool:
    """Return True if a run has reached its end."""
    if not file_of(folder, plan.name).exists():
        return False
    with RunFile.open(folder, plan.name) as run:
        return run.last.step >= plan.end


async def _live(
    experiment: Experiment,
    plan: RunPlan,
    folder: Path,
    worlds: Path,
    here: Settings,
    watch: Callable[[Iterable[int]], Iterable[int]],
) -> bool:
    _await_orphan(run_folder(folder, plan.name))
    if is_lived(plan, folder):
        return False
    opened = await _session(
        experiment, plan, folder, world_for(experiment.town, folder, worlds), here
    )
    with opened.run as run:
        if run.last.step == plan.at:
            write_origin(folder, run.manifest)
        await write_weights(folder, plan.name, run.manifest.llm, here)
        async with open_game(opened) as game:
            for _ in watch(range(run.last.step, plan.end)):
                await game.step()
    return True


async def _session(
    experiment: Experiment, plan: RunPlan, folder: Path, world: World, here: Settings
) -> Session:
    treatment = experiment.conditions.get(plan.condition, Treatment())
    settings = combine(
        [convert_types(experiment.settings), convert_types(treatment.settings), user_layer(here)],
        world.settings,
    )
    if file_of(folder, plan.name).exists():
        with RunFile.open(folder, plan.name) as run:
            manifest = run.manifest
        return await session.resume_session(folder, manifest, world, settings, end=plan.end)
    if plan.parent:
        return await _fork(experiment, plan, folder, world, settings, treatment)
    planned = [
        *list_shared_interventions(experiment, world, plan.seed),
        *list_interventions(experiment, treatment, world, 1, plan.seed),
    ]
    return await session.create_session(
        folder,
        world,
        settings,
        name=plan.name,
        start=experiment.town.start_in(world),
        stride=experiment.town.stride,
        seed=plan.seed,
        steps=plan.end,
        llm=treatment.llm or experiment.llm,
        embedding=experiment.embedding,
        interventions=number_interventions(planned, 0),
    )


async def _fork(
    experiment: Experiment,
    plan: RunPlan,
    folder: Path,
    world: World,
    settings: Settings,
    treatment: Treatment,
) -> Session:
    """Fork a run, which takes over the shared interventions that are still to come."""
    with RunFile.open(folder, plan.parent) as parent:
        furnished = furnish_world(world, parent.furniture(plan.at))
        planned = list_interventions(experiment, treatment, furnished, plan.at + 1, plan.seed)
        return await session.fork_session(
            folder,
            parent,
            plan.at,
            world,
            settings,
            name=plan.name,
            end=plan.end,
            llm=treatment.llm or None,
            interventions=planned,
        )


def _await_orphan(folder: Path) -> None:
    """Wait for a leftover process that still simulates the run.

    Raises:
        BadRun: It doesn't end.
    """
    end = time.monotonic() + LEAVING
    while is_held(folder):
        if time.monotonic() > end:
            raise BadRun(
                "run {name!r} is being lived by another process: wait until that one has ended",
                name=folder.name,
            )
        time.sleep(0.2)
