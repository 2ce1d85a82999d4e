"""A building as text: a small plan in letters, its rooms, and a legend.

In the plan `#` is wall, `+` a door or gate, `|` a fence, `.` the floor of a room, a digit the floor
of the room that it numbers; upper-case letters are things and lower-case letters decorations, each
at its upper left tile; a space leaves the land unchanged. A room is the area connected to its digit
without passing a door.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hometown.authoring.art.kinds import DECOR as DECORATIONS
from hometown.authoring.art.kinds import KINDS
from hometown.authoring.art.plan import Placed, Room

At = tuple[int, int]

THINGS = {
    "S": "stove", "K": "kitchen_sink", "F": "fridge", "D": "dining_table", "O": "sofa", "H": "bookshelf",
    "N": "sink", "U": "shower", "L": "toilet", "B": "bed", "W": "wardrobe", "E": "desk",
}  # fmt: skip
"""Legend of every plan: the kind of thing by its letter."""

DECOR = {
    "a": "painting", "b": "barrel", "c": "clock", "d": "painting_wide", "e": "wall_shelf", "f": "flower_pots", "g": "rug_green", "h": "fireplace",
    "i": "side_table", "j": "wall_lamp", "k": "crate", "l": "floor_lamp", "n": "banner", "o": "round_rug", "p": "plant", "q": "parasol", "r": "rug",
    "s": "sacks", "t": "tall_plant", "u": "rug_blue", "v": "vase", "w": "well", "x": "coat_rack", "y": "bush", "z": "mailbox",
    "*": "worktop", "%": "bookcase", "$": "low_table", "&": "canvases", "@": "globe", "!": "poster", "?": "book_pile", "^": "music_stand",
    "<": "cabinet", ">": "chest", "=": "notices", "~": "bath_mat", ",": "mirror", ";": "towels", "'": "pans", "_": "tv", "(": "basket",
    ")": "fish_tank", "[": "kegs", "]": "bottle_rack", "{": "jar_rack", "}": "crate_rack", "/": "painting_easel",
}  # fmt: skip

ON_WALLS = {"whiteboard", "dartboard"} | {
    kind for kind, decor in DECORATIONS.items() if decor.layer == "walls"
}
"""Kinds that hang on a wall, and are used from the floor below it."""


@dataclass(frozen=True)
class Thing:
    """A letter's thing: its id in the room, its kind, and other names than the kind's."""

    id: str
    kind: str
    en: str = ""
    zh: str = ""


@dataclass(frozen=True)
class Space:
    """A numbered room: its id, the plan character of its floor, names, tags."""

    id: str
    floor: str
    en: str
    zh: str
    tags: str
    public: bool = True


@dataclass(frozen=True)
class Building:
    """A sector drawn as a plan. `rooms` are by digit, `things` by letter, where they differ from
    those of every plan; `fittings` are decorations of this plan alone, by any character that is
    free.
    """

    address: str
    en: str
    zh: str
    at: At
    plan: str
    rooms: dict[str, Space]
    things: dict[str, Thing] = field(default_factory=dict)
    fittings: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[str]:
        return self.plan.strip("\n").split("\n")

    @property
    def sector(self) -> Room:
        width = max(map(len, self.rows))
        return Room(self.address, self.en, self.zh, (*self.at, width, len(self.rows)))

    def tiles(self) -> Iterator[tuple[At, str]]:
        """Yield each tile that the plan fills: where on the map, and its plan character."""
        return (
            ((self.at[0] + right, self.at[1] + down), mark)
            for down, row in enumerate(self.rows)
            for right, mark in enumerate(row)
            if mark != " "
        )

    def kind(self, mark: str) -> str:
        """Return the kind of thing or decoration that a letter stands for; "" for all else."""
        own = {letter: thing.kind for letter, thing in self.things.items()} | self.fittings
        return own.get(mark, "") or THINGS.get(mark, "") or DECOR.get(mark, "")

    def areas(self) -> dict[str, frozenset[At]]:
        """Return the tiles of each room, by its digit."""
        marks = dict(self.tiles())
        free = {
            at
            for at, mark in marks.items()
            if mark not in "#+|" and self.kind(mark) not in ON_WALLS
        }
        return {mark: _flood(at, free) for at, mark in marks.items() if mark in self.rooms}

    def ground(self) -> dict[At, str]:
        """Return the terrain that the plan puts on the map: walls, doors, fences, and the floor of
        each room.
        """
        floors = {
            at: self.rooms[digit].floor for digit, area in self.areas().items() for at in area
        }
        return {at: floors.get(at, mark if mark in "#+|" else "#") for at, mark in self.tiles()}

    def arenas(self) -> list[Room]:
        """Return the rooms, each as the rectangle around its tiles."""
        rooms = []
        for digit, area in sorted(self.areas().items()):
            columns, rows = [column for column, _ in area], [row for _, row in area]
            rect = (
                min(columns),
                min(rows),
                max(columns) - min(columns) + 1,
                max(rows) - min(rows) + 1,
            )
            space = self.rooms[digit]
            rooms.append(
                Room(
                    f"{self.address}/{space.id}", space.en, space.zh, rect, space.tags, space.public
                )
            )
        return rooms

    def placed(self) -> list[Placed]:
        """Return the things, each in the room where it stands or hangs."""
        room_at = {at: self.rooms[digit].id for digit, area in self.areas().items() for at in area}
        things = []
        for (column, row), mark in self.tiles():
            if self.kind(mark) in KINDS:
                thing = self.things.get(mark, Thing(self.kind(mark), self.kind(mark)))
                room = room_at[column, row + (thing.kind in ON_WALLS)]
                things.append(
                    Placed(
                        f"{self.address}/{room}/{thing.id}",
                        thing.kind,
                        (column, row),
                        thing.en,
                        thing.zh,
                    )
                )
        return things

    def decor(self) -> list[tuple[str, At]]:
        """Return the decorations."""
        return [(kind, at) for at, mark in self.tiles() if (kind := self.kind(mark)) in DECORATIONS]


def _flood(start: At, free: set[At]) -> frozenset[At]:
    """Return the free tiles connected to the first."""
    reached, edge = {start}, [start]
    while edge:
        column, row = edge.pop()
        fresh = {
            (column + 1, row),
            (column - 1, row),
            (column, row + 1),
            (column, row - 1),
        } & free - reached
        reached |= fresh
        edge += fresh
    return frozenset(reached)
