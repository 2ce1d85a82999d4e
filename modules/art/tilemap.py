"""Builds the Tiled map and its tileset from the plan."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from PIL import Image

from modules.art import furniture, terrain
from modules.art.kinds import KINDS, Kind
from modules.art.plan import Placed, Plan, Room

SIZE = 32
COLUMNS = 16

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
    """The layers of a plan as they fill up, each a list of rows of tile numbers."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tileset = Tileset()
        width, height = plan.size
        self.layers = {name: [[0] * width for _ in range(height)] for name in LAYERS}
        self.blocked = self.tileset.add(terrain.tile(BLOCKED, 0, 0, plan.ground))
        for row in range(height):
            for column in range(width):
                self._ground(column, row)
        for kind, at in plan.decor:
            if kind in furniture.PAINTERS:
                self.stamp(furniture.draw(kind), at, ("#",) if kind != "rug" else ())
        for thing in plan.things:
            self.stamp(furniture.draw(thing.kind), thing.at, KINDS[thing.kind].shape)

    def _ground(self, column: int, row: int) -> None:
        for layer, tile in terrain.tiles(column, row, self.plan.ground).items():
            self.layers[layer][row][column] = self.tileset.add(tile)
        if self.plan.ground[row][column] in BLOCKING:
            self.layers["collision"][row][column] = self.blocked

    def stamp(self, picture: furniture.Picture, at: tuple[int, int], shape: tuple[str, ...]) -> None:
        """Lays a picture's tiles, its upper left tile at `at`; what stands above the shape goes over the residents."""
        for down in range(picture.image.height // SIZE):
            for right in range(picture.image.width // SIZE):
                column, row = at[0] + right, at[1] + down - picture.above
                box = (right * SIZE, down * SIZE, (right + 1) * SIZE, (down + 1) * SIZE)
                number = self.tileset.add(picture.image.crop(box))
                if number and 0 <= row < self.plan.size[1]:
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


def _objects(plan: Plan) -> dict[str, list[dict[str, Any]]]:
    """The object layers. An object's id follows from its layer and address alone, so that adding one leaves the others'."""
    rooms = {"sectors": [(one.address, one.rect, _room(one)) for one in plan.sectors], "arenas": [(one.address, one.rect, _room(one)) for one in plan.arenas]}
    marked = rooms | {"things": [(one.address, _area(one, KINDS[one.kind]), _thing(one, KINDS[one.kind])) for one in plan.things]}
    return {layer: [_rectangle(_id(layer, one[0]), *one) for one in ones] for layer, ones in marked.items()}


def _id(layer: str, address: str) -> int:
    """A number from 1 to 2³⁰ for an object; that two of a town's few hundred meet would show as one id used twice."""
    return 1 + (int.from_bytes(blake2b(f"{layer} {address}".encode(), digest_size=4).digest()) >> 2)


def build(plan: Plan, image_name: str) -> tuple[str, Image.Image]:
    """The map as the text of a `.tmj` file, and its tileset's picture."""
    town = Town(plan)
    width, height = plan.size
    sheet = town.tileset.sheet()
    numbers = iter(range(1, 100))
    shared = {"x": 0, "y": 0, "opacity": 1}
    layers: list[dict[str, Any]] = [
        {"id": next(numbers), "name": name, "type": "tilelayer", "visible": name != "collision", "width": width, "height": height, **shared,
         "data": [number for row in rows for number in row]}
        for name, rows in town.layers.items()
    ]  # fmt: skip
    objects = _objects(plan)
    layers += [{"id": next(numbers), "name": name, "type": "objectgroup", "visible": True, "draworder": "index", **shared, "objects": ones}
               for name, ones in objects.items()]  # fmt: skip
    tileset = {
        "firstgid": 1, "name": plan.name, "image": image_name, "imagewidth": sheet.width, "imageheight": sheet.height, "columns": COLUMNS,
        "tilecount": sheet.width * sheet.height // SIZE**2, "tilewidth": SIZE, "tileheight": SIZE, "margin": 0, "spacing": 0,
    }  # fmt: skip
    whole = {
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "renderorder": "right-down", "infinite": False,
        "width": width, "height": height, "tilewidth": SIZE, "tileheight": SIZE, "nextlayerid": next(numbers),
        "nextobjectid": 1 + max(one["id"] for ones in objects.values() for one in ones), "tilesets": [tileset], "layers": layers,
    }  # fmt: skip
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n", sheet
