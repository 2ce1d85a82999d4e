"""Scores for how well places suit an activity, computed for many places at once with NumPy."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hometown.agent.mind import Mind
from hometown.model.hashing import hash_vector
from hometown.prompt.tasks import Spot
from hometown.world.activities import themes_of
from hometown.world.maze import Tile
from hometown.world.world import World, sector_of

HALF_NEARNESS_TILES = 30.0
"""Distance at which nearness counts half."""

PLANNED_ROOM_SCORE = 20.0
"""Score of the arena that a plan names, above that of all habits and words together."""

UNDIVIDED_PLACES_MAX = 1000
"""Maximum number of places of a world that is not divided into quarters."""

QUARTER_TILES = 70
"""Side length of a quarter."""

_DIMENSIONS = 256
"""Dimensions of the hashed vectors in which names and activities are compared."""

_SCALE = 1000
"""Factor by which unit vectors are scaled before rounding to whole numbers, whose products and
their halves float64 adds exactly in any order.
"""

Floats = NDArray[np.float64]


class KnownPlace(NamedTuple):
    """A place that a prompt may list: its state when last seen, and whether others seemed to use
    it.
    """

    address: str
    state: str = ""
    taken: bool = False


class PlaceTable:
    """Arenas and things of one quarter in numbered rows, with indices by address, tag and name."""

    def __init__(self, world: World, addresses: Iterable[str]) -> None:
        names = {address: world.spot_names[address] for address in addresses}
        self.lang = world.lang
        self.number = {address: number for number, address in enumerate(names)}
        self.letters = np.stack([_hash_text(name) for name in names.values()])
        self.columns, self.rows = np.array(
            [world.spot_tiles.get(address, (0, 0)) for address in names]
        ).T.copy()
        within, tagged, called = (defaultdict[str, list[int]](list) for _ in range(3))
        for address, number in self.number.items():
            for part in _parts(address):
                within[part].append(number)
            for tag in world.spot_tags[address]:
                tagged[tag].append(number)
            called[
                (Spot(address, names[address], "", False, ()).own or names[address]).casefold()
            ].append(number)
        self.within = {part: np.array(numbers) for part, numbers in within.items()}
        """Rows by the address of a house or room; a place is among the rows of its own address."""
        self.tagged, self.called = tagged, called
        self.houses = [
            (_short_names(world.sectors[house].name), within[house])
            for house in dict.fromkeys(map(sector_of, names))
        ]

    def away(self, tile: Tile) -> NDArray[np.int_]:
        """Return the distance to each place in tiles, the larger of columns and rows, regardless of
        walls.
        """
        tiles: NDArray[np.int_] = np.maximum(
            np.abs(self.columns - tile[0]), np.abs(self.rows - tile[1])
        )
        return tiles


class Quarters:
    """All places of a world: in one table, or in a large world by the quarters in which their
    houses stand.

    Residents know few quarters of a large world, and only those are scored.
    """

    def __init__(self, world: World) -> None:
        names = world.spot_names
        self.plain = {address: KnownPlace(address) for address in names}
        """Each as it always is."""
        self.beds = frozenset(
            address for address, thing in world.things.items() if "sleep" in thing.tags
        )
        corners: dict[str, Tile] = {}
        parts: defaultdict[Tile, list[str]] = defaultdict(list)
        for address in names:
            column, row = corners.setdefault(
                sector_of(address), world.spot_tiles.get(address, (0, 0))
            )
            parts[
                (column // QUARTER_TILES, row // QUARTER_TILES)
                if len(names) > UNDIVIDED_PLACES_MAX
                else (0, 0)
            ].append(address)
        self.places = {
            address: places
            for part in parts.values()
            for places in [PlaceTable(world, part)]
            for address in part
        }


@lru_cache(maxsize=8)
def quarters_of(world: World) -> Quarters:
    """Return the tables of a world, from a cache."""
    return Quarters(world)


class PlaceScorer:
    """Scores of places for what a resident is about to do, computed by quarter on demand."""

    def __init__(self, mind: Mind, activity: str, entry: str, room: str = "") -> None:
        self._mind, self._activity, self._entry, self._room = mind, activity, entry, room
        self._places = quarters_of(mind.world).places
        self._habits = self._usual(mind, entry)
        self._known: dict[PlaceTable, list[float]] = {}

    def of(self, place: KnownPlace) -> tuple[float, str]:
        """Return a sort key for a place: a higher score is better, and addresses break ties."""
        places = self._places[place.address]
        scores = self._known.get(places) or self._scores(places)
        return scores[places.number[place.address]] - place.taken, place.address

    def _scores(self, places: PlaceTable) -> list[float]:
        """Compute and keep the scores of all places of a quarter: by words and habits, and for the
        planned room, places of agreements, the current arena, the home, and nearness.
        """
        mind = self._mind
        score = _score_by_words(places, self._activity, self._entry) + _score_by_habit(
            places, self._habits
        )
        score[places.within.get(self._room, [])] += PLANNED_ROOM_SCORE
        for room in {
            promise.address for promise in mind.state.promises(mind.who).items
        } & mind.world.arenas.keys():
            score[places.within.get(room, [])] += 1.5
        for here in (mind.arena, sector_of(mind.me.home)):
            score[places.within.get(here, [])] += 1.5
        score += HALF_NEARNESS_TILES / (
            HALF_NEARNESS_TILES + places.away(mind.state.body(mind.who).tile)
        )
        scores: list[float] = score.tolist()
        self._known[places] = scores
        return scores

    def _usual(self, mind: Mind, entry: str) -> tuple[tuple[float, str], ...]:
        """Return the places of the activity's habit and of the current one, each after its weight."""
        habits = mind.me.habits_on(mind.now.date())
        doing = [(4.0, habit.place) for habit in habits if habit.activity == entry]
        return (
            *doing,
            *((2.0, habit.place) for habit in habits if habit.start <= mind.minute < habit.end),
        )


@lru_cache(maxsize=1024)
def _score_by_habit(places: PlaceTable, usual: tuple[tuple[float, str], ...]) -> Floats:
    """Return the score that habitual places add: the longer the common part of the address, the
    more.
    """
    score = np.zeros(len(places.number))
    for weight, place in usual:
        for parts, part in enumerate(_parts(place), start=1):
            if (inside := places.within.get(part)) is not None:
                score[inside] = np.maximum(score[inside], weight * parts)
    return score


@lru_cache(maxsize=1024)
def _score_by_words(places: PlaceTable, activity: str, entry: str) -> Floats:
    """Return the score for places made for an activity, named like it, or mentioned in it.

    A short name suffices: "the library" for "Oak Hill Library".
    """
    score: Floats = np.maximum(
        0.0,
        np.vecdot(places.letters, 3.0 * _hash_text(activity) + 1.5 * _hash_text(entry)) / _SCALE**2,
    )
    for weight, text in ((3.0, activity), (1.5, entry)):
        tags = {tag for theme in themes_of(text, places.lang) for tag in theme.tags}
        score[list({number for tag in tags for number in places.tagged.get(tag, ())})] += weight
    words = f"{activity} {entry}".casefold()
    score[
        [number for name, called in places.called.items() if name in words for number in called]
    ] += 2.0
    score[
        [
            number
            for names, inside in places.houses
            if any(name in words for name in names)
            for number in inside
        ]
    ] += 3.0
    return score


@lru_cache(maxsize=4096)
def _hash_text(text: str) -> Floats:
    """Return the hashed vector of a text as whole numbers, float64[_DIMENSIONS]."""
    return np.rint(hash_vector(text, _DIMENSIONS).astype(np.float64) * _SCALE)


def _short_names(name: str) -> tuple[str, ...]:
    """Return short names of a house: the longer words of its name, or three characters of a Chinese
    one.
    """
    return (
        *re.findall(r"[a-z]{5,}", name.casefold()),
        *re.findall(r"(?=([\u4e00-\u9fff]{3}))", name),
    )


def _parts(address: str) -> tuple[str, ...]:
    """Return the addresses of a place's house, room and, if it is one, thing."""
    parts = address.split("/")
    return tuple("/".join(parts[:count]) for count in range(1, len(parts) + 1))
