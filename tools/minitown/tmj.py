"""Builds the Tiled map and its tileset from the plan."""

from __future__ import annotations

import json
from typing import Any

from PIL import Image

from tools.minitown import furniture, terrain
from tools.minitown.kinds import KINDS, Kind
from tools.minitown.plan import ARENAS, DECOR, GROUND, SECTORS, THINGS, Placed, Room

SIZE = 32
COLUMNS = 16
WIDTH, HEIGHT = len(GROUND[0]), len(GROUND)

LAYERS = ("ground", "floor", "walls", "furniture", "foreground", "collision")
BLOCKING = set("#|T~t")
BLOCKED = "blocked"
"""The tile that marks what cannot be walked; the page never draws that layer."""


class Tileset:
    """Tiles in the order in which they are first asked for; equal pictures share a number, and 0 is nothing."""

    def __init__(self) -> None:
        self.tiles: dict[bytes, int] = {}
        self.images: list[Image.Image] = []

    def add(self, tile: Image.Image) -> int:
        if not tile.getbbox():
            return 0
        number = self.tiles.setdefault(tile.tobytes(), len(self.tiles) + 1)
        if number > len(self.images):
            self.images.append(tile)
        return number

    def sheet(self) -> Image.Image:
        rows = -(-len(self.images) // COLUMNS)
        sheet = Image.new("RGBA", (COLUMNS * SIZE, rows * SIZE))
        for number, tile in enumerate(self.images):
            sheet.paste(tile, (number % COLUMNS * SIZE, number // COLUMNS * SIZE))
        return sheet


class Town:
    """The layers as they fill up, each a list of rows of tile numbers."""

    def __init__(self) -> None:
        self.tileset = Tileset()
        self.layers = {name: [[0] * WIDTH for _ in range(HEIGHT)] for name in LAYERS}
        self.blocked = self.tileset.add(terrain.tile(BLOCKED, 0, 0, GROUND))
        for row in range(HEIGHT):
            for column in range(WIDTH):
                self._ground(column, row)
        for kind, at in DECOR:
            self.stamp(furniture.draw(kind), at, ("#",) if kind != "rug" else ())
        for thing in THINGS:
            self.stamp(furniture.draw(thing.kind), thing.at, KINDS[thing.kind].shape)

    def _ground(self, column: int, row: int) -> None:
        for layer, tile in terrain.tiles(column, row, GROUND).items():
            self.layers[layer][row][column] = self.tileset.add(tile)
        if GROUND[row][column] in BLOCKING:
            self.layers["collision"][row][column] = self.blocked

    def stamp(self, picture: furniture.Picture, at: tuple[int, int], shape: tuple[str, ...]) -> None:
        """Lays a picture's tiles, its upper left tile at `at`; what stands above the shape goes over the residents."""
        for down in range(picture.image.height // SIZE):
            for right in range(picture.image.width // SIZE):
                column, row = at[0] + right, at[1] + down - picture.above
                box = (right * SIZE, down * SIZE, (right + 1) * SIZE, (down + 1) * SIZE)
                number = self.tileset.add(picture.image.crop(box))
                if number and 0 <= row < HEIGHT:
                    self.layers["foreground" if down < picture.above else "furniture"][row][column] = number
        for down, line in enumerate(shape):
            for right, one in enumerate(line):
                if one == "#":
                    self.layers["collision"][at[1] + down][at[0] + right] = self.blocked


def _property(name: str, value: str | int | bool) -> dict[str, Any]:
    kind = {bool: "bool", int: "int", str: "string"}[type(value)]
    return {"name": name, "type": kind, "value": value}


def _rectangle(number: int, name: str, rect: tuple[int, int, int, int], properties: dict[str, str | int | bool]) -> dict[str, Any]:
    x, y, width, height = (value * SIZE for value in rect)
    return {
        "id": number, "name": name, "type": "", "x": x, "y": y, "width": width, "height": height, "rotation": 0, "visible": True,
        "properties": [_property(*one) for one in sorted(properties.items())],
    }  # fmt: skip


def _room(room: Room) -> dict[str, str | int | bool]:
    own: dict[str, str | int | bool] = {"en": room.en, "zh": room.zh}
    return own | ({"tags": room.tags, "public": room.public} if room.tags else {})


def _thing(placed: Placed, kind: Kind) -> dict[str, str | int | bool]:
    return {
        "en": placed.en or kind.en, "zh": placed.zh or kind.zh, "idle_en": kind.idle_en, "idle_zh": kind.idle_zh, "tags": kind.tags, "seats": kind.seats,
    }  # fmt: skip


def _area(placed: Placed, kind: Kind) -> tuple[int, int, int, int]:
    right, down, width, height = kind.area or (0, 0, len(kind.shape[0]), len(kind.shape))
    return (placed.at[0] + right, placed.at[1] + down, width, height)


def _objects() -> dict[str, list[dict[str, Any]]]:
    """The object layers, their ids counting up through all of them."""
    rooms = {"sectors": [(one.address, one.rect, _room(one)) for one in SECTORS], "arenas": [(one.address, one.rect, _room(one)) for one in ARENAS]}
    marked = rooms | {"things": [(one.address, _area(one, KINDS[one.kind]), _thing(one, KINDS[one.kind])) for one in THINGS]}
    number = iter(range(1, 10_000))
    return {layer: [_rectangle(next(number), *one) for one in ones] for layer, ones in marked.items()}


def build(image_name: str) -> tuple[str, Image.Image]:
    """The map as the text of a `.tmj` file, and its tileset's picture."""
    town = Town()
    sheet = town.tileset.sheet()
    numbers = iter(range(1, 100))
    shared = {"x": 0, "y": 0, "opacity": 1}
    layers: list[dict[str, Any]] = [
        {"id": next(numbers), "name": name, "type": "tilelayer", "visible": name != "collision", "width": WIDTH, "height": HEIGHT, **shared,
         "data": [number for row in rows for number in row]}
        for name, rows in town.layers.items()
    ]  # fmt: skip
    objects = _objects()
    layers += [{"id": next(numbers), "name": name, "type": "objectgroup", "visible": True, "draworder": "index", **shared, "objects": ones}
               for name, ones in objects.items()]  # fmt: skip
    tileset = {
        "firstgid": 1, "name": "minitown", "image": image_name, "imagewidth": sheet.width, "imageheight": sheet.height, "columns": COLUMNS,
        "tilecount": sheet.width * sheet.height // SIZE**2, "tilewidth": SIZE, "tileheight": SIZE, "margin": 0, "spacing": 0,
    }  # fmt: skip
    whole = {
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "renderorder": "right-down", "infinite": False,
        "width": WIDTH, "height": HEIGHT, "tilewidth": SIZE, "tileheight": SIZE, "nextlayerid": next(numbers),
        "nextobjectid": 1 + sum(map(len, objects.values())), "tilesets": [tileset], "layers": layers,
    }  # fmt: skip
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n", sheet
