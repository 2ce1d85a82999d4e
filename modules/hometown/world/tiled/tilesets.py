"""The tilesets of a map: embedded, or in files of their own inside the map's folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from hometown.errors import BadWorld
from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.faults import Faults
from hometown.world.pictures import check_picture, size_of
from hometown.world.tiled.document import is_integer_between, json_objects, read_part

MOST_TILES = 1 << 24


@frozen
class Tileset:
    """Tiles cut from one image. `first` is the global id of the first, `image` a path below the
    root folder of the map's files; lengths are in pixels.

    A collection of images is one tileset for each image.
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


@frozen
class TilesetSource:
    """A tileset's JSON and the file that holds it: the map, or a file of its own.

    `root` is the folder that its images must be in; without `has_images` they may be missing.
    """

    given: Json
    file: Path
    map_file: Path
    root: Path
    has_images: bool = True

    @property
    def where(self) -> Phrase:
        """The place of its faults in the map."""
        name = self.given.get("source") or self.given.get("name", "")
        return Phrase("tileset {name!r}", name=str(name))

    def picture(self, name: object, faults: Faults) -> str | None:
        """Return the path of an image below the root; None, with a fault, if it is unusable."""
        if not self.has_images:
            return str(name)
        beside = PurePosixPath(self.file.parent.resolve().relative_to(self.root).as_posix())
        image = str(beside / str(name).replace("\\", "/"))
        shown = PurePosixPath(str(self.given.get("source") or "")).parent / str(name)
        where = Phrase("tileset image {image!r}", image=str(shown))
        if check_picture(self.root, image, self.map_file.name, where, faults):
            return (self.root / image).resolve().relative_to(self.root).as_posix()
        return None

    def size(self, raw: Json, image: str) -> tuple[int, int]:
        """Return width and height of an image as given, or else as its file has them; zeros for
        unknown ones.
        """
        given = (raw.get("imagewidth"), raw.get("imageheight"))
        if all(is_integer_between(side, 1, MOST_TILES) for side in given):
            return (int(given[0] or 0), int(given[1] or 0))
        try:
            return size_of(self.root / image)
        except BadWorld:
            return (0, 0)


def find_tileset(
    raw: Json, path: Path, root: Path, faults: Faults, images: bool = True
) -> TilesetSource | None:
    """Return the JSON of a tileset of the map at `path`, from its own file if it has one; None,
    with a fault, if that is unusable.
    """
    source = raw.get("source")
    if not source:
        return TilesetSource(raw, path, path, root.resolve(), images)
    where = Phrase("tileset {name!r}", name=str(source))
    found = read_part(str(source), path, root, path.name, where, faults)
    if found is None:
        return None
    given = {**found[1], "firstgid": raw.get("firstgid"), "source": source}
    return TilesetSource(given, found[0], path, root.resolve(), images)


def read_tilesets(source: TilesetSource, faults: Faults) -> tuple[Tileset, ...]:
    """Return the tileset of a source, or one for each image of a collection; none, with faults, if
    it or its required images are unusable.
    """
    given = source.given
    tiles = json_objects(given.get("tiles", [])) or []
    images = [tile for tile in tiles if tile.get("image")]
    if given.get("image"):
        return tuple(_read_sheet(source, faults))
    if images or not given.get("tilecount"):
        return tuple(_read_collection(source, images, faults))
    faults.add(
        source.map_file.name, source.where, "has no image; choose one in Tiled, and save it again"
    )
    return ()


def _read_sheet(source: TilesetSource, faults: Faults) -> Iterator[Tileset]:
    """Yield the tileset of one image; nothing, with faults, if its numbers or its image are
    unusable. Tiled before 0.15 leaves out what follows from the image's size.
    """
    given, before = source.given, len(faults.lines)
    lengths = {key: (given.get(key), 1) for key in ("firstgid", "tilewidth", "tileheight")}
    lengths |= {key: (given.get(key, 0), 0) for key in ("margin", "spacing")}
    wrong = _find_invalid(lengths)
    image = None if wrong else source.picture(given["image"], faults)
    if len(faults.lines) > before:
        return
    margin, spacing = given.get("margin", 0), given.get("spacing", 0)
    counts = (given.get("columns"), given.get("tilecount"))
    if image and not all(is_integer_between(count, 1, MOST_TILES) for count in counts):
        columns, rows = (
            max(0, length - margin + spacing) // (given[side] + spacing)
            for length, side in zip(
                source.size(given, image), ("tilewidth", "tileheight"), strict=True
            )
        )
        counts = (columns, columns * rows)
    wrong += _find_invalid(
        {key: (count, 1) for key, count in zip(("columns", "tilecount"), counts, strict=True)}
    )
    if wrong or image is None:
        _add_lack(source, wrong, faults)
        return
    yield Tileset(
        str(given.get("name", "")),
        given["firstgid"],
        image,
        given["tilewidth"],
        given["tileheight"],
        int(counts[0] or 0),
        int(counts[1] or 0),
        margin,
        spacing,
    )


def _read_collection(source: TilesetSource, tiles: list[Json], faults: Faults) -> Iterator[Tileset]:
    """Yield a tileset for each image of a collection, with faults for unusable ones; none for an
    image of unknown size.
    """
    first, name = source.given.get("firstgid"), str(source.given.get("name", ""))
    for tile in tiles:
        wrong = _find_invalid({"firstgid": (first, 1), "id": (tile.get("id"), 0)})
        image = None if wrong else source.picture(tile["image"], faults)
        if wrong:
            _add_lack(source, wrong, faults)
        if image is None or first is None:
            continue
        width, height = source.size(tile, image)
        if width and height:
            yield Tileset(name, first + tile["id"], image, width, height, 1, 1)


def _find_invalid(numbers: dict[str, tuple[object, int]]) -> list[str]:
    """Return the names of values that are not whole numbers from a lowest one to `MOST_TILES`."""
    return [
        key
        for key, (value, lowest) in numbers.items()
        if not is_integer_between(value, lowest, MOST_TILES)
    ]


def _add_lack(source: TilesetSource, wrong: list[str], faults: Faults) -> None:
    """Add a fault for the numbers that a tileset lacks."""
    faults.add(
        source.map_file.name,
        source.where,
        "lacks {numbers}; save it again from Tiled",
        numbers=wrong,
    )
