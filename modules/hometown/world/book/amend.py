"""Amendments of the rules of a running town. A patch (JSON merge patch, RFC 7396) has the form of
the society's files:

    {"recipes": {"mill": {"minutes": 90}, "press": null},
     "fixtures": {"mill/main/chest": {"shop": {"sells": {"flour": 50}}}}}

An object is merged into the existing entry, null deletes it, and any other value replaces it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import replace
from typing import Any, cast

import orjson
from pydantic import BaseModel

from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.authored import AuthoredModel
from hometown.world.book.book import COIN, Book
from hometown.world.book.known_names import CALENDAR, FIXTURES, KINDS, NEEDS, RECIPES, START
from hometown.world.book.parts import (
    FixturePart,
    HousePart,
    KindPart,
    NeedPart,
    PersonPart,
    RecipePart,
    SeasonPart,
    WeatherPart,
)
from hometown.world.book.references import SLEEP
from hometown.world.faults import Faults, likely, validate_model
from hometown.world.matter import NATURE

PARTS: dict[str, type[AuthoredModel]] = {
    "kinds": KindPart,
    "recipes": RecipePart,
    "fixtures": FixturePart,
    "needs": NeedPart,
    "seasons": SeasonPart,
    "weather": WeatherPart,
    "houses": HousePart,
    "people": PersonPart,
}
"""The type of the entries of each section of a world's book, by section."""

FILES = {
    "kinds": KINDS,
    "recipes": RECIPES,
    "fixtures": FIXTURES,
    "needs": NEEDS,
    "seasons": CALENDAR,
    "weather": CALENDAR,
    "houses": START,
    "people": START,
}
"""The file of a world with the entries of each section of its book, by section."""

AT_THE_START = {"houses": ("coins",), "people": ("has", "skills")}
"""The fields that only affect the start of a run, by section."""

Entries = dict[str, str]
"""Entries in JSON by section and id, such as `recipes/mill`; "" for a deleted entry."""


def section(book: Book, name: str) -> Mapping[str, AuthoredModel]:
    """Return the entries of a section (a key of `PARTS`), by id."""
    if name in ("seasons", "weather"):
        return cast(Mapping[str, AuthoredModel], getattr(book.calendar, name))
    if name in ("houses", "people"):
        return cast(Mapping[str, AuthoredModel], getattr(book.start, name))
    return cast(
        Mapping[str, AuthoredModel], book.entries if name == "recipes" else getattr(book, name)
    )


def dump_entry(part: BaseModel) -> Json:
    """Return an entry as an author writes it, without default values."""
    return part.model_dump(mode="json", exclude_defaults=True)


def changed_entries(
    book: Book, patch: Mapping[str, Any], langs: tuple[str, ...], faults: Faults
) -> Entries:
    """Return the entries that a patch changes, each as a whole. Faulty entries are left out."""
    entries: Entries = {}
    for name, changes in patch.items():
        if name not in PARTS:
            faults.add(
                "patch",
                name,
                "there is no {what} {name!r}{hint}",
                what=Phrase("section"),
                name=name,
                hint=likely(name, PARTS),
            )
        elif not isinstance(changes, dict):
            faults.add(FILES[name], "", "should hold one JSON object, { … }")
        else:
            for key, change in changes.items():
                _change_entry(book, name, key, change, langs, faults, entries)
    return entries


def _change_entry(
    book: Book,
    name: str,
    key: str,
    change: object,
    langs: tuple[str, ...],
    faults: Faults,
    entries: Entries,
) -> None:
    """Store one entry as a patch changes it, "" for a deleted one, unless it stays the same. Faults
    are added for an unknown or vital entry that is to be deleted, for an invalid one, and for
    fields that cannot change.
    """
    there = section(book, name)
    before = dump_entry(there[key]) if key in there else None
    if change is None:
        if _check_deleted(name, key, there, faults):
            entries[f"{name}/{key}"] = ""
    elif not isinstance(change, dict):
        faults.add(FILES[name], key, "should hold one JSON object, { … }")
    elif before is None and (lacking := _list_lacking(name, change)):
        faults.add(
            "patch",
            name,
            "there is no {key!r} to change, only {known}; a new one also needs {lacking}",
            key=key,
            known=sorted(there),
            lacking=lacking,
        )
    elif (
        part := validate_model(
            PARTS[name], merge_patch(before or {}, change), FILES[name], faults, langs, key
        )
    ) is not None:
        after = dump_entry(part)
        if before is not None:
            _check_fixed_fields(name, key, before, after, faults)
        if after != before:
            entries[f"{name}/{key}"] = orjson.dumps(after, option=orjson.OPT_SORT_KEYS).decode()


def _check_deleted(name: str, key: str, there: Collection[str], faults: Faults) -> bool:
    """Return True if an entry can be deleted; otherwise add the reason to the faults."""
    if key not in there:
        faults.add(
            FILES[name],
            key,
            "is not there, so it cannot be taken away{hint}",
            hint=likely(key, there),
        )
    elif (name, key) in (("kinds", COIN), ("kinds", NATURE)):
        faults.add(FILES[name], key, "cannot be taken away: every society needs it")
    else:
        return True
    return False


def _list_lacking(name: str, given: Container[str]) -> list[str]:
    """Return the fields that an entry of a section needs and that are not given."""
    fields = {field.alias or at: field for at, field in PARTS[name].model_fields.items()}
    return [key for key, field in fields.items() if field.is_required() and key not in given]


def _check_fixed_fields(
    name: str, key: str, before: Mapping[str, Any], after: Mapping[str, Any], faults: Faults
) -> None:
    """Add a fault for each changed field that cannot change while a run is in progress."""
    for field in AT_THE_START.get(name, ()):
        if after.get(field) != before.get(field):
            faults.add(
                FILES[name],
                key,
                "{field!r} only counts when a run begins; leave it out",
                field=field,
            )
    if name == "kinds" and before["grams"] != after["grams"]:
        faults.add(
            FILES[name],
            key,
            "weighs {before} g and cannot weigh {after} g from now on, since what there is of it would gain or lose; add another kind",
            before=before["grams"],
            after=after["grams"],
        )
    if name == "kinds" and before.get("item") != after.get("item"):
        faults.add(
            FILES[name],
            key,
            "'item' cannot change, since what there is of it would be counted otherwise; add another kind",
        )


def merge_patch(before: Mapping[str, Any], change: Mapping[str, Any]) -> Json:
    """Return an object with a JSON merge patch applied (RFC 7396): null removes a key.

    >>> merge_patch({"at": "mill", "take": {"grain": 10, "water": 1}}, {"at": None, "take": {"water": None, "salt": 1}})
    {'take': {'grain': 10, 'salt': 1}}
    """
    after = dict(before)
    for key, value in change.items():
        if value is None:
            after.pop(key, None)
        else:
            there = after.get(key)
            after[key] = (
                merge_patch(there if isinstance(there, dict) else {}, value)
                if isinstance(value, dict)
                else value
            )
    return after


def amend(book: Book, entries: Entries) -> Book:
    """Return the rules with changed entries. Entries of other sections are ignored."""
    sections = {name: dict(section(book, name)) for name in PARTS}
    for key, text in entries.items():
        name, _, entry = key.partition("/")
        if name not in PARTS:
            continue
        if text:
            sections[name][entry] = PARTS[name].model_validate_json(text)
        else:
            sections[name].pop(entry, None)
    ordered: Json = {
        name: dict(sorted(parts.items()))
        for name, parts in sections.items()
        if name in ("kinds", "recipes", "fixtures", "needs")
    }
    return replace(
        book,
        kinds=ordered["kinds"],
        entries=ordered["recipes"],
        fixtures=ordered["fixtures"],
        needs=ordered["needs"],
        calendar=book.calendar.model_copy(
            update={name: sections[name] for name in ("seasons", "weather")}
        ),
        start=book.start.model_copy(update={name: sections[name] for name in ("houses", "people")}),
    )


def drop_dangling_references(book: Book, but: Container[str] = ()) -> Book:
    """Return the rules without references to deleted kinds, fixtures and recipes in sales, duties
    and needs. Entries in `but` are left unchanged.

    Initial stocks and bags are dropped, since they no longer matter.
    """
    fixtures = {
        address: part if f"fixtures/{address}" in but else _keep_known_goods(book, part)
        for address, part in book.fixtures.items()
    }
    needs = {
        need: part if f"needs/{need}" in but else _keep_known_recipes(book, part)
        for need, part in book.needs.items()
    }
    people = {
        who: (part if f"people/{who}" in but else _keep_possible_duties(book, part)).model_copy(
            update={"has": {}}
        )
        for who, part in book.start.people.items()
    }
    return replace(
        book,
        fixtures=fixtures,
        needs=needs,
        start=book.start.model_copy(update={"people": people, "stocks": {}}),
    )


def _keep_known_goods(book: Book, part: FixturePart) -> FixturePart:
    """Return a fixture whose shop sells known kinds only; without a shop if none is left."""
    sells = (
        {kind: price for kind, price in part.shop.sells.items() if kind in book.kinds}
        if part.shop
        else {}
    )
    return part.model_copy(
        update={
            "shop": part.shop.model_copy(update={"sells": sells}) if part.shop and sells else None
        }
    )


def _keep_known_recipes(book: Book, part: NeedPart) -> NeedPart:
    """Return a need with the known recipes that meet it, and sleep."""
    return part.model_copy(
        update={
            "met_by": tuple(name for name in part.met_by if name in book.entries or name == SLEEP)
        }
    )


def _keep_possible_duties(book: Book, part: PersonPart) -> PersonPart:
    """Return a resident with the duties whose recipe, or kind and fixture, are known."""
    duties = (
        duty
        for duty in part.duties
        if (
            duty.do in book.families
            if duty.do
            else duty.keep in book.kinds and duty.at in book.fixtures
        )
    )
    return part.model_copy(update={"duties": tuple(duties)})
