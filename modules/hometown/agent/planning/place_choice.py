"""Places as prompts list them: of all that a resident knows and may use, the few that could serve.

A resident of a large town knows hundreds of spots. Which of them a prompt names is decided here, by
rule and for any model, from what the resident itself knows: what is to be done and what the places
are called and made for, its habits, its home, what it has agreed to, and how far it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hometown.agent.mind import Mind
from hometown.agent.planning.habits import find_habit
from hometown.agent.planning.place_fit import KnownPlace, PlaceScorer, quarters_of
from hometown.prompt.doing import Spot
from hometown.world.scene import box_distance
from hometown.world.world import arena_of, sector_of

MAX_SPOTS = 14
"""Spots that one prompt lists at most, arenas and things together."""

MAX_HABITUAL_SPOTS = 6
"""Spots that one prompt lists at most where they have to fit habit."""

MAX_MEETING_PLACES = 5
"""Places to meet that one prompt lists at most."""


def spots(mind: Mind, activity: str, entry: str) -> tuple[Spot, ...]:
    """Where `activity`, part of `entry`, could be done: any place that could serve, or near habit a
    few that do.
    """
    ranked = _ranked(mind, activity, entry)
    return as_spots(
        mind,
        _choose_habitual(mind, ranked, entry)
        if mind.is_near_habit
        else _choose_widely(mind, ranked),
    )


def best_place(mind: Mind, activity: str, entry: str, places: Iterable[KnownPlace]) -> str:
    """The address of that of these places which suits `activity` best, by rule; where the resident
    is if it can use none.
    """
    free = [place for place in _usable(mind, activity, places) if not place.taken]
    return max(free, key=PlaceScorer(mind, activity, entry).of).address if free else mind.arena


def _ranked(mind: Mind, activity: str, entry: str) -> list[KnownPlace]:
    """All places that can be used for it, the best first."""
    return sorted(
        _usable(mind, activity, known_places(mind)),
        key=PlaceScorer(mind, activity, entry).of,
        reverse=True,
    )


def _usable(mind: Mind, activity: str, places: Iterable[KnownPlace]) -> Iterator[KnownPlace]:
    return (
        place
        for place in places
        if not place.state or can_serve(mind, place.address, place.state, activity)
    )


def as_spots(mind: Mind, listed: Iterable[KnownPlace]) -> tuple[Spot, ...]:
    """Places as prompts list them."""
    names, tags = mind.world.spot_names, mind.world.spot_tags
    return tuple(
        Spot(address, names[address], state, taken, tags[address])
        for address, state, taken in listed
    )


def can_serve(mind: Mind, address: str, shown: str, activity: str) -> bool:
    """Whether a thing last seen as `shown` can be used for an activity: that is no lasting state
    which forbids it, or the activity puts it right.
    """
    if not shown or shown != mind.state.condition(address):
        return True
    kind = mind.world.condition_kind(address, shown)
    return not kind.forbids or kind.rights(activity)


def is_open(mind: Mind, address: str, activity: str) -> bool:
    """Whether a place that was chosen earlier is still there and can be used for an activity, as
    far as the resident knows.
    """
    if address in mind.world.arenas:
        return True
    shown = dict(mind.state.known(mind.who, arena_of(address)).things).get(address)
    return (
        address in mind.world.things
        and shown is not None
        and can_serve(mind, address, shown, activity)
    )


def _choose_habitual(mind: Mind, ranked: list[KnownPlace], entry: str) -> list[KnownPlace]:
    """The best few, the best first: for a habit those of its own room, if the resident knows it."""
    habit = find_habit(mind, entry)
    own = [place for place in ranked if habit and arena_of(place.address) == arena_of(habit.place)]
    return (own or ranked)[:MAX_HABITUAL_SPOTS]


def _choose_widely(mind: Mind, ranked: list[KnownPlace]) -> list[KnownPlace]:
    """Each arena before its things, the one at hand first, then the best.

    An arena is listed with every thing of it that is, so there may be fewer things the more arenas
    there are. That at hand is always among them.
    """
    kept, room = {mind.arena: set[str]()}, MAX_SPOTS - 1
    for address, *_ in ranked:
        if not room:
            break
        arena = arena_of(address)
        if room < 1 + (arena not in kept):
            continue
        things = kept.setdefault(arena, set())
        if address != arena:
            things.add(address)
        room = MAX_SPOTS - len(kept) - sum(map(len, kept.values()))
    by_address = {place.address: place for place in ranked}
    listed = [address for arena, things in kept.items() for address in (arena, *sorted(things))]
    return [by_address[address] for address in listed if address in by_address]


def known_places(mind: Mind) -> Iterator[KnownPlace]:
    """All places that the resident knows and may use, with the states it remembers."""
    looks, places, bed = _RememberedLooks(mind), quarters_of(mind.world), mind.me.sleeps
    for arena in mind.state.places(mind.who).arenas:
        if _may_enter(mind, arena):
            yield places.plain[arena]
            for address, shown in mind.state.known(mind.who, arena).things:
                if address == bed or address not in places.beds:
                    yield (
                        looks.of(address, shown)
                        if shown or address == looks.using
                        else places.plain[address]
                    )


def _may_enter(mind: Mind, arena: str) -> bool:
    """Public places, the own home, and places that belong to the usual day."""
    place = mind.world.arenas[arena]
    return (
        place.public
        or place.sector == sector_of(mind.me.home)
        or any(habit.place.startswith(arena) for habit in mind.me.habits)
    )


class _RememberedLooks:
    """What things are like to a resident that remembers them."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.using = mind.state.body(mind.who).using
        self.used_by_me = mind.words.say("in_use", name=mind.me.name)

    def of(self, address: str, shown: str) -> KnownPlace:
        """What a thing is like that was last seen as `shown`: its state is "" if it is as always."""
        mind = self.mind
        if self.using == address:
            return KnownPlace(address, mind.words.say("in_use_by_you"))
        if not shown or shown == self.used_by_me:
            return KnownPlace(address)
        others = (
            mind.world.things[address].seats == 1
            and address != mind.me.sleeps
            and shown != mind.state.condition(address)
        )
        return KnownPlace(address, shown, others)


# places to meet ----------------------------------------------------------------------------


def meeting_places(mind: Mind, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Public places that a mind knows, as (address, name): those named in the texts first, then the
    nearest.

    They are listed as they came to be known, so that the list of one talk changes little from line
    to line.
    """
    world, text = mind.world, " ".join(texts).casefold()
    known = [
        arena
        for arena in mind.state.places(mind.who).arenas
        if world.arenas[arena].public and not arena.startswith("outdoors/")
    ]
    here = mind.state.body(mind.who).tile

    def remoteness(arena: str) -> tuple[bool, int, str]:
        return (
            world.sectors[world.arenas[arena].sector].name.casefold() not in text,
            box_distance(here, world.spot_tiles[arena]),
            arena,
        )

    kept = set(sorted(known, key=remoteness)[:MAX_MEETING_PLACES])
    return tuple((arena, world.place_name(arena)) for arena in known if arena in kept)
