"""A loaded world, in one language: places, things, residents and rules.

Addresses are ids joined by slashes, below the world: `cafe`, `cafe/main`, `cafe/main/counter`
(world : sector : arena : object, as in Park et al. 2023, §5.1). They are stable; names are per
language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hometown.clock import TICKS_PER_MINUTE
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.world.befalling import ConditionKind, condition_kind, left_by_use
from hometown.world.book.book import Book
from hometown.world.book.hearts import Hearts
from hometown.world.feeling import Pad
from hometown.world.maze import OUTDOORS as OUTDOORS
from hometown.world.maze import Maze, Tile
from hometown.world.persona import Persona


@lru_cache(maxsize=1 << 14)
def arena_of(address: str) -> str:
    """The arena part of an arena's or a thing's address.

    >>> arena_of("cafe/main/counter")
    'cafe/main'
    """
    return "/".join(address.split("/")[:2])


def sector_of(address: str) -> str:
    """The sector part of any address.

    >>> sector_of("cafe/main/counter")
    'cafe'
    """
    return address.partition("/")[0]


@frozen
class Thing:
    """An object of the map that residents can use.

    `tiles` are those it covers, `stands` those from which it is used (walkable, reachable, one
    arena). `seats` is how many may use it at once. `idle` is the text of its state while nobody
    does ("empty", "off"). `tags` say what it is for ("bed", "desk", "stove", "seat", …) and are the
    same in all languages. `components` carries data that later rules opt into. `facing` is which
    way who sits there looks: "up", "down", "left" or "right", for the tiles where that is said.
    """

    address: str
    name: str
    arena: str
    tiles: tuple[Tile, ...]
    stands: tuple[Tile, ...]
    seats: int = 1
    idle: str = ""
    tags: frozenset[str] = frozenset()
    components: dict[str, Any] = field(default_factory=dict)
    facing: dict[Tile, str] = field(default_factory=dict)


@frozen
class Arena:
    """A room or an open place. `public` tells whether anybody may come in and use it.

    `tags` say what it is for ("home", "cafe", "library", "park", "work", …).
    """

    address: str
    name: str
    sector: str
    things: tuple[str, ...] = ()
    public: bool = True
    tags: frozenset[str] = frozenset()


@frozen
class Sector:
    address: str
    name: str
    arenas: tuple[str, ...] = ()


@frozen
class Gathering:
    """Where and when the people of a storyline come together; `place` is an arena's address."""

    place: str
    start: datetime
    end: datetime


@frozen
class Storyline:
    """Something whose spread is of interest: one resident knows it at the start.

    `keywords` are words that mark a memory as being about it, in the run's language.
    """

    id: str
    title: str
    keywords: tuple[str, ...]
    gathering: Gathering | None = None

    def is_mentioned_in(self, text: str) -> bool:
        """Whether a text is about it."""
        folded = text.casefold()
        return any(word.casefold() in folded for word in self.keywords)


@dataclass(frozen=True, eq=False)
class World:
    """Everything about a town that a run does not change. Each is equal to itself only, so that
    what follows from it can be kept.
    """

    id: str
    name: str
    lang: Lang
    langs: tuple[Lang, ...]
    folder: Path
    start: datetime
    maze: Maze
    sectors: dict[str, Sector]
    arenas: dict[str, Arena]
    things: dict[str, Thing]
    personas: dict[str, Persona]
    rubric: tuple[tuple[int, str], ...]
    """The importance scale: (poignancy, what deserves it), ascending."""
    storylines: tuple[Storyline, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings that this world changes, in the form of `data/config.json`."""
    premise: str = ""
    """What kind of world this is and who lives in it, as every prompt begins; empty for a small
    town of ordinary people.
    """
    lacks: str = ""
    """A regular expression of the words for what there is not in this world; empty where nothing is
    said of that.
    """
    acquaintance: str = ""
    """What residents are to each other of whom nothing else is said; empty where they are
    strangers.
    """
    conditions: tuple[ConditionKind, ...] = ()
    """Kinds of condition that this world has beside those of every world."""
    tile_size: int = 32
    book: Book | None = None
    """What bodies need and how goods are made here; None in a world without a society."""
    hearts: Hearts = field(default_factory=Hearts)
    """What people feel, and how they are by nature."""
    latecomers: frozenset[str] = frozenset()
    """Residents who have moved in since the run began."""
    gone: frozenset[str] = frozenset()
    """Things that are not there any more: still known by name, but nobody sees or uses them."""

    def name_of(self, address: str) -> str:
        """The name of a sector, arena, thing or resident, in the world's language; the id if
        unknown.
        """
        for kind in (self.things, self.arenas, self.sectors, self.personas):
            if address in kind:
                return kind[address].name
        return address

    def place_name(self, address: str) -> str:
        """An arena or a thing as people would say it: sector and arena, without what repeats.

        >>> # "Starlight Café, kitchen" / "星光咖啡店厨房"
        """
        arena = self.arenas[arena_of(address)]
        sector = self.sectors[arena.sector].name
        if arena.name == sector or not arena.name:
            return sector
        return f"{sector}{'' if self.lang == 'zh' else ', '}{arena.name}"

    def condition_kind(self, address: str, text: str) -> ConditionKind:
        """The kind of a thing's condition, by its words."""
        return condition_kind(text, self.things[address].tags, self.lang, self.conditions)

    def left_by_use(self, address: str, activity: str) -> ConditionKind | None:
        """The condition in which an activity may leave a thing; None if it leaves it as it was."""
        return left_by_use(activity, self.things[address].tags, self.lang, self.conditions)

    @cached_property
    def temperaments(self) -> dict[str, Pad]:
        """The mood to which each resident is drawn by nature."""
        return {
            who: self.hearts.temperament(persona.innate, self.lang)
            for who, persona in self.personas.items()
        }

    @cached_property
    def spot_tags(self) -> dict[str, tuple[str, ...]]:
        """Tags of each arena, and of each thing together with its arena's, in order."""
        tags = {address: tuple(sorted(arena.tags)) for address, arena in self.arenas.items()}
        return tags | {
            address: tuple(sorted(thing.tags | self.arenas[thing.arena].tags))
            for address, thing in self.things.items()
        }

    @cached_property
    def spot_names(self) -> dict[str, str]:
        """Each arena, and each thing with its arena, said whole."""
        joint = "：" if self.lang == "zh" else ": "
        names = {address: self.place_name(address) for address in self.arenas}
        return names | {
            address: f"{names[thing.arena]}{joint}{thing.name}"
            for address, thing in self.things.items()
        }

    @cached_property
    def spot_tiles(self) -> dict[str, Tile]:
        """The tile of each arena and of each thing to which distances as the crow flies are taken."""
        return {address: tiles[0] for address, tiles in self.open_tiles.items() if tiles} | {
            address: thing.tiles[0] for address, thing in self.things.items()
        }

    def walk_minutes(self, here: str, there: str) -> int:
        """How long the way between two things or arenas is, in whole minutes, begun ones too;
        within a room it counts for nothing.
        """
        if arena_of(here) == arena_of(there):
            return 0
        if (here, there) not in self._walks:
            one, other = (
                self.things[at].stands[0] if at in self.things else self.open_tiles[at][0]
                for at in (here, there)
            )
            self._walks[here, there] = -(-self.maze.distance(one, other) // TICKS_PER_MINUTE)
        return self._walks[here, there]

    @cached_property
    def _walks(self) -> dict[tuple[str, str], int]:
        """What `walk_minutes` has found."""
        return {}

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """(id, name) of all residents."""
        return tuple((who, persona.name) for who, persona in self.personas.items())

    @cached_property
    def sights(self) -> dict[tuple[Tile, int], list[tuple[int, Thing]]]:
        """What `scene.things_near` has found from tiles that somebody stood on, by tile and radius."""
        return {}

    @cached_property
    def open_tiles(self) -> dict[str, tuple[Tile, ...]]:
        """Tiles of each arena on which one can stand about: reachable, and not needed for the use
        of a thing.
        """
        needed = {stand for thing in self.things.values() for stand in thing.stands}
        reachable = self.maze.reachable(next(iter(needed)))
        tiles: dict[str, list[Tile]] = {arena: [] for arena in self.arenas}
        for tile in sorted(reachable):
            tiles[self.maze.arena_at(tile)].append(tile)
        return {
            arena: tuple(tile for tile in all_tiles if tile not in needed) or tuple(all_tiles)
            for arena, all_tiles in tiles.items()
        }
