"""Find out which system a map is from and read it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from hometown.authoring.importing.borrowed_art import borrow_art
from hometown.authoring.importing.from_ai_town import characters_file, read_ai_town
from hometown.authoring.importing.from_matrices import META, read_matrices, read_scratches, start_of
from hometown.authoring.importing.from_maze import read_agents, read_maze
from hometown.authoring.importing.from_tiled import read_tiled
from hometown.authoring.importing.history import add_histories
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.language import Lang
from hometown.text import N_, Phrase, ngettext
from hometown.world.faults import Faults

TILED = (".tmj", ".tmx", ".json")


@dataclass
class Source:
    """A map, its people, and when it begins, as far as they could be read."""

    site: SourceMap | None = None
    people: list[SourcePerson] = field(default_factory=list)
    start: datetime | None = None


def read_source(source: Path, lang: Lang, faults: Faults, report: ImportReport) -> Source:
    """Read a source in any known format: GenerativeAgentsCN's files, Smallville's, AI Town's, or a
    Tiled map.
    """
    maze = source / "maze.json" if source.is_dir() else source
    if maze.name == "maze.json" and maze.exists():
        return Source(
            _with_art(read_maze(maze, faults), maze.parent, report),
            read_agents(maze.parent / "agents", faults, report),
        )
    if source.suffix.lower() in TILED and source.is_file():
        return Source(
            read_tiled(source, faults), read_agents(source.parent / "agents", faults, report)
        )
    if source.is_dir():
        metas = sorted(source.rglob(META))
        if metas:
            people = add_histories(
                source,
                [
                    _with_pictures(person, source)
                    for person in read_scratches(source, faults, report)
                ],
                faults,
                report,
            )
            return Source(
                _with_art(read_matrices(metas[0].parent, faults), source, report),
                people,
                start_of(source),
            )
        file = characters_file(source)
        if file:
            return Source(*read_ai_town(source, file, lang, faults, report))
        maps = sorted(path for path in source.iterdir() if path.suffix.lower() in TILED[:2])
        if len(maps) == 1:
            return read_source(maps[0], lang, faults, report)
    text = N_(
        "is neither a maze.json, nor a folder with one or with {meta} or {characters}, nor a Tiled map (.tmj, .tmx); give one of these"
    )
    faults.add("", "", text, meta=META, characters="characters.ts")
    return Source()


def _with_art(site: SourceMap | None, folder: Path, report: ImportReport) -> SourceMap | None:
    """Return the site with the art found below the folder."""
    if site:
        borrow_art(site, folder, report)
    return site


def _with_pictures(person: SourcePerson, source: Path) -> SourcePerson:
    """With the sprite and the face that lie in a folder `characters` under the name."""
    file = f"{person.name.replace(' ', '_')}.png"
    sprites = sorted(source.rglob(f"characters/{file}"))
    faces = sorted(source.rglob(f"characters/profile/{file}"))
    return replace(
        person, sprite=sprites[0] if sprites else None, portrait=faces[0] if faces else None
    )


def came_of(source: Source) -> list[Phrase]:
    """Return a summary of a source, in a few lines; none for a map with laid-out places, since its
    reader reports them.
    """
    if source.site is None or source.site.laid_out:
        return []
    sectors, arenas, things = (len(source.site.of_depth(depth)) for depth in (1, 2, 3))
    lines = [
        Phrase(
            "{sectors} buildings and open places, {arenas} rooms, {things} names of things",
            sectors=sectors,
            arenas=arenas,
            things=things,
        )
    ]
    if source.people:
        lines.append(
            ngettext(
                "{count} resident with their texts: {names}",
                "{count} residents with their texts: {names}",
                len(source.people),
                names=[person.name for person in source.people],
            )
        )
    if source.site.layers and not source.site.sheet:
        count = len(source.site.tilesets)
        lines.append(
            Phrase(
                "the map's own art, {layers} layers with {count} tilesets",
                layers=len(source.site.layers),
                count=count,
            )
        )
    return lines
