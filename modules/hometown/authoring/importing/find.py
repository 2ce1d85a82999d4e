"""Find the towns and the saved games in a folder, at any level of a checkout."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from hometown.authoring.importing.from_ai_town import CHARACTERS
from hometown.authoring.importing.from_matrices import (
    META,
    SCRATCH,
    read_matrices,
    read_scratches,
    saves_of,
    start_of,
    town_of,
)
from hometown.authoring.importing.from_maze import read_agents
from hometown.authoring.importing.guess import LANGUAGES, main_language
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.language import Lang
from hometown.text import Phrase, ngettext
from hometown.world.faults import Faults

MAZE = "maze.json"

TILED = (".tmj", ".tmx")

SKIPPED = {".git", ".venv", "node_modules", "__pycache__"}
"""Folders in which nobody keeps towns."""

MOST_FILES = 500_000
"""The largest number of files to look at."""


@dataclass
class TownEntry:
    """A town in a folder: `path` is its map, `scratches` are the files of its people in the saved
    game `save`.

    `people` are its residents as far as they could be read, `fits` if all of them live on the
    map and write one language.
    """

    path: Path
    save: Path | None = None
    scratches: Sequence[Path] = ()
    people: Sequence[SourcePerson] = ()
    start: datetime | None = None
    fits: bool = True
    rank: tuple[int, ...] = field(default=())

    @property
    def folder(self) -> Path:
        """The folder by which the town is named: that of its saved game, or else of its map."""
        if self.path.suffix in TILED:
            return self.path
        return self.save or (self.path.parent if self.path.is_file() else self.path)

    @property
    def lang(self) -> Lang | None:
        """The language of most of its people's texts; None if they have none."""
        return main_language(person.learned for person in self.people)

    def describe(self, source: Path) -> Phrase:
        """Return its folder, people, language and date in a line."""
        name = self.folder.relative_to(source).as_posix() if self.folder != source else source.name
        parts: list[object] = [ngettext("{count} resident", "{count} residents", len(self.people))]
        parts += [Phrase(LANGUAGES[self.lang])] if self.lang else []
        parts += [f"{self.start:%Y-%m-%d}"] if self.start else []
        parts += [] if self.fits else [Phrase("of another map, or in several languages")]
        return Phrase("{name} ({parts})", name=name, parts=parts)


def find_towns(source: Path, lang: Lang) -> list[TownEntry]:
    """Return the towns of other systems below a folder, the most fitting first: with all their
    people on the map, in `lang`, not simulated yet, with the most people. Towns of AI Town are
    looked for only if there are none of GenerativeAgentsCN or Smallville, and Tiled maps only if
    there are none of these either.
    """
    files = list(islice(_list_files(source), MOST_FILES))
    mazes = [path for path in files if path.name == MAZE]
    metas = [path for path in files if path.name == META]
    towns: list[TownEntry] = []
    for path in mazes:
        people = read_agents(path.parent / "agents", Faults(""), ImportReport())
        towns.append(TownEntry(path, people=people, rank=(len(people),)))
    saves = saves_of((path for path in files if path.name == SCRATCH), source)
    sites = {path.parent: read_matrices(path.parent, Faults("")) for path in metas}
    for save in saves if sites else ():
        pairs = [
            _read_saved_town(folder, site, save, saves[save], source, lang)
            for folder, site in sites.items()
        ]
        towns.append(max(pairs, key=lambda town: town.rank))
    towns += [TownEntry(folder) for folder in sites if not saves]
    towns.sort(key=lambda town: town.rank, reverse=True)
    if not towns:
        towns = [TownEntry(path) for path in files if path.name == CHARACTERS]
    return towns or [TownEntry(path) for path in files if path.suffix.lower() in TILED]


def project_of(path: Path) -> Path:
    """Return the folder that holds the files of a Tiled map: that of the project around it, or else
    the folder above its own.
    """
    outer = path.resolve().parents
    projects = (
        folder
        for folder in outer
        if (folder / ".git").exists() or any(folder.glob("*.tiled-project"))
    )
    return next(projects, outer[min(1, len(outer) - 1)])


def _read_saved_town(
    folder: Path,
    site: SourceMap | None,
    save: Path,
    scratches: Sequence[Path],
    source: Path,
    lang: Lang,
) -> TownEntry:
    """Return a town with the people of a saved game, ranked by how well the two fit."""
    people = read_scratches(scratches, source, Faults(""), ImportReport())
    languages = {main_language([person.learned]) for person in people}
    fits = (
        site is not None
        and len(people) == len(scratches)
        and len(languages) == 1
        and all(person.home in site.places for person in people)
    )
    name, steps = town_of(save)
    rank = (
        int(fits),
        int(name in folder.as_posix().split("/")),
        int(languages == {lang}),
        int(steps == 0),
        len(people),
    )
    return TownEntry(folder, save, scratches, people, start_of(save), fits, rank)


def _list_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, those of upper levels first within each branch, sorted."""
    for outer, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - SKIPPED)
        yield from (Path(outer, name) for name in sorted(names))
