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

from hometown.clock import TICKS_PER_MINUTE
from hometown.frozen import frozen
from hometown.json_object import Json
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
    """Return the arena part of an arena's or a thing's address.

    >>> arena_of("cafe/main/counter")
    'cafe/main'
    """
    return "/".join(address.split("/")[:2])


def sector_of(address: str) -> str:
    """Return the sector part of any address.

    >>> sector_of("cafe/main/counter")
    'cafe'
    """
    return address.partition("/")[0]


@frozen
class Thing:
    """A usable object of the map.

    `tiles` are those it covers, `stands` those from which it is used (walkable, reachable, one
    arena). `seats` is the number of simultaneous users. `idle` is the text of its unused state
    ("empty", "off"). `tags` give its purpose ("bed", "desk", "stove", "seat", …), the same in all
    languages. `components` has data for optional rules. `facing` is the direction in which users
    look, "up", "down", "left" or "right", for some tiles.
    """

    address: str
    name: str
    arena: str
    tiles: tuple[Tile, ...]
    stands: tuple[Tile, ...]
    seats: int = 1
    idle: str = ""
    tags: frozenset[str] = frozenset()
    components: Json = field(default_factory=dict)
    facing: dict[Tile, str] = field(default_factory=dict)


@frozen
class Arena:
    """A room or an open place. `public` tells whether all residents may use it.

    `tags` give its purpose ("home", "cafe", "library", "park", "work", …).
    """

    address: str
    name: str
    sector: str
    things: tuple[str, ...] = ()
    public: bool = True
    tags: frozenset[str] = frozenset()


@frozen
class Sector:
    """A building or an area of the map, with its arenas."""

    address: str
    name: str
    arenas: tuple[str, ...] = ()


@frozen
class Gathering:
    """The place, an arena's address, and the time of a storyline's gathering; its moments, in order
    and of equal length, and what is there for guests, "" for nothing in particular.
    """

    place: str
    start: datetime
    end: datetime
    moments: tuple[str, ...] = ()
    brings: str = ""


@frozen
class Storyline:
    """A piece of news that residents pass on, which is measured; those who begin with it know it at
    the start.

    `keywords` mark memories as being about it, in the run's language.
    """

    id: str
    title: str
    keywords: tuple[str, ...]
    gathering: Gathering | None = None

    def is_mentioned_in(self, text: str) -> bool:
        """Return True if a text is about it."""
        folded = text.casefold()
        return any(word.casefold() in folded for word in self.keywords)


def _without_end_of(sector: str, arena: str, lang: Lang) -> str:
    """Return the name of an arena without the words at its beginning with which that of its sector
    ends; as it is if nothing else is in it.

    >>> _without_end_of("The Rose and Crown Pub", "pub storeroom", "en")
    'storeroom'
    >>> _without_end_of("玫瑰与皇冠酒吧", "酒吧储藏室", "zh")
    '储藏室'
    """
    if lang == "en":
        first, _, rest = arena.partition(" ")
        return rest if rest and sector.lower().endswith(f" {first.lower()}") else arena
    lengths = range(len(arena) - 1, 1, -1)
    shared = next((size for size in lengths if sector.endswith(arena[:size])), 0)
    return arena[shared:]


@dataclass(frozen=True, eq=False)
class World:
    """The constant part of a town. Worlds are compared by identity, so that derived values can be
    cached.
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
    """The importance scale: (poignancy, description), ascending."""
    storylines: tuple[Storyline, ...] = ()
    settings: Json = field(default_factory=dict)
    """The settings that this world changes, in the form of `data/config.json`."""
    premise: str = ""
    """The description of the world and its residents that opens every prompt; empty for a small
    town of ordinary people.
    """
    lacks: str = ""
    """A regular expression for things that do not exist in this world; empty for none."""
    acquaintance: str = ""
    """The relation between residents without an explicit one; empty for strangers."""
    conditions: tuple[ConditionKind, ...] = ()
    """The kinds of condition of this world, beside the general ones."""
    tile_size: int = 32
    book: Book | None = None
    """The rules of its society; None in a world without one."""
    hearts: Hearts = field(default_factory=Hearts)
    """The feelings and temperaments of its residents."""
    latecomers: frozenset[str] = frozenset()
    """The residents who have moved in since the run began."""
    gone: frozenset[str] = frozenset()
    """The removed things, still known by name."""

    def name_of(self, address: str) -> str:
        """Return the name of a sector, arena, thing or resident in the world's language; the id if
        unknown.
        """
        for kind in (self.things, self.arenas, self.sectors, self.personas):
            if address in kind:
                return kind[address].name
        return address

    def is_visitor(self, who: str) -> bool:
        """Return True if a resident is a visitor, whose mind is a person."""
        return self.personas[who].is_visitor

    def storyline(self, key: str) -> Storyline | None:
        """Return a storyline by its id; None for an unknown one."""
        return next((story for story in self.storylines if story.id == key), None)

    def place_name(self, address: str) -> str:
        """Return the spoken name of an arena or a thing: sector and arena, without repetition.

        >>> # "Starlight Café, kitchen" / "星光咖啡店厨房"
        """
        arena = self.arenas[arena_of(address)]
        sector = self.sectors[arena.sector].name
        if arena.name == sector or not arena.name:
            return sector
        separator = "" if self.lang == "zh" else ", "
        return f"{sector}{separator}{_without_end_of(sector, arena.name, self.lang)}"

    def condition_kind(self, address: str, text: str) -> ConditionKind:
        """Return the kind of a thing's condition, by its words."""
        return condition_kind(text, self.things[address].tags, self.lang, self.conditions)

    def left_by_use(self, address: str, activity: str) -> ConditionKind | None:
        """Return the kind of condition that an activity may cause in a thing;
        None if there is none.
        """
        return left_by_use(activity, self.things[address].tags, self.lang, self.conditions)

    @cached_property
    def temperaments(self) -> dict[str, Pad]:
        """The temperament of each resident: the mood to which they tend."""
        return {
            who: self.hearts.temperament(persona.innate, self.lang)
            for who, persona in self.personas.items()
        }

    @cached_property
    def habitual_activities(self) -> dict[str, tuple[str, ...]]:
        """The activities of each resident's habits and the tasks of these, in alphabetical order."""
        return {
            who: tuple(
                sorted({text for each in persona.habits for text in (each.activity, *each.tasks)})
            )
            for who, persona in self.personas.items()
        }

    @cached_property
    def spot_tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of each arena, and of each thing with those of its arena, in order."""
        tags = {address: tuple(sorted(arena.tags)) for address, arena in self.arenas.items()}
        return tags | {
            address: tuple(sorted(thing.tags | self.arenas[thing.arena].tags))
            for address, thing in self.things.items()
        }

    @cached_property
    def spot_names(self) -> dict[str, str]:
        """The spoken name of each arena, and of each thing with its arena."""
        joint = "：" if self.lang == "zh" else ": "
        names = {address: self.place_name(address) for address in self.arenas}
        return names | {
            address: f"{names[thing.arena]}{joint}{thing.name}"
            for address, thing in self.things.items()
        }

    @cached_property
    def spot_tiles(self) -> dict[str, Tile]:
        """The reference tile of each arena and thing for straight distances."""
        return {address: tiles[0] for address, tiles in self.open_tiles.items() if tiles} | {
            address: thing.tiles[0] for address, thing in self.things.items()
        }

    def walk_minutes(self, here: str, there: str) -> int:
        """Return the walking time between two things or arenas in minutes, rounded up; 0 within a
        room.
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
        """The cache of `walk_minutes`."""
        return {}

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """(id, name) of all residents."""
        return tuple((who, persona.name) for who, persona in self.personas.items())

    @cached_property
    def sights(self) -> dict[tuple[Tile, int], list[tuple[int, Thing]]]:
        """The cache of `whereabouts.things_near`, by tile and radius."""
        return {}

    @cached_property
    def open_tiles(self) -> dict[str, tuple[Tile, ...]]:
        """The reachable tiles of each arena that no use of a thing needs; all reachable ones of an
        arena in which every tile is needed.
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
