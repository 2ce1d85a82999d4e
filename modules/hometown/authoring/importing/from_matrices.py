"""Read the original Smallville's map: matrices of numbers, with a list of their meanings.

    maze_meta_info.json             maze_width, maze_height
    maze/<layer>_maze.csv           all tiles in reading order: 0 for nothing, or a number
    special_blocks/<layer>_blocks.csv   number, world, …, name of the place

The layers are collision (any number blocks the way), sector, arena and game_object. People are
`scratch.json` files, with `spatial_memory.json` beside them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import datetime, time
from pathlib import Path

from hometown.authoring.importing.dates import dates_in
from hometown.authoring.importing.from_maze import LARGEST, source_person, tell_unused
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.errors import reason_of
from hometown.json_object import Json
from hometown.world.faults import Faults, read_json

META = "maze_meta_info.json"

MORNING = time(6)
"""Time at which a world's first day begins."""

EARLIEST_START = 1000
"""The first year in which a saved game may begin."""

NAMED = ("sector", "arena", "game_object")


def read_matrices(folder: Path, faults: Faults) -> SourceMap | None:
    """Return the map of a folder with `maze_meta_info.json`; None, with faults reported, where it
    cannot be used.
    """
    meta = read_json(folder / META, META, faults)
    if meta is None:
        return None
    width, height = meta.get("maze_width"), meta.get("maze_height")
    if not (
        isinstance(width, int)
        and isinstance(height, int)
        and 1 <= width <= LARGEST
        and 1 <= height <= LARGEST
    ):
        faults.add(
            META,
            "",
            "maze_width is {width!r} and maze_height {height!r}; they should be whole numbers from 1 to {most}",
            width=width,
            height=height,
            most=LARGEST,
        )
        return None
    collision = _read_matrix(folder, "collision", width * height, faults)
    layers = [_read_matrix(folder, layer, width * height, faults) for layer in NAMED]
    meanings = [_read_meanings(folder, layer, faults) for layer in NAMED]
    if collision is None or any(layer is None for layer in layers):
        return None
    site = SourceMap((width, height), set())
    for at in range(width * height):
        tile = (at % width, at // width)
        if collision[at] != "0":
            site.blocked.add(tile)
        names = [
            meaning.get(layer[at], "")
            for layer, meaning in zip(layers, meanings, strict=True)
            if layer is not None
        ]
        depth = names.index("") if "" in names else 3
        if depth:
            site.mark(tuple(names[:depth]), tile)
    return site


def _read_rows(path: Path, file: str, faults: Faults) -> list[list[str]] | None:
    """Return the rows of a CSV file; None, with a fault, if it is missing or unreadable."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as opened:
            return [[cell.strip() for cell in row] for row in csv.reader(opened)]
    except FileNotFoundError:
        faults.add(file, "", "is missing; the map needs it")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        faults.add(file, "", "cannot be read as CSV in UTF-8 ({reason})", reason=reason_of(error))
    return None


def _read_matrix(folder: Path, layer: str, count: int, faults: Faults) -> list[str] | None:
    """Return the numbers of a layer in reading order; None, with a fault, for a file that is
    unreadable or holds another number of tiles.
    """
    file = f"maze/{layer}_maze.csv"
    rows = _read_rows(folder / file, file, faults)
    if rows is None:
        return None
    flat = [cell for row in rows for cell in row if cell]
    if len(flat) != count:
        faults.add(
            file,
            "",
            "holds {found} tiles, and {meta} says {count}",
            found=len(flat),
            meta=META,
            count=count,
        )
        return None
    return flat


def _read_meanings(folder: Path, layer: str, faults: Faults) -> dict[str, str]:
    """Return the names of places by the numbers of a layer; none if the file is unreadable."""
    file = f"special_blocks/{layer}_blocks.csv"
    return {
        row[0]: row[-1] for row in _read_rows(folder / file, file, faults) or () if len(row) > 1
    }


SCRATCH = "scratch.json"


def saves_of(scratches: Iterable[Path], folder: Path) -> dict[Path, list[Path]]:
    """Return files of people by the saved game that they belong to: the folder that holds their
    `personas`, or else `folder`.
    """
    saves: dict[Path, list[Path]] = {}
    for path in sorted(scratches):
        save = next((outer.parent for outer in path.parents if outer.name == "personas"), folder)
        saves.setdefault(save, []).append(path)
    return saves


def read_scratches(
    scratches: Iterable[Path], folder: Path, faults: Faults, report: ImportReport
) -> list[SourcePerson]:
    """Return the people of `scratch.json` files, by their names; the first of a name counts."""
    people: dict[str, SourcePerson] = {}
    unused: set[str] = set()
    for path in scratches:
        file = str(path.relative_to(folder))
        raw = read_json(path, file, faults)
        if raw is None:
            continue
        unused |= {key for key, value in raw.items() if value not in (None, "", [], {})}
        person = source_person(
            {**raw, "knows": _read_known_sectors(path.with_name("spatial_memory.json"), faults)},
            file,
            faults,
        )
        if person:
            people.setdefault(person.name, person)
    tell_unused(unused, report)
    return list(people.values())


def start_of(folder: Path) -> datetime | None:
    """Return the start of the simulation, at `MORNING`, on the date in the first `meta.json` below
    a folder that has one ("February 13, 2023"); None without any.
    """
    for path in _list_metas(folder):
        raw = read_json(path, path.name, Faults(""))
        days = dates_in(str((raw or {}).get("start_date", "")), datetime.max.year, EARLIEST_START)
        if days and days[0].year < datetime.max.year:
            return datetime.combine(days[0], MORNING)
    return None


def town_of(folder: Path) -> tuple[str, int]:
    """Return the name of the town of a saved game, and the number of steps simulated in it; "" and
    0 where no file says so.
    """
    for path in _list_metas(folder):
        raw = read_json(path, path.name, Faults("")) or {}
        step = raw.get("step", 0)
        return str(raw.get("maze_name", "")), step if isinstance(step, int) else 0
    return "", 0


def _list_metas(folder: Path) -> list[Path]:
    """Return the files with the date of a saved game, or of any below a folder."""
    own = [folder / "reverie" / "meta.json", folder / "meta.json"]
    return [path for path in own if path.is_file()] or sorted(folder.rglob("meta.json"))


def _read_known_sectors(path: Path, faults: Faults) -> list[str]:
    """Return the sectors in a `spatial_memory.json`, whose outermost key is the world."""
    raw: Json | None = read_json(path, path.name, faults) if path.exists() else None
    return [sector for world in (raw or {}).values() if isinstance(world, dict) for sector in world]
