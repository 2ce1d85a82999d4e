"""Laws: patches of a running town's rules, and residents who move in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hometown.world.book.amend import (
    Entries,
    amend,
    changed_entries,
    drop_dangling_references,
    dump_entry,
    section,
)
from hometown.world.book.book import Book
from hometown.world.book.components import expand_components
from hometown.world.book.references import check_references
from hometown.world.faults import Faults, parse_json
from hometown.world.moving_in import SECTION, proposed_residents, read_latecomers
from hometown.world.persona import Persona
from hometown.world.world import World, sector_of

FILE = "patch"
"""The name of a patch in faults."""


def propose_entries(world: World, patch: str, faults: Faults) -> Entries:
    """Return the entries that a patch changes. `world` is the present town.

    Adds a fault for each unknown name, for recipes that create or destroy matter, and for residents
    without a house or a bed.
    """
    changes, before = parse_json(patch, FILE, faults), len(faults.lines)
    if changes is None:
        return {}
    entries = proposed_residents(world, changes.pop(SECTION), faults) if SECTION in changes else {}
    people = read_latecomers(world, entries) if len(faults.lines) == before else {}
    if world.book is not None:
        entries |= changed_entries(
            world.book,
            _with_components(world.book, _housed(world.book, world, people, changes), faults),
            world.langs,
            faults,
        )
    elif changes:
        faults.add(
            FILE,
            ", ".join(changes),
            "the town has no society; all that can change is who lives in it, in the section {section!r}",
            section=SECTION,
        )
    if len(faults.lines) == before and not entries:
        faults.add(FILE, "", "changes nothing: all that it says is so already")
    if len(faults.lines) == before and world.book is not None:
        there = ({*world.things} | {*world.arenas}) - world.gone
        check_references(
            drop_dangling_references(amend(world.book, entries), entries),
            there,
            {**world.personas, **people},
            faults,
        )
    return entries


def _with_components(book: Book, changes: Mapping[str, Any], faults: Faults) -> Mapping[str, Any]:
    """Return the changes with the fields of the components that they list, and their recipes."""
    named: dict[str, Any] = {
        name: {
            key: {"name": dump_entry(there[key]).get("name"), **change}
            if key in there and isinstance(change, dict) and "components" in change
            else change
            for key, change in changes[name].items()
        }
        for name in ("kinds", "fixtures")
        if isinstance(changes.get(name), dict) and (there := section(book, name)) is not None
    }
    recipes = changes.get("recipes", {})
    sections = named | ({"recipes": recipes} if isinstance(recipes, dict) else {})
    expanded = expand_components(book.components, sections, faults)
    return {**changes, **{name: part for name, part in expanded.items() if part}}


def _housed(
    book: Book, world: World, people: Mapping[str, Persona], changes: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the changes with a house for each new resident without one: that of the building's
    residents.
    """
    said = changes.get("people", {})
    if not people or not isinstance(said, dict):
        return changes
    houses = {sector_of(part.home): house for house, part in book.start.houses.items()}
    houses |= {
        sector_of(world.personas[who].home): part.house for who, part in book.start.people.items()
    }
    found = {
        who: {"house": houses[sector_of(persona.home)]}
        for who, persona in people.items()
        if sector_of(persona.home) in houses
    }
    return {
        **changes,
        "people": {
            **found,
            **{
                who: {**found.get(who, {}), **part} if isinstance(part, dict) else part
                for who, part in said.items()
            },
        },
    }


def in_force(world: World, entries: Entries) -> World:
    """Return the town with these entries in force: its rules changed, and the residents who move in
    by them added.
    """
    late = read_latecomers(world, entries)
    book = world.book and drop_dangling_references(amend(world.book, entries))
    return replace(
        world,
        personas={**world.personas, **late},
        latecomers=world.latecomers | late.keys(),
        book=book,
    )
