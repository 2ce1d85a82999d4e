"""Read GenerativeAgentsCN's map and people: `maze.json`, and `agents/<name>/agent.json` beside it.

The map lists tiles with a `coord` (column, row), an `address` (sector, arena, thing; some files
begin it with the world), and `collision`; `size` is rows and columns.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.faults import Faults, read_json
from hometown.world.maze import Tile

LARGEST = 1000
"""Tiles of a side at most."""

USED = {
    "name",
    "first_name",
    "last_name",
    "age",
    "innate",
    "learned",
    "lifestyle",
    "currently",
    "daily_plan",
    "daily_plan_req",
    "living_area",
    "scratch",
    "spatial",
    "portrait",
}
"""Keys of a resident's file that are imported, or that repeat others."""


def read_maze(path: Path, faults: Faults) -> SourceMap | None:
    """Return the map of a file, without its faulty tiles, each of which is reported; None, with
    faults reported, where it cannot be used at all.
    """
    raw = read_json(path, path.name, faults)
    if raw is None:
        return None
    size = raw.get("size")
    if not (
        isinstance(size, list)
        and len(size) == 2
        and all(isinstance(side, int) and 1 <= side <= LARGEST for side in size)
    ):
        faults.add(
            path.name,
            "size",
            "is {size!r}; it should be [rows, columns], each from 1 to {most}",
            size=size,
            most=LARGEST,
        )
        return None
    site = SourceMap((size[1], size[0]), set())
    listed = raw.get("tiles")
    if not isinstance(listed, list) or not listed:
        faults.add(
            path.name, "tiles", "is not a list of tiles, each with coord, address and collision"
        )
        return None
    world = str(raw.get("world", ""))
    for number, tile in enumerate(listed):
        problem = _mark_tile(tile, world, site)
        if problem:
            faults.add(path.name, f"tiles[{number}]", problem)
    return site


def _mark_tile(tile: Any, world: str, site: SourceMap) -> Phrase | None:
    """Mark one tile of a site as blocked and by its names; return its fault in place of that, None
    if it has none.
    """
    coord = tile.get("coord") if isinstance(tile, dict) else None
    if not (
        isinstance(coord, list)
        and len(coord) == 2
        and all(isinstance(number, int) for number in coord)
    ):
        return Phrase("has the coord {coord!r}; it should be [column, row]", coord=coord)
    at: Tile = (coord[0], coord[1])
    if not (0 <= at[0] < site.size[0] and 0 <= at[1] < site.size[1]):
        return Phrase(
            "lies at {at}, beyond the map of {width} × {height}",
            at=at,
            width=site.size[0],
            height=site.size[1],
        )
    address = tile.get("address") or []
    if not (isinstance(address, list) and all(isinstance(name, str) and name for name in address)):
        return Phrase("has the address {address!r}; it should be a list of names", address=address)
    names = tuple(name.strip() for name in (address[1:] if address[:1] == [world] else address))
    if len(names) > 3:
        return Phrase(
            "has an address of {count} parts; there should be sector, arena and thing",
            count=len(names),
        )
    if tile.get("collision"):
        site.blocked.add(at)
    if names:
        site.mark(names, at)
    return None


def read_agents(folder: Path, faults: Faults, report: ImportReport) -> list[SourcePerson]:
    """Return the people of `<folder>/<name>/agent.json`, sorted; none if there is no such file."""
    unused: set[str] = set()
    people = [_read_agent(path, faults, unused) for path in sorted(folder.glob("*/agent.json"))]
    tell_unused(unused, report)
    return [person for person in people if person]


def tell_unused(keys: set[str], report: ImportReport) -> None:
    """Report fields of residents' files that have no counterpart here."""
    if keys - USED:
        report.left.append(
            Phrase(
                "{keys} of the residents' files, which have no counterpart here",
                keys=sorted(keys - USED),
            )
        )


def _read_agent(path: Path, faults: Faults, unused: set[str]) -> SourcePerson | None:
    """Return the person of a file, with the pictures beside it; None, with faults, if it is
    unusable. All keys of the file are added to `unused`.
    """
    file = f"{path.parent.name}/agent.json"
    raw = read_json(path, file, faults)
    if raw is None:
        return None
    scratch, spatial = _read_object(raw, "scratch"), _read_object(raw, "spatial")
    unused |= scratch.keys() | raw.keys()
    tree = next(
        (part for part in _read_object(spatial, "tree").values() if isinstance(part, dict)), {}
    )
    person = source_person(
        {
            **scratch,
            **raw,
            "living_area": _read_object(spatial, "address").get("living_area"),
            "knows": list(tree),
        },
        file,
        faults,
    )
    return (
        replace(
            person, sprite=path.with_name("texture.png"), portrait=path.with_name("portrait.png")
        )
        if person
        else None
    )


def _read_object(raw: Json, key: str) -> Json:
    """Return the JSON object under a key; an empty one if there is none."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def source_person(raw: Json, file: str, faults: Faults) -> SourcePerson | None:
    """Return a person from the fields that GenerativeAgentsCN and Smallville share; None, with each
    missing field reported.
    """
    texts = {key: raw.get(key) for key in ("name", "innate", "learned", "lifestyle", "currently")}
    texts["daily_plan"] = raw.get("daily_plan", raw.get("daily_plan_req", ""))
    for key, text in texts.items():
        if not isinstance(text, str) or not (text.strip() or key == "daily_plan"):
            faults.add(file, key, "is {text!r}; it should be a text", text=text)
    age, living = raw.get("age"), raw.get("living_area")
    if not isinstance(age, int) or not 0 <= age <= 120:
        faults.add(file, "age", "is {age!r}; it should be a number of years", age=age)
        return None
    home = (
        tuple(living.split(":"))
        if isinstance(living, str)
        else tuple(living)
        if isinstance(living, list)
        else ()
    )
    if len(home) not in (2, 3) or not all(isinstance(name, str) for name in home):
        faults.add(
            file,
            "living_area",
            "is {living!r}; it should name world, sector and, if known, arena",
            living=living,
        )
        return None
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    given = {key: str(text).strip() for key, text in texts.items()}
    return SourcePerson(
        file,
        given["name"],
        age,
        given["innate"],
        given["learned"],
        given["lifestyle"],
        given["daily_plan"],
        given["currently"],
        tuple(name.strip() for name in home[1:]),
        knows=tuple(map(str, raw.get("knows") or ())),
    )
