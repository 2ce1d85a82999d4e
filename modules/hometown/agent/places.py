"""Places as prompts list them: of all that a resident knows and may use, the few that could serve.

A resident of a large town knows hundreds of spots. Which of them a prompt names is decided here, by
rule and for any model, from what the resident itself knows: what is to be done and what the places
are called and made for, its habits, its home, what it has agreed to, and how far it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hometown.agent.fit import Fit, Place, quarters_of
from hometown.agent.habits import habit_named
from hometown.agent.mind import Mind
from hometown.prompt.doing import Spot
from hometown.world.scene import box_distance
from hometown.world.world import arena_of, sector_of

LISTED = 14
"""Spots that one prompt lists at most, arenas and things together."""

FITTING = 6
"""Spots that one prompt lists at most where they have to fit habit."""

SITES = 5
"""Places to meet that one prompt lists at most."""


def spots(mind: Mind, activity: str, entry: str) -> tuple[Spot, ...]:
    """Where `activity`, part of `entry`, could be done: any place that could serve, or near habit a
    few that do.
    """
    ranked = _ranked(mind, activity, entry)
    return as_spots(mind, _fitting(mind, ranked, entry) if mind.near_habit else _any(mind, ranked))


def best_place(mind: Mind, activity: str, entry: str, places: Iterable[Place]) -> str:
    """The address of that of these places which suits `activity` best, by rule; where the resident
    is if it can use none.
    """
    free = [place for place in _usable(mind, activity, places) if not place.taken]
    return max(free, key=Fit(mind, activity, entry).of).address if free else mind.arena


def _ranked(mind: Mind, activity: str, entry: str) -> list[Place]:
    """All places that can be used for it, the best first."""
    return sorted(
        _usable(mind, activity, known_places(mind)), key=Fit(mind, activity, entry).of, reverse=True
    )


def _usable(mind: Mind, activity: str, places: Iterable[Place]) -> Iterator[Place]:
    return (
        place
        for place in places
        if not place.state or serves(mind, place.address, place.state, activity)
    )


def as_spots(mind: Mind, listed: Iterable[Place]) -> tuple[Spot, ...]:
    """Places as prompts list them."""
    names, tags = mind.world.spot_names, mind.world.spot_tags
    return tuple(
        Spot(address, names[address], state, taken, tags[address])
        for address, state, taken in listed
    )


def serves(mind: Mind, address: str, shown: str, activity: str) -> bool:
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
    shown = dict(mind.state.known_things(mind.who, arena_of(address)).things).get(address)
    return (
        address in mind.world.things
        and shown is not None
        and serves(mind, address, shown, activity)
    )


def _fitting(mind: Mind, ranked: list[Place], entry: str) -> list[Place]:
    """The best few, the best first: for a habit those of its own room, if the resident knows it."""
    habit = habit_named(mind, entry)
    own = [place for place in ranked if habit and arena_of(place.address) == arena_of(habit.place)]
    return (own or ranked)[:FITTING]


def _any(mind: Mind, ranked: list[Place]) -> list[Place]:
    """Each arena before its things, the one at hand first, then the best.

    An arena is listed with every thing of it that is, so there may be fewer things the more arenas
    there are. That at hand is always among them.
    """
    kept, room = {mind.arena: set[str]()}, LISTED - 1
    for address, *_ in ranked:
        if not room:
            break
        arena = arena_of(address)
        if room < 1 + (arena not in kept):
            continue
        things = kept.setdefault(arena, set())
        if address != arena:
            things.add(address)
        room = LISTED - len(kept) - sum(map(len, kept.values()))
    by_address = {place.address: place for place in ranked}
    listed = [address for arena, things in kept.items() for address in (arena, *sorted(things))]
    return [by_address[address] for address in listed if address in by_address]


def known_places(mind: Mind) -> Iterator[Place]:
    """All places that the resident knows and may use, with the states it remembers."""
    looks, places, bed = _Looks(mind), quarters_of(mind.world), mind.me.sleeps
    for arena in mind.state.places(mind.who).arenas:
        if _welcome(mind, arena):
            yield places.plain[arena]
            for address, shown in mind.state.known_things(mind.who, arena).things:
                if address == bed or address not in places.beds:
                    yield (
                        looks.of(address, shown)
                        if shown or address == looks.using
                        else places.plain[address]
                    )


def _welcome(mind: Mind, arena: str) -> bool:
    """Public places, the own home, and places that belong to the usual day."""
    place = mind.world.arenas[arena]
    return (
        place.public
        or place.sector == sector_of(mind.me.home)
        or any(habit.place.startswith(arena) for habit in mind.me.habits)
    )


class _Looks:
    """What things are like to a resident that remembers them."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.using = mind.state.body(mind.who).using
        self.used_by_me = mind.words.say("in_use", name=mind.me.name)

    def of(self, address: str, shown: str) -> Place:
        """What a thing is like that was last seen as `shown`: its state is "" if it is as always."""
        mind = self.mind
        if self.using == address:
            return Place(address, mind.words.say("in_use_by_you"))
        if not shown or shown == self.used_by_me:
            return Place(address)
        others = (
            mind.world.things[address].seats == 1
            and address != mind.me.sleeps
            and shown != mind.state.condition(address)
        )
        return Place(address, shown, others)


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

    kept = set(sorted(known, key=remoteness)[:SITES])
    return tuple((arena, world.place_name(arena)) for arena in known if arena in kept)
