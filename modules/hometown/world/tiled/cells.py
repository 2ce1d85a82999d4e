"""The cells of a tile layer, in every encoding of Tiled: a list, CSV, or Base64 with zlib, gzip,
zstd or none.

Layers of infinite maps come in chunks. Unpacking is bounded by the declared size.
"""

from __future__ import annotations

import base64
import binascii
import io
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.faults import Faults
from hometown.world.tiled.document import is_integer_between, json_objects

Layer = NDArray[np.uint32]
"""Global tile ids with Tiled's flip flags, uint32[height, width]; 0 for empty cells."""

LARGEST = 1000
"""The largest side of a map in tiles."""

MOST_CELLS = 50_000_000
"""The largest number of cells of all layers, 200 MB: 50 layers of the largest map."""

FARTHEST = 1 << 24
"""The largest distance from the origin of an infinite map, in tiles."""

Box = tuple[int, int, int, int]
"""Column, row, width and height."""


@frozen
class Chunk:
    """A part of a layer: its place on the map and its packed data."""

    box: Box
    data: Any


def read_cells(
    layer: Json, where: Phrase, size: tuple[int, int], file: str, faults: Faults
) -> Layer | None:
    """Return the cells of a layer of a finite map of `size` (width, height); None, with a fault, if
    they are unreadable.
    """
    return _decode_cells(layer, layer.get("data"), size, where, file, faults)


def shift_cells(cells: Layer, shift: tuple[int, int]) -> Layer:
    """Return the cells moved right and down by whole tiles, without those that leave the map."""
    if not any(shift):
        return cells
    height, width = cells.shape
    right, down = shift
    moved = np.zeros_like(cells)
    part = cells[
        max(0, -down) : max(0, height - max(0, down)),
        max(0, -right) : max(0, width - max(0, right)),
    ]
    top, left = max(0, down), max(0, right)
    moved[top : top + part.shape[0], left : left + part.shape[1]] = part
    return moved


def chunks_of(layer: Json, where: Phrase, file: str, faults: Faults) -> list[Chunk]:
    """Return the chunks of a layer of an infinite map, moved by the layer's `shift` in tiles; none,
    with a fault, if one has no place and size, or all have more tiles than two of the largest maps.
    """
    listed = json_objects(layer.get("chunks", []))
    right, down = layer["shift"]
    chunks = [
        Chunk((raw["x"] + right, raw["y"] + down, raw["width"], raw["height"]), raw.get("data"))
        for raw in listed or ()
        if _has_place(raw)
    ]
    if listed is None or len(chunks) < len(listed):
        faults.add(
            file, where, "has chunks without a place and size; save the map again from Tiled"
        )
    elif sum(chunk.box[2] * chunk.box[3] for chunk in chunks) > 2 * LARGEST**2:
        faults.add(
            file,
            where,
            "has chunks of more tiles than the largest map, {most} × {most}; draw a smaller one",
            most=LARGEST,
        )
    else:
        return chunks
    return []


def _has_place(raw: Json) -> bool:
    """Return True if a chunk has a valid place and size."""
    corner = all(is_integer_between(raw.get(key), -FARTHEST, FARTHEST) for key in ("x", "y"))
    return corner and all(
        is_integer_between(raw.get(key), 1, LARGEST) for key in ("width", "height")
    )


def join_chunks(
    layer: Json, chunks: list[Chunk], bounds: Box, where: Phrase, file: str, faults: Faults
) -> Layer | None:
    """Return the cells of a layer of an infinite map within `bounds`, which contain all of its
    chunks; None, with a fault, if a chunk is unreadable.
    """
    left, top, width, height = bounds
    cells: Layer = np.zeros((height, width), dtype=np.uint32)
    for chunk in chunks:
        part = _decode_cells(layer, chunk.data, chunk.box[2:], where, file, faults)
        if part is None:
            return None
        column, row = chunk.box[0] - left, chunk.box[1] - top
        cells[row : row + chunk.box[3], column : column + chunk.box[2]] = part
    return cells


def bounds_of(chunks: Iterator[Chunk]) -> Box:
    """Return the bounding box of chunks; an empty one without chunks."""
    boxes = [chunk.box for chunk in chunks]
    if not boxes:
        return (0, 0, 0, 0)
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return (
        left,
        top,
        max(box[0] + box[2] for box in boxes) - left,
        max(box[1] + box[3] for box in boxes) - top,
    )


def _decode_cells(
    layer: Json, data: Any, size: tuple[int, int], where: Phrase, file: str, faults: Faults
) -> Layer | None:
    """Return packed data as cells of `size` (width, height); None, with a fault, if it cannot be
    unpacked or has another number of tiles.
    """
    count = size[0] * size[1]
    try:
        flat = _unpack(
            data, str(layer.get("encoding") or ""), str(layer.get("compression") or ""), count
        )
    except (
        binascii.Error,
        ValueError,
        TypeError,
        OverflowError,
        zlib.error,
        zstandard.ZstdError,
        EOFError,
    ) as error:
        faults.add(
            file,
            where,
            "holds something other than tile numbers ({reason}); set Tile Layer Format to CSV and save again",
            reason=error,
        )
        return None
    if flat.shape != (count,):
        faults.add(
            file,
            where,
            "has {size} tiles, but should have {count}; save it again from Tiled",
            size=flat.size,
            count=count,
        )
        return None
    return flat.reshape(size[1], size[0])


def _unpack(data: Any, encoding: str, compression: str, count: int) -> NDArray[np.uint32]:
    """Return the numbers in one row, of compressed ones at most `count` + 1. Raises the errors of
    numpy and the decompressors.
    """
    if not isinstance(data, str):
        return np.array(data, dtype=np.uint32)
    if encoding == "csv":
        return np.array(
            [int(number) for number in data.replace("\n", "").split(",") if number.strip()],
            dtype=np.uint32,
        )
    packed = base64.b64decode("".join(data.split()), validate=True)
    return np.frombuffer(_inflate(packed, compression, 4 * count + 4), dtype="<u4").astype(
        np.uint32
    )


def _inflate(packed: bytes, compression: str, most: int) -> bytes:
    """Return the decompressed bytes, at most `most`; unchanged without a compression. Raises
    ValueError for an unknown one.
    """
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(wbits=47).decompress(packed, most)
    if compression == "zstd":
        return (
            zstandard.ZstdDecompressor(max_window_size=1 << 27)
            .stream_reader(io.BytesIO(packed))
            .read(most)
        )
    if compression:
        raise ValueError(f"compressed with {compression!r}")
    return packed
