"""Brings a world from elsewhere: finds out what it is, reads it, settles its people, and writes a folder of ours."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.art.tilemap import SIZE
from modules.art.tmj import map_text, tileset
from modules.errors import BadWorld
from modules.text import Phrase
from modules.world.faults import Faults
from modules.world.world import Lang
from modules.worlds.folder import new_world_folder
from modules.worlds.importing.draw import draw
from modules.worlds.importing.from_matrices import META, read_matrices, read_scratches
from modules.worlds.importing.from_maze import read_agents, read_maze
from modules.worlds.importing.from_tiled import read_tiled
from modules.worlds.importing.furnish import Furnished, furnish
from modules.worlds.importing.guess import speaks, table
from modules.worlds.importing.objects import objects_of
from modules.worlds.importing.settle import made_up, settle
from modules.worlds.importing.site import Newcomer, Site
from modules.worlds.lint import lint
from modules.worlds.people_art import draw_people
from modules.worlds.starter import TILESET, write_json

TILED = (".tmj", ".tmx", ".json")

START = "20250213-06:00"


@dataclass(frozen=True)
class Brought:
    """A new world's folder, and what the import had to assume."""

    folder: Path
    assumed: list[Phrase] = field(default_factory=list)


def import_world(source: Path, name: str, lang: Lang, root: Path) -> Brought:
    """Writes the world `name` below `root`. Raises BadWorld, with every fault a line, and has then written nothing."""
    with new_world_folder(root, name) as folder:
        faults = Faults(source.name)
        site, people = _read(source, faults)
        faults.stop()
        assert site is not None, "a map that cannot be read is a fault"
        found = furnish(site, lang)
        if not found.arenas:
            raise BadWorld("{source}: marks no rooms that can be reached; mark some as docs/worlds.md says", source=source)
        if not people:
            people = made_up(found)
            found.assumed.append(
                Phrase("the map brings no residents; {count} were made up, one for each bed up to six: give them lives in residents/*.json", count=len(people))
            )
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
    if source.suffix.lower() in TILED and source.is_file():
        return read_tiled(source, faults), read_agents(source.parent / "agents", faults)
    if source.is_dir():
        metas = sorted(source.rglob(META))
        if metas:
            return read_matrices(metas[0].parent, faults), read_scratches(source, faults)
        maps = sorted(path for path in source.iterdir() if path.suffix.lower() in TILED[:2])
        if len(maps) == 1:
            return _read(maps[0], faults)
    faults.add("", "", "is no maze.json, no folder with one or with {file}, and no Tiled map (.tmj, .tmx); name one of these", file=META)
    return None, []


def _warn_of_language(people: list[Newcomer], found: Furnished) -> None:
    other = [one.name for one in people if speaks(one.learned) != found.lang]
    if other:
        found.assumed.append(
            Phrase("the texts of {names} do not look like {lang}; they were taken as they are, and should be translated", names=other, lang=found.lang)
        )


def _write(folder: Path, found: Furnished, residents: dict[str, dict[str, Any]], name: str) -> None:
    """The files of the world."""
    layers, tilesets = _own_art(folder, found.site) if found.site.layers else _drawn(folder, found)
    (folder / "map.tmj").write_text(map_text(found.site.size, found.site.tile_size, layers, objects_of(found), tilesets), "utf-8")
    write_json(folder / "world.json", _world(name, found.lang))
    (folder / "residents").mkdir()
    for who, given in residents.items():
        write_json(folder / "residents" / f"{who}.json", given)
    draw_people(folder, residents)


def _drawn(folder: Path, found: Furnished) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Layers in our tiles, and their tileset."""
    found.site.tile_size = SIZE
    town = draw(found)
    sheet = town.tileset.sheet()
    sheet.save(folder / TILESET, optimize=True)
    return town.layers, [tileset("town", TILESET, sheet.size, SIZE)]


def _own_art(folder: Path, site: Site) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The map's own layers with what blocks the way, and its tilesets, their images copied in."""
    tilesets = []
    for number, given in enumerate(site.tilesets, 1):
        image = Path(given["image"])
        name = f"tiles_{number}{image.suffix.lower()}"
        shutil.copyfile(image, folder / name)
        kept = ("firstgid", "name", "imagewidth", "imageheight", "columns", "tilecount", "tilewidth", "tileheight", "margin", "spacing")
        tilesets.append({"margin": 0, "spacing": 0, **{key: given[key] for key in kept if key in given}, "image": name})
    width, height = site.size
    blocks = [0 if site.walkable((column, row)) else tilesets[0]["firstgid"] for row in range(height) for column in range(width)]
    return [*site.layers, {"name": "collision", "data": blocks}], tilesets


def _world(name: str, lang: Lang) -> dict[str, Any]:
    words = table(lang)
    return {
        "name": {lang: name}, "langs": [lang], "start": START, "outdoors": {lang: words["outdoors"]},
        "rubric": [{"poignancy": int(band), "deserves": {lang: text}} for band, text in words["rubric"].items()],
    }  # fmt: skip
