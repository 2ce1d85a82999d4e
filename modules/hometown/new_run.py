"""Creates a run: its manifest, and step 0 with the residents in bed, or in mid-day at their habits,
and their initial memories.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from hometown.agent.working.society_plugin import society_in
from hometown.defaults import LONGEST_STRIDE
from hometown.errors import BadInput
from hometown.memory.concept import Concept
from hometown.memory.schedule import Schedule, Tasks
from hometown.memory.stream import MemoryStream
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.text_vectors import embed_texts
from hometown.settings import Settings
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from hometown.version import __version__
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.attendance import set_by_world
from hometown.world.beginnings import begin_day, describe_day_so_far, first_effects
from hometown.world.effects import Arrived, Effect, Logged, Remembered
from hometown.world.interventions import Intervention
from hometown.world.rows import Body, Clock, MindState
from hometown.world.snapshot import fingerprint, snapshot
from hometown.world.state import State
from hometown.world.world import World

DAY_SO_FAR, DAY_POIGNANCY = "day so far", 2
"""The predicate and the poignancy of the memory of the day before the run began."""

EARLIEST, LATEST = 1000, 5000
"""The first and the last year in which a run can start: memories reach beyond both its ends."""


def check_time(start: object, stride: object) -> None:
    """Raise BadInput for a start with a time zone or near the ends of the calendar, or for a stride
    that a new run cannot have.
    """
    if not isinstance(start, datetime) or start.tzinfo:
        raise BadInput(
            "start is {start}: give a datetime without a time zone, such as "
            "datetime(2025, 2, 13, 6)",
            start=start,
        )
    if not isinstance(stride, int) or not 1 <= stride <= LONGEST_STRIDE:
        raise BadInput(
            "stride is {stride!r}: give the minutes of a step, a whole number from 1 to {most}",
            stride=stride,
            most=LONGEST_STRIDE,
        )
    if not EARLIEST <= start.year <= LATEST:
        raise BadInput(
            "a run can't start in the year {year}: choose one from {first} to {last}",
            year=start.year,
            first=EARLIEST,
            last=LATEST,
        )


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
    `interventions` in its inbox and a copy of the world. Raises BadRun if the name is taken.
    """
    manifest = Manifest(
        name=name,
        world=world.id,
        lang=world.lang,
        start=start,
        stride=stride,
        seed=seed,
        residents=list(world.personas),
        llm=model.name,
        llm_reason=llm_reason,
        embedding=embedder.name,
        dimension=embedder.dimension,
        settings=settings,
        versions=current_versions(world),
        created=datetime.now().replace(microsecond=0),
    )
    state, log = await _found_town(world, start, settings, embedder)
    return RunFile.create(
        results,
        manifest,
        steps,
        state,
        log,
        interventions,
        world_files=snapshot(world.folder),
        synchronous=settings.machine.synchronous,
    )


async def _found_town(
    world: World, start: datetime, settings: Settings, embedder: Embedder
) -> tuple[State, list[Logged]]:
    """Return the town at step 0, and the effects that led to it."""
    seeds = [memory.text for persona in world.personas.values() for memory in persona.seeds]
    seeds += [text for who in world.personas if (text := describe_day_so_far(world, who, start))]
    vectors = await embed_texts(embedder, list(dict.fromkeys(seeds)))
    state = State({}, {who: MemoryStream() for who in world.personas}, vectors.__getitem__)
    log = []
    for who, effect in _founding(world, state, start, settings):
        apply(effect, state)
        log.append(Logged(effect, who, "rule:founding"))
    return state, log


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
    """Write the rows of step 0, and yield the effects that follow from them, as (resident, effect),
    with "" for those of no resident.
    """
    state.put(keys.CLOCK.key, Clock(start, 0))
    yield from set_by_world(world, start)
    for who, persona in world.personas.items():
        action, tile = begin_day(world, state, who, start)
        state.put(keys.BODY.of(who), Body(tile))
        state.put(keys.MIND.of(who), MindState(persona.currently))
        state.put(keys.SCHEDULE.of(who), Schedule(start.date()))
        state.put(keys.TASKS.of(who), Tasks())
        state.put(keys.ACTION.of(who), action)
        yield who, Arrived(who, start, action.address, thing=action.address in world.things)
        yield from (
            (who, effect)
            for effect in first_effects(world, persona, start, settings.associate.expire_days)
        )
        if text := describe_day_so_far(world, who, start):
            expires = start + timedelta(days=settings.associate.expire_days)
            number = len(persona.seeds) + 1
            memory = Concept(
                number, "event", text, who, DAY_SO_FAR, "", "", DAY_POIGNANCY, start, expires
            )
            yield who, Remembered(who, memory, counts=False)
    yield from society_in(world).set_up(world, state, start)
