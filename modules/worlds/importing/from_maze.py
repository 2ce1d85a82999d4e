"""Reads GenerativeAgentsCN's map and people: `maze.json`, and `agents/<name>/agent.json` beside it.

The map lists tiles with a `coord` (column, row), an `address` (sector, arena, thing; some files begin it with the world),
and `collision`; `size` is rows and columns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modules.text import Phrase
from modules.world.faults import Faults, read_json
from modules.world.maze import Tile
from modules.worlds.importing.site import Newcomer, Site

LARGEST = 1000
"""Tiles of a side at most."""


def read_maze(path: Path, faults: Faults) -> Site | None:
    """The map of a file; None, with faults noted, where it cannot be used."""
    raw = read_json(path, path.name, faults)
    if raw is None:
        return None
    size = raw.get("size")
    if not (isinstance(size, list) and len(size) == 2 and all(isinstance(one, int) and 1 <= one <= LARGEST for one in size)):
        faults.add(path.name, "size", "is {size!r}; it should be [rows, columns], each from 1 to {most}", size=size, most=LARGEST)
        return None
    site = Site((size[1], size[0]), set())
    listed = raw.get("tiles")
    if not isinstance(listed, list) or not listed:
        faults.add(path.name, "tiles", "is no list of tiles, each with coord, address and collision")
        return None
    world = str(raw.get("world", ""))
    for number, tile in enumerate(listed):
        problem = _take(tile, world, site)
        if problem:
            faults.add(path.name, f"tiles[{number}]", problem)
    return site


def _take(tile: Any, world: str, site: Site) -> Phrase | None:
    """Marks one tile; what is wrong with it, if anything is."""
    coord = tile.get("coord") if isinstance(tile, dict) else None
    if not (isinstance(coord, list) and len(coord) == 2 and all(isinstance(one, int) for one in coord)):
        return Phrase("has the coord {coord!r}; it should be [column, row]", coord=coord)
    at: Tile = (coord[0], coord[1])
    if not (0 <= at[0] < site.size[0] and 0 <= at[1] < site.size[1]):
        return Phrase("lies at {at}, beyond the map of {width} × {height}", at=at, width=site.size[0], height=site.size[1])
    address = tile.get("address") or []
    if not (isinstance(address, list) and all(isinstance(one, str) and one for one in address)):
        return Phrase("has the address {address!r}; it should be a list of names", address=address)
    names = tuple(one.strip() for one in (address[1:] if address[:1] == [world] else address))
    if len(names) > 3:
        return Phrase("has an address of {count} parts; there should be sector, arena and thing", count=len(names))
    if tile.get("collision"):
        site.blocked.add(at)
    if names:
        site.mark(names, at)
    return None


def read_agents(folder: Path, faults: Faults) -> list[Newcomer]:
    """The people of `<folder>/<name>/agent.json`, sorted; none if there is no such file."""
    found = [_agent(path, faults) for path in sorted(folder.glob("*/agent.json"))]
    return [one for one in found if one]


def _agent(path: Path, faults: Faults) -> Newcomer | None:
    file = f"{path.parent.name}/agent.json"
    raw = read_json(path, file, faults)
    if raw is None:
        return None
    scratch, spatial = _inner(raw, "scratch"), _inner(raw, "spatial")
    tree = next((one for one in _inner(spatial, "tree").values() if isinstance(one, dict)), {})
    return newcomer({**scratch, **raw, "living_area": _inner(spatial, "address").get("living_area"), "knows": list(tree)}, file, faults)


def _inner(raw: dict[str, Any], key: str) -> dict[str, Any]:
    found = raw.get(key)
    return found if isinstance(found, dict) else {}


def newcomer(raw: dict[str, Any], file: str, faults: Faults) -> Newcomer | None:
    """A person from the fields that GenerativeAgentsCN and Smallville share; None, with each that is missing told."""
    texts = {key: raw.get(key) for key in ("name", "innate", "learned", "lifestyle", "currently")}
    texts["daily_plan"] = raw.get("daily_plan", raw.get("daily_plan_req", ""))
    for key, text in texts.items():
        if not isinstance(text, str) or not (text.strip() or key == "daily_plan"):
            faults.add(file, key, "is {text!r}; it should be a text", text=text)
    age, living = raw.get("age"), raw.get("living_area")
    if not isinstance(age, int) or not 0 <= age <= 120:
        faults.add(file, "age", "is {age!r}; it should be a number of years", age=age)
        return None
    home = tuple(living.split(":")) if isinstance(living, str) else tuple(living) if isinstance(living, list) else ()
    if len(home) != 3 or not all(isinstance(one, str) for one in home):
        faults.add(file, "living_area", "is {living!r}; it should name world, sector and arena", living=living)
        return None
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    said = {key: str(text).strip() for key, text in texts.items()}
    return Newcomer(file, **said, age=age, home=(home[1].strip(), home[2].strip()), knows=tuple(map(str, raw.get("knows") or ())))
