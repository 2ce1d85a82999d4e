"""The art of a Tiled map as tiles of one size in one sheet: its layers are drawn as Tiled shows them,
and cut up.

So pictures larger than a tile, collections of images, pictures placed as objects, image layers and
files from outside the map's folder come in.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from hometown.authoring.art.preview import FLIPS
from hometown.authoring.art.tilemap import COLUMNS, TileCollection
from hometown.authoring.importing.site import SourceMap, is_above
from hometown.json_object import Json
from hometown.world.pictures import MOST_PIXELS, decode_picture, path_inside
from hometown.world.tiled import GID, MapLayer, TiledMap, TileLayer, Tileset

CACHED = 4096
"""The number of different tiles that are kept while a map is drawn."""


def needs_flattening(drawn: TiledMap, folder: Path, root: Path) -> bool:
    """Return True if the map shows more than tiles of its own size from images in its folder."""
    beside = folder.resolve().relative_to(root.resolve()).as_posix()
    pictures = any(layer.kind == "imagelayer" and layer.visible for layer in drawn.stack)
    placed = any(item.raw.get("gid") and drawn.stack[item.level].visible for item in drawn.objects)
    return (
        pictures
        or placed
        or any(
            (tileset.tile_width, tileset.tile_height) != (drawn.tile_size, drawn.tile_size)
            or not (beside == "." or tileset.image.startswith(f"{beside}/"))
            for tileset in drawn.tilesets
        )
    )


def flatten_art(site: SourceMap, drawn: TiledMap, root: Path, skipped: Collection[str]) -> bool:
    """Give a site the visible layers of a map, except those named in `skipped`, with all tiles in
    one sheet; return False for a map that is too large to be drawn, or that shows nothing below the
    residents.
    """
    size = drawn.tile_size
    if drawn.width * drawn.height * size**2 > MOST_PIXELS:
        return False
    images = {tileset.image: decode_picture(root / tileset.image) for tileset in drawn.tilesets}
    painter = _Painter(drawn, images, site.folder, root)
    tiles, below, above = TileCollection(size), list[TileLayer](), list[TileLayer]()
    rows = iter(drawn.layers)
    for level, layer in enumerate(drawn.stack):
        own = next(rows) if layer.kind == "tilelayer" else None
        if not layer.visible or layer.name in skipped:
            continue
        picture = painter.draw(level, layer, own)
        cells = _number_tiles(picture, tiles, size)
        if not cells.any():
            continue
        name = "foreground" if is_above(layer.name) else f"art {len(below) + 1}"
        (above if is_above(layer.name) else below).append(
            TileLayer(name, cells, opacity=layer.opacity)
        )
    if not below:
        return False
    site.layers, site.sheet = (*below, *above), tiles.sheet()
    site.tilesets = (Tileset("town", 1, "tiles.png", size, size, COLUMNS, len(tiles.images)),)
    return True


class _Painter:
    """Draws the layers of a map, each as a picture of the map's size."""

    def __init__(
        self, drawn: TiledMap, images: dict[str, Image.Image], folder: Path, root: Path
    ) -> None:
        self.drawn, self.images, self.folder, self.root = drawn, images, folder, root
        self.tile = lru_cache(CACHED)(self._tile)

    def draw(self, level: int, layer: MapLayer, own: TileLayer | None) -> Image.Image:
        """Return the picture of a layer: its cells (`own`, None if it has none), the pictures
        placed in it as objects, and its image, moved by its offset in integer pixels, if that lies
        within the source and is readable.
        """
        drawn, size = self.drawn, self.drawn.tile_size
        picture = Image.new("RGBA", (drawn.width * size, drawn.height * size))
        if own is not None:
            for row, column in zip(*own.cells.nonzero(), strict=True):
                tile = self.tile(int(own.cells[row, column]))
                if tile:
                    # pictures larger than a tile stand on its lower left corner
                    _paste(picture, tile, int(column) * size, (int(row) + 1) * size - tile.height)
        for item in drawn.objects:
            if item.level == level and item.raw.get("gid"):
                self._place(picture, item.raw)
        if layer.image:
            path = path_inside(self.root, str(self.folder.resolve() / layer.image))
            if path and path.is_file():
                left, top = (
                    round(moved - start)
                    for moved, start in zip(layer.offset, drawn.origin, strict=True)
                )
                _paste(picture, decode_picture(path), left, top)
        return picture

    def _place(self, picture: Image.Image, raw: Json) -> None:
        """Draw a picture placed as an object, in its size, turned around its lower left corner;
        nothing for a hidden, huge or invalid one.
        """
        try:
            gid, x, y = int(raw["gid"]), float(raw["x"]), float(raw["y"])
            tile = self.tile(gid)
            width, height = (
                max(1, round(float(raw.get(side) or 0))) for side in ("width", "height")
            )
            angle = float(raw.get("rotation") or 0)
        except (KeyError, TypeError, ValueError, OverflowError):
            return
        if tile is None or raw.get("visible") is False or raw.get("visible") == 0:
            return
        if max(width, height) > 2 * max(picture.size):
            return
        tile = tile.resize((width, height), Image.Resampling.BOX)
        left, top = x - self.drawn.origin[0], y - self.drawn.origin[1] - height
        if angle % 360:
            reach = 2 * max(width, height)
            wide = Image.new("RGBA", (2 * reach, 2 * reach))
            wide.paste(tile, (reach, reach - height))
            tile = wide.rotate(-angle)
            left, top = left - reach, top + height - reach
        _paste(picture, tile, round(left), round(top))

    def _tile(self, cell: int) -> Image.Image | None:
        """Return the picture of a cell, turned as its flags say; None where no tileset has it."""
        tileset = self.drawn.tileset_of(cell)
        if tileset is None:
            return None
        left, top = tileset.corner(cell & GID)
        image = self.images[tileset.image]
        box = (left, top, left + tileset.tile_width, top + tileset.tile_height)
        tile = image.crop(box)
        for flag, flip in FLIPS:
            tile = tile.transpose(flip) if cell & flag else tile
        return tile


def _paste(picture: Image.Image, part: Image.Image, left: int, top: int) -> None:
    """Lay a part over a picture, clipped to it."""
    box = (max(0, -left), max(0, -top), picture.width - left, picture.height - top)
    box = (box[0], box[1], min(box[2], part.width), min(box[3], part.height))
    if box[0] < box[2] and box[1] < box[3]:
        picture.alpha_composite(part.crop(box), (max(0, left), max(0, top)))


def _number_tiles(
    picture: Image.Image, tiles: TileCollection, size: int
) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """Return the numbers of a picture's tiles, row by row; new ones are added to `tiles`."""
    width, height = picture.width // size, picture.height // size
    return np.array(
        [
            [
                tiles.add(
                    picture.crop((column * size, row * size, (column + 1) * size, (row + 1) * size))
                )
                for column in range(width)
            ]
            for row in range(height)
        ],
        dtype=np.uint32,
    )
