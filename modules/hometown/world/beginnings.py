"""A new resident's initial knowledge of places and first memories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from hometown.memory.concept import Concept
from hometown.world.effects import Effect, Mapped, Remembered
from hometown.world.persona import Persona, Seed
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
    """Return the arenas that a resident knows from the start: home, the places of habits, listed
    ones, and streets.
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
