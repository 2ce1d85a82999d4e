"""Strangers: residents whom the director lets enter by the road, and who leave at a set time or
stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

import orjson

from hometown.memory.action import Action
from hometown.name import first_free
from hometown.text import catalogue
from hometown.world.beginnings import first_effects
from hometown.world.carrying_out import ARRIVAL_MINUTES
from hometown.world.effects import Effect
from hometown.world.incidents import LawChanged, MovedIn
from hometown.world.maze import OUTDOORS
from hometown.world.moving_in import SECTION, beds, read_latecomers
from hometown.world.visitors import find_entrance
from hometown.world.visits import list_inhabitants
from hometown.world.world import World, arena_of, sector_of

DAY_BEGINS, DAY_ENDS, BEDTIME = "07:00", "18:00", "22:00"
"""The usual times at which strangers get up, end what they do, and go to bed."""


def find_free_bed(world: World) -> str:
    """Return a bed in a house where nobody lives; "" if there is none."""
    empty = (
        bed
        for bed in beds(world)
        if bed not in world.gone and not list_inhabitants(world, sector_of(bed))
    )
    return next(empty, "")


def name_stranger(world: World) -> str:
    """Return an unused id for a stranger."""
    return first_free("stranger", {*world.personas, *world.sectors}, "_")


def describe_stranger(
    world: World,
    texts: Mapping[str, str],
    pronouns: list[str],
    age: int,
    place: str,
    until: datetime | None,
) -> str:
    """Return the file of a stranger, as of a resident, in JSON.

    Args:
        world: the town.
        texts: the texts of the file; `doing` is what they do at the place.
        pronouns: their pronouns.
        age: in years.
        place: the arena for which they have come.
        until: the time at which they leave; None if they stay, in a free bed.
    """
    lang, bed = world.lang, "" if until else find_free_bed(world)
    doing, currently = texts["doing"], texts["currently"]
    if until:
        leaving = catalogue(lang, "mind")["stranger_leaves"]
        currently = leaving.format(text=currently, name=texts["name"], time=f"{until:%H:%M}")
    named = ("name", "occupation", "innate", "learned")
    person = {field: {lang: texts[field]} for field in named} | {
        "age": age,
        "pronouns": {lang: pronouns},
        "lifestyle": {lang: currently},
        "currently": {lang: currently},
        "daily_plan": {lang: doing},
        "wake": DAY_BEGINS,
        "bed": BEDTIME,
        "home": arena_of(bed) if bed else OUTDOORS,
        "sleeps": bed,
        "interests": {lang: [texts["occupation"]]},
        "habits": [
            {
                "start": DAY_BEGINS,
                "end": f"{until:%H:%M}" if until else DAY_ENDS,
                "activity": {lang: doing},
                "place": place,
            }
        ],
    }
    return orjson.dumps(person, option=orjson.OPT_SORT_KEYS).decode()


def enter_by_road(
    world: World, who: str, person: str, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """Yield the effects by which a stranger, whose file is given in JSON, enters by the road."""
    entries = {f"{SECTION}/{who}": person}
    persona = read_latecomers(world, entries)[who]
    yield LawChanged(tuple(entries.items()))
    arriving = catalogue(world.lang, "mind")["stranger_arriving"]
    busy = Action("act", arriving, OUTDOORS, ARRIVAL_MINUTES, "🧳", started=now)
    yield MovedIn(who, find_entrance(world), persona.currently, busy)
    yield from first_effects(world, persona, now, expire_days)
