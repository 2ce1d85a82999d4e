"""Import a world from another system: read it, house its people, and write a world folder with
a report on the conversion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from hometown.authoring.art.tmj import map_text
from hometown.authoring.folder import new_world_folder
from hometown.authoring.importing.art import draw_map, draw_residents
from hometown.authoring.importing.dates import dates_in, start_before
from hometown.authoring.importing.guess import speaks
from hometown.authoring.importing.import_report import FILE, ImportReport
from hometown.authoring.importing.object_layers import objects_of
from hometown.authoring.importing.rooms import Furnished, furnish
from hometown.authoring.importing.settle import made_up, settle
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.authoring.importing.sources import Source, TownChoice, came_of, read_source
from hometown.authoring.lint import raise_errors
from hometown.authoring.starter import write_json
from hometown.authoring.word_tables import read_word_table
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import N_, Phrase
from hometown.world.authored import START_FORMAT
from hometown.world.faults import Faults

USUAL_START = datetime(2025, 2, 13, 6)


@dataclass(frozen=True)
class ImportedWorld:
    """A new world's folder and language, and the report on the import."""

    folder: Path
    lang: Lang
    report: ImportReport = field(default_factory=ImportReport)


def convert_world(
    path: Path,
    name: str,
    lang: Lang | None,
    root: Path,
    *,
    default: Lang = "en",
    town: str = "",
) -> ImportedWorld:
    """Write the world `name` below `root`. Raises BadWorld after the first step that finds faults
    (reading, furnishing, housing the people, checking the new world), with every fault of that step
    a line, and has then written nothing.

    Args:
        path: A file or a folder of another system.
        lang: The language of the world; None for that of the texts, or else `default`.
        town: The end of the path of the town or saved game to be taken, where a folder has several.
    """
    with new_world_folder(root, name) as folder:
        source_folder = path.resolve().parent if path.is_file() else path
        faults = Faults(source_folder.name)
        report = ImportReport()
        source = read_source(path, TownChoice(lang, default, town), faults, report)
        faults.stop()
        assert source.site is not None, "a map that cannot be read is a fault"
        report.came = came_of(source) + report.came
        furnished = _furnish(path, source.site, source.lang, report)
        people = source.people or _invent_people(furnished)
        residents = settle(people, furnished, faults)
        if not people:
            text = N_("marks no bed, so nobody can live here; mark a thing called bed in a room")
            faults.add("map", "", text)
        faults.stop()
        _warn_of_language(people, furnished)
        start = _choose_start(source, report)
        _write_files(
            folder,
            furnished,
            residents,
            dict(zip(residents, people, strict=True)),
            _make_world(source.title or name, start, furnished),
        )
        (folder / FILE).write_text(report.markdown(name, path.name, source.lang), "utf-8")
        raise_errors(folder)
    return ImportedWorld(root / name, source.lang, report)


def _furnish(path: Path, site: SourceMap, lang: Lang, report: ImportReport) -> Furnished:
    """Return a site with its rooms furnished. Raises BadWorld where none can be reached."""
    furnished = furnish(site, lang, report)
    if not furnished.arenas:
        raise BadWorld(
            "{source}: has no marked rooms that can be reached; docs/worlds.md describes how to mark them",
            source=path,
        )
    return furnished


def _invent_people(town: Furnished) -> list[SourcePerson]:
    """Return invented residents for a map without any, and report their number."""
    people = made_up(town)
    text = N_(
        "the map has no residents; {count} were invented, one for each bed, up to six: edit them in residents/*.json"
    )
    town.report.guessed.append(Phrase(text, count=len(people)))
    return people


def _warn_of_language(people: list[SourcePerson], town: Furnished) -> None:
    """Report the people whose texts are in another language than the world, if others' are not."""
    other = [person.name for person in people if speaks(person.learned) != town.lang]
    if 0 < len(other) < len(people):
        text = N_(
            "the texts of {names} do not look like {lang}; they were taken as they are, and should be translated"
        )
        town.report.guessed.append(Phrase(text, names=other, lang=town.lang))


def _choose_start(source: Source, report: ImportReport) -> datetime:
    """Return the start of the world: as in the source, or else before the dates in its texts, so
    that none has passed; report it, and dates that have passed.
    """
    texts = [
        text
        for person in source.people
        for text in (person.currently, person.daily_plan, *person.whispers)
    ]
    if source.start:
        start = source.start
        report.came.append(Phrase("its first day, {day}", day=f"{start:%Y-%m-%d}"))
    else:
        start, first = start_before(texts, USUAL_START)
        if first:
            report.guessed.append(
                Phrase(
                    "the first day, {day}: the texts mention {first}",
                    day=f"{start:%Y-%m-%d}",
                    first=f"{first:%Y-%m-%d}",
                )
            )
    passed = sorted(
        {
            f"{day:%Y-%m-%d}"
            for text in texts
            for day in dates_in(text, start.year)
            if day < start.date()
        }
    )
    if passed:
        report.guessed.append(
            Phrase(
                "that the dates {dates}, which the texts mention and which lie before the first day, are in the past",
                dates=passed,
            )
        )
    return start


def _write_files(
    folder: Path,
    town: Furnished,
    residents: dict[str, Json],
    people: dict[str, SourcePerson],
    world: Json,
) -> None:
    """Write the files of the world: its map with pictures, `world.json`, the residents and their
    pictures.
    """
    layers, tilesets, properties = draw_map(folder, town)
    site, objects = town.site, objects_of(town)
    text = map_text(site.size, site.tile_size, layers, objects, tilesets, properties)
    (folder / "map.tmj").write_text(text, "utf-8")
    write_json(folder / "world.json", world)
    (folder / "residents").mkdir()
    for who, given in residents.items():
        write_json(folder / "residents" / f"{who}.json", given)
    draw_residents(folder, residents, people, town.report)


def _make_world(name: str, start: datetime, town: Furnished) -> Json:
    """Return the content of `world.json`, and report its guesses. That people of a small town have
    seen each other is a guess without which no news would spread among strangers.
    """
    lang, words = town.lang, read_word_table(town.lang)
    report = town.report
    report.guessed.append(
        Phrase(
            "that everybody knows everybody else by sight; remove acquaintance from world.json to make them strangers"
        )
    )
    report.guessed.append(
        Phrase(
            "what rooms and things are for, and the usual day of everybody, from their names and texts"
        )
    )
    return {
        "name": {lang: name},
        "langs": [lang],
        "start": start.strftime(START_FORMAT),
        "outdoors": {lang: words["outdoors"]},
        "acquaintance": {lang: words["townsfolk"]},
        "rubric": [
            {"poignancy": int(band), "deserves": {lang: text}}
            for band, text in words["rubric"].items()
        ],
    }
