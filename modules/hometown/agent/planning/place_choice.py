"""Choice of the places that a prompt lists, from all that a resident knows and may use.

A resident of a large town knows hundreds of spots. Rules choose the few that could serve, for any
model and from the resident's own knowledge: the activity and the names and tags of places, habits,
home, appointments and distance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from hometown.agent.mind import Mind
from hometown.agent.perception.happening_events import is_known_closed
from hometown.agent.planning.habits import find_habit, usual_emoji
from hometown.agent.planning.known_rooms import (
    INNER_TAGS,
    find_named,
    find_named_people,
    may_enter,
    receiving_room,
)
from hometown.agent.planning.place_fit import KnownPlace, PlaceScorer, quarters_of
from hometown.memory.schedule import Entry, PlacedTask, Task, planned_room
from hometown.prompt.tasks import NO_EMOJI, PLACE, Spot
from hometown.text import contains_name
from hometown.world.whereabouts import box_distance
from hometown.world.work import workplace
from hometown.world.world import World, arena_of, sector_of

MAX_SPOTS = 16
"""Maximum number of spots in a prompt, arenas and things together."""

MAX_HABITUAL_SPOTS = 6
"""Maximum number of spots in a prompt near habit."""

MAX_MEETING_PLACES = 12
"""Maximum number of public places to meet in a prompt, all of a town of usual size."""


def spots(
    mind: Mind, activity: str, entry: str, room: str = "", kind: str = PLACE.kind
) -> tuple[Spot, ...]:
    """Return the spots where `activity`, part of `entry`, could be done; a few habitual ones near
    habit.

    Args:
        mind: the resident.
        activity: the task, or the whole entry.
        entry: the activity of the schedule entry.
        room: the arena that the plan names for it, which is always listed; "" for none.
        kind: the kind of the prompt that lists the spots.
    """
    is_near_habit = mind.is_near_habit(kind)
    people = () if is_near_habit else find_named_people(mind, activity, entry)
    sought = [each for person in people for each in person.rooms]
    ranked = _ranked(mind, activity, entry, room, sought)
    return as_spots(
        mind,
        _choose_habitual(mind, ranked, entry, room)
        if is_near_habit
        else _choose_widely(mind, ranked, room, sought),
    )


def best_place(
    mind: Mind, activity: str, entry: str, places: Iterable[KnownPlace], room: str = ""
) -> str:
    """Return the address of the free place that suits `activity` best, in the planned `room` if it
    has one; the current arena if there is none.
    """
    free = [place for place in _usable(mind, activity, places) if not place.taken]
    return (
        max(free, key=PlaceScorer(mind, activity, entry, room).of).address if free else mind.arena
    )


def place_task(mind: Mind, task: Task, entry: Entry, places: Iterable[KnownPlace]) -> PlacedTask:
    """Return a task of an entry that is no errand, at the place that suits it best."""
    emoji = usual_emoji(mind, task.activity, entry.activity)
    address = best_place(mind, task.activity, entry.activity, places, planned_room(entry))
    return PlacedTask(
        task.start,
        task.end,
        task.activity,
        task.status,
        address=address,
        emoji=emoji[0] if emoji else NO_EMOJI,
    )


def _ranked(
    mind: Mind, activity: str, entry: str, room: str, sought: Iterable[str]
) -> list[KnownPlace]:
    """Return all places that can be used for an activity, the best first; among them the planned
    room and those in which residents named in it are sought.
    """
    return sorted(
        _usable(mind, activity, known_places(mind, (room, *sought) if room else sought)),
        key=PlaceScorer(mind, activity, entry, room).of,
        reverse=True,
    )


def _usable(mind: Mind, activity: str, places: Iterable[KnownPlace]) -> Iterator[KnownPlace]:
    """Yield the places that can be used for an activity in their present state."""
    return (
        place
        for place in places
        if not place.state or can_serve(mind, place.address, place.state, activity)
    )


def as_spots(mind: Mind, listed: Iterable[KnownPlace]) -> tuple[Spot, ...]:
    """Return places in the form in which prompts list them."""
    names, tags = mind.world.spot_names, mind.world.spot_tags
    return tuple(
        Spot(address, names[address], state, taken, tags[address])
        for address, state, taken in listed
    )


def can_serve(mind: Mind, address: str, shown: str, activity: str) -> bool:
    """Return True if a thing last seen as `shown` can be used for an activity.

    Only a lasting condition can forbid that, unless the activity puts it right.
    """
    if not shown or shown != mind.state.condition(address):
        return True
    kind = mind.world.condition_kind(address, shown)
    return not kind.forbids or kind.rights(activity)


def is_open(mind: Mind, address: str, activity: str) -> bool:
    """Return True if a place chosen earlier still exists and can be used, as far as the resident
    knows.
    """
    if address in mind.world.arenas:
        return True
    shown = dict(mind.state.known_things(mind.who, arena_of(address)).things).get(address)
    return (
        address in mind.world.things
        and not is_known_closed(mind, arena_of(address))
        and shown is not None
        and can_serve(mind, address, shown, activity)
    )


def _choose_habitual(
    mind: Mind, ranked: list[KnownPlace], entry: str, room: str
) -> list[KnownPlace]:
    """Return the best few places of the planned room or, if none is planned, of the habit's; of all
    places if the resident knows none there.
    """
    habit = find_habit(mind, entry)
    arena = room or (arena_of(habit.place) if habit else "")
    own = [place for place in ranked if arena and arena_of(place.address) == arena]
    return (own or ranked)[:MAX_HABITUAL_SPOTS]


def _choose_widely(
    mind: Mind, ranked: list[KnownPlace], room: str, sought: Iterable[str]
) -> list[KnownPlace]:
    """Return the best places, each arena before its things and the current arena first.

    The planned room, a room of the home, the workplace and the rooms where residents are sought are
    always listed. An arena is listed with every thing of it that is, so more arenas leave room for
    fewer things.
    """
    by_address = {place.address: place for place in ranked}
    home = sector_of(mind.me.home)
    at_home = next(
        (arena_of(place.address) for place in ranked if sector_of(place.address) == home), ""
    )
    always = (room, at_home, workplace(mind.me.habits, mind.me.home), *sought)
    kept = {mind.arena: set[str]()} | {arena: set[str]() for arena in always if arena in by_address}
    free = MAX_SPOTS - len(kept)
    for address, *_ in ranked:
        if free <= 0:
            break
        arena = arena_of(address)
        if free < 1 + (arena not in kept):
            continue
        things = kept.setdefault(arena, set())
        if address != arena:
            things.add(address)
        free = MAX_SPOTS - len(kept) - sum(map(len, kept.values()))
    listed = [address for arena, things in kept.items() for address in (arena, *sorted(things))]
    return [by_address[address] for address in listed if address in by_address]


def known_places(mind: Mind, visited: Iterable[str] = ()) -> Iterator[KnownPlace]:
    """Yield all places that the resident knows and may use, with the states they remember.

    Beds of others, and things of rooms known to be closed, are left out. `visited` are arenas that
    they may enter as a visitor.
    """
    looks, places, bed = _RememberedLooks(mind), quarters_of(mind.world), mind.me.sleeps
    visited = frozenset(visited)
    for arena in dict.fromkeys((*mind.state.places(mind.who).arenas, *sorted(visited))):
        if arena in visited or may_enter(mind, arena):
            yield places.plain[arena]
            if is_known_closed(mind, arena):
                continue
            for address, shown in mind.state.known_things(mind.who, arena).things:
                if address == bed or address not in places.beds:
                    yield (
                        looks.of(address, shown)
                        if shown or address == looks.using
                        else places.plain[address]
                    )


class _RememberedLooks:
    """States of things as a resident remembers them."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.using = mind.state.body(mind.who).using
        company = mind.scene.residents[mind.arena]
        self.gone = {who: mind.words.say("in_use", name=mind.world.name_of(who)) for who in company}

    def of(self, address: str, shown: str) -> KnownPlace:
        """Return a thing last seen as `shown`: in use by the resident themselves, as always (state
        ""), also if it was used by a resident who is here while the thing is elsewhere, or in that
        state, and taken if its one seat seemed to be in use.
        """
        mind = self.mind
        if self.using == address:
            return KnownPlace(address, mind.words.say("in_use_by_you"))
        is_here = arena_of(address) == mind.arena
        left = [self.gone[mind.who]] if is_here else self.gone.values()
        if not shown or shown in left:
            return KnownPlace(address)
        others = (
            mind.world.things[address].seats == 1
            and address != mind.me.sleeps
            and shown != mind.state.condition(address)
        )
        return KnownPlace(address, shown, others)


# places to meet ----------------------------------------------------------------------------


def conversation_places(
    mind: Mind, texts: Sequence[str], others: Sequence[str], most: int = MAX_MEETING_PLACES
) -> tuple[tuple[str, str], ...]:
    """Return the arenas that a resident may name in a conversation with `others`, as (address,
    name), building by building.

    These are the places of the resident's coming entries and agreements; the rooms for visitors in
    the homes of the participants and of residents whom the coming entries name; and up to `most`
    public places, of which the participants' workplaces, those that `texts` name, and near ones
    take precedence.
    """
    world = mind.world
    coming = [each for each in mind.state.schedule(mind.who).entries if each.end > mind.minute]
    named = find_named(world, [entry.activity for entry in coming])
    own = [*_places_of_plan(mind, coming), *receiving_rooms(world, (mind.who, *others, *named))]
    first = [*own, *_workplaces(mind, others)]
    public = (address for address, _ in meeting_places(mind, texts, first, most))
    listed = dict.fromkeys((*own, *public))
    houses = list(dict.fromkeys(map(sector_of, listed)))
    by_house = sorted(listed, key=lambda arena: houses.index(sector_of(arena)))
    return tuple((arena, world.place_name(arena)) for arena in by_house)


def receiving_rooms(world: World, people: Iterable[str]) -> Iterator[str]:
    """Yield the rooms in which residents receive visitors at home."""
    return (receiving_room(world, world.personas[who].home) for who in dict.fromkeys(people))


def _places_of_plan(mind: Mind, coming: Iterable[Entry]) -> Iterator[str]:
    """Yield the places of coming entries and of all agreements, without bedrooms and bathrooms."""
    world = mind.world
    planned = (planned_room(entry) or entry.address for entry in coming)
    agreed = (each.address for each in mind.state.promises(mind.who).items)
    for arena in map(arena_of, (address for address in (*planned, *agreed) if address)):
        if not _is_street(arena) and not world.arenas[arena].tags & INNER_TAGS:
            yield arena


def named_places(mind: Mind, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the rooms of sectors named in `texts` that the resident knows, as (address, name): one
    of each sector, public ones before homes. The name of a resident also stands for their home.
    """
    world, said = mind.world, " ".join(texts).casefold()
    rooms = [*mind.state.places(mind.who).arenas]
    rooms += [receiving_room(world, persona.home) for persona in world.personas.values()]
    named: dict[str, str] = {}
    for arena in rooms:
        place = world.arenas[arena]
        is_meant = place.public or arena == receiving_room(world, arena)
        if is_meant and place.sector not in named and is_place_named(world, place.sector, said):
            named[place.sector] = arena
    for home in receiving_rooms(world, find_named(world, texts)):
        named.setdefault(sector_of(home), home)
    return tuple((arena, world.place_name(arena)) for arena in named.values())


def _workplaces(mind: Mind, others: Sequence[str]) -> tuple[str, ...]:
    """Return the workplaces of a resident and of others."""
    personas = (mind.world.personas[who] for who in (mind.who, *others))
    return tuple(workplace(persona.habits, persona.home) for persona in personas)


def find_place_named(mind: Mind, places: Sequence[tuple[str, str]], text: str, speaker: str) -> str:
    """Return the address of the place that a text names: the speaker's own home or workplace, or a
    listed place by its full or short name; "" if it names none.
    """
    world, said = mind.world, text.casefold()
    persona = world.personas.get(speaker)
    if persona and _has_one_of(said, mind.words.texts["my_home"]):
        return receiving_room(world, persona.home)
    work = workplace(persona.habits, persona.home) if persona else ""
    if work and _has_one_of(said, mind.words.texts["my_work"]):
        return work
    listed = dict.fromkeys(world.arenas[address].sector for address, _ in places)
    named = [sector for sector in listed if is_place_named(world, sector, said)]
    return next(
        (address for address, _ in places if named and world.arenas[address].sector == named[0]), ""
    )


def _has_one_of(said: str, phrases: str) -> bool:
    return any(contains_name(phrase, said) for phrase in phrases.split("|"))


def is_place_named(world: World, sector: str, text: str) -> bool:
    """Return True if a text, in lower case, names a sector by its full name or by a short one that
    no other has.
    """
    name = world.sectors[sector].name.casefold()
    return name in text or any(
        contains_name(short, text) for short in short_place_names(world)[sector]
    )


@lru_cache(maxsize=8)
def short_place_names(world: World) -> Mapping[str, tuple[str, ...]]:
    """Return the short names of public sectors that are not ambiguous: the last word of an English
    name, the last two or three characters of a Chinese one.
    """
    shorts = {
        key: _shorten(sector.name.casefold())
        for key, sector in world.sectors.items()
        if any(world.arenas[arena].public for arena in sector.arenas)
    }
    counts = Counter(short for found in shorts.values() for short in found)
    return defaultdict(
        tuple,
        {
            key: tuple(short for short in found if counts[short] == 1)
            for key, found in shorts.items()
        },
    )


def _shorten(name: str) -> tuple[str, ...]:
    """Return the short forms of a name: its last word, or its last three and two characters if it
    is Chinese.
    """
    if not name.isascii() and " " not in name:
        return tuple(dict.fromkeys((name[-3:], name[-2:])))
    return (name.split(" ")[-1],)


def _is_street(arena: str) -> bool:
    return arena.startswith("outdoors/")


def meeting_places(
    mind: Mind,
    texts: Iterable[str],
    first: Sequence[str] = (),
    most: int = MAX_MEETING_PLACES,
) -> tuple[tuple[str, str], ...]:
    """Return up to `most` public places that a resident knows, as (address, name). Those in `first`
    and those named in `texts` take precedence, then near ones. They are listed in the order in
    which they became known, so that the list changes little from line to line of a conversation.
    """
    world, text = mind.world, " ".join(texts).casefold()
    known = [
        arena
        for arena in mind.state.places(mind.who).arenas
        if world.arenas[arena].public and not _is_street(arena)
    ]
    here = mind.state.body(mind.who).tile

    def remoteness(arena: str) -> tuple[bool, bool, int, str]:
        return (
            arena not in first,
            not is_place_named(world, world.arenas[arena].sector, text),
            box_distance(here, world.spot_tiles[arena]),
            arena,
        )

    kept = set(sorted(known, key=remoteness)[:most])
    return tuple((arena, world.place_name(arena)) for arena in known if arena in kept)
