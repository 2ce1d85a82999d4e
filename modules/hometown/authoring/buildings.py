"""The buildings, parks and rooms that the editor places, listed in `data/starter/buildings.json`."""

from __future__ import annotations

import io
from functools import cache

from pydantic import BaseModel, ConfigDict

from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.kinds import Box
from hometown.authoring.art.plan import Placed, Plan, Room
from hometown.authoring.art.preview import draw_plan
from hometown.authoring.art.terrain import TREES
from hometown.authoring.starter import STARTER
from hometown.world.maze import Tile


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RoomType(_Part):
    """A kind of room: its names and tags, its floor (a character of a ground plan; "" for one that
    leaves the ground as it is), and the things that a new one is furnished with.
    """

    en: str
    zh: str
    tags: str
    floor: str
    public: bool = True
    facade: str = "plaster"
    things: tuple[str, ...] = ()

    @property
    def is_outdoors(self) -> bool:
        return "outdoor" in self.tags


class Building(_Part):
    """A building or an open place as it is placed: the rows of its ground, its rooms by id, and
    (room, kind, upper left tile) of its things; all tiles count from its upper left one.
    """

    en: str
    zh: str
    facade: str = "plaster"
    ground: tuple[str, ...]
    rooms: dict[str, Box]
    things: tuple[tuple[str, str, Tile], ...]
    decor: tuple[tuple[str, Tile], ...]

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return len(self.ground[0]), len(self.ground)

    @property
    def doors(self) -> list[Tile]:
        """The tiles in front of the doors to the outside."""
        return [
            (column, len(self.ground)) for column, mark in enumerate(self.ground[-1]) if mark == "+"
        ]


class _Index(_Part):
    rooms: dict[str, RoomType]
    buildings: dict[str, Building]


def load_room_types() -> dict[str, RoomType]:
    """Return the kinds of rooms by id."""
    return _load_index().rooms


def load_buildings() -> dict[str, Building]:
    """Return the buildings and open places by id."""
    return _load_index().buildings


def room_type(room: str) -> RoomType:
    """Return the kind of a room of a building, whose id ends with it: "second_bedroom"."""
    kinds = load_room_types()
    return kinds.get(room) or kinds[room.rpartition("_")[2]]


@cache
def building_png(which: str) -> bytes:
    """Return the picture of a building as a PNG, 32 pixels to a tile.

    Raises KeyError for one that there is not.
    """
    building = load_buildings()[which]
    width, height = building.size
    blank = ["." * (width + 2)] * 2
    plan = Plan(
        which,
        [blank[0], *(f".{row}." for row in building.ground), *blank],
        [Room(which, building.en, building.zh, (1, 1, width, height))],
        [],
        [
            Placed(f"{which}/{room}/{kind}", kind, (at[0] + 1, at[1] + 1))
            for room, kind, at in building.things
        ],
        [(kind, (at[0] + 1, at[1] + 1)) for kind, at in building.decor],
        {which: building.facade},
    )
    return _draw_png(plan, (1, 1, width, height))


@cache
def ground_png(mark: str) -> bytes:
    """Return a sample of a ground or a plant as a PNG, given its character of a ground plan."""
    stands = mark in f"{TREES}T|M"
    rows = ["." * 7] * 4 + [f"...{mark}..."] + ["." * 7] * 2 if stands else [mark * 7] * 7
    return _draw_png(Plan("sample", rows, [], [], []), (2, 2, 3, 3))


def _draw_png(plan: Plan, part: Box) -> bytes:
    """Return a part of a plan, in tiles, as a PNG."""
    left, top, width, height = (value * SIZE for value in part)
    buffer = io.BytesIO()
    draw_plan(plan).crop((left, top, left + width, top + height)).save(buffer, "PNG")
    return buffer.getvalue()


@cache
def _load_index() -> _Index:
    """Return the content of `data/starter/buildings.json`, read once."""
    return _Index.model_validate_json((STARTER / "buildings.json").read_bytes())
