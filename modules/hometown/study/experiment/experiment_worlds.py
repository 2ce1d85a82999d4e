"""The world of an experiment: an existing one, or a copy with fewer acquaintances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from hometown.files import atomic_write
from hometown.session import choose_cast
from hometown.study.experiment.spec import TownSpec
from hometown.study.mentions import find_people, name_parts
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.snapshot import snapshot
from hometown.world.world import World


def world_for(town: TownSpec, folder: Path, worlds: Path) -> World:
    """Return the world with its cast. A copy with fewer acquaintances is written below `folder`,
    unless it is there.

    Raises:
        BadWorld: The world is broken.
        BadInput: A resident does not exist.
    """
    world = load_world(town.world, town.lang, worlds)
    if town.acquaintances is not None:
        copy = folder / "worlds" / f"{world.id}-{town.acquaintances}"
        if not (copy / "world.json").exists():
            _write_copy(world, town.acquaintances, copy)
        world = load_world(copy, town.lang)
    return populate(world, choose_cast(world, town.residents))


def closest_pairs(residents: dict[str, dict[str, Any]], count: int) -> set[frozenset[str]]:
    """Return the `count` closest pairs of residents who each have a relation to the other, by the
    sum of both closenesses; ties by their names.
    """

    def closeness(pair: tuple[str, str]) -> int:
        first, second = pair
        return int(residents[first]["relations"][second].get("closeness", 0)) + int(
            residents[second]["relations"][first].get("closeness", 0)
        )

    known = {who: person.get("relations", {}) for who, person in residents.items()}
    mutual = [
        (first, second)
        for first in sorted(known)
        for second in sorted(known)
        if first < second and second in known[first] and first in known[second]
    ]
    return {
        frozenset(pair)
        for pair in sorted(mutual, key=lambda pair: (-closeness(pair), pair))[:count]
    }


def _write_copy(world: World, count: int, folder: Path) -> None:
    """Write a copy with only the closest relations, and only those initial memories that name no
    other resident.

    `world.json` comes last: its presence shows that a copy is complete.
    """
    files = snapshot(world.folder)
    people = {
        Path(name).stem: orjson.loads(data)
        for name, data in files.items()
        if name.startswith("residents/")
    }
    kept = closest_pairs(people, count)
    names = name_parts(world)
    for who, person in people.items():
        known = {other for pair in kept if who in pair for other in pair}
        person["relations"] = {
            other: relation
            for other, relation in person.get("relations", {}).items()
            if other in known
        }
        # a storyline stays with those who begin it: else there would be no news
        person["seeds"] = [
            each
            for each in person.get("seeds", [])
            if each.get("storyline")
            or find_people(each["text"][world.lang], names) <= {*known, who}
        ]
        files[f"residents/{who}.json"] = orjson.dumps(person)
    named = orjson.loads(files.pop("world.json"))
    named.pop("acquaintance", None)
    for name, data in [*files.items(), ("world.json", orjson.dumps(named))]:
        with atomic_write(folder / name) as file:
            file.write(data)
