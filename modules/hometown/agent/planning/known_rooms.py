"""The rooms that a resident knows, and where they would look for another resident."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Literal

from hometown.agent.mind import Mind
from hometown.agent.mind.meant import meant_part
from hometown.agent.perception.happening_events import is_known_closed
from hometown.clock import at_minute
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import OVERHEARD_PREDICATE, Concept
from hometown.prompt.plans import KnownRoom
from hometown.prompt.tasks import Sought
from hometown.text import catalogue, contains_name
from hometown.world.activities import DUTIES, themes_of
from hometown.world.happening_process import find_closing
from hometown.world.maze import OUTDOORS
from hometown.world.persona import Persona
from hometown.world.resident_names import name_kin, named_residents
from hometown.world.visits import list_inhabitants
from hometown.world.work import DAYS, WORKING_HOURS, workplace
from hometown.world.world import World, arena_of, sector_of

SIGHTING_TRUSTED = timedelta(hours=2)
"""Time for which a resident believes another to be where they last saw them."""

MAX_PEOPLE = 2
"""Maximum number of residents named in an activity whose rooms a prompt lists."""

INNER_TAGS = frozenset({"bedroom", "bathroom"})
"""Tags of rooms in which visitors are not received."""


@frozen
class LikelyPlace:
    """A resident whom a text names, with the rooms in which to look for them, the likeliest first."""

    who: str
    sought: Sought
    rooms: tuple[str, ...]


# rooms -------------------------------------------------------------------------------------


def list_known_rooms(mind: Mind) -> tuple[KnownRoom, ...]:
    """Return all rooms that a resident can plan for, in this order: of their own home, their
    workplace, public ones and those in which acquaintances receive visitors.
    """
    home, work = sector_of(mind.me.home), _find_place_of_duties(mind)
    usable = [arena for arena in mind.state.places(mind.who).arenas if may_enter(mind, arena)]
    visits = [arena for arena in visiting_rooms(mind) if arena not in usable]
    rooms = [_as_room(mind, arena, home, work) for arena in (*usable, *visits)]
    order = ("home", "work", "public", "visit")
    houses = {room.address: sector_of(room.address) for room in rooms}
    first = {house: at for at, house in reversed(list(enumerate(houses.values())))}
    return tuple(
        sorted(rooms, key=lambda room: (order.index(room.role), first[houses[room.address]]))
    )


def _find_place_of_duties(mind: Mind) -> str:
    """Return the resident's workplace; "" if it is only where they spend their spare time."""
    work = workplace(mind.me.habits, mind.me.home)
    themes = (
        theme.key
        for habit in mind.me.habits
        if arena_of(habit.place) == work
        for theme in themes_of(habit.activity, mind.world.lang)
    )
    return work if DUTIES.intersection(themes) else ""


def may_enter(mind: Mind, arena: str) -> bool:
    """Return True for public places, rooms of one's own house but those of residents who are out of
    town, and places of one's habits.
    """
    place = mind.world.arenas[arena]
    absent = (re.split(r"[（(]", name)[0].strip() for name in mind.me.absent)
    return (
        place.public
        or (
            place.sector == sector_of(mind.me.home)
            and not any(contains_name(name, place.name) for name in absent)
        )
        or any(arena_of(habit.place) == arena for habit in mind.me.habits)
    )


def visiting_rooms(mind: Mind) -> Iterator[str]:
    """Yield the rooms in which acquaintances receive visitors at home."""
    rooms = (
        receiving_room(mind.world, mind.world.personas[other].home)
        for other in find_acquaintances(mind)
    )
    yield from dict.fromkeys(room for room in rooms if sector_of(room) != sector_of(mind.me.home))


def find_acquaintances(mind: Mind) -> Iterator[str]:
    """Yield the residents whom one knew before or has talked with."""
    return (
        other
        for other in mind.world.personas
        if other != mind.who
        and (mind.me.relation_to(other) or mind.state.relation(mind.who, other).talks)
    )


@lru_cache(maxsize=4096)
def receiving_room(world: World, home: str) -> str:
    """Return the room of a home in which guests are received: the first of the house that is no
    bedroom and no bathroom, if there is one.
    """
    arenas = world.sectors[sector_of(home)].arenas
    return next((arena for arena in arenas if not world.arenas[arena].tags & INNER_TAGS), home)


def _as_room(mind: Mind, arena: str, home: str, work: str) -> KnownRoom:
    """Return an arena in the form in which prompts list it."""
    world, house = mind.world, sector_of(arena)
    role: Literal["home", "work", "visit", "public"] = (
        "home"
        if house == home
        else "work"
        if house == sector_of(work)
        else "public"
        if may_enter(mind, arena)
        else "visit"
    )
    house_name, own = world.sectors[house].name, world.arenas[arena].name
    owners = tuple(
        world.name_of(who) for who in (list_inhabitants(world, house) if role == "visit" else ())
    )
    return KnownRoom(
        arena, house_name, "" if own == house_name else own, role, owners, world.spot_tags[arena]
    )


# people ------------------------------------------------------------------------------------


def find_named_people(mind: Mind, *texts: str) -> tuple[LikelyPlace, ...]:
    """Return up to `MAX_PEOPLE` other residents named in the intended clauses of texts, with the
    rooms in which to look for them.
    """
    meant = [meant_part(name_kin(mind.world, mind.who, text), mind.world.lang) for text in texts]
    named = (who for who in find_named(mind.world, meant) if who != mind.who)
    found = (find_person(mind, who) for who in named)
    return tuple(person for person in found if person)[:MAX_PEOPLE]


def find_person(mind: Mind, who: str, *, amid_alarm: bool = False) -> LikelyPlace | None:
    """Return the rooms in which a resident would look for another: the present one if they are there,
    that of an agreement with them for now, the last trusted sighting, and the usual rooms of an
    acquaintance, which come before that if a usual hour has begun since; the present room comes last
    where the other is not there. Other rooms that are known to be unusable are left out, unless the
    other was seen there since, or what has made them so concerns those who are still there
    (`amid_alarm`). None if they know of none.
    """
    sighting, persona = _last_sighting(mind, who), mind.world.personas[who]
    agreed = _agreed_rooms(mind, who)
    seen = [sighting.address] if sighting else []
    usual = _usual_rooms(mind, persona) if who in find_acquaintances(mind) else []
    has_moved_on = sighting is not None and usual and _has_moved_on(mind, persona, sighting)
    rooms = [*agreed, *usual, *seen] if has_moved_on else [*agreed, *seen, *usual]
    rooms = [arena_of(room) for room in dict.fromkeys(rooms) if room]
    rooms = [
        room
        for room in rooms
        if amid_alarm or not is_known_closed(mind, room) or _is_seen_since(mind, sighting, room)
    ]
    rooms.sort(key=lambda room: room == mind.arena)
    if is_here := mind.arena != OUTDOORS and mind.is_here(who):
        rooms = [mind.arena, *rooms]
    if not rooms:
        return None
    is_seen_there = sighting is not None and rooms[0] == sighting.address
    return LikelyPlace(
        who,
        Sought(
            mind.words.name(who),
            mind.world.place_name(rooms[0]),
            sighting.created if sighting and is_seen_there else None,
            is_here=is_here,
        ),
        tuple(dict.fromkeys(rooms)),
    )


def _is_seen_since(mind: Mind, sighting: Concept | None, room: str) -> bool:
    """Return True if a sighting is of another in a room since that has been unusable."""
    closing = find_closing(mind.state, room)
    return (
        sighting is not None
        and closing is not None
        and arena_of(sighting.address) == room
        and sighting.created >= closing.since
    )


def _agreed_rooms(mind: Mind, who: str) -> list[str]:
    """Return the places of the resident's agreements with another for now, or to begin in the next
    step.
    """
    soon = mind.now + timedelta(minutes=mind.moment.stride)
    return [
        promise.address
        for promise in mind.state.promises(mind.who).items
        if who in promise.people and (promise.is_on(mind.now) or promise.is_on(soon))
    ]


def _has_moved_on(mind: Mind, persona: Persona, sighting: Concept) -> bool:
    """Return True if a habit of another's that is under way began with or after a sighting of
    them, unless that is of this very moment.
    """
    today = mind.now.date()
    return sighting.created < mind.now and any(
        habit.start <= mind.minute < habit.end and at_minute(today, habit.start) >= sighting.created
        for habit in persona.habits_on(today)
    )


def _last_sighting(mind: Mind, who: str) -> Concept | None:
    """Return the memory of having last seen another resident or talked with them, or None if it is
    older than `SIGHTING_TRUSTED` or they were on their way.

    Sightings of this step do not count: they are stored concurrently with the choice of places.
    """
    known = mind.context.snapshot.memory(mind.who)
    last = next(
        (
            memory
            for memory in known.since(mind.now - SIGHTING_TRUSTED, ("event", "chat"))
            if memory.address in mind.world.arenas and is_sighting(memory, who)
        ),
        None,
    )
    return None if last is None or _is_on_the_way(last, mind.world.lang) else last


def is_sighting(memory: Concept, who: str) -> bool:
    """Return True if a memory is of having seen or overheard a resident, or talked with them."""
    if memory.type == "chat":
        return who in memory.about
    is_told = bool(memory.talk) and memory.predicate != OVERHEARD_PREDICATE
    return memory.subject == who and not is_told


def _is_on_the_way(seen: Concept, lang: Lang) -> bool:
    """Return True if a resident was seen outdoors between places, or bound for another place."""
    bound = arena_of(seen.object) if "/" in seen.object else seen.address
    is_going = seen.predicate == catalogue(lang, "outside")["way_seen"]
    return is_going or seen.address == OUTDOORS or bound != seen.address


def _usual_rooms(mind: Mind, persona: Persona) -> list[str]:
    """Return the rooms in which a resident usually is on such a day: at this hour, at work, at home."""
    habits = persona.habits_on(mind.now.date())
    home, work = receiving_room(mind.world, persona.home), workplace(habits, persona.home)
    now = _rooms_of_habits_now(mind, persona)
    present = [home if sector_of(room) == sector_of(persona.home) else room for room in now]
    is_working_time = WORKING_HOURS[0] <= mind.minute < WORKING_HOURS[1]
    return [*present, *((work, home) if is_working_time else (home, work))]


def find_absent_keeper(mind: Mind, room: str) -> Sought | None:
    """Return the keeper of a shop with the place where they are believed to be; None if they are
    believed to be in their shop, if the room is no shop or the resident's own, or if no other place
    of theirs is known.
    """
    keeper = find_keeper(mind.world, room)
    if keeper in ("", mind.who) or _is_believed_to_serve(mind, keeper, room):
        return None
    found = find_person(mind, keeper)
    if found is None or found.rooms[0] == room:
        return None
    return found.sought._replace(keeps=mind.world.place_name(room))


def _is_believed_to_serve(mind: Mind, keeper: str, room: str) -> bool:
    """Return True if a keeper is seen in the shop, was last seen there or, unseen, is usually there
    at this hour.
    """
    if mind.arena == room:
        return mind.is_here(keeper)
    sighting = _last_sighting(mind, keeper)
    if sighting and not _has_moved_on(mind, mind.world.personas[keeper], sighting):
        return sighting.address == room
    return room in _rooms_of_habits_now(mind, mind.world.personas[keeper])


def _rooms_of_habits_now(mind: Mind, persona: Persona) -> list[str]:
    """Return the rooms of a resident's habits of this hour and weekday."""
    habits = persona.habits_on(mind.now.date())
    return [arena_of(habit.place) for habit in habits if habit.start <= mind.minute < habit.end]


@lru_cache(maxsize=1024)
def find_keeper(world: World, room: str) -> str:
    """Return the resident who works in a building, serves customers in its public room indoors, and
    spends the most time of a week there; "" if there is none.
    """
    place = world.arenas.get(room)
    if place is None or not place.public or "outdoor" in place.tags:
        return ""
    minutes: dict[str, int] = {}
    for who, persona in world.personas.items():
        here = [habit for habit in persona.habits if arena_of(habit.place) == room]
        works = sector_of(workplace(persona.habits, persona.home)) == place.sector
        if works and any(_is_serving(habit.activity, world.lang) for habit in here):
            minutes[who] = sum((each.end - each.start) * (len(each.days) or DAYS) for each in here)
    return max(minutes, key=lambda who: minutes[who], default="")


def _is_serving(activity: str, lang: Lang) -> bool:
    return any(theme.key == "serve" for theme in themes_of(activity, lang))


def find_named(world: World, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the residents whom texts name, by their whole names or by unique given names, in the
    world's order.
    """
    return named_residents(world, " ".join(texts))
