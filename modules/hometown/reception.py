"""The beginning of a step: happenings end, occasions take place, and interventions have effects, laws
among them, by which rules change and new residents move in.

Apply each effect that a generator yields before taking the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from hometown.agent.mind.context import Moment
from hometown.agent.planning.wish_pursuit import parse_wish
from hometown.agent.working.society_plugin import society_in
from hometown.memory.concept import Concept
from hometown.world import keys
from hometown.world.arrival import arrive
from hometown.world.attendance import attendance
from hometown.world.carrying_out import carry_out
from hometown.world.effects import Effect, Logged, Remembered
from hometown.world.faults import Faults
from hometown.world.furnish import furnish_world
from hometown.world.happening_process import advance_happenings
from hometown.world.incidents import Course, HappeningStopped, Law
from hometown.world.inner_voice import is_news
from hometown.world.interventions import Intervention
from hometown.world.laws import propose_entries
from hometown.world.learning import learn_passages, parse_passages
from hometown.world.moving_in import read_latecomers
from hometown.world.state import State
from hometown.world.visitors import come_back, enter_town
from hometown.world.wish import WishSet
from hometown.world.world import World, sector_of

NEWS_POIGNANCY, AFFECTED_POIGNANCY = 4, 5
"""The poignancy of hearing of a law, and of one that affects the resident's own work or house."""

PREDICATE = "is the law"


def receive_events(world: World, state: State, moment: Moment) -> Iterator[Logged]:
    """Yield the effects of the passing of time: the progress and ends of happenings, and the
    beginnings and ends of occasions. The end of a happening that residents have brought about is
    logged as an effect of the first of them, all others as effects of no resident.
    """
    for effect in list(advance_happenings(world, state, moment.now, moment.stride)):
        by = effect.by if isinstance(effect, HappeningStopped) else ()
        yield Logged(effect, by[0] if by else "", "rule:put_right" if by else "rule:time")
    for effect in attendance(world, state, moment.now, moment.stride):
        yield Logged(effect, "", "rule:occasion")


def receive_intervention(
    founded: World,
    world: World,
    state: State,
    intervention: Intervention,
    start: datetime,
    expire_days: int,
    course: Course | None = None,
) -> Iterator[Effect]:
    """Yield the effects of an intervention: reading matter to learn, a law, an inner voice, or any
    other kind. The texts of its memories must have been embedded.

    Args:
        founded: The world as it began.
        world: The world as it is now.
        start: The time at which the run begins.
        expire_days: The days for which memories are kept.
        course: The course of a happening.
    """
    if intervention.kind == "learn":
        return learn_passages(state, intervention, start)
    now = state.clock.now
    if intervention.kind == "law":
        return enact_law(founded, world, state, intervention, now, expire_days)
    if intervention.kind == "visit":
        return receive_visitor(world, state, intervention, now, expire_days)
    if intervention.kind == "tell":
        return give_wish(world, state, intervention, now, expire_days)
    return carry_out(world, state, intervention, now, expire_days, course)


def receive_visitor(
    world: World, state: State, visit: Intervention, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield the effects by which a visitor enters the town, or comes back to it."""
    yield from carry_out(world, state, visit, now, expire_days)
    if visit.target in world.personas:
        yield from come_back(world, state, visit.target)
    else:
        yield from enter_town(world, visit.target, visit.text, now)


def give_wish(
    world: World, state: State, voice: Intervention, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield the effects of an inner voice: the memory of it, and the wish that its words express,
    which is followed from now on; news is none.
    """
    yield from carry_out(world, state, voice, now, expire_days)
    who = voice.target
    memory = state.mind(who).memories
    if not is_news(voice.remembered):
        yield WishSet(who, parse_wish(world, who, voice.remembered, memory, now))


def enact_law(
    founded: World, world: World, state: State, law: Intervention, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield the effects of a law: its changes of the rules, new residents with their belongings,
    and the memory of it for all residents in town, more poignant for those whom it affects. If it
    no longer fits the present rules, only its receipt is recorded.

    Args:
        founded: The world as it began.
        world: The world as it is now.
    """
    yield from carry_out(world, state, law, now, expire_days)
    faults = Faults(world.id)
    entries = propose_entries(world, law.text, faults)
    if faults.lines:
        return
    after = furnish_world(
        founded, state.rows | {keys.LAW.of(key): Law(entry) for key, entry in entries.items()}
    )
    society = society_in(after)
    yield from society.replace_rules(world, state, after, entries)
    for who in read_latecomers(world, entries):
        yield from arrive(after, state, who, expire_days)
        yield from society.equip(after, state, who, entries)
    touched = society.find_affected(after, entries)
    if law.memory:
        for who in world.personas:
            if not state.is_away(who):
                yield _remember_law(
                    state,
                    who,
                    law.memory,
                    world,
                    AFFECTED_POIGNANCY if who in touched else NEWS_POIGNANCY,
                    now,
                    expire_days,
                )


def memory_texts(world: World, intervention: Intervention) -> list[str]:
    """Return the texts of the memories that an intervention creates, which must be embedded before
    it is carried out: passages to learn, the words remembered of it (of an event, none), and, of a
    law, the initial memories of new residents.
    """
    if intervention.kind == "learn":
        return list(parse_passages(intervention).values())
    is_said = intervention.kind == "tell" or (intervention.memory and intervention.kind != "event")
    said = [intervention.remembered] if is_said else []
    entries = (
        propose_entries(world, intervention.text, Faults(world.id))
        if intervention.kind == "law"
        else {}
    )
    return said + [
        seed.text for persona in read_latecomers(world, entries).values() for seed in persona.seeds
    ]


def _remember_law(
    state: State, who: str, text: str, world: World, poignancy: int, now: datetime, expire_days: int
) -> Effect:
    """Return the effect by which a resident remembers a law, as an event at their home."""
    number = state.mind(who).memories + 1
    home = world.personas[who].home
    return Remembered(
        who,
        Concept(
            number,
            "event",
            text,
            sector_of(home),
            PREDICATE,
            "",
            home,
            poignancy,
            now,
            now + timedelta(days=expire_days),
        ),
    )
