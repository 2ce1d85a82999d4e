"""Load a world folder as a checked `World` in one language.

    data/worlds/<id>/
        world.json           names, start, importance scale, storylines, settings   (authored.WorldFile)
        map.tmj or map.tmx   a Tiled map: drawing, obstacles, places                (tiled, places)
        residents/<id>.json  one resident each                                      (authored.ResidentFile)
        society/*.json       kinds of goods, recipes, needs; optional               (book)
        …                    the images that these name

Everything is checked first, and all faults are reported together. Files outside the folder are
never read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from hometown.config import check_town
from hometown.errors import BadInput, BadSettings, BadWorld
from hometown.json_object import Json
from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.text import N_, Phrase
from hometown.world.authored import (
    ConditionPart,
    GatheringPart,
    ResidentFile,
    StorylinePart,
    WorldFile,
)
from hometown.world.befalling import ConditionKind
from hometown.world.book.book import Book
from hometown.world.book.plot_references import check_threads
from hometown.world.book.read import FOLDER, has_society, read_book, read_hearts
from hometown.world.cast import Referents, check_looks, check_referents, pastime_of, persona_of
from hometown.world.faults import MOST_VALUES, Faults, likely, read_json, validate_model
from hometown.world.map_places import Places, read_places
from hometown.world.persona import Persona
from hometown.world.tiled import TiledMap, map_file, read_map
from hometown.world.word_patterns import compile_pattern
from hometown.world.world import Gathering, Storyline, World


def list_worlds(root: Path = WORLDS) -> list[str]:
    """Return the ids of the built-in worlds and of those in the folder `root`, sorted. A world in
    `root` hides a built-in one of the same id.
    """
    return sorted(_ids(root) | _ids(WORLDS))


def _ids(root: Path) -> set[str]:
    """Return the names of the folders with a `world.json`, without hidden ones."""
    return {
        file.parent.name
        for file in root.glob("*/world.json")
        if not file.parent.name.startswith(".")
    }


def load_world(
    which: str | Path,
    lang: Lang,
    root: Path = WORLDS,
    *,
    from_run: bool = False,
    storylines: Sequence[Json] = (),
) -> World:
    """Return the world of an id, from `root` or else from the built-in ones, or of a folder given
    as a Path.

    `from_run`: it is a run's copy, which may predate the rules of names and word patterns, and
    whose settings are ignored, since the run has its own. `storylines` are added to those of
    `world.json`, in the same form.

    Raises BadWorld (each fault a line) if there is none or it is faulty, BadInput if it lacks
    `lang`.
    """
    folder = which if isinstance(which, Path) else folder_of(which, root)
    if storylines:
        return _load_valid(folder, lang, from_run, storylines)
    return _load_unchanged(folder, lang, from_run, _list_versions(folder))


@lru_cache(maxsize=16)
def _load_unchanged(
    folder: Path, lang: Lang, from_run: bool, versions: frozenset[tuple[str | int, ...]]
) -> World:
    """Return the world in a folder whose files have these versions: read again only if one has
    changed.
    """
    return _load_valid(folder, lang, from_run, ())


def _list_versions(folder: Path) -> frozenset[tuple[str | int, ...]]:
    """Return the path and version of each file of a folder."""
    return frozenset(
        _read_version(Path(at) / name) for at, _, names in os.walk(folder) for name in names
    )


def _read_version(path: Path) -> tuple[str | int, ...]:
    """Return a file's path, number, size and times of change, which differ where it has been
    written again; only the path of one that cannot be looked at.
    """
    try:
        status = path.lstat()
    except OSError:
        return (str(path),)
    return str(path), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _load_valid(folder: Path, lang: Lang, from_run: bool, storylines: Sequence[Json]) -> World:
    """Read and return the world in a folder. Raises BadWorld and BadInput as `load_world` does."""
    world, faults, langs = inspect_world(folder, lang, from_run=from_run, storylines=storylines)
    if langs and lang not in langs:
        raise BadInput(
            "world {name!r} is not available in {lang!r}; it is in {langs}",
            name=folder.name,
            lang=lang,
            langs=list(langs),
        )
    faults.stop()
    assert world is not None, "where there is no world, there are faults"
    return world


def inspect_world(
    folder: Path, lang: Lang, *, from_run: bool = False, storylines: Sequence[Json] = ()
) -> tuple[World | None, Faults, tuple[Lang, ...]]:
    """Return as much of a world as can be loaded, all its faults, and its languages: (None, faults,
    languages) if `world.json` is unreadable, where the languages are empty, or does not declare
    `lang`. `storylines` are added to those of `world.json`, in the same form.

    There is no world in a language that it does not declare.
    """
    faults = Faults(folder.name, from_run=from_run)
    raw = read_json(folder / "world.json", "world.json", faults, MOST_VALUES)
    given = None
    if raw is not None:
        listed = raw.get("langs")
        given = validate_model(
            WorldFile,
            raw,
            "world.json",
            faults,
            tuple(map(str, listed)) if isinstance(listed, list) else (),
        )
    if given and from_run:
        given = given.model_copy(update={"settings": {}})
    drawn = read_map(map_file(folder), faults)
    if given is None or lang not in given.langs:
        return None, faults, tuple(given.langs) if given else ()
    if storylines:
        given = _add_storylines(given, storylines, faults)
    return _build(folder, given, drawn, lang, faults), faults, tuple(given.langs)


def _add_storylines(given: WorldFile, storylines: Sequence[Json], faults: Faults) -> WorldFile:
    """Return a world file with further storylines; those with a fault are left out."""
    langs = tuple(given.langs)
    parts = [
        validate_model(StorylinePart, each, "world.json", faults, langs, f"storyline {each['id']}")
        for each in storylines
    ]
    return given.model_copy(update={"storylines": [*given.storylines, *filter(None, parts)]})


def folder_of(name: str, root: Path = WORLDS) -> Path:
    """Return the folder of a world's id, in `root` or else among the built-in worlds. Only listed
    ids are joined to a path. Raises BadWorld for an unknown one.
    """
    known = list_worlds(root)
    if name not in known:
        raise BadWorld("there is no world {name!r}{hint}", name=name, hint=likely(name, known))
    return root / name if name in _ids(root) else WORLDS / name


def _build(
    folder: Path, given: WorldFile, drawn: TiledMap | None, lang: Lang, faults: Faults
) -> World | None:
    """Return the world as far as it can be loaded; None without places. Its faults are added to
    `faults`.
    """
    langs = tuple(given.langs)
    places = read_places(drawn, given.outdoors[lang], langs, lang, faults) if drawn else None
    people = _residents(folder, langs, faults)
    cast = Referents(people, places, frozenset(story.id for story in given.storylines), folder)
    pastimes = [pastime_of(each, lang) for each in given.pastimes]
    for who, person in people.items():
        if person:
            check_referents(who, person, cast, faults)
    personas = {
        who: persona_of(who, person, lang, pastimes) for who, person in people.items() if person
    }
    check_looks(personas, faults)
    _check_rules(given, places, faults)
    if places is None:
        return None
    return World(
        id=folder.name,
        name=given.name[lang],
        lang=lang,
        langs=langs,
        folder=folder,
        start=given.start,
        maze=places.maze,
        sectors=places.sectors,
        arenas=places.arenas,
        things=places.things,
        personas=personas,
        rubric=tuple(sorted((band.poignancy, band.deserves[lang]) for band in given.rubric)),
        storylines=tuple(_storyline(story, lang) for story in given.storylines),
        conditions=tuple(_condition(kind, lang) for kind in given.conditions),
        settings=given.settings,
        premise=given.premise[lang] if given.premise else "",
        lacks="|".join(map(compile_pattern, given.lacks.get(lang, ()))),
        acquaintance=given.acquaintance[lang] if given.acquaintance else "",
        tile_size=drawn.tile_size if drawn else 32,
        book=_read_society(folder, given, places, personas, faults),
        hearts=read_hearts(folder / FOLDER, langs, faults),
    )


def _read_society(
    folder: Path,
    given: WorldFile,
    places: Places,
    personas: Mapping[str, Persona],
    faults: Faults,
) -> Book | None:
    """Return the rules of a world's society; None for a world without one. Their faults are added
    to `faults`.
    """
    if not has_society(folder):
        return None
    objects = {**places.things, **places.arenas}
    book = read_book(folder / FOLDER, tuple(given.langs), objects, personas, faults)
    if book:
        _check_seats(book, places, faults)
        check_threads(book, objects, [story.id for story in given.storylines], faults)
    return book


def _condition(given: ConditionPart, lang: Lang) -> ConditionKind:
    """Return a kind of condition in `lang`, its word patterns compiled."""
    words = tuple(map(compile_pattern, given.words[lang]))
    righted = tuple(map(compile_pattern, given.righted[lang]))
    state = given.state[lang] if given.state else ""
    return ConditionKind(
        given.key,
        words,
        frozenset(given.tags),
        given.weight,
        given.forbids,
        given.remedy[lang],
        given.minutes,
        righted,
        frozenset(given.left_by),
        state,
    )


def _storyline(given: StorylinePart, lang: Lang) -> Storyline:
    """Return a storyline in `lang`."""
    gathering = _gathering(given.gathering, lang) if given.gathering else None
    return Storyline(given.id, given.title[lang], tuple(given.keywords[lang]), gathering)


def _gathering(given: GatheringPart, lang: Lang) -> Gathering:
    """Return a gathering in `lang`."""
    brings = given.brings[lang] if given.brings else ""
    return Gathering(given.place, given.start, given.end, tuple(given.moments[lang]), brings)


def _residents(
    folder: Path, langs: tuple[Lang, ...], faults: Faults
) -> dict[str, ResidentFile | None]:
    """Return the residents by id, sorted; None for a faulty file, to which others may still refer."""
    residents = {
        who: validate_model(ResidentFile, raw, f"residents/{who}.json", faults, langs)
        if raw is not None
        else None
        for who, raw in _read_residents(folder, faults).items()
    }
    if not residents:
        faults.add("residents", "", "holds no *.json; a world needs at least one resident")
    return residents


def _read_residents(folder: Path, faults: Faults) -> dict[str, Json | None]:
    """Return the content of the residents' files by id, sorted; None for one that is no JSON."""
    return {
        path.stem: read_json(path, f"residents/{path.name}", faults, MOST_VALUES)
        for path in sorted((folder / "residents").glob("*.json"))
    }


def load_resident_names(folder: Path, lang: Lang) -> dict[str, str]:
    """Return the names of a checked world's residents in a language, by id."""
    return {
        who: person["name"][lang]
        for who, person in _read_residents(folder, Faults(folder.name)).items()
        if person
    }


def _check_seats(book: Book, places: Places, faults: Faults) -> None:
    """Add a fault for each fixture that serves more residents than can use it on the map."""
    for address, fixture in book.fixtures.items():
        if fixture.serves > places.things[address].seats:
            text = N_(
                "serves {serves} at once, but has {seats} seats on the map; lower serves, or raise seats there"
            )
            faults.add(
                "society/fixtures.json",
                address,
                text,
                serves=fixture.serves,
                seats=places.things[address].seats,
            )


def _check_rules(given: WorldFile, places: Places | None, faults: Faults) -> None:
    """Add faults for storylines and poignancies that appear twice, for gatherings that do not fit,
    and for settings that a town may not carry.
    """
    for kind, values in (
        ("storyline", [story.id for story in given.storylines]),
        ("poignancy", [str(band.poignancy) for band in given.rubric]),
    ):
        for twice in sorted({value for value in values if values.count(value) > 1}):
            faults.add(
                "world.json",
                Phrase("{kind} {twice}", kind=kind, twice=twice),
                "appears twice; keep one",
            )
    for story in given.storylines:
        _check_gathering(story, places, faults)
    try:
        check_town(
            given.settings,
            Phrase("{file}: {fault}", file=f"{faults.world}/world.json", fault="settings"),
        )
    except BadSettings as error:
        faults.lines.extend(error.lines)


def _check_gathering(story: StorylinePart, places: Places | None, faults: Faults) -> None:
    """Add a fault for a gathering that is at no arena of the map, or does not end later on the day
    of its start.
    """
    gathering, where = story.gathering, Phrase("storyline {story}: gathering", story=story.id)
    if gathering is None:
        return
    if places and gathering.place not in places.arenas:
        faults.add(
            "world.json",
            where,
            "{place!r} is not an arena of the map{hint}",
            place=gathering.place,
            hint=likely(gathering.place, places.arenas),
        )
    if not gathering.start < gathering.end or gathering.start.date() != gathering.end.date():
        faults.add(
            "world.json",
            where,
            "ends at {end:%Y%m%d-%H:%M}, but should end later on the day of its start, {start:%Y%m%d}",
            end=gathering.end,
            start=gathering.start,
        )
