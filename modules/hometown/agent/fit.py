"""How well the places of a world suit what a resident is about to do: worked out for all of them at once, since a town asks hundreds of times an hour."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hometown.agent.mind import Mind
from hometown.model.hashing import Vector, hash_vector
from hometown.prompt.doing import Spot
from hometown.world.activities import themes_of
from hometown.world.world import World, sector_of

NEAR = 30.0
"""Tiles at which nearness counts half."""

_LETTERS = 256
"""Dimensions in which names are compared with what is to be done."""

Floats = NDArray[np.float64]
Positions = list[int]


class Place(NamedTuple):
    """A place that a prompt might list: what it was last seen like, and whether somebody else seemed to use it then."""

    address: str
    state: str = ""
    taken: bool = False


class Places:
    """All arenas and things of a world, numbered; and which of them have something in common."""

    def __init__(self, world: World) -> None:
        names = world.spot_names
        self.number = {address: number for number, address in enumerate(names)}
        self.plain = {address: Place(address) for address in names}
        """Each as it always is."""
        self.beds = frozenset(address for address, thing in world.things.items() if "sleep" in thing.tags)
        self.letters = np.stack([_letters(name) for name in names.values()])
        self.tiles = np.array([world.spot_tiles.get(address, (0, 0)) for address in names])
        self.within: dict[str, Positions] = defaultdict(list)
        """What lies in a house or in a room, which lies in itself."""
        self.tagged: dict[str, Positions] = defaultdict(list)
        self.called: dict[str, Positions] = defaultdict(list)
        """By what people call a place, without its room and in small letters."""
        for address, number in self.number.items():
            for part in _parts(address):
                self.within[part].append(number)
            for tag in world.spot_tags[address]:
                self.tagged[tag].append(number)
            self.called[(Spot(address, names[address], "", False, ()).own or names[address]).casefold()].append(number)
        self.houses = [(_short_names(sector.name), self.within[house]) for house, sector in world.sectors.items()]


@lru_cache(maxsize=8)
def places_of(world: World) -> Places:
    return Places(world)


class Fit:
    """How well the places of its world suit what a resident is about to do."""

    def __init__(self, mind: Mind, activity: str, entry: str) -> None:
        self.places = places_of(mind.world)
        score = self._by_tags(mind, activity, entry) + self._by_habit(mind, entry) + self._by_name(mind, f"{activity} {entry}".casefold())
        score += np.maximum(0.0, np.vecdot(self.places.letters, 3.0 * _letters(activity) + 1.5 * _letters(entry)))
        away = np.abs(self.places.tiles - mind.state.body(mind.who).tile).max(axis=1)
        self._score: list[float] = score.tolist()
        self._near: list[float] = (NEAR / (NEAR + away)).tolist()

    def of(self, place: Place) -> tuple[float, str]:
        """Higher is better; never the same for two."""
        number = self.places.number[place.address]
        return round(self._score[number] + (self._near[number] - place.taken), 5), place.address

    def _by_tags(self, mind: Mind, activity: str, entry: str) -> Floats:
        score = np.zeros(len(self.places.number))
        for weight, text in ((3.0, activity), (1.5, entry)):
            tags = {tag for theme in themes_of(text, mind.world.lang) for tag in theme.tags}
            score[list({number for tag in tags for number in self.places.tagged.get(tag, ())})] += weight
        return score

    def _by_habit(self, mind: Mind, entry: str) -> Floats:
        """What a house, a room and a thing of the usual day add: more, the more of the address is the same."""
        score, habits = np.zeros(len(self.places.number)), mind.me.habits_on(mind.now.date())
        usual = [(4.0, habit.place) for habit in habits if habit.activity == entry]
        usual += [(2.0, habit.place) for habit in habits if habit.start <= mind.minute < habit.end]
        for weight, place in usual:
            for parts, part in enumerate(_parts(place), start=1):
                inside = self.places.within.get(part, [])
                score[inside] = np.maximum(score[inside], weight * parts)
        return score

    def _by_name(self, mind: Mind, words: str) -> Floats:
        """What is named in what is to be done, "the library" and not "Oak Hill Library"; where something is agreed; where one is, and is at home."""
        score, within, rooms = np.zeros(len(self.places.number)), self.places.within, mind.world.arenas
        score[[number for name, called in self.places.called.items() if name in words for number in called]] += 2.0
        score[[number for names, inside in self.places.houses if any(name in words for name in names) for number in inside]] += 3.0
        for room in {promise.address for promise in mind.state.promises(mind.who).items} & rooms.keys():
            score[within[room]] += 1.5
        score[within.get(mind.arena, [])] += 1.5
        score[within[sector_of(mind.me.home)]] += 1.5
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
