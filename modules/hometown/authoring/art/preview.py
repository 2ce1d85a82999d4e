"""Draw a whole map, or a plan, as one picture."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image

from hometown.authoring.art import tmj
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.plan import Plan
from hometown.authoring.art.tilemap import LAYERS, PaintedTown
from hometown.errors import BadWorld
from hometown.text import N_
from hometown.world.faults import Faults
from hometown.world.pictures import MOST_PIXELS, decode_picture, size_of
from hometown.world.tiled import (
    FLIPPED_ACROSS,
    FLIPPED_DIAGONALLY,
    FLIPPED_DOWN,
    GID,
    TiledMap,
    Tileset,
    map_file,
    read_map,
)

FLIPS = (
    (FLIPPED_DIAGONALLY, Image.Transpose.TRANSPOSE),
    (FLIPPED_ACROSS, Image.Transpose.FLIP_LEFT_RIGHT),
    (FLIPPED_DOWN, Image.Transpose.FLIP_TOP_BOTTOM),
)
"""Flips of a tile, in the order in which Tiled applies them."""

CACHED = 4096
"""Tiles that are kept while a town is drawn."""


Part = tuple[int, int, int, int]
"""Column, row, width and height in tiles."""


def render(folder: Path, longest: int = 0, part: Part | None = None) -> Image.Image:
    """Return all visible tile layers of a world's map, or of a part of it, one above the other;
    halved until no side has more than `longest` pixels, if that is given, and until it takes no
    more memory than pictures may.

    Raises BadWorld where the map or an image cannot be read.
    """
    faults = Faults(folder.name)
    drawn = read_map(map_file(folder), faults)
    faults.stop()
    assert drawn is not None, "a map that cannot be read is a fault"
    size = drawn.tile_size
    while size > 1 and longest and max(drawn.width, drawn.height) * size > longest:
        size //= 2
    box = _clip(part or (0, 0, drawn.width, drawn.height), drawn)
    while size > 1 and box[2] * box[3] * size**2 > MOST_PIXELS:
        size //= 2
    return _draw_layers(drawn, _open_tilesets(drawn, folder), size, box)


def draw_plan(plan: Plan) -> Image.Image:
    """Return a town as its plan has it by day, 32 pixels to a tile."""
    picture = Image.new("RGBA", (plan.size[0] * SIZE, plan.size[1] * SIZE))
    pictures = PaintedTown(plan).pictures
    for layer in LAYERS:
        if layer not in tmj.HIDDEN:
            for (column, row), tile in pictures[layer].items():
                picture.alpha_composite(tile, (column * SIZE, row * SIZE))
    return picture


def _clip(part: Part, drawn: TiledMap) -> Part:
    """Return the part clipped to the map, at least a tile large."""
    left, top, width, height = part
    return (
        left,
        top,
        max(1, min(width, drawn.width - left)),
        max(1, min(height, drawn.height - top)),
    )


def _open_tilesets(drawn: TiledMap, folder: Path) -> dict[str, Image.Image]:
    """Return the pictures of the tilesets. Raises BadWorld if one is damaged, or if they are too
    large together.
    """
    files = {tileset.image: folder / tileset.image for tileset in drawn.tilesets}
    pixels = sum(wide * high for wide, high in map(size_of, files.values()))
    if pixels > MOST_PIXELS:
        text = N_(
            "the tilesets have {pixels} million pixels together; at most {most} million are drawn, so make them smaller"
        )
        raise BadWorld(text, pixels=pixels // 10**6, most=MOST_PIXELS // 10**6)
    return {name: decode_picture(file) for name, file in files.items()}


def _draw_layers(
    drawn: TiledMap, sheets: dict[str, Image.Image], size: int, part: Part
) -> Image.Image:
    """Return the visible layers of a part of the map, one above the other, each with its opacity,
    with `size` pixels to a tile.
    """
    left, top, width, height = part
    picture = Image.new("RGBA", (width * size, height * size))
    tile_of = lru_cache(CACHED)(lambda cell: _cut_tile(cell, drawn, sheets, size))
    for layer in drawn.layers:
        if not layer.visible:
            continue
        for row, line in enumerate(layer.cells[top : top + height, left : left + width].tolist()):
            for column, cell in enumerate(line):
                tile = tile_of(cell) if cell else None
                if tile:
                    picture.alpha_composite(_fade(tile, layer.opacity), (column * size, row * size))
    return picture


def _cut_tile(
    cell: int, drawn: TiledMap, sheets: dict[str, Image.Image], size: int
) -> Image.Image | None:
    """Return the picture of a cell, turned as its flags say, with `size` pixels a side; None where
    no tileset has it.
    """
    tileset = drawn.tileset_of(cell)
    if tileset is None:
        return None
    tile = (
        sheets[tileset.image]
        .crop(_find_box(tileset, cell & GID))
        .resize((size, size), Image.Resampling.BOX)
    )
    for flag, flip in FLIPS:
        tile = tile.transpose(flip) if cell & flag else tile
    return tile


def _find_box(tileset: Tileset, gid: int) -> tuple[int, int, int, int]:
    left, top = tileset.corner(gid)
    return (left, top, left + tileset.tile_width, top + tileset.tile_height)


def _fade(tile: Image.Image, opacity: float) -> Image.Image:
    """Return a tile with an opacity below 1 applied."""
    if opacity >= 1:
        return tile
    faint = tile.copy()
    faint.putalpha(tile.getchannel("A").point(lambda alpha: round(alpha * opacity)))
    return faint
