"""Read a world's folder `society`, over the entries that all societies share (`data/society`), and
check it.

An entry of the world replaces a shared one of the same id. Each fault is a line; a society with
faults is not returned.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

import orjson
from pydantic import BaseModel

from hometown.json_object import Json
from hometown.paths import DATA
from hometown.world.book.book import Book
from hometown.world.book.components import expand_components
from hometown.world.book.hearts import Hearts
from hometown.world.book.parts import (
    CalendarFile,
    ComponentPart,
    FeelingPart,
    FixturePart,
    KindPart,
    MemoryKindPart,
    NeedPart,
    RealmPart,
    RecipePart,
    RegardPart,
    StartFile,
    TemperamentPart,
)
from hometown.world.book.plots import ThreadPart
from hometown.world.book.references import check_references, check_stirs
from hometown.world.faults import MOST_VALUES, Faults, read_json, validate_model

SHARED = DATA / "society"

FOLDER = "society"

M = TypeVar("M", bound=BaseModel)


HEARTS = ("feelings", "regards", "temperaments")
"""The files that a world without a society may have, too."""


def book_files(world: Path) -> list[Path]:
    """Return the files of a world's society, sorted; none without a society."""
    return sorted((world / FOLDER).glob("*.json"))


def has_society(world: Path) -> bool:
    """Return True if a world's folder has a society, rather than files about feelings alone."""
    folder = world / FOLDER
    return folder.is_dir() and (
        not any(folder.iterdir()) or any(file.stem not in HEARTS for file in folder.iterdir())
    )


def read_hearts(folder: Path, langs: tuple[str, ...], faults: Faults) -> Hearts:
    """Return the feelings, temperaments and regards in a folder. Faults of the files and of their
    references to each other are added to `faults`.
    """
    feelings = _read_entries(FeelingPart, folder, "feelings", langs, faults)
    regards = _read_entries(RegardPart, folder, "regards", langs, faults)
    check_stirs(feelings, regards, faults)
    return Hearts(
        feelings, _read_entries(TemperamentPart, folder, "temperaments", langs, faults), regards
    )


def read_book(
    folder: Path,
    langs: tuple[str, ...],
    things: Collection[str],
    people: Collection[str],
    faults: Faults,
) -> Book | None:
    """Return the rules in a folder, checked against the map and the residents; None if there are
    faults, which are added to `faults`.

    Args:
        langs: The languages in which the texts must exist.
        things: The addresses of the things and arenas of the map.
        people: The ids of the residents.
    """
    before = len(faults.lines)
    components = _read_entries(ComponentPart, folder, "components", langs, faults)
    authored = {name: _read_raw(folder, name, faults) for name in ("kinds", "fixtures", "recipes")}
    authored = expand_components(components, authored, faults)
    kinds = _validate_entries(KindPart, authored["kinds"], "kinds", langs, faults)
    recipes = _validate_entries(RecipePart, authored["recipes"], "recipes", langs, faults)
    fixtures = _validate_entries(FixturePart, authored["fixtures"], "fixtures", langs, faults)
    needs = _read_entries(NeedPart, folder, "needs", langs, faults)
    realms = _read_entries(RealmPart, folder, "realms", langs, faults)
    memory_kinds = _read_entries(MemoryKindPart, folder, "memory_kinds", langs, faults)
    threads = _read_entries(ThreadPart, folder, "threads", langs, faults)
    calendar = _read_file(CalendarFile, folder, "calendar", langs, faults)
    start = _read_file(StartFile, folder, "start", langs, faults)
    if calendar is None or start is None or len(faults.lines) > before:
        return None
    book = Book(
        kinds=kinds,
        fixtures=fixtures,
        entries=recipes,
        needs=needs,
        calendar=calendar,
        start=start,
        threads=threads,
        components=components,
        realms=realms,
        memory_kinds=memory_kinds,
    )
    check_references(book, things, people, faults)
    return book if len(faults.lines) == before else None


def _read_file(
    model: type[M], folder: Path, name: str, langs: tuple[str, ...], faults: Faults
) -> M | None:
    """Return the object in a file; None if it is faulty, with the faults added to `faults`."""
    file = f"{FOLDER}/{name}.json"
    raw = read_json(folder / f"{name}.json", file, faults, MOST_VALUES)
    return None if raw is None else validate_model(model, raw, file, faults, langs)


def _read_entries(
    model: type[M], folder: Path, name: str, langs: tuple[str, ...], faults: Faults
) -> dict[str, M]:
    """Return the valid entries of a file by id, sorted, with the shared ones."""
    return _validate_entries(model, _read_raw(folder, name, faults), name, langs, faults)


def _read_raw(folder: Path, name: str, faults: Faults) -> Json:
    """Return the entries of a file as authored. The world's entries replace shared ones of the same
    id, and its file may be missing.
    """
    shared, own = SHARED / f"{name}.json", folder / f"{name}.json"
    raw: Json = orjson.loads(shared.read_bytes()) if shared.exists() else {}
    file = f"{FOLDER}/{name}.json"
    return raw | ((read_json(own, file, faults, MOST_VALUES) or {}) if own.exists() else {})


def _validate_entries(
    model: type[M], raw: Json, name: str, langs: tuple[str, ...], faults: Faults
) -> dict[str, M]:
    """Return the valid entries by id, sorted. Faults of invalid ones are added to `faults`."""
    file = f"{FOLDER}/{name}.json"
    checked = {}
    for key, entry in sorted(raw.items()):
        if not isinstance(entry, dict):
            faults.add(file, key, "should hold one JSON object, { … }")
        elif (part := validate_model(model, entry, file, faults, langs, key)) is not None:
            checked[key] = part
    return checked
