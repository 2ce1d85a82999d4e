"""Creates a run: its manifest, and step 0 with all residents in bed and their initial memories."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from hometown.agent.working.society_plugin import society_in
from hometown.memory.action import Action
from hometown.memory.schedule import Schedule, Tasks
from hometown.memory.stream import MemoryStream
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.text_vectors import embed_texts
from hometown.settings import Settings
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from hometown.text import catalogue
from hometown.version import __version__
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.attendance import set_by_world
from hometown.world.beginnings import first_effects
from hometown.world.effects import Arrived, Effect, Logged
from hometown.world.interventions import Intervention
from hometown.world.rows import Body, Clock, MindState
from hometown.world.snapshot import fingerprint, snapshot
from hometown.world.state import State
from hometown.world.world import World


async def create_run(
    results: Path,
    world: World,
    settings: Settings,
    model: LanguageModel,
    embedder: Embedder,
    *,
    name: str,
    start: datetime,
    stride: int,
    seed: int,
    steps: int,
    llm_reason: str = "",
    interventions: Sequence[Intervention] = (),
) -> RunFile:
    """Create the run `name` with its step 0, planned for `steps` steps, with the requests
    `interventions` in its inbox and a copy of the world.

    Raises BadRun if the name is taken.
    """
    manifest = Manifest(
        name=name, world=world.id, lang=world.lang, start=start, stride=stride, seed=seed, residents=list(world.personas),
        llm=model.name, llm_reason=llm_reason, embedding=embedder.name, dimension=embedder.dimension, settings=settings,
        versions=current_versions(world), created=datetime.now().replace(microsecond=0),
    )  # fmt: skip
    seeds = (memory.text for persona in world.personas.values() for memory in persona.seeds)
    vectors = await embed_texts(embedder, list(dict.fromkeys(seeds)))
    state = State({}, {who: MemoryStream() for who in world.personas}, vectors.__getitem__)
    log = []
    for who, effect in _founding(world, state, start, settings):
        apply(effect, state)
        log.append(Logged(effect, who, "rule:founding"))
    files = snapshot(world.folder)
    return RunFile.create(
        results,
        manifest,
        steps,
        state,
        log,
        interventions,
        world_files=files,
        synchronous=settings.machine.synchronous,
    )


def current_versions(world: World) -> dict[str, str]:
    """Return the versions that a run depends on: this program, Python, and a hash of the world."""
    return {
        "hometown": __version__,
        "python": platform.python_version(),
        "world": fingerprint(world.folder),
    }


def _founding(
    world: World, state: State, start: datetime, settings: Settings
) -> Iterator[tuple[str, Effect]]:
    """Write the rows of step 0, and yield the effects that follow from them."""
    state.put(keys.CLOCK.key, Clock(start, 0))
    sleeping, in_use = (
        catalogue(world.lang, "mind")["sleeping"],
        catalogue(world.lang, "mind")["in_use"],
    )
    yield from set_by_world(world, start)
    for who, persona in world.personas.items():
        bed = world.things[persona.sleeps]
        state.put(keys.BODY.of(who), Body(bed.stands[0]))
        state.put(keys.MIND.of(who), MindState(persona.currently))
        state.put(keys.SCHEDULE.of(who), Schedule(start.date()))
        state.put(keys.TASKS.of(who), Tasks())
        state.put(
            keys.ACTION.of(who),
            Action("sleep", sleeping, persona.sleeps, 0, "😴", in_use.format(name=persona.name)),
        )
        yield who, Arrived(who, start, persona.sleeps, thing=True)
        yield from (
            (who, effect)
            for effect in first_effects(world, persona, start, settings.associate.expire_days)
        )
    yield from society_in(world).set_up(world, state, start)
