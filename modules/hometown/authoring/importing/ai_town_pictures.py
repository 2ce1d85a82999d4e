"""The animated pictures of an AI Town map, such as fires and mills: each as its first frame, in a
layer of its own.

    animatedsprites     x, y, w, h in pixels of the map, the sheet's file, and the animation's name
    sheet               frames by name, each with its frame {x, y, w, h}; animations, each a list of frames; meta with the image
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from hometown.authoring.art.tilemap import TileCollection
from hometown.authoring.importing.site import SourceMap
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.world.faults import Faults, read_json
from hometown.world.pictures import MOST_PIXELS, decode_picture
from hometown.world.tiled import TileLayer

LAYER = "pictures"

FindImage = Callable[[str, Path], Path | None]


def add_first_frames(site: SourceMap, sprites: object, source: Path, find: FindImage) -> int:
    """Add the first frames of animated pictures to the art of a site, and return how many were
    found; 0 for a map that is too large to be drawn. `find` returns the image of a name in the folder `source`.
    """
    width, height = site.size
    tile = site.tile_size
    if width * height * tile**2 > MOST_PIXELS:
        return 0
    canvas, count = Image.new("RGBA", (width * tile, height * tile)), 0
    for sprite in sprites if isinstance(sprites, list) else ():
        frame = _read_first_frame(sprite, source, find) if isinstance(sprite, dict) else None
        if frame:
            canvas.alpha_composite(*frame)
            count += 1
    if count:
        _add_layer(site, canvas)
    return count


def _read_first_frame(
    sprite: Json, source: Path, find: FindImage
) -> tuple[Image.Image, tuple[int, int]] | None:
    """Return the first frame of an animated picture in the size that it has on the map, and where
    it is; None if it is incomplete.
    """
    try:
        x, y, width, height = (int(sprite[key]) for key in ("x", "y", "w", "h"))
        sheet = _read_sheet(str(sprite["sheet"]), source)
        name = sheet["animations"][sprite["animation"]][0]
        box: dict[str, Any] = sheet["frames"][name]["frame"]
        left, top, wide, high = (int(box[key]) for key in ("x", "y", "w", "h"))
        image = find(str(sheet["meta"]["image"]), source)
        picture = decode_picture(image) if image else None
    except (KeyError, IndexError, TypeError, ValueError, BadWorld):
        return None
    fits = min(x, y, left, top) >= 0 and min(width, height, wide, high) > 0
    if picture is None or not fits or max(width, height) > max(picture.size):
        return None
    part = picture.crop((left, top, left + wide, top + high))
    return part.resize((width, height), Image.Resampling.NEAREST), (x, y)


def _read_sheet(name: str, source: Path) -> Json:
    """Return the description of a sheet of frames, found by its file's name. Raises KeyError if
    there is none.
    """
    plain = name.rpartition("/")[2]
    for path in sorted(source.rglob("*.json")):
        inside = path.resolve().is_relative_to(source.resolve())
        if path.name == plain and inside and (sheet := read_json(path, path.name, Faults(""))):
            return sheet
    raise KeyError(name)


def _add_layer(site: SourceMap, canvas: Image.Image) -> None:
    """Add a picture of the size of the map as a layer, its tiles below those of the map's image."""
    (tileset,), tile = site.tilesets, site.tile_size
    known = decode_picture(site.folder / tileset.image)
    wide, rows = tileset.columns * tile, known.height // tile
    tiles = TileCollection(tile)
    width, height = site.size
    cells = np.zeros((height, width), dtype=np.uint32)
    for row in range(height):
        for column in range(width):
            box = (column * tile, row * tile, (column + 1) * tile, (row + 1) * tile)
            if number := tiles.add(canvas.crop(box)):
                cells[row, column] = rows * tileset.columns + number
    further = -(-len(tiles.images) // tileset.columns)
    sheet = Image.new("RGBA", (wide, (rows + further) * tile))
    sheet.paste(known.crop((0, 0, wide, rows * tile)))
    for number, image in enumerate(tiles.images):
        down, right = divmod(number, tileset.columns)
        sheet.paste(image, (right * tile, (rows + down) * tile))
    site.sheet = sheet
    site.tilesets = (replace(tileset, image="tiles.png", count=(rows + further) * tileset.columns),)
    site.layers = (*site.layers, TileLayer(LAYER, cells))
