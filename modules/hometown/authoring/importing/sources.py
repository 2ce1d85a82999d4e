"""Find out which system a map is from and read it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from hometown.authoring.importing.borrowed_art import borrow_art
from hometown.authoring.importing.find import MAZE, TILED, TownEntry, find_towns, project_of
from hometown.authoring.importing.from_ai_town import CHARACTERS, read_ai_town
from hometown.authoring.importing.from_matrices import META, read_matrices, read_scratches, start_of
from hometown.authoring.importing.from_maze import read_agents, read_maze
from hometown.authoring.importing.from_text import SUFFIXES, read_drawn_town
from hometown.authoring.importing.from_tiled import marks_places, read_tiled
from hometown.authoring.importing.guess import LANGUAGES, main_language, speaks
from hometown.authoring.importing.history import add_histories
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.settle import GENERATED
from hometown.authoring.importing.settlement import settle_on
from hometown.authoring.importing.site import SourceMap, SourcePerson
from hometown.authoring.word_tables import read_word_table
from hometown.language import Lang
from hometown.text import Phrase, ngettext
from hometown.world.faults import Faults


@dataclass
class Source:
    """A map, its people, when it begins and what it is called, as far as they could be read, and
    the language of its texts.
    """

    site: SourceMap | None = None
    people: list[SourcePerson] = field(default_factory=list)
    start: datetime | None = None
    lang: Lang = "en"
    title: str = ""


@dataclass(frozen=True)
class TownChoice:
    """The wishes of a user: the language of the new world, or else that of the texts, by
    default `default`; and the town, by the end of its path.
    """

    lang: Lang | None
    default: Lang = "en"
    town: str = ""


def read_source(source: Path, choice: TownChoice, faults: Faults, report: ImportReport) -> Source:
    """Read a source in any known format: GenerativeAgentsCN's files, Smallville's, AI Town's, a
    drawn text, or a Tiled map; of a folder, the town that fits best or is chosen by the user. An
    empty source, with a fault, for anything else.
    """
    if source.is_dir():
        town = _choose_town(source, choice, faults, report)
        return _read_town(source, town, choice, faults, report) if town else Source()
    if source.name == MAZE and source.exists():
        return _read_town(source.parent, TownEntry(source), choice, faults, report)
    if source.suffix.lower() in SUFFIXES and source.is_file():
        title, site, people = read_drawn_town(source, choice.lang, faults)
        return _set_language(Source(site, people, title=title), choice, report)
    if source.suffix.lower() in (*TILED, ".json") and source.is_file():
        return _read_tiled(source, project_of(source), choice, faults, report)
    if source.exists():
        _add_unknown(faults)
    else:
        faults.add("", "", "does not exist; add the file or correct its name")
    return Source()


def _add_unknown(faults: Faults) -> None:
    """Add the fault that a source has no known format."""
    faults.add(
        "",
        "",
        "is neither a maze.json, nor a folder with one or with {meta} or "
        "{characters} in it or below, nor a Tiled map (.tmj, .tmx); give one of "
        "these",
        meta=META,
        characters=CHARACTERS,
    )


def _choose_town(
    source: Path, choice: TownChoice, faults: Faults, report: ImportReport
) -> TownEntry | None:
    """Return the town of a folder whose path ends as the user says, or else the first one, or the
    one that `_choose_map` prefers of Tiled maps; report it and the others if there are several.
    None, with a fault, if the folder holds no town, none of the path that the user gives, or
    several Tiled maps of which none is preferred.
    """
    found = find_towns(source, choice.lang or choice.default)
    if not found:
        _add_unknown(faults)
        return None
    if choice.town:
        ending = tuple(Path(choice.town).parts)
        chosen = next((town for town in found if town.folder.parts[-len(ending) :] == ending), None)
    elif found[0].path.suffix.lower() in TILED:
        chosen = _choose_map(found, source)
    else:
        chosen = found[0]
    if chosen is None:
        faults.add(
            "",
            "",
            "holds several towns: {towns}; name one of them with --from",
            towns=[town.describe(source) for town in found],
        )
        return None
    if len(found) > 1:
        report.came.append(Phrase("the town {town}", town=chosen.describe(source)))
        report.left += [
            Phrase(
                "another town, {town}; name it with --from to import it",
                town=town.describe(source),
            )
            for town in found
            if town is not chosen
        ]
    return chosen


def _choose_map(found: list[TownEntry], source: Path) -> TownEntry | None:
    """Return the only Tiled map of a folder, or of those below it; else the only one that marks
    places; None if there is no such map.
    """
    above = [town for town in found if town.path.parent == source]
    if len(above) == 1 or len(found) == 1:
        return (above if len(above) == 1 else found)[0]
    marked = [town for town in found if marks_places(town.path, source)]
    return marked[0] if len(marked) == 1 else None


def _read_town(
    source: Path, town: TownEntry, choice: TownChoice, faults: Faults, report: ImportReport
) -> Source:
    """Return the map and the people of a town that was found in the folder `source`, read by the
    format of its files.
    """
    path = town.path
    if path.name == MAZE:
        people = read_agents(path.parent / "agents", faults, report)
        site = _add_art(read_maze(path, faults), path.parent, report)
        return _set_language(Source(site, people), choice, report)
    if path.name == CHARACTERS:
        lang = choice.lang or speaks(path.read_text("utf-8-sig", errors="replace"))
        site, people = read_ai_town(source, path, lang, faults, report)
        return _set_language(Source(site, people), choice, report)
    if path.suffix.lower() in TILED:
        return _read_tiled(path, source, choice, faults, report)
    own = path.parent if path != source else source
    read = [
        _add_pictures(person, source)
        for person in read_scratches(town.scratches, source, faults, report)
    ]
    people = add_histories(source, read, faults, report)
    start = start_of(town.save or source)
    site = _add_art(read_matrices(path, faults), source, report, own)
    return _set_language(Source(site, people, start), choice, report)


def _read_tiled(
    path: Path, root: Path, choice: TownChoice, faults: Faults, report: ImportReport
) -> Source:
    """Read a Tiled map, with people from the folder `agents` beside it if there are any. A map that
    marks no places gets a settlement with homes for them, or for `GENERATED` invented residents.
    """
    site = read_tiled(path, root, faults, report)
    people = read_agents(path.parent / "agents", faults, report)
    source = _set_language(Source(site, people), choice, report)
    if site and not site.places and not faults.lines:
        names = [person.name for person in people] or [
            row["name"] for row in read_word_table(source.lang)["people"][:GENERATED]
        ]
        homes = settle_on(site, names, source.lang, report, len(people) or 1)
        if people:
            source.people = [
                person.at_home(home) for person, home in zip(people, homes, strict=True)
            ]
    return source


def _set_language(source: Source, choice: TownChoice, report: ImportReport) -> Source:
    """Set the language of a source, as wished for, or else as its texts are, and return the source;
    report what is recognised.
    """
    names = [name[-1] for name in source.site.places] if source.site else []
    texts = [person.learned for person in source.people] or names
    recognised = main_language(texts)
    source.lang = choice.lang or recognised or choice.default
    if recognised and not choice.lang:
        report.came.append(
            Phrase("the language of its texts: {lang}", lang=Phrase(LANGUAGES[recognised]))
        )
    if recognised and recognised != source.lang:
        report.guessed.append(
            Phrase(
                "the language: the texts look like {recognised}, and the world is to be "
                "in {lang}; import it with --lang {code} instead",
                recognised=Phrase(LANGUAGES[recognised]),
                lang=Phrase(LANGUAGES[source.lang]),
                code=recognised,
            )
        )
    return source


def _add_art(
    site: SourceMap | None, folder: Path, report: ImportReport, own: Path | None = None
) -> SourceMap | None:
    """Add the art found below the folder, that of `own` (the folder itself by default) first, to a
    site, and return the site; None if there is none.
    """
    if site:
        borrow_art(site, folder, own or folder, report)
    return site


def _add_pictures(person: SourcePerson, source: Path) -> SourcePerson:
    """Return a person with the sprite and the portrait that lie in a folder `characters` under
    their name, each None if there is none.
    """
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
