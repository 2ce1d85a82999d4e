"""What can be wrong with residents who load: names that are not their own, beds too few, days that cannot be lived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from modules.clock import hhmm
from modules.world.authored import WEEKDAYS
from modules.world.persona import Habit, Persona
from modules.world.world import World, arena_of
from modules.worlds.map_checks import FOOD
from modules.worlds.problems import Problems

TILES_PER_MINUTE = 6
"""A tile takes ten seconds (Park et al. 2023)."""

A_MONDAY = date(2025, 2, 10)


def check_names(world: World, problems: Problems) -> None:
    """Two residents of one name could not be told apart in a sentence."""
    named: dict[str, list[str]] = defaultdict(list)
    for who, persona in world.personas.items():
        named[persona.name].append(who)
    for name, ids in named.items():
        if len(ids) > 1:
            problems.error(f"residents/{ids[1]}.json", "name", f"{name!r} is also the name of {ids[0]!r}; give each their own")


def check_people(world: World, problems: Problems) -> None:
    """Notes what is wrong with where residents sleep and with how they spend their days."""
    _check_beds(world, problems)
    for persona in world.personas.values():
        _check_rooms(world, persona, problems)
        _check_meals(world, persona, problems)
        _check_travel(world, persona, problems)


def _check_beds(world: World, problems: Problems) -> None:
    sleepers: dict[str, list[str]] = defaultdict(list)
    for who, persona in world.personas.items():
        sleepers[persona.sleeps].append(who)
    for bed, ids in sleepers.items():
        if bed in world.things and len(ids) > world.things[bed].seats:
            text = f"{bed!r} is the bed of {', '.join(ids)} and has {world.things[bed].seats} seats; add a bed for each, or seats to this one"
            problems.error(f"residents/{ids[-1]}.json", "sleeps", text, bed)
    beds = sum(thing.seats for thing in world.things.values() if "sleep" in thing.tags)
    if beds < len(world.personas):
        problems.error("map.tmj", "things", f"there are {beds} beds for {len(world.personas)} residents; add things tagged sleep")


def _check_rooms(world: World, persona: Persona, problems: Problems) -> None:
    """Where a resident sleeps and goes by habit should be its own, open to all, or somebody's whom it knows."""
    file = f"residents/{persona.id}.json"
    hosts: dict[str, set[str]] = defaultdict(set)
    for who, other in world.personas.items():
        hosts[other.home.split("/")[0]].add(who)
    homes = {other.home for who, other in world.personas.items() if who != persona.id}
    if persona.sleeps in world.things and persona.home in world.arenas:
        room = world.things[persona.sleeps].arena
        if room != persona.home and room in homes:
            problems.error(file, "sleeps", f"{persona.sleeps!r} is in another's room; name a bed in {persona.home!r}", persona.sleeps)
        elif room.split("/")[0] != persona.home.split("/")[0]:
            problems.error(file, "sleeps", f"{persona.sleeps!r} is not where the home {persona.home!r} is; name a bed there", persona.sleeps)
    for number, habit in enumerate(persona.habits):
        arena, sector = world.arenas.get(arena_of(habit.place)), habit.place.split("/")[0]
        if arena is None:
            continue
        where = f"habits[{number}].place"
        strangers = hosts[sector] and persona.id not in hosts[sector] and not any(persona.relation_to(one) for one in hosts[sector])
        if not arena.public and "home" in arena.tags and strangers:
            text = f"{habit.place!r} is a private home of people whom {persona.id} does not know; add a relation, or choose a public place"
            problems.error(file, where, text, habit.place)
        thing = world.things.get(habit.place)
        if thing and "sleep" in thing.tags and habit.place != persona.sleeps:
            problems.error(file, where, f"{habit.place!r} is not the bed of {persona.id}; name {persona.sleeps!r} or another place", habit.place)


def _days(persona: Persona) -> Iterator[tuple[str, tuple[Habit, ...]]]:
    for number, day in enumerate(WEEKDAYS):
        yield day, persona.habits_on(A_MONDAY + timedelta(days=number))


def _check_meals(world: World, persona: Persona, problems: Problems) -> None:
    hungry = [day for day, habits in _days(persona) if not any(FOOD & set(world.spot_tags.get(habit.place, ())) for habit in habits)]
    if hungry:
        text = f"never lead to a place with food on {', '.join(hungry)}; add a meal at something tagged eat or cook"
        problems.warn(f"residents/{persona.id}.json", "habits", text, persona.home)


def _check_travel(world: World, persona: Persona, problems: Problems) -> None:
    """Each habit's place should be reached before the habit is over, and better before half of it is. Told for the first day on which it is not."""
    told: set[tuple[Habit, Habit]] = set()
    for day, habits in _days(persona):
        for before, habit in pairwise(habits):
            minutes, left = _way(world, before.place, habit.place), habit.end - before.end
            if minutes <= left / 2 or (before, habit) in told:
                continue
            told.add((before, habit))
            only = "" if minutes >= left else "only "
            text = f"the way from {before.place!r} to {habit.place!r} takes {minutes} minutes, and on {day} there are {only}{left} until {hhmm(habit.end)}"
            note = problems.warn if only else problems.error
            where = f"habits[{persona.habits.index(habit)}]"
            note(f"residents/{persona.id}.json", where, f"{text}; let it last longer, or choose a nearer place", habit.place)


def _way(world: World, start: str, goal: str) -> int:
    """Minutes on foot; 0 where it cannot be told, which other lines tell."""
    tiles = [world.things[one].stands if one in world.things else world.open_tiles.get(one, ()) for one in (start, goal)]
    if not tiles[0] or not tiles[1]:
        return 0
    try:
        return -(-world.maze.distance(tiles[0][0], tiles[1][0]) // TILES_PER_MINUTE)
    except LookupError:
        return 0
