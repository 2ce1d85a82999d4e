"""The tilesets of a map: embedded, or in files of their own inside the map's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.faults import Faults
from hometown.world.pictures import check_picture, path_inside
from hometown.world.tiled.document import is_integer_between, read_document

MOST_TILES = 1 << 24


@frozen
class Tileset:
    """Tiles cut from one image. `first` is the global id of the first, `image` a path below the
    map's folder; lengths are in pixels.
    """

    name: str
    first: int
    image: str
    tile_width: int
    tile_height: int
    columns: int
    count: int
    margin: int = 0
    spacing: int = 0

    def corner(self, gid: int) -> tuple[int, int]:
        """Return the upper left pixel of a tile in the image."""
        row, column = divmod(gid - self.first, self.columns)
        return (
            self.margin + column * (self.tile_width + self.spacing),
            self.margin + row * (self.tile_height + self.spacing),
        )


def read_tileset(raw: Json, path: Path, faults: Faults, images: bool = True) -> Tileset | None:
    """Return a tileset of the map at `path`; None, with a fault, if it or its required image is
    unusable.
    """
    given, beside = _taken_in(raw, path, faults), PurePosixPath(str(raw.get("source") or "")).parent
    if given is None:
        return None
    where = Phrase("tileset {name!r}", name=str(raw.get("source") or given.get("name", "")))
    numbers = {
        key: (given.get(key), 1)
        for key in ("firstgid", "tilewidth", "tileheight", "columns", "tilecount")
    }
    numbers |= {key: (given.get(key, 0), 0) for key in ("margin", "spacing")}
    wrong = [
        key
        for key, (value, lowest) in numbers.items()
        if not is_integer_between(value, lowest, MOST_TILES)
    ]
    if not given.get("image"):
        faults.add(
            path.name,
            where,
            "is a collection of images; make it one image (New Tileset, Based on Tileset Image)",
        )
    elif wrong:
        faults.add(path.name, where, "lacks {numbers}; save it again from Tiled", numbers=wrong)
    else:
        image = str(beside / str(given["image"]).replace("\\", "/"))
        if not images or check_picture(
            path.parent, image, path.name, Phrase("tileset image {image!r}", image=image), faults
        ):
            return Tileset(
                str(given.get("name", "")), given["firstgid"], _normal(path.parent, image) if images else image, given["tilewidth"],
                given["tileheight"], given["columns"], given["tilecount"], given.get("margin", 0), given.get("spacing", 0),
            )  # fmt: skip
    return None


def _taken_in(raw: Json, path: Path, faults: Faults) -> Json | None:
    """Return an external tileset's file with the map's number for its first tile; an embedded one
    unchanged.
    """
    source = raw.get("source")
    if not source:
        return raw
    where = Phrase("tileset {name!r}", name=str(source))
    file = path_inside(path.parent, str(source).replace("\\", "/"))
    if file is None:
        faults.add(
            path.name,
            where,
            "lies outside the map's folder; copy it beside the map, or embed it in Tiled",
        )
    elif not file.is_file():
        faults.add(
            path.name, where, "does not exist; copy it to the map's folder, or embed it in Tiled"
        )
    else:
        given = read_document(file, file.relative_to(path.parent.resolve()).as_posix(), faults)
        return None if given is None else {**given, "firstgid": raw.get("firstgid")}
    return None


def _normal(folder: Path, name: str) -> str:
    """Return the normalised path of a file below a folder."""
    return (folder / name).resolve().relative_to(folder.resolve()).as_posix()
