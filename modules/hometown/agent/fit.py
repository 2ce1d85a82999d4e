"""How well places suit what a resident is about to do: worked out for all that it knows at once, since a town asks hundreds of times an hour."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hometown.agent.mind import Mind
from hometown.model.hashing import Vector, hash_vector
from hometown.prompt.doing import Spot
from hometown.world.activities import themes_of
from hometown.world.maze import Tile
from hometown.world.world import World, sector_of

NEAR = 30.0
"""Tiles at which nearness counts half."""

_LETTERS = 256
"""Dimensions in which names are compared with what is to be done."""

Floats = NDArray[np.float64]


class Place(NamedTuple):
    """A place that a prompt might list: what it was last seen like, and whether somebody else seemed to use it then."""

    address: str
    state: str = ""
    taken: bool = False


class Places:
    """All arenas and things of a world, numbered, with what is looked up of many of them at once."""

    def __init__(self, world: World) -> None:
        names = world.spot_names
        self.lang = world.lang
        self.number = {address: number for number, address in enumerate(names)}
        self.house = [sector_of(address) for address in names]
        self.plain = {address: Place(address) for address in names}
        """Each as it always is."""
        self.beds = frozenset(address for address, thing in world.things.items() if "sleep" in thing.tags)
        self.letters = np.stack([_letters(name) for name in names.values()])
        self.columns, self.rows = np.array([world.spot_tiles.get(address, (0, 0)) for address in names]).T.copy()
        self.part = {part: number for number, part in enumerate(dict.fromkeys(part for address in names for part in _parts(address)))}
        """Houses, rooms and things, numbered; a room lies in itself."""
        self.parts = np.array([[self.part[part] for part in (*_parts(address), address)[:3]] for address in names])
        self.tags = [frozenset(world.spot_tags[address]) for address in names]
        self.called = [(Spot(address, name, "", False, ()).own or name).casefold() for address, name in names.items()]
        self.short = {sector: _short_names(house.name) for sector, house in world.sectors.items()}

    def away(self, numbers: list[int], tile: Tile) -> NDArray[np.int_]:
        """Tiles to some of them as the crow flies."""
        tiles: NDArray[np.int_] = np.maximum(np.abs(self.columns[numbers] - tile[0]), np.abs(self.rows[numbers] - tile[1]))
        return tiles


@lru_cache(maxsize=8)
def places_of(world: World) -> Places:
    return Places(world)


class Fit:
    """How well places suit what a resident is about to do. Only those are looked at that are asked about, however many there are in the world."""

    def __init__(self, mind: Mind, activity: str, entry: str) -> None:
        self.mind, self.activity, self.entry = mind, activity, entry
        self.places = places_of(mind.world)

    def ranked(self, places: Iterable[Place]) -> list[Place]:
        """Places, the best first; no two are the same."""
        listed = list(places)
        numbers = [self.places.number[place.address] for place in listed]
        near = NEAR / (NEAR + self.places.away(numbers, self.mind.state.body(self.mind.who).tile))
        scored = zip(self._scores(numbers).tolist(), near.tolist(), listed, strict=True)
        keyed = [(round(score + (nearness - place.taken), 5), place.address, place) for score, nearness, place in scored]
        return [place for _, _, place in sorted(keyed, key=itemgetter(0, 1), reverse=True)]

    def _scores(self, numbers: list[int]) -> Floats:
        """What speaks for some places, but for how near they are."""
        mind, parts = self.mind, self.places.parts[numbers]
        score = self._by_words(numbers) + self._by_habit(parts)
        for room in {promise.address for promise in mind.state.promises(mind.who).items} & mind.world.arenas.keys():
            score[self._within(parts, room)] += 1.5
        for here in (mind.arena, sector_of(mind.me.home)):
            score[self._within(parts, here)] += 1.5
        return score

    def _within(self, parts: NDArray[np.int_], part: str) -> NDArray[np.bool_]:
        """Which places lie in a house or in a room, or are it."""
        inside: NDArray[np.bool_] = (parts == self.places.part.get(part, -1)).any(axis=1)
        return inside

    def _by_habit(self, parts: NDArray[np.int_]) -> Floats:
        """What a house, a room and a thing of the usual day add: more, the more of the address is the same."""
        mind, score = self.mind, np.zeros(len(parts))
        habits = mind.me.habits_on(mind.now.date())
        usual = [(4.0, habit.place) for habit in habits if habit.activity == self.entry]
        usual += [(2.0, habit.place) for habit in habits if habit.start <= mind.minute < habit.end]
        for weight, place in usual:
            for level, part in enumerate(_parts(place), start=1):
                inside = self._within(parts, part)
                score[inside] = np.maximum(score[inside], weight * level)
        return score

    def _by_words(self, numbers: list[int]) -> Floats:
        """What it adds that a place is made for an activity, is called like it, or is named in it: "the library", and not "Oak Hill Library"."""
        places, activity, entry = self.places, self.activity, self.entry
        wanted = 3.0 * _letters(activity) + 1.5 * _letters(entry)
        score: Floats = np.maximum(0.0, np.vecdot(places.letters[numbers], wanted)).astype(np.float64)
        for weight, text in ((3.0, activity), (1.5, entry)):
            tags = {tag for theme in themes_of(text, places.lang) for tag in theme.tags}
            score[[not tags.isdisjoint(places.tags[number]) for number in numbers]] += weight
        words = f"{activity} {entry}".casefold()
        score[[places.called[number] in words for number in numbers]] += 2.0
        houses = [places.house[number] for number in numbers]
        named = {house for house in set(houses) if any(name in words for name in places.short[house])}
        score[[house in named for house in houses]] += 3.0
        return score


@lru_cache(maxsize=4096)
def _letters(text: str) -> Vector:
    return hash_vector(text, _LETTERS)


def _short_names(name: str) -> tuple[str, ...]:
    """What a house may be called for short: a longer word of its name, or three characters of a Chinese one."""
    return (*re.findall(r"[a-z]{5,}", name.casefold()), *re.findall(r"(?=([\u4e00-\u9fff]{3}))", name))


def _parts(address: str) -> tuple[str, ...]:
    """The addresses of a place's house, its room, and its thing if it is one."""
    parts = address.split("/")
    return tuple("/".join(parts[:count]) for count in range(1, len(parts) + 1))
