"""The world of an experiment: an existing one, or a copy with news of its own or fewer acquaintances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from hometown.files import atomic_write
from hometown.json_object import Json
from hometown.language import LANGS
from hometown.study.experiment.spec import DEFINITION, TownSpec
from hometown.study.mentions import find_people, name_parts
from hometown.world.cast_choice import choose_cast
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.snapshot import snapshot
from hometown.world.world import World


def load_town(town: TownSpec, worlds: Path) -> World:
    """Return the world of an experiment to be checked or planned, with its news and its cast, and
    with all acquaintances. Nothing is written.

    Raises:
        BadWorld: The world is broken, or its news do not fit it.
        BadInput: A resident does not exist.
    """
    world = load_world(town.world, town.lang, worlds, storylines=_list_news(town))
    return populate(world, choose_cast(world, town.residents))


def world_for(town: TownSpec, folder: Path, worlds: Path) -> World:
    """Return the world with its cast. A copy with fewer acquaintances, or with news of its own, is
    written below `folder`: anew until the definition of the experiment is stored there, since a
    start that was interrupted may have left the copy of another definition.

    Raises:
        BadWorld: The world is broken.
        BadInput: A resident does not exist.
    """
    if town.acquaintances is None and not town.news:
        world = load_world(town.world, town.lang, worlds)
    else:
        count = "" if town.acquaintances is None else f"-{town.acquaintances}"
        copy = folder / "worlds" / f"{town.world}{count}{'-news' if town.news else ''}"
        is_final = (folder / DEFINITION).exists() and (copy / "world.json").exists()
        if not is_final:
            _write_copy(load_world(town.world, town.lang, worlds), town, copy)
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


def _write_copy(world: World, town: TownSpec, folder: Path) -> None:
    """Write a copy with the news of an experiment, and with fewer acquaintances, where it has such.

    `world.json` comes last: its presence shows that a copy is complete.
    """
    files = snapshot(world.folder)
    named = orjson.loads(files.pop("world.json"))
    if town.acquaintances is not None:
        named.pop("acquaintance", None)
        _limit_relations(files, world, town.acquaintances)
    named["storylines"] = [
        *named.get("storylines", []),
        *_list_news(town),
    ]
    for name, data in [*files.items(), ("world.json", orjson.dumps(named))]:
        with atomic_write(folder / name) as file:
            file.write(data)


def _list_news(town: TownSpec) -> list[Json]:
    """Return the news as storylines of a world file, with the same words in each language."""
    return [
        {
            "id": name,
            "title": dict.fromkeys(LANGS, topic.title),
            "keywords": dict.fromkeys(LANGS, topic.keywords),
            "gathering": topic.gathering and topic.gathering.model_dump(),
        }
        for name, topic in town.news.items()
    ]


def _limit_relations(files: dict[str, bytes], world: World, count: int) -> None:
    """Remove from a world's files, in place, all but the `count` closest relations, and the initial
    memories that name other residents than those kept, except those of a storyline.
    """
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
