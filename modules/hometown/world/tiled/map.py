"""A whole map: tile layers as arrays, objects and tilesets, with groups and offsets flattened,
chunks joined and templates resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.text import N_, Phrase
from hometown.world.faults import Faults
from hometown.world.tiled.cells import (
    FARTHEST,
    LARGEST,
    MOST_CELLS,
    Box,
    Chunk,
    Layer,
    bounds_of,
    chunks_of,
    join_chunks,
    read_cells,
    shift_cells,
)
from hometown.world.tiled.document import is_integer_between, json_objects, read_document
from hometown.world.tiled.object_templates import TemplateReader
from hometown.world.tiled.objects import DrawnObject, MapObject, lay, object_in
from hometown.world.tiled.tilesets import Tileset, TilesetSource, find_tileset, read_tilesets

FLIPPED_ACROSS, FLIPPED_DOWN, FLIPPED_DIAGONALLY = 0x80000000, 0x40000000, 0x20000000
"""Flags of a cell. Tiled swaps a tile's axes first, then mirrors it horizontally, then vertically.
"""

GID = 0x0FFFFFFF
"""The bits of a cell with its tile's number; 0 is none."""

MAPS = ("map.tmj", "map.tmx")
"""The names of a world's map, in order of preference."""

MOST_OVER = 4
"""The largest number of objects of a kind per tile, on average."""

DEEPEST = 20
"""The largest depth of nested layer groups."""


@frozen
class TileLayer:
    """A tile layer: its cells, and how it is shown."""

    name: str
    cells: Layer
    visible: bool = True
    opacity: float = 1.0


@frozen
class MapLayer:
    """A layer of any kind as it is shown: `kind` is Tiled's type, `offset` in pixels, `image` the
    file of an image layer.
    """

    name: str
    kind: str
    visible: bool
    opacity: float
    offset: tuple[float, float]
    image: str = ""


@dataclass(frozen=True)
class TiledMap:
    """A map as drawn: `file` is its name, `size` that of its tiles in pixels, `origin` its upper
    left corner in pixels (of an infinite map), `sources` its tilesets in Tiled's JSON, `stack` all
    its layers from the lowest, `groups` the number of groups that these were in.
    """

    file: str
    width: int
    height: int
    tile_size: int
    layers: tuple[TileLayer, ...]
    objects: tuple[DrawnObject, ...]
    object_layers: tuple[str, ...]
    tilesets: tuple[Tileset, ...]
    origin: tuple[int, int] = (0, 0)
    sources: tuple[TilesetSource, ...] = ()
    stack: tuple[MapLayer, ...] = ()
    orientation: str = "orthogonal"
    is_infinite: bool = False
    groups: int = 0

    def covered(self, name: str) -> Layer | None:
        """Return the cells of all tile layers of a name, upper over lower; None if there are none."""
        joined: Layer | None = None
        for layer in self.layers:
            if layer.name == name:
                joined = (
                    layer.cells if joined is None else np.where(layer.cells, layer.cells, joined)
                )
        return joined

    def lay(self, objects: Iterable[DrawnObject], faults: Faults) -> tuple[MapObject, ...]:
        """Return the objects in whole tiles, with faults for those that cannot be converted; it
        ends, with a fault, before they cover the map more than `MOST_OVER` times.
        """
        laid: list[MapObject] = []
        room = MOST_OVER * self.width * self.height
        for drawn in objects:
            item = lay(
                drawn, self.origin, self.tile_size, (self.width, self.height), self.file, faults
            )
            room -= len(item.tiles) if item else 0
            if room < 0:
                faults.add(
                    self.file,
                    object_in(drawn.layer, drawn.name),
                    "and those before it cover the map {times} times over; remove some",
                    times=MOST_OVER,
                )
                break
            laid += [item] if item else []
        return tuple(laid)

    def tileset_of(self, cell: int) -> Tileset | None:
        """Return the tileset of a cell's tile; None if there is none."""
        gid = cell & GID
        return next(
            (
                tileset
                for tileset in self.tilesets
                if tileset.first <= gid < tileset.first + tileset.count
            ),
            None,
        )


def map_file(folder: Path) -> Path:
    """Return the map of a world folder, by default `map.tmj`."""
    return next((folder / name for name in MAPS if (folder / name).exists()), folder / MAPS[0])


def read_map(
    path: Path,
    faults: Faults,
    images: bool = True,
    root: Path | None = None,
    orientations: tuple[str, ...] = ("orthogonal",),
) -> TiledMap | None:
    """Return the map of a file; None, with all faults, if it is unusable.

    Args:
        images: Whether the images of tilesets must exist.
        root: The folder that all files of the map must be in; by default, the map's own.
        orientations: The accepted kinds of maps; an isometric one is read as a plan of squares.
    """
    root, before = root or path.parent, len(faults.lines)
    raw = _read_supported(path, orientations, faults)
    if raw is None:
        return None
    flat = _flatten(raw["layers"], path.name, faults)
    read = _read_tile_layers(raw, flat, path.name, faults, before)
    if read is None:
        return None
    (left, top, width, height), layers = read
    found = [find_tileset(given, path, root, faults, images) for given in raw["tilesets"]]
    sources = tuple(filter(None, found))
    tilesets = tuple(one for source in sources for one in read_tilesets(source, faults))
    objects = _read_objects(flat, TemplateReader(path, root, faults), path.name, faults)
    if len(faults.lines) > before:
        return None
    return TiledMap(
        path.name,
        width,
        height,
        size := raw["tilewidth"],
        layers,
        objects,
        tuple(layer["name"] for layer in flat if layer["type"] == "objectgroup"),
        tilesets,
        (left * size, top * size),
        sources,
        tuple(map(_make_map_layer, flat)),
        raw["orientation"],
        bool(raw.get("infinite")),
        _count_groups(raw["layers"]),
    )


def _read_supported(path: Path, orientations: tuple[str, ...], faults: Faults) -> Json | None:
    """Return the content of a map's file; None, with faults, if it is of no supported kind."""
    raw = read_document(path, path.name, faults)
    if raw is None:
        return None
    if raw.get("orientation") == "isometric" in orientations:
        raw["tilewidth"] = raw.get("tileheight")  # in which Tiled measures both axes
    return raw if _check_supported(raw, orientations, path.name, faults) else None


def _read_tile_layers(
    raw: Json, flat: list[Json], file: str, faults: Faults, before: int
) -> tuple[Box, tuple[TileLayer, ...]] | None:
    """Return the map's box in tiles, and its tile layers, whose offsets are rounded to tiles; None
    where there are more than `before` faults once its size is known.
    """
    drawn = [layer for layer in flat if layer["type"] == "tilelayer"]
    for layer in drawn:
        layer["shift"] = tuple(round(pixels / raw["tilewidth"]) for pixels in layer["offset"])
    bounds, chunks = _find_bounds(raw, drawn, file, faults)
    if len(faults.lines) == before:
        _check_cell_count(len(drawn), *bounds[2:], file, faults)
    if len(faults.lines) > before:
        return None
    chunks_of_layer = chunks if raw.get("infinite") else [None] * len(drawn)
    layers = (
        _read_tile_layer(layer, own, bounds, file, faults)
        for layer, own in zip(drawn, chunks_of_layer, strict=True)
    )
    return bounds, tuple(filter(None, layers))


def _make_map_layer(layer: Json) -> MapLayer:
    """Return a flattened layer as it is shown, with its image if it is one."""
    image = str(layer.get("image") or "") if layer["type"] == "imagelayer" else ""
    return MapLayer(
        layer["name"], layer["type"], layer["visible"], layer["opacity"], layer["offset"], image
    )


def _check_cell_count(layers: int, width: int, height: int, file: str, faults: Faults) -> None:
    """Add a fault for a map with more cells in its tile layers than `MOST_CELLS`."""
    if layers * width * height > MOST_CELLS:
        faults.add(
            file,
            "",
            "has {count} tile layers; a map of {width} × {height} tiles can have {most}",
            count=layers,
            width=width,
            height=height,
            most=MOST_CELLS // (width * height),
        )


def _read_tile_layer(
    layer: Json, chunks: list[Chunk] | None, bounds: Box, file: str, faults: Faults
) -> TileLayer | None:
    """Return a tile layer, joined from the chunks of an infinite map; None, with a fault, if its
    cells cannot be read.
    """
    where, size = _name_layer(layer), bounds[2:]
    if chunks is None:
        cells = read_cells(layer, where, size, file, faults)
        cells = None if cells is None else shift_cells(cells, layer["shift"])
    else:
        cells = join_chunks(layer, chunks, bounds, where, file, faults)
    if cells is None:
        return None
    return TileLayer(layer["name"], cells, layer["visible"], layer["opacity"])


def _name_layer(layer: Json) -> Phrase:
    return Phrase("layer {name!r}", name=layer["name"])


def _check_supported(raw: Json, orientations: tuple[str, ...], file: str, faults: Faults) -> bool:
    """Return True if the map is of a supported kind, with a fault for each reason if not; missing
    lists of layers and tilesets become empty ones.
    """
    infinite = bool(raw.get("infinite"))
    lengths = (
        ("tilewidth", "tileheight") if infinite else ("width", "height", "tilewidth", "tileheight")
    )
    wrong = [key for key in lengths if not is_integer_between(raw.get(key), 1, LARGEST)]
    layers, tilesets = json_objects(raw.get("layers")), json_objects(raw.get("tilesets", []))
    orientation = raw.get("orientation")
    refusals = [
        (
            bool(wrong),
            Phrase("{keys} should be whole numbers from 1 to {most}", keys=wrong, most=LARGEST),
        ),
        (
            orientation not in orientations,
            Phrase(
                "orientation is {orientation!r}; make it orthogonal in Map Properties",
                orientation=orientation,
            ),
        ),
        (
            not wrong and orientation in orientations and raw["tilewidth"] != raw["tileheight"],
            Phrase("tiles must be square; set tile width and height to the same number"),
        ),
        (not layers, Phrase("has no layers")),
        (
            tilesets is None,
            Phrase("tilesets is not a list of JSON objects; save the map again from Tiled"),
        ),
    ]
    for refused, text in refusals:
        if refused:
            faults.add(file, Phrase("map"), text)
    raw |= {"layers": layers or [], "tilesets": tilesets or []}
    return not any(refused for refused, _ in refusals)


def _flatten(
    layers: list[Json],
    file: str,
    faults: Faults,
    visible: bool = True,
    opacity: float = 1.0,
    offset: tuple[float, float] = (0.0, 0.0),
    depth: int = 0,
) -> list[Json]:
    """Return the layers with groups flattened; hiding, opacity and offset of groups apply to their
    layers. A group without a list of layers, or deeper than `DEEPEST`, is left out with a fault.
    """
    flat: list[Json] = []
    for raw in layers:
        given = raw.get("opacity", 1)
        shown = visible and raw.get("visible", True) is not False
        faintness = (
            opacity * given if isinstance(given, int | float) and 0 <= given <= 1 else opacity
        )
        moved = (offset[0] + _read_pixels(raw, "offsetx"), offset[1] + _read_pixels(raw, "offsety"))
        layer = {
            **raw,
            "name": str(raw.get("name", "")),
            "type": str(raw.get("type", "")),
            "visible": shown,
            "opacity": faintness,
            "offset": moved,
        }
        if layer["type"] != "group":
            flat.append(layer)
            continue
        inner = json_objects(raw.get("layers", []))
        if inner is None or depth >= DEEPEST:
            faults.add(
                file,
                _name_layer(layer),
                "is a group without a list of layers, or nested too deeply; ungroup it in Tiled",
            )
        else:
            flat += _flatten(inner, file, faults, shown, faintness, moved, depth + 1)
    return flat


def _count_groups(layers: Iterable[Json]) -> int:
    """Return the number of groups among layers, at any depth."""
    groups = [layer for layer in layers if layer.get("type") == "group"]
    return len(groups) + sum(_count_groups(group.get("layers", [])) for group in groups)


def _read_pixels(raw: Json, key: str) -> float:
    """Return a length in pixels; 0 for none or an invalid one."""
    value = raw.get(key, 0)
    return float(value) if isinstance(value, int | float) and abs(value) < FARTHEST else 0.0


def _move(item: Json, offset: tuple[float, float]) -> Json:
    """Return an object moved by the offset of its layer, in pixels."""
    if not any(offset) or not all(isinstance(item.get(key), int | float) for key in ("x", "y")):
        return item
    return {**item, "x": item["x"] + offset[0], "y": item["y"] + offset[1]}


def _find_bounds(
    raw: Json, layers: Sequence[Json], file: str, faults: Faults
) -> tuple[Box, list[list[Chunk]]]:
    """Return the map's box in tiles, and the chunks of each tile layer; only infinite maps have
    chunks or an origin other than 0. Adds a fault for one that is empty or larger than `LARGEST`.
    """
    if not raw.get("infinite"):
        return (0, 0, raw["width"], raw["height"]), [[] for _ in layers]
    chunks = [chunks_of(layer, _name_layer(layer), file, faults) for layer in layers]
    bounds = bounds_of(chunk for own in chunks for chunk in own)
    if not 1 <= bounds[2] <= LARGEST or not 1 <= bounds[3] <= LARGEST:
        text = N_(
            "is infinite, and {width} × {height} tiles of it are drawn; there should be 1 to {most} each way"
        )
        faults.add(file, Phrase("map"), text, width=bounds[2], height=bounds[3], most=LARGEST)
    return bounds, chunks


def _read_objects(
    flat: list[Json], templates: TemplateReader, file: str, faults: Faults
) -> tuple[DrawnObject, ...]:
    """Return the objects of all layers, completed by their templates."""
    return tuple(
        DrawnObject(layer["name"], _move(templates.complete(item), layer["offset"]), level)
        for level, layer in enumerate(flat)
        for item in _list_objects(layer, file, faults)
    )


def _list_objects(layer: Json, file: str, faults: Faults) -> list[Json]:
    """Return the objects of a layer; none for a layer of another kind, or, with a fault, for an
    invalid list.
    """
    if layer["type"] != "objectgroup":
        return []
    objects = json_objects(layer.get("objects", []))
    if objects is None:
        faults.add(
            file,
            _name_layer(layer),
            "objects is not a list of JSON objects; save the map again from Tiled",
        )
    return objects or []
