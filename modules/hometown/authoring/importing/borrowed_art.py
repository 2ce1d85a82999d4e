"""Art for a town whose places come from another file: the Tiled map of GenerativeAgentsCN and
Smallville.

Its tilesets have many more tiles than the town uses, and its images are not where the map says.
Images are found by their names, and the tiles in use are collected in one sheet.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
from PIL import Image

from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.tilemap import COLUMNS
from hometown.authoring.art.tilemap import TileCollection as Sheet
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourceMap, is_above
from hometown.text import Phrase
from hometown.world.faults import LARGEST, Faults
from hometown.world.tiled import GID, TiledMap, TileLayer, Tileset, read_map

MARKS = ("collision", "block", "spawn")
"""Words in the names of layers that say something and show nothing."""

SMALLEST, MOST_FILES = 2000, 5000
"""Bytes of a map at least, and files to look at."""

WIDEST = 1 << 15
"""Pixels of an image each way at most."""

MISSING = 0.2
"""The share of cells without an image from which on the town is better drawn anew."""


def borrow_art(site: SourceMap, folder: Path, own: Path, report: ImportReport) -> None:
    """Add the layers of the first map of the same size, with its images, below a folder to a site, that of
    its own folder first; report if there is none.
    """
    for path in sorted(_list_maps(folder), key=lambda path: not path.is_relative_to(own)):
        drawn = read_map(path, Faults(""), images=False)
        if drawn and (drawn.width, drawn.height) == site.size and _take_art(site, drawn, folder):
            report.came.append(
                Phrase(
                    "the map's own art, {layers} layers of {file}",
                    layers=len(site.layers),
                    file=path.name,
                )
            )
            return
    report.left.append(
        Phrase(
            "the map's own art: no Tiled map of its size lies in the folder together with its images; the town is drawn in our tiles"
        )
    )


def _list_maps(folder: Path) -> list[Path]:
    """Return the JSON files below a folder, of the sizes of maps, that hold tile layers."""
    files = islice(
        (path for pattern in ("*.json", "*.tmj") for path in sorted(folder.rglob(pattern))),
        MOST_FILES,
    )
    return [
        path
        for path in files
        if SMALLEST <= path.stat().st_size <= LARGEST and b'"tilelayer"' in path.read_bytes()
    ]


def _take_art(site: SourceMap, drawn: TiledMap, folder: Path) -> bool:
    """Give a site the map's visible layers, its tiles in one sheet; return False, and leave the
    site as it is, if the images of too many cells are missing.
    """
    layers = [
        layer
        for layer in drawn.layers
        if layer.visible and not any(mark in layer.name.lower() for mark in MARKS)
    ]
    images = {tileset.image: _open_image(tileset.image, folder) for tileset in drawn.tilesets}
    sheet, numbers = Sheet(), dict[int, int]()
    for gid in sorted({int(gid) for layer in layers for gid in np.unique(layer.cells & GID)} - {0}):
        tile = _cut_tile(gid, drawn.tileset_of(gid), images)
        if tile:
            numbers[gid] = sheet.add(tile)
    shown = sum(int(np.isin(layer.cells & GID, list(numbers)).sum()) for layer in layers)
    wanted = sum(int(np.count_nonzero(layer.cells)) for layer in layers)
    if not wanted or shown < (1 - MISSING) * wanted:
        return False
    lookup = np.zeros(max(numbers) + 1, dtype=np.uint32)
    lookup[list(numbers)] = list(numbers.values())
    below = [
        TileLayer(f"art {at}", _renumber(layer, lookup), opacity=layer.opacity)
        for at, layer in enumerate(layers)
        if not is_above(layer.name)
    ]
    above = [
        TileLayer("foreground", _renumber(layer, lookup), opacity=layer.opacity)
        for layer in layers
        if is_above(layer.name)
    ]
    site.layers, site.sheet, site.tile_size = (*below, *above), sheet.sheet(), SIZE
    site.tilesets = (Tileset("town", 1, "tiles.png", SIZE, SIZE, COLUMNS, len(sheet.images)),)
    return True


def _renumber(
    layer: TileLayer, lookup: np.ndarray[tuple[int], np.dtype[np.uint32]]
) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """Return the cells with the sheet's numbers, turned as before; a tile without a picture is left
    out.
    """
    gids = np.minimum(layer.cells & GID, len(lookup) - 1)
    numbers = np.where((layer.cells & GID) < len(lookup), lookup[gids], 0)
    return np.where(numbers, numbers | (layer.cells & ~np.uint32(GID)), 0).astype(np.uint32)


def _cut_tile(
    gid: int, tileset: Tileset | None, images: dict[str, Image.Image | None]
) -> Image.Image | None:
    """Return the picture of a tile in our size; None without its tileset or image, or if it lies
    outside the image.
    """
    image = images.get(tileset.image) if tileset else None
    if tileset is None or image is None:
        return None
    left, top = tileset.corner(gid)
    if left + tileset.tile_width > image.width or top + tileset.tile_height > image.height:
        return None
    return image.crop((left, top, left + tileset.tile_width, top + tileset.tile_height)).resize(
        (SIZE, SIZE), Image.Resampling.NEAREST
    )


def _open_image(name: str, folder: Path) -> Image.Image | None:
    """Return the first PNG of that name below the folder that can be read and is not too large,
    None if there is none.
    """
    file = name.replace("\\", "/").rpartition("/")[2]
    plain = file.lower().endswith(".png") and not set(file) & set("*?[]\0")
    for path in sorted(folder.rglob(file)) if plain else ():
        try:
            if path.resolve().is_relative_to(folder.resolve()):
                with Image.open(path) as opened:
                    if max(opened.size) <= WIDEST:
                        return opened.convert("RGBA")
        except (OSError, ValueError, RuntimeError, Image.DecompressionBombError):
            continue
    return None
