"""An illness that passes by contact: susceptible, exposed, ill, recovered (SEIR). Each minute that a
susceptible resident spends in one room with an ill one has the same risk; streets are no room.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from hometown.agent.mind.context import Moment
from hometown.rng import stream
from hometown.setting_sections import IllnessSettings
from hometown.world import keys
from hometown.world.maze import OUTDOORS
from hometown.world.process_rows import Infection, InfectionSet, Stage
from hometown.world.state import State
from hometown.world.world import World


def spread_illness(
    world: World,
    state: State,
    settings: IllnessSettings,
    seed: int,
    people: Sequence[str],
    moment: Moment,
) -> Iterator[InfectionSet]:
    """Yield the infections of a step: the first ones, those who fall ill or recover, and those who
    catch it where they are at the end of the step.
    """
    found = {who: state.row(keys.INFECTION.of(who)) for who in people}
    if not any(True for _ in keys.INFECTION.select(state.rows)):
        for who in stream(seed, "first ill").sample(people, min(settings.first, len(people))):
            yield InfectionSet(who, Infection("ill", moment.now))
        return
    for who, infection in found.items():
        if infection and (later := _enter_next_stage(infection, settings, moment.now)):
            yield InfectionSet(who, later)
    rooms = defaultdict[str, list[str]](list)
    for who in people:
        room = world.maze.arena_at(state.body(who).tile)
        if room not in ("", OUTDOORS):
            rooms[room].append(who)
    risk = 1 - (1 - settings.hourly_risk) ** (moment.stride / 60)
    for inside in rooms.values():
        ill = [who for who in inside if (one := found[who]) and one.stage == "ill"]
        for who in inside:
            if ill and found[who] is None:
                draw = stream(seed, "contact", who, moment.step)
                source = next((each for each in ill if draw.random() < risk), None)
                if source:
                    yield InfectionSet(who, Infection("exposed", moment.now, source))


def _enter_next_stage(
    infection: Infection, settings: IllnessSettings, now: datetime
) -> Infection | None:
    """Return an infection in its next stage; None if it stays in its own."""
    hours = {"exposed": settings.incubation_hours, "ill": settings.illness_hours}
    lasting = hours.get(infection.stage)
    if lasting is None or now - infection.since < timedelta(hours=lasting):
        return None
    stage: Stage = "ill" if infection.stage == "exposed" else "recovered"
    return Infection(stage, now, infection.source)
