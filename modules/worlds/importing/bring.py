"""Brings a world from elsewhere: finds out what it is, reads it, settles its people, and writes a folder of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.errors import BadWorld
from modules.world.faults import Faults
from modules.world.world import Lang
from modules.worlds.folder import new_world_folder
from modules.worlds.importing.draw import draw
from modules.worlds.importing.from_matrices import META, read_matrices, read_scratches
from modules.worlds.importing.from_maze import read_agents, read_maze
from modules.worlds.importing.furnish import Furnished, furnish
from modules.worlds.importing.guess import speaks, table
from modules.worlds.importing.settle import made_up, settle
from modules.worlds.importing.site import Newcomer, Site
from modules.worlds.importing.tiled_text import map_text, objects_of
from modules.worlds.lint import lint
from modules.worlds.people_art import draw_people
from modules.worlds.starter import TILESET, write_json

START = "20250213-06:00"


@dataclass(frozen=True)
class Brought:
    """A new world's folder, and what the import had to assume."""

    folder: Path
    assumed: list[str] = field(default_factory=list)


def import_world(source: Path, name: str, lang: Lang, root: Path) -> Brought:
    """Writes the world `name` below `root`. Raises BadWorld, with every fault a line, and has then written nothing."""
    with new_world_folder(root, name) as folder:
        faults = Faults(source.name)
        site, people = _read(source, faults)
        faults.stop()
        assert site is not None, "a map that cannot be read is a fault"
        found = furnish(site, lang)
        if not found.arenas:
            raise BadWorld([f"{source}: marks no rooms that can be reached; mark some as docs/worlds.md says"])
        if not people:
            people = made_up(found)
            found.assumed.append(f"the map brings no residents; {len(people)} were made up, one for each bed up to six: give them lives in residents/*.json")
        residents = settle(people, found, faults)
        if not people:
            faults.add("map", "", "marks no bed, so nobody can live here; mark a thing called bed in a room")
        faults.stop()
        _warn_of_language(people, found)
        _write(folder, found, residents, name)
        report = lint(folder)
        if report.errors:
            raise BadWorld([problem.line for problem in report.problems if problem.level == "error"])
    return Brought(root / name, found.assumed)


def _read(source: Path, faults: Faults) -> tuple[Site | None, list[Newcomer]]:
    """The map and the people of whatever `source` is."""
    maze = source / "maze.json" if source.is_dir() else source
    if maze.name == "maze.json" and maze.exists():
        return read_maze(maze, faults), read_agents(maze.parent / "agents", faults)
    if source.is_dir():
        metas = sorted(source.rglob(META))
        if metas:
            return read_matrices(metas[0].parent, faults), read_scratches(source, faults)
    faults.add("", "", f"is no maze.json, no folder with one or with {META}, and no Tiled map (.tmj, .tmx); name one of these")
    return None, []


def _warn_of_language(people: list[Newcomer], found: Furnished) -> None:
    other = [one.name for one in people if speaks(one.learned) != found.lang]
    if other:
        found.assumed.append(f"the texts of {', '.join(other)} do not look like {found.lang}; they were taken as they are, and should be translated")


def _write(folder: Path, found: Furnished, residents: dict[str, dict[str, Any]], name: str) -> None:
    """The files of the world."""
    town = draw(found)
    sheet = town.tileset.sheet()
    sheet.save(folder / TILESET, optimize=True)
    tileset = {
        "firstgid": 1, "name": "town", "image": TILESET, "imagewidth": sheet.width, "imageheight": sheet.height, "columns": sheet.width // 32,
        "tilecount": sheet.width * sheet.height // 32**2, "tilewidth": 32, "tileheight": 32, "margin": 0, "spacing": 0,
    }  # fmt: skip
    layers = [{"name": layer, "data": [number for row in rows for number in row]} for layer, rows in town.layers.items()]
    (folder / "map.tmj").write_text(map_text(found.site.size, 32, layers, objects_of(found), [tileset]), "utf-8")
    write_json(folder / "world.json", _world(name, found.lang))
    (folder / "residents").mkdir()
    for who, given in residents.items():
        write_json(folder / "residents" / f"{who}.json", given)
    draw_people(folder, residents)


def _world(name: str, lang: Lang) -> dict[str, Any]:
    words = table(lang)
    return {
        "name": {lang: name}, "langs": [lang], "start": START, "outdoors": {lang: words["outdoors"]},
        "rubric": [{"poignancy": int(band), "deserves": {lang: text}} for band, text in words["rubric"].items()],
    }  # fmt: skip
