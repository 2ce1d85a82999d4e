"""Changes to the map of a world, as the editor sends them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hometown.authoring.lint import LintReport
from hometown.authoring.painting import IMAGE, MapPainter
from hometown.authoring.town_building import TownBuilder, open_painter
from hometown.authoring.versions import version_of
from hometown.authoring.world_changes import (
    WorldChange,
    change_world,
    trial,
    without_new_errors,
)
from hometown.errors import BadWorld
from hometown.world.maze import Tile

FILES = (IMAGE, "map.tmj")
"""The files of a map, pictures first: the map names them."""


def map_version(folder: Path) -> str:
    """Return the version of a world's map."""
    return version_of(*(folder / name for name in FILES))


def try_stroke(folder: Path, stroke: Mapping[str, Any]) -> LintReport:
    """Return the problems that the world would have after a change to its map, written as `{"act":
    …}` with its arguments (docs/formats.md). Nothing is changed.

    Raises BadWorld if the change is not possible, or would make new errors.
    """
    with trial(folder) as copy:
        _paint(copy, stroke)
        return without_new_errors(folder, copy)


def paint(folder: Path, stroke: Mapping[str, Any], version: str | None = None) -> WorldChange:
    """Change the map by a stroke of the editor, and return the change, which can be undone. Raises
    BadWorld as `try_stroke` does, and Outdated if the map's version is not the given one; in these
    cases nothing is changed.
    """

    def change(copy: Path) -> Collection[str]:
        _paint(copy, stroke)
        return FILES

    return change_world(folder, change, FILES, version)


def _paint(folder: Path, stroke: Mapping[str, Any]) -> None:
    """Carry out a stroke on the map of a folder, and save it. Raises BadWorld for an unknown act or
    an impossible change.
    """
    painter = open_painter(folder)
    if not (isinstance(painter, TownBuilder) and _build(painter, stroke)):
        _furnish(painter, stroke)
    painter.save()


def _build(painter: TownBuilder, stroke: Mapping[str, Any]) -> bool:
    """Carry out a stroke that needs the ground plan of a town; return False for any other."""
    match stroke.get("act"):
        case "ground":
            painter.lay_ground(str(stroke.get("kind")), _tiles(stroke))
        case "build":
            painter.build(str(stroke.get("building")), _tile(stroke))
        case "room":
            (left, top), (right, bottom) = _corners(stroke)
            area = (left, top, right - left + 1, bottom - top + 1)
            painter.add_room(str(stroke.get("kind")), area)
        case "door":
            painter.door(_tile(stroke))
        case "demolish":
            painter.demolish(str(stroke.get("sector")))
        case "clear":
            painter.clear(_tile(stroke))
        case _:
            return False
    return True


def _furnish(painter: MapPainter, stroke: Mapping[str, Any]) -> None:
    """Carry out a stroke within a room. Raises BadWorld for an unknown act."""
    room, thing = str(stroke.get("room")), str(stroke.get("thing"))
    match stroke.get("act"):
        case "name" if isinstance(names := stroke.get("names"), dict):
            painter.name(room, names)
        case "floor":
            painter.floor(room, str(stroke.get("kind")))
        case "wall":
            painter.wall(room, _tile(stroke))
        case "put":
            painter.put(room, str(stroke.get("kind")), _tile(stroke))
        case "move":
            painter.move(thing, _tile(stroke))
        case "remove":
            painter.remove(thing)
        case act:
            raise BadWorld(
                "{act} is not a change to this map; there are name, floor, wall, put, move and remove, "
                "and on a map with a ground plan ground, build, room, door, demolish and clear",
                act=str(act)[:40],
            )


def _tile(stroke: Mapping[str, Any]) -> Tile:
    """Return the tile of a change. Raises BadWorld for an invalid one."""
    return _read_tile(stroke.get("at"))


def _tiles(stroke: Mapping[str, Any]) -> list[Tile]:
    """Return the tiles of a change. Raises BadWorld where one is invalid."""
    tiles = stroke.get("tiles")
    return [_read_tile(tile) for tile in (tiles if isinstance(tiles, list) else [tiles])]


def _corners(stroke: Mapping[str, Any]) -> tuple[Tile, Tile]:
    """Return the upper left and the lower right tile of a change, which are two opposite corners.
    Raises BadWorld where one is invalid.
    """
    columns, rows = zip(_read_tile(stroke.get("from")), _read_tile(stroke.get("to")), strict=True)
    return (min(columns), min(rows)), (max(columns), max(rows))


def _read_tile(given: object) -> Tile:
    match given:
        case [int(column), int(row)] if column >= 0 and row >= 0:
            return column, row
        case _:
            raise BadWorld(
                "{at} is no place on the map: give its column and row", at=str(given)[:40]
            )
