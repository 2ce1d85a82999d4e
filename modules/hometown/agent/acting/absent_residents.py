"""Residents whom a pressing matter may concern and who are not here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from hometown.agent.acting.pressing_matters import PressingMatter
from hometown.agent.mind import Mind
from hometown.agent.perception.concern import houses_of
from hometown.agent.planning.known_rooms import find_acquaintances, find_person
from hometown.world.world import sector_of

MAX_ABSENT = 2
"""Maximum number of absent residents to run to."""


def find_absent_residents(mind: Mind, first: PressingMatter) -> tuple[tuple[str, str], ...]:
    """Return up to `MAX_ABSENT` residents who are believed to be neither here nor in the house of
    a matter, and whom it may concern, each with the room in which they are looked for: those of the
    house first, then the closest; none for a sleeper.
    """
    if mind.state.is_asleep(mind.who):
        return ()
    house = _house_of(first)
    away = (each for each in _list_elsewhere(mind, house) if sector_of(each[1]) != house)
    return tuple(islice(away, MAX_ABSENT))


def find_those_there(mind: Mind, first: PressingMatter) -> tuple[str, ...]:
    """Return the residents who are believed to be in the house of a matter, for one who is not in
    it.
    """
    house = _house_of(first)
    if not house or sector_of(mind.arena) == house:
        return ()
    return tuple(who for who, room in _list_elsewhere(mind, house) if sector_of(room) == house)


def _house_of(matter: PressingMatter) -> str:
    """Return the house of a matter; "" for one without a place."""
    return sector_of(matter.address) if matter.address else ""


def _list_elsewhere(mind: Mind, house: str) -> Iterator[tuple[str, str]]:
    """Yield the acquaintances who are believed to be elsewhere, with the room in which they are
    looked for: those of a house first, then the closest.
    """
    known = sorted(
        find_acquaintances(mind),
        key=lambda who: (house not in houses_of(mind.world, who), -mind.closeness(who), who),
    )
    for who in known:
        place = None if mind.is_here(who) else find_person(mind, who, amid_alarm=True)
        if place and place.rooms[0] != mind.arena:
            yield who, place.rooms[0]
