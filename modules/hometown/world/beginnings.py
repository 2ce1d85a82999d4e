"""The beginning of a resident's life in a run: position, knowledge of places, first memories.

In a run that begins in mid-day, residents are awake and at their habits of that hour, and remember
the day so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from hometown.clock import DAY, hhmm, minute_of_day
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.text import catalogue
from hometown.world.effects import Effect, Mapped, Remembered
from hometown.world.maze import Tile
from hometown.world.persona import Habit, Persona, Seed
from hometown.world.state import State
from hometown.world.world import OUTDOORS, World, arena_of, sector_of


def first_effects(
    world: World, persona: Persona, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield a resident's initial knowledge of places and first memories, whose texts have been
    embedded.
    """
    for arena in known_arenas(world, persona):
        yield Mapped(persona.id, arena, tuple((thing, "") for thing in world.arenas[arena].things))
    for number, seed in enumerate(persona.seeds, start=1):
        yield Remembered(persona.id, _memory(number, seed, persona, now, expire_days), counts=False)


def known_arenas(world: World, persona: Persona) -> list[str]:
    """Return the arenas that a resident knows from the start: those of their home's building, of
    listed places, of their habits, and the streets.
    """
    sectors = [
        sector_of(persona.home),
        *persona.knows,
        *(arena_of(habit.place) for habit in persona.habits),
    ]
    known = [arena for place in sectors for arena in _arenas_in(world, place)]
    return list(dict.fromkeys([*known, OUTDOORS]))


def _arenas_in(world: World, place: str) -> list[str]:
    return list(world.sectors[place].arenas) if place in world.sectors else [place]


def _memory(number: int, seed: Seed, persona: Persona, now: datetime, expire_days: int) -> Concept:
    return Concept(
        id=number,
        type=seed.type,
        text=seed.text,
        subject=seed.subject or persona.id,
        predicate=seed.predicate,
        object=seed.object,
        address="",
        poignancy=seed.poignancy,
        created=now,
        expires=now + timedelta(days=expire_days),
        about=seed.about,
    )


# in mid-day --------------------------------------------------------------------------------


def is_up(persona: Persona, now: datetime) -> bool:
    """Return True if a time of day lies between a resident's usual time to get up and their
    bedtime.
    """
    minute = minute_of_day(now)
    bed = persona.bed if persona.bed > persona.wake else persona.bed + DAY
    return persona.wake < minute < bed


def day_so_far(persona: Persona, now: datetime) -> tuple[Habit, ...]:
    """Return the habits of the day that have begun by now, in order; () for a resident in bed."""
    if not is_up(persona, now):
        return ()
    minute = minute_of_day(now)
    begun = (
        habit for habit in persona.habits_on(now.date()) if persona.wake <= habit.start < minute
    )
    return tuple(sorted(begun, key=lambda habit: habit.start))


def begin_day(world: World, state: State, who: str, now: datetime) -> tuple[Action, Tile]:
    """Return the action in which a run finds a resident, and their tile: asleep in bed, or at the
    present habit, at home without one. The action ends with the first step.
    """
    persona, texts = world.personas[who], catalogue(world.lang, "mind")
    in_use = texts["in_use"].format(name=persona.name)
    if not is_up(persona, now):
        bed = world.things[persona.sleeps]
        action = Action("sleep", texts["sleeping"], persona.sleeps, 0, "😴", in_use)
        return action, bed.stands[0]
    minute = minute_of_day(now)
    habit = next((each for each in day_so_far(persona, now) if each.end > minute), None)
    activity, address = (
        (habit.activity, habit.place) if habit else (texts["free_time"], persona.home)
    )
    thing = world.things.get(address)
    users = state.thing(address).users if thing else ()
    if thing is None or len(users) >= min(thing.seats, len(thing.stands)):
        address = arena_of(address)
        return Action("act", activity, address, 1, "💭"), world.open_tiles[address][0]
    return Action("act", activity, address, 1, "💭", in_use), thing.stands[len(users)]


def describe_day_so_far(world: World, who: str, now: datetime) -> str:
    """Return the memory of a resident of the day before the run began; "" without such a day."""
    persona, texts = world.personas[who], catalogue(world.lang, "mind")
    habits = day_so_far(persona, now)
    return (
        texts["day_so_far"].format(
            name=persona.name,
            time=hhmm(persona.wake),
            items=texts["item_separator"].join(habit.activity for habit in habits),
        )
        if habits
        else ""
    )
