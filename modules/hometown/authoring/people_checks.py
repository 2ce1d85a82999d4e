"""Checks of residents that load: beds, private homes of strangers, meals, and ways that are too
long for the day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from hometown.authoring.map_checks import FOOD
from hometown.authoring.problems import Problems
from hometown.clock import hhmm
from hometown.text import N_, Phrase
from hometown.world.authored import WEEKDAY_NAMES, WEEKDAYS
from hometown.world.persona import Habit, Persona
from hometown.world.tiled import map_file
from hometown.world.world import World, arena_of, sector_of

TILES_PER_MINUTE = 6
"""A tile takes ten seconds (Park et al. 2023)."""

A_MONDAY = date(2025, 2, 10)


def check_people(world: World, problems: Problems) -> None:
    """Report problems with residents' beds, rooms, meals and travel."""
    _check_beds(world, problems)
    for persona in world.personas.values():
        _check_rooms(world, persona, problems)
        _check_meals(world, persona, problems)
        _check_travel(world, persona, problems)


def _check_beds(world: World, problems: Problems) -> None:
    """Report beds of more residents than they have seats for, and a town with fewer beds than
    residents.
    """
    sleepers: dict[str, list[str]] = defaultdict(list)
    for who, persona in world.personas.items():
        sleepers[persona.sleeps].append(who)
    for bed, ids in sleepers.items():
        if bed in world.things and len(ids) > world.things[bed].seats:
            text = N_(
                "{bed!r} is the bed of {sleepers} and has {seats} seats; add a bed for each, or seats to this one"
            )
            problems.error(
                f"residents/{ids[-1]}.json",
                "sleeps",
                text,
                bed,
                bed=bed,
                sleepers=ids,
                seats=world.things[bed].seats,
            )
    beds = sum(thing.seats for thing in world.things.values() if "sleep" in thing.tags)
    if beds < len(world.personas):
        problems.error(
            map_file(world.folder).name,
            "things",
            "there are {beds} beds for {count} residents; add things tagged sleep",
            beds=beds,
            count=len(world.personas),
        )


def _check_rooms(world: World, persona: Persona, problems: Problems) -> None:
    """Report a bed or a habit in a private home of people whom the resident does not know, and a
    habit in another's bed.
    """
    file = f"residents/{persona.id}.json"
    hosts: dict[str, set[str]] = defaultdict(set)
    for who, other in world.personas.items():
        hosts[sector_of(other.home)].add(who)
    _check_bed(world, persona, problems)
    for number, habit in enumerate(persona.habits):
        arena, sector = world.arenas.get(arena_of(habit.place)), sector_of(habit.place)
        if arena is None:
            continue
        where = f"habits[{number}].place"
        strangers = (
            hosts[sector]
            and persona.id not in hosts[sector]
            and not any(persona.relation_to(other) for other in hosts[sector])
        )
        if not arena.public and "home" in arena.tags and strangers:
            text = N_(
                "{place!r} is a private home of people whom {who} does not know; add a relation, or choose a public place"
            )
            problems.error(file, where, text, habit.place, place=habit.place, who=persona.id)
        thing = world.things.get(habit.place)
        if thing and "sleep" in thing.tags and habit.place != persona.sleeps:
            problems.error(
                file,
                where,
                "{place!r} is not the bed of {who}; name {sleeps!r} or another place",
                habit.place,
                place=habit.place,
                who=persona.id,
                sleeps=persona.sleeps,
            )


def _check_bed(world: World, persona: Persona, problems: Problems) -> None:
    """Report a bed in another's room or in another building than the home."""
    file = f"residents/{persona.id}.json"
    homes = {other.home for who, other in world.personas.items() if who != persona.id}
    if persona.sleeps in world.things and persona.home in world.arenas:
        room = world.things[persona.sleeps].arena
        if room != persona.home and room in homes:
            problems.error(
                file,
                "sleeps",
                "{sleeps!r} is in another's room; name a bed in {home!r}",
                persona.sleeps,
                sleeps=persona.sleeps,
                home=persona.home,
            )
        elif sector_of(room) != sector_of(persona.home):
            problems.error(
                file,
                "sleeps",
                "{sleeps!r} is not where the home {home!r} is; name a bed there",
                persona.sleeps,
                sleeps=persona.sleeps,
                home=persona.home,
            )


def _list_days(persona: Persona) -> Iterator[tuple[Phrase, tuple[Habit, ...]]]:
    """Yield the name of each day of the week with a resident's habits on it."""
    for number, day in enumerate(WEEKDAYS):
        yield WEEKDAY_NAMES[day], persona.habits_on(A_MONDAY + timedelta(days=number))


def _check_meals(world: World, persona: Persona, problems: Problems) -> None:
    """Warn of days on which the habits never lead to a place with food."""
    hungry = [
        day
        for day, habits in _list_days(persona)
        if not any(FOOD & set(world.spot_tags.get(habit.place, ())) for habit in habits)
    ]
    if hungry:
        text = N_(
            "never lead to a place with food on {days}; add a meal at something tagged eat or cook"
        )
        problems.warn(f"residents/{persona.id}.json", "habits", text, persona.home, days=hungry)


def _check_travel(world: World, persona: Persona, problems: Problems) -> None:
    """Report habits whose place is reached only after the habit is over, and warn of those whose
    place is reached after half of it is, for the first day that fails.
    """
    reported: set[tuple[Habit, Habit]] = set()
    for day, habits in _list_days(persona):
        for before, habit in pairwise(habits):
            minutes, left = (
                _minutes_on_foot(world, before.place, habit.place),
                habit.end - before.end,
            )
            if minutes <= left / 2 or (before, habit) in reported:
                continue
            reported.add((before, habit))
            only = "" if minutes >= left else Phrase("only ")
            text = N_(
                "the way from {start!r} to {goal!r} takes {minutes} minutes, and on {day} there are {only}{left} until {end};"
                " let it last longer, or choose a nearer place"
            )
            note = problems.warn if only else problems.error
            file, where = f"residents/{persona.id}.json", f"habits[{persona.habits.index(habit)}]"
            note(
                file,
                where,
                text,
                habit.place,
                start=before.place,
                goal=habit.place,
                minutes=minutes,
                day=day,
                only=only,
                left=left,
                end=hhmm(habit.end),
            )


def _minutes_on_foot(world: World, start: str, goal: str) -> int:
    """Return the minutes on foot, rounded up; 0 if unknown, which other checks report."""
    tiles = [
        world.things[place].stands if place in world.things else world.open_tiles.get(place, ())
        for place in (start, goal)
    ]
    if not tiles[0] or not tiles[1]:
        return 0
    try:
        return -(-world.maze.distance(tiles[0][0], tiles[1][0]) // TILES_PER_MINUTE)
    except LookupError:
        return 0
