"""Opens a Tiled map of either format and irons it out: groups flattened, data unpacked, external tilesets taken in."""

from __future__ import annotations

import base64
import binascii
import io
import zlib
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import zstandard

from modules.text import Phrase
from modules.world.faults import Faults
from modules.worlds.importing.tmx import from_xml

LARGEST = 1000
"""Tiles of a side at most."""


@dataclass(frozen=True)
class Source:
    """A map as it was drawn. Tile layers hold `data` as lists of numbers; tilesets have an `image` inside `folder`."""

    folder: Path
    size: tuple[int, int]
    pixels: int
    layers: list[dict[str, Any]]
    tilesets: list[dict[str, Any]]


def open_map(path: Path, faults: Faults) -> Source | None:
    """The map of a `.tmx`, `.tmj` or `.json` file; None, with every fault noted, where it cannot be used."""
    raw = _read(path, path.name, faults)
    if raw is None:
        return None
    before = len(faults.lines)
    _check(raw, path.name, faults)
    if len(faults.lines) > before:
        return None
    size = (raw["width"], raw["height"])
    layers = _flat(raw["layers"], True)
    for layer in layers:
        if layer.get("type") == "tilelayer":
            layer["data"] = _cells(layer, size[0] * size[1], path.name, faults)
        elif not _is_list(layer.get("objects", [])):
            faults.add(path.name, Phrase("layer {name!r}", name=layer["name"]), "has objects that are none; save the map again from Tiled")
    tilesets = [one for one in (_tileset(given, path, faults) for given in raw.get("tilesets") or ()) if one]
    return Source(path.parent, size, raw["tilewidth"], layers, tilesets) if len(faults.lines) == before else None


def inside(folder: Path, name: str) -> Path | None:
    """The file that a map names, if it lies in the map's folder."""
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError):
        return None
    return path if path.is_relative_to(folder.resolve()) else None


def _read(path: Path, file: str, faults: Faults) -> dict[str, Any] | None:
    """A file in Tiled's XML or JSON."""
    try:
        text = path.read_text("utf-8")
        found = from_xml(text) if text.lstrip("\ufeff \n\r\t").startswith("<") else loads(text)
    except FileNotFoundError:
        faults.add(file, "", "is not there; copy it beside the map, or embed the tileset in Tiled")
    except (OSError, UnicodeDecodeError, ValueError, ElementTree.ParseError, RecursionError) as error:
        faults.add(file, "", "cannot be read as a file of Tiled's ({reason}); save it again from Tiled", reason=error)
    else:
        if isinstance(found, dict):
            return found
        faults.add(file, "", "is no file of Tiled's; save it again from Tiled")
    return None


def _check(raw: dict[str, Any], file: str, faults: Faults) -> None:
    sides = {key: raw.get(key) for key in ("width", "height", "tilewidth", "tileheight")}
    refusals = [
        (
            any(not isinstance(side, int) or not 1 <= side <= LARGEST for side in sides.values()),
            Phrase("has the measures {sides}; each should be from 1 to {most}", sides=sides, most=LARGEST),
        ),
        (sides["tilewidth"] != sides["tileheight"], Phrase("has tiles that are not square; set tile width and height alike")),
        (
            raw.get("orientation") != "orthogonal",
            Phrase("has the orientation {orientation!r}; make it orthogonal in Map Properties", orientation=raw.get("orientation")),
        ),
        (bool(raw.get("infinite")), Phrase("is infinite; untick Infinite in Map Properties")),
        (not _is_list(raw.get("layers")) or not raw["layers"], Phrase("has no layers")),
        (not _is_list(raw.get("tilesets", [])), Phrase("has tilesets that are none; save it again from Tiled")),
    ]
    for wrong, text in refusals:
        if wrong:
            faults.add(file, "", text)


def _is_list(value: Any) -> bool:
    """Whether it is a list of JSON objects."""
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _flat(layers: list[dict[str, Any]], visible: bool) -> list[dict[str, Any]]:
    """The layers, those of groups in their group's place; what lies in a hidden group is hidden."""
    found = []
    for layer in layers:
        shown = visible and layer.get("visible", True) is not False
        if layer.get("type") == "group":
            found += _flat(layer["layers"] if _is_list(layer.get("layers")) else [], shown)
        else:
            found.append({**layer, "name": str(layer.get("name", "")), "visible": shown})
    return found


def _cells(layer: dict[str, Any], count: int, file: str, faults: Faults) -> list[int]:
    """A tile layer's numbers; [] with a fault noted where they cannot be read."""
    where, data, packing = Phrase("layer {name!r}", name=layer["name"]), layer.get("data"), str(layer.get("compression") or "")
    try:
        if isinstance(data, str) and layer.get("encoding") == "csv":
            cells = np.array([int(one) for one in data.replace("\n", "").split(",") if one.strip()], dtype=np.uint32)
        elif isinstance(data, str):
            cells = np.frombuffer(_unpacked(base64.b64decode(data.strip(), validate=True), packing, count * 4), dtype="<u4")
        else:
            cells = np.array(data, dtype=np.uint32)
    except (binascii.Error, ValueError, TypeError, OverflowError, zlib.error, zstandard.ZstdError) as error:
        faults.add(file, where, "holds something other than tile numbers ({reason}); set Tile Layer Format to CSV and save again", reason=error)
        return []
    if cells.shape != (count,):
        faults.add(file, where, "holds {size} tiles, the map {count}; save it again from Tiled", size=cells.size, count=count)
        return []
    numbers: list[int] = cells.tolist()
    return numbers


def _unpacked(data: bytes, packing: str, size: int) -> bytes:
    """At most one byte more than there should be, whatever a small file claims to hold."""
    if packing in ("zlib", "gzip"):
        return zlib.decompressobj(wbits=47).decompress(data, size + 4)
    if packing == "zstd":
        return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read(size + 4)
    if packing:
        raise ValueError(f"compressed with {packing!r}")
    return data


def _tileset(given: dict[str, Any], path: Path, faults: Faults) -> dict[str, Any] | None:
    """A tileset with its image, taken in from its own file where it has one."""
    source, folder = given.get("source"), path.parent
    where = Phrase("tileset {name!r}", name=str(source or given.get("name", "")))
    if source:
        file = inside(folder, str(source))
        if file is None:
            faults.add(path.name, where, "lies outside the map's folder; copy it beside the map, or embed it in Tiled")
            return None
        outer = _read(file, str(source), faults)
        if outer is None:
            return None
        given, folder = {**outer, "firstgid": given.get("firstgid")}, file.parent
    numbers = ("firstgid", "tilewidth", "tileheight", "columns", "tilecount")
    if not given.get("image"):
        faults.add(path.name, where, "is a collection of images; make it one image (New Tileset, Based on Tileset Image)")
    elif any(not isinstance(given.get(key), int) or given[key] < 1 for key in numbers):
        faults.add(path.name, where, "lacks one of {numbers}; save it again from Tiled", numbers=list(numbers))
    else:
        image = inside(path.parent, str((folder / str(given["image"])).resolve()))
        if image is None:
            faults.add(path.name, where, "its image {image!r} lies outside the map's folder; copy it beside the map", image=given["image"])
        elif not image.is_file():
            faults.add(path.name, where, "its image {image!r} is not there; copy it beside the map", image=given["image"])
        else:
            return {**given, "image": str(image)}
    return None
