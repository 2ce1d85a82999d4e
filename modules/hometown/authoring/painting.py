"""A simple painter for the map of a world: names and floors of rooms, and the things in them. Tiled
does all else.

It works on maps as drawn by Hometown: JSON, tiles of 32 pixels, cells as lists. Its drawings have a
tileset of their own, `painted.png`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from PIL import Image

from hometown.authoring.art import floors, furniture, terrain, tilemap, tmj, walls
from hometown.authoring.art.drawings import SIZE, cut_tiles
from hometown.authoring.art.kinds import load_kinds
from hometown.authoring.art.plan import Placed
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.name import first_free
from hometown.text import Phrase
from hometown.world.faults import Faults
from hometown.world.maze import Tile
from hometown.world.pictures import decode_picture
from hometown.world.tiled import map_file, read_map
from hometown.world.tiled.document import read_document
from hometown.world.tiled.object_templates import TemplateReader

NEEDED = ("floor", "walls", "furniture", "foreground", "lights", "collision")
NOT_DRAWN_HERE = Phrase(
    "the painter can't change this map: it knows maps as Hometown draws them, with tiles of 32 pixels; use Tiled for this one"
)
PAINTED, IMAGE = "painted", "painted.png"

Cells = dict[tuple[str, int, int], int]
"""The appearance of a thing: the numbers of its tiles by layer, and by column and row from its
upper left tile.
"""


class NamedMap:
    """The map of a world folder, open for changes of the names of its rooms; `save` writes it."""

    def __init__(self, folder: Path) -> None:
        """Open the map of a world folder. Raises BadWorld for one that has no rooms, is infinite,
        or is no JSON.
        """
        self.folder, self.path, faults = folder, map_file(folder), Faults(folder.name)
        drawn, raw = read_map(self.path, faults), read_document(self.path, self.path.name, faults)
        faults.stop()
        assert drawn is not None, "a map that cannot be read is a fault"
        assert raw is not None, "what has been read is a document"
        self.drawn, self.raw, self.width = drawn, raw, drawn.width
        self.objects: dict[str, list[Json]] = {
            layer["name"]: layer["objects"]
            for layer in raw["layers"]
            if layer.get("type") == "objectgroup"
        }
        templates = TemplateReader(self.path, folder, faults)
        for item in (item for items in self.objects.values() for item in items):
            item.update({"name": "", "properties": []} | templates.complete(item))
        marked = {"arenas", "things"} <= set(self.objects)
        if not marked or raw.get("infinite") or self.path.suffix != ".tmj":
            raise BadWorld(NOT_DRAWN_HERE)

    def rooms(self) -> list[Json]:
        """Return every room with its names, its box in tiles and its things, each with its names,
        its box and its kind ("" for one that is not known).
        """
        things = [
            {
                "id": item["name"],
                "names": localized_names(item),
                "box": box_of(item, self.drawn.tile_size),
                "kind": kind_of_thing(item),
            }
            for item in self.objects["things"]
        ]
        return [
            {
                "id": room,
                "names": localized_names(item),
                "box": box_of(item, self.drawn.tile_size),
                "things": [thing for thing in things if thing["id"].startswith(f"{room}/")],
            }
            for room, item in ((item["name"], item) for item in self.objects["arenas"])
        ]

    def name(self, room: str, names: Mapping[str, str]) -> None:
        """Give a room its name in each of the languages given that it has a name in, cut to 80
        characters.
        """
        item = self._find("arenas", room)
        for prop in item["properties"]:
            if prop["name"] in names:
                prop["value"] = str(names[prop["name"]]).strip()[:80]

    def save(self) -> None:
        """Write the map."""
        self.path.write_text(tmj.text_of(self.raw), "utf-8")

    def _find(self, layer: str, address: str) -> Json:
        """Return the object of a layer with this address. Raises BadWorld if there is none."""
        found = next((item for item in self.objects[layer] if item["name"] == address), None)
        if found is None:
            raise BadWorld(
                "there is no {address!r} on the map of {world!r}",
                address=address[:80],
                world=self.folder.name,
            )
        return found


class MapPainter(NamedMap):
    """The map of a world folder, open for changes; `save` writes it. Raises BadWorld for a map that
    can't be painted, and each method for an impossible change.
    """

    def __init__(self, folder: Path) -> None:
        """Open the map of a world folder. Raises BadWorld for one that Hometown has not drawn."""
        super().__init__(folder)
        if not is_drawn_here(self):
            raise BadWorld(NOT_DRAWN_HERE)
        self.cells = cells_of(self.raw)

    def floor(self, room: str, kind: str) -> None:
        """Lay the floor of a room anew, and remove the carpets on it. Raises BadWorld for an
        unknown kind of floor.
        """
        if kind not in floors.INDOORS:
            raise BadWorld(
                "there is no floor {kind!r}; there are {kinds}",
                kind=kind[:20],
                kinds=sorted(floors.INDOORS),
            )
        for column, row in self._tiles(room):
            if self._at("walls", (column, row)):
                continue
            tile = floors.draw_floor(kind, column, row)
            if self._at("walls", (column, row - 1)):
                tile.alpha_composite(walls.shade_below(False, False))
            self.cells["floor"][row * self.width + column] = self._paint(tile)

    def wall(self, room: str, at: Tile) -> None:
        """Build a piece of wall within a room, or remove one built by this method. The map's other
        walls stay.
        """
        spot, there = (
            at[1] * self.width + at[0],
            self._at("walls", at) if at in self._tiles(room) else 0,
        )
        if there >= self._first:
            self.cells["walls"][spot] = self.cells["collision"][spot] = 0
        else:
            self._stand(room, at, ("#",), {("walls", 0, 0): self._paint(terrain.blocked_tile())})
        for row in range(at[1] - 1, at[1] + 2):
            for column in range(at[0] - 1, at[0] + 2):
                if self._at("walls", (column, row)) >= self._first:
                    self.cells["walls"][row * self.width + column] = self._paint(
                        self._wall((column, row))
                    )

    def _wall(self, at: Tile) -> Image.Image:
        """Return a piece of wall among its neighbours, without a window."""
        plan = [
            "".join(
                "w#"[bool(cell)]
                for cell in self.cells["walls"][row * self.width : (row + 1) * self.width]
            )
            for row in range(self.drawn.height)
        ]
        tile = Image.new("RGBA", (SIZE, SIZE))
        for layer, picture in terrain.tiles(*at, plan, hung=True):
            if layer == "walls":
                tile.alpha_composite(picture)
        return tile

    def put(self, room: str, kind: str, at: Tile) -> str:
        """Put a thing of a kind into a room, with its upper left tile at `at`, and return its
        address. Raises BadWorld for an unknown kind, and where its tiles are not free.
        """
        kinds = load_kinds()
        if kind not in kinds:
            raise BadWorld("there is no kind of thing {kind!r}", kind=kind[:40])
        taken = {item["name"] for item in self.objects["things"]}
        address = first_free(f"{room}/{kind}", taken, "_")
        placed = Placed(address, kind, at)
        self._stand(room, at, furniture.shape(kind), self._draw_tiles(kind, room))
        properties = tilemap.properties_of(placed, kinds[kind])
        number = (
            max((item.get("id", 0) for items in self.objects.values() for item in items), default=0)
            + 1
        )
        self.raw["nextobjectid"] = number + 1
        self.objects["things"].append(
            tmj.map_object(number, address, tilemap.area_of(placed, kinds[kind]), properties, SIZE)
        )
        return address

    def move(self, thing: str, at: Tile) -> None:
        """Move a thing within its room, so that its upper left tile is `at`. Raises BadWorld if
        there is no room.
        """
        item = self._find("things", thing)
        (column, row), shape, look = self._lift(item)
        self._stand(thing.rpartition("/")[0], at, shape, look)
        item["x"], item["y"] = item["x"] + (at[0] - column) * SIZE, item["y"] + (at[1] - row) * SIZE

    def remove(self, thing: str) -> None:
        """Take a thing away."""
        item = self._find("things", thing)
        self._lift(item)
        self.objects["things"].remove(item)

    def save(self) -> None:
        """Write the map, and a sheet of the tiles that were painted, if there are any."""
        if self._painted.images:
            sheet = self._painted.sheet()
            sheet.save(self.folder / IMAGE)
            others = [given for given in self.raw["tilesets"] if given.get("name") != PAINTED]
            self.raw["tilesets"] = [
                *others,
                tmj.tileset(PAINTED, IMAGE, sheet.size, SIZE) | {"firstgid": self._first},
            ]
        super().save()

    @cached_property
    def _first(self) -> int:
        """Return the number of the first painted tile: the one after those of all other tilesets, 1
        without any.
        """
        return max(
            (known.first + known.count for known in self.drawn.tilesets if known.name != PAINTED),
            default=1,
        )

    @cached_property
    def _painted(self) -> tilemap.TileCollection:
        """The tiles painted so far, those that the world has already first."""
        painted = tilemap.TileCollection()
        if (self.folder / IMAGE).is_file():
            for _, _, tile in cut_tiles(decode_picture(self.folder / IMAGE)):
                painted.add(tile)
        return painted

    def _paint(self, tile: Image.Image) -> int:
        """Add a tile to the painted ones, and return its number on the map; 0 for an empty one."""
        number = self._painted.add(tile)
        return self._first + number - 1 if number else 0

    def _draw_tiles(self, kind: str, room: str) -> Cells:
        """Return the appearance of a thing of a kind, from its upper left tile; the part above its
        tiles has rows below 0.
        """
        return {
            (layer, right, down): self._paint(tile)
            for layer, right, down, tile in furniture.draw_thing(kind, room).tiles()
        }

    def _stand(self, room: str, at: Tile, shape: tuple[str, ...], look: Cells) -> None:
        """Place a thing's tiles, and block those that its shape blocks. Raises BadWorld if one of
        its tiles is outside the room, taken or blocked.
        """
        column, row = at
        room_tiles = self._tiles(room)
        spots = list(furniture.list_tiles(at, shape))
        if any(
            spot not in room_tiles or self._at("furniture", spot) or self._at("collision", spot)
            for spot, _ in spots
        ):
            raise BadWorld(
                "there is no room for it there: it needs {columns} × {rows} free tiles of {room!r}",
                columns=len(shape[0]),
                rows=len(shape),
                room=room,
            )
        for (layer, right, down), number in look.items():
            if row + down >= 0 and (down >= 0 or not self._at(layer, (column + right, row + down))):
                self.cells[layer][(row + down) * self.width + column + right] = number
        blocked = next((cell for cell in self.cells["collision"] if cell), 0) or self._paint(
            terrain.blocked_tile()
        )
        for (right, down), mark in spots:
            if mark == "#":
                self.cells["collision"][down * self.width + right] = blocked

    def _lift(self, item: Json) -> tuple[Tile, tuple[str, ...], Cells]:
        """Remove a thing's tiles, with the parts above it, and return their position, their
        shape (rows of "#" for blocked and "." for free) and their appearance; the tiles that it
        blocked become free.
        """
        kind, (left, top, width, height) = kind_of_thing(item), box_of(item)
        drawn = load_kinds().get(kind)
        area, above = (drawn.area or (0, 0), drawn.above) if drawn else ((0, 0), 0)
        at = (left - area[0], top - area[1])
        own = tuple(
            "".join(
                "#" if self._blocks((left + right, top + down)) else "." for right in range(width)
            )
            for down in range(height)
        )
        shape, look = (furniture.shape(kind) if kind else own), Cells()
        for (column, row), _ in furniture.list_tiles(
            (at[0], at[1] - above), ("." * len(shape[0]),) * (len(shape) + above)
        ):
            for layer in ("furniture", "lights") if row >= at[1] else ("foreground", "lights"):
                if number := self._at(layer, (column, row)):
                    look[layer, column - at[0], row - at[1]] = number
                    self.cells[layer][row * self.width + column] = 0
        for (column, row), mark in furniture.list_tiles(at, shape):
            if mark == "#" and self._blocks((column, row)):
                self.cells["collision"][row * self.width + column] = 0
        return at, shape, look

    def _blocks(self, spot: Tile) -> bool:
        """Return True if it is a thing, and not a wall, that keeps people from a tile."""
        return bool(self._at("collision", spot)) and not self._at("walls", spot)

    def _at(self, layer: str, spot: Tile) -> int:
        """Return the number of a layer's tile; 0 for none, and beyond the map."""
        column, row = spot
        inside = 0 <= column < self.width and 0 <= row < self.drawn.height
        return self.cells[layer][row * self.width + column] if inside else 0

    def _tiles(self, room: str) -> set[Tile]:
        """Return the tiles of a room. Raises BadWorld if there is no such room."""
        self._find("arenas", room)
        laid = self.drawn.lay(
            (item for item in self.drawn.objects if item.layer == "arenas" and item.name == room),
            Faults(self.folder.name),
        )
        return {tile for item in laid for tile in item.tiles}


def cells_of(raw: Json) -> dict[str, list[int]]:
    """Return the cells of the tile layers of a map that are lists, by the layers' names."""
    return {
        layer["name"]: layer["data"]
        for layer in raw["layers"]
        if layer.get("type") == "tilelayer" and isinstance(layer.get("data"), list)
    }


def is_drawn_here(given: NamedMap) -> bool:
    """Return True if a map has the tiles and layers of those that Hometown draws."""
    return given.drawn.tile_size == SIZE and set(NEEDED) <= set(cells_of(given.raw))


def kind_of_thing(item: Mapping[str, Any]) -> str:
    """Return the kind of a thing of the map, by its tags, its idle state and its size; "" for one
    that Hometown did not draw.
    """
    given = {prop.get("name"): prop.get("value") for prop in item.get("properties", [])}
    size = box_of(item)[2:]
    for name, kind in load_kinds().items():
        own = kind.area[2:] if kind.area else (len(kind.shape[0]), len(kind.shape))
        if (kind.tags, kind.idle_en) == (given.get("tags"), given.get("idle_en")) and own == size:
            return name
    return ""


def localized_names(item: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of an object by language."""
    return {
        prop["name"]: str(prop["value"])
        for prop in item.get("properties", [])
        if prop.get("name") in ("en", "zh")
    }


def box_of(item: Mapping[str, Any], size: int = SIZE) -> tuple[int, int, int, int]:
    """Return the rectangle of an object (left, top, width, height), rounded to tiles of `size`
    pixels, at least one each way.
    """
    left, top, width, height = (
        round(item.get(key, 0) / size) for key in ("x", "y", "width", "height")
    )
    return left, top, max(1, width), max(1, height)
