"""The rule of the door: a home is entered as a visitor only while a resident of it is in and awake."""

from __future__ import annotations

from functools import lru_cache

from hometown.clock import minute_of_day
from hometown.memory.schedule import planned_room
from hometown.world.maze import Tile
from hometown.world.state import State
from hometown.world.world import World, arena_of, sector_of


@lru_cache(maxsize=4096)
def list_inhabitants(world: World, house: str) -> tuple[str, ...]:
    """Return the residents whose home is in a sector."""
    return tuple(who for who, persona in world.personas.items() if sector_of(persona.home) == house)


def visited_house(world: World, state: State, who: str) -> str:
    """Return the house of others that a resident visits by their own plan, or to find a resident; ""
    for none.

    Guests of an appointment, and residents who come because of an event, are no such visitors.
    """
    arena, house = (part(state.action(who).address) for part in (arena_of, sector_of))
    place = world.arenas.get(arena)
    if place is None or place.public or house == sector_of(world.personas[who].home):
        return ""
    schedule = state.schedule(who)
    now = state.clock.now
    if schedule.date != now.date() or not schedule.entries:
        return ""
    is_planned = planned_room(schedule.at(minute_of_day(now))) == arena
    has_key = any(sector_of(habit.place) == house for habit in world.personas[who].habits)
    approach = state.approaches(who).current
    is_visit = is_planned or (
        approach is not None and approach.kind == "go" and approach.place == arena
    )
    return house if is_visit and not has_key and list_inhabitants(world, house) else ""


def find_closed_door(world: World, state: State, who: str, path: tuple[Tile, ...]) -> int | None:
    """Return the index of the first tile of a path behind a door that nobody opens; None if the
    whole path is free.
    """
    house = visited_house(world, state, who)
    if not house or sector_of(world.maze.arena_at(state.body(who).tile)) == house:
        return None
    if any(_is_in(world, state, owner, house) for owner in list_inhabitants(world, house)):
        return None
    return next(
        (at for at, tile in enumerate(path) if sector_of(world.maze.arena_at(tile)) == house), None
    )


def is_open_to_visitors(world: World, state: State, arena: str) -> bool:
    """Return True if a visitor may enter an arena: it is public, or a resident of the house is in
    and awake.
    """
    house = sector_of(arena)
    return world.arenas[arena].public or any(
        _is_in(world, state, owner, house) for owner in list_inhabitants(world, house)
    )


def _is_in(world: World, state: State, who: str, house: str) -> bool:
    """Return True if a resident is in a house and awake."""
    return sector_of(world.maze.arena_at(state.body(who).tile)) == house and state.action(
        who
    ).kind not in ("sleep", "away")
