"""Build the Tiled map and its tileset from the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from hashlib import blake2b

from PIL import Image

from hometown.authoring.art import furniture, terrain, tmj, walls
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.kinds import Box, Kind, load_kinds
from hometown.authoring.art.plan import Placed, Plan, Room
from hometown.authoring.art.walls import FACADES, Facade
from hometown.json_object import Json

COLUMNS = 32

LAYERS = ("ground", "floor", "walls", "furniture", "foreground", "lights", "collision")

REACH = 8
"""The most tiles by which a drawing extends beyond the tile on which it stands."""

BUILT = (
    ("library", "stone"),
    ("college", "stone"),
    ("school", "stone"),
    ("cafe", "brick"),
    ("pub", "timber"),
    ("office", "clapboard"),
    ("shop", "brick"),
)
"""Style of a building by the tag of one of its rooms; the first match counts."""
HOMES = ("plaster", "timber", "clapboard", "plaster", "brick", "timber")


class TileCollection:
    """Distinct tiles in the order of their first use; equal pictures share a number, and 0 means no
    tile. `size` is the side of a tile in pixels.
    """

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self.tiles: dict[bytes, int] = {}
        self.images: list[Image.Image] = []

    def add(self, tile: Image.Image) -> int:
        """Return the number of a tile, adding it if it is new; 0 for a transparent one."""
        if not tile.getbbox():
            return 0
        number = self.tiles.setdefault(tile.tobytes(), len(self.tiles) + 1)
        if number > len(self.images):
            self.images.append(tile)
        return number

    def sheet(self) -> Image.Image:
        """Return all tiles in one picture, `COLUMNS` to a row."""
        rows = -(-len(self.images) // COLUMNS)
        sheet = Image.new("RGBA", (COLUMNS * self.size, rows * self.size))
        for number, tile in enumerate(self.images):
            sheet.paste(tile, (number % COLUMNS * self.size, number // COLUMNS * self.size))
        return sheet


class PaintedTown:
    """The layers of a plan as they fill up: pictures by layer and place, and the places that cannot
    be walked.
    """

    def __init__(self, plan: Plan, part: Box | None = None) -> None:
        """Draw a plan: its ground, walls and windows, then things, decorations and trees from back
        to front. Of a plan of which only a `part` is needed, the rest may be incomplete.
        """
        self.plan = plan
        left, top, width, height = part or (0, 0, *plan.size)

        def is_near(at: tuple[int, int]) -> bool:
            return (
                left - REACH <= at[0] < left + width + REACH
                and top - REACH <= at[1] < top + height + REACH
            )

        self.pictures: dict[str, dict[tuple[int, int], Image.Image]] = {name: {} for name in LAYERS}
        self.facades = facades(plan)
        self.hung = _covered_tiles(plan)
        for row in range(top, top + height):
            for column in range(left, left + width):
                self._place(column, row)
        standing = [(kind, at, "") for kind, at in plan.decor] + [
            (thing.kind, thing.at, thing.address.rpartition("/")[0]) for thing in plan.things
        ]
        trees = [
            (column, row)
            for row, line in enumerate(plan.ground)
            for column, mark in enumerate(line)
            if mark in terrain.TREES and is_near((column, row))
        ]
        stamps: list[tuple[int, Callable[[], None]]] = [
            *(
                (at[1], partial(self._stamp_thing, kind, at, room))
                for kind, at, room in standing
                if is_near(at)
            ),
            *((row, partial(self._stamp_tree, column, row)) for column, row in trees),
        ]
        for _, stamp in sorted(stamps, key=lambda entry: entry[0]):
            stamp()

    def _stamp_thing(self, kind: str, at: tuple[int, int], room: str) -> None:
        self.stamp(furniture.draw_thing(kind, room), at, furniture.shape(kind))

    def _stamp_tree(self, column: int, row: int) -> None:
        """Draw the tree whose trunk stands on a tile."""
        picture = furniture.Picture(terrain.draw_tree(column, row, self.plan.ground), 2)
        self.stamp(picture, (column - 1, row), ())

    def _place(self, column: int, row: int) -> None:
        """Lay the pictures of one place of the plan, block it if its character does, and light its
        window.
        """
        ground = self.plan.ground
        for layer, picture in terrain.tiles(
            column,
            row,
            ground,
            self.facades.get((column, row), terrain.PLAIN),
            (column, row) in self.hung,
        ):
            self.lay(layer, column, row, picture)
        if ground[row][column] in terrain.BLOCKING:
            self.block(column, row)
        if (column, row) not in self.hung and terrain.window_at(column, row, ground):
            self.lay("lights", column, row, walls.lit_window())

    def block(self, column: int, row: int) -> None:
        """Mark a place as one that cannot be walked."""
        self.pictures["collision"][column, row] = terrain.blocked_tile()

    def lay(self, layer: str, column: int, row: int, picture: Image.Image) -> None:
        """Lay a tile over the tile already there; nothing beyond the plan."""
        if not (
            0 <= column < self.plan.size[0] and 0 <= row < self.plan.size[1] and picture.getbbox()
        ):
            return
        under = self.pictures[layer].get((column, row))
        self.pictures[layer][column, row] = (
            Image.alpha_composite(under, picture) if under else picture
        )

    def stamp(
        self, picture: furniture.Picture, at: tuple[int, int], shape: tuple[str, ...]
    ) -> None:
        """Lay a picture's tiles, the upper left one at `at`, and block those of its shape that are
        `#`; the part above the shape covers residents.
        """
        for layer, right, down, tile in picture.tiles():
            self.lay(layer, at[0] + right, at[1] + down, tile)
        for spot, mark in furniture.list_tiles(at, shape):
            if mark == "#":
                self.block(*spot)

    def obstruct(self, places: Iterable[tuple[int, int]]) -> None:
        """Replace the blocked tiles, regardless of the plan's ground and things."""
        self.pictures["collision"] = dict.fromkeys(places, terrain.blocked_tile())

    @cached_property
    def numbered(self) -> tuple[TileCollection, list[Json]]:
        """Return the tileset, and the layers with their tiles' numbers, row by row, as they are
        when this is first read; later changes do not show.
        """
        tileset, (width, height) = TileCollection(), self.plan.size
        places = [(column, row) for row in range(height) for column in range(width)]
        layers = [
            {
                "name": name,
                "data": [tileset.add(pictures[at]) if at in pictures else 0 for at in places],
            }
            for name, pictures in self.pictures.items()
        ]
        return tileset, layers

    @property
    def tileset(self) -> TileCollection:
        return self.numbered[0]

    @property
    def layers(self) -> list[Json]:
        return self.numbered[1]


def _covered_tiles(plan: Plan) -> set[tuple[int, int]]:
    """Return the tiles covered by a thing or a decoration: a wall there has no window."""
    standing = [*plan.decor, *((thing.kind, thing.at) for thing in plan.things)]
    return {
        (at[0] + right, at[1])
        for kind, at in standing
        for right in range(len(furniture.shape(kind)[0]))
    }


def facades(plan: Plan) -> dict[tuple[int, int], Facade]:
    """Return the building style of each place: as the plan says, or by the tags of its rooms; homes
    alternate between `HOMES`.
    """
    styles: dict[tuple[int, int], Facade] = {}
    homes = 0
    for sector in plan.sectors:
        tags = {
            tag.strip()
            for room in plan.arenas
            if room.address.startswith(f"{sector.address}/")
            for tag in room.tags.split(",")
        }
        style = next((style for tag, style in BUILT if tag in tags), "plaster")
        if "home" in tags:
            style, homes = HOMES[homes % len(HOMES)], homes + 1
        x, y, width, height = sector.rect
        for row in range(y, y + height):
            for column in range(x, x + width):
                styles[column, row] = FACADES[plan.facades.get(sector.address, style)]
    return styles


def _room_properties(room: Room) -> dict[str, str | int | bool]:
    """Return the properties of a sector or an arena in the map."""
    own: dict[str, str | int | bool] = {"en": room.en, "zh": room.zh}
    return own | ({"tags": room.tags, "public": room.public} if room.tags else {})


def properties_of(placed: Placed, kind: Kind) -> dict[str, str | int | bool]:
    """Return the properties of a thing in the map: those of its kind, with the names of its own if
    it has any.
    """
    return {
        "en": placed.en or kind.en,
        "zh": placed.zh or kind.zh,
        "idle_en": kind.idle_en,
        "idle_zh": kind.idle_zh,
        "tags": kind.tags,
        "seats": kind.seats,
        **({"facing": kind.facing} if kind.facing else {}),
    }


def area_of(placed: Placed, kind: Kind) -> tuple[int, int, int, int]:
    """Return the part of a thing that counts as it: column, row, width and height."""
    right, down, width, height = kind.area or (0, 0, len(kind.shape[0]), len(kind.shape))
    return (placed.at[0] + right, placed.at[1] + down, width, height)


def _make_objects(plan: Plan) -> dict[str, list[Json]]:
    """Return the object layers. An object's id follows from its layer and address alone, so that
    adding one does not change the others'.
    """
    rooms = {
        "sectors": [(room.address, room.rect, _room_properties(room)) for room in plan.sectors],
        "arenas": [(room.address, room.rect, _room_properties(room)) for room in plan.arenas],
    }
    kinds = load_kinds()
    marked = rooms | {
        "things": [
            (
                thing.address,
                area_of(thing, kinds[thing.kind]),
                properties_of(thing, kinds[thing.kind]),
            )
            for thing in plan.things
        ]
    }
    return {
        layer: [
            tmj.map_object(number, *place, SIZE)
            for number, place in zip(_number_objects(layer, places), places, strict=True)
        ]
        for layer, places in marked.items()
    }


def _number_objects(layer: str, places: Sequence[tuple[str, *tuple[object, ...]]]) -> list[int]:
    """Return a number for each object; parts with the same address have different ones."""
    names = [place[0] for place in places]
    return [
        _derive_id(layer, " ".join([name, *(["part"] * names[:n].count(name))]))
        for n, name in enumerate(names)
    ]


def _derive_id(layer: str, address: str) -> int:
    """Return a number from 1 to 2³⁰ for an object; a collision among a town's few hundred objects
    would show as a duplicate id.
    """
    return 1 + (int.from_bytes(blake2b(f"{layer} {address}".encode(), digest_size=4).digest()) >> 2)


def build(plan: Plan, image_name: str) -> tuple[str, Image.Image]:
    """Return the map as the text of a `.tmj` file, and its tileset's picture."""
    town = PaintedTown(plan)
    sheet = town.tileset.sheet()
    return tmj.map_text(
        plan.size,
        SIZE,
        town.layers,
        _make_objects(plan),
        [tmj.tileset(plan.name, image_name, sheet.size, SIZE)],
        [plan.as_property()],
    ), sheet
