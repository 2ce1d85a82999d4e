"""Residents who move into a running town: entries `residents/<id>` of a law, each in the form of a
resident's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import orjson

from hometown.language import Lang
from hometown.name import lookalike_key
from hometown.world import keys
from hometown.world.authored import ResidentFile
from hometown.world.book.amend import Entries, dump_entry
from hometown.world.cast import Referents, check_referents, persona_of
from hometown.world.faults import Faults, validate_model
from hometown.world.map_places import Places
from hometown.world.persona import Persona
from hometown.world.world import Thing, World, arena_of, sector_of

SECTION = "residents"

ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""Valid ids: those of a world's files; two underscores make a clone."""


def moving_in_patch(who: str, person: str) -> str:
    """Return the patch by which the resident of a file (in JSON) moves in."""
    return f'{{"{SECTION}": {{{orjson.dumps(who).decode()}: {person}}}}}'


def moved_in_ids(row_keys: Iterable[str]) -> list[str]:
    """Return the ids of the residents who have moved in, from the keys of a state's rows."""
    prefix = keys.LAW.of(f"{SECTION}/")
    return [key.removeprefix(prefix) for key in row_keys if key.startswith(prefix)]


def read_latecomers(world: World, entries: Mapping[str, str]) -> dict[str, Persona]:
    """Return the residents in the entries of a law, by id: entries under `SECTION`/id, whose value is
    a resident's file in JSON. Other entries are ignored.
    """
    pastimes = next((persona.pastimes for persona in world.personas.values()), ())
    people = {
        key.removeprefix(f"{SECTION}/"): entry
        for key, entry in sorted(entries.items())
        if key.startswith(f"{SECTION}/")
    }
    return {
        who: replace(
            persona_of(
                who,
                ResidentFile.model_validate_json(entry, context={"from_run": True}),
                world.lang,
                pastimes,
            ),
            is_latecomer=True,
        )
        for who, entry in people.items()
    }


def add_latecomers(world: World, entries: Mapping[str, str]) -> World:
    """Return the world with its original residents, and those who moved in by all laws since."""
    late = read_latecomers(world, entries)
    return replace(
        world,
        personas={who: each for who, each in world.personas.items() if who not in world.latecomers}
        | late,
        latecomers=frozenset(late),
    )


def proposed_residents(world: World, people: object, faults: Faults) -> Entries:
    """Return the entries by which residents move in, and add a fault for each without a home, a
    free bed, and an id and a name of their own. Only the run's language is required.
    """
    given = _read_residents(people, world.lang, faults)
    new = {part.sleeps: bed for part in given.values() if (bed := _new_bed(world, part.sleeps))}
    there = {
        address: thing
        for address, thing in {**world.things, **new}.items()
        if address not in world.gone
    }
    known = {path.stem for path in (world.folder / SECTION).glob("*.json")} | {
        *world.personas,
        *given,
    }
    cast = Referents(
        known,
        Places(world.maze, world.sectors, world.arenas, there),
        frozenset(story.id for story in world.storylines),
        world.folder,
    )
    for who, person in given.items():
        check_referents(who, person, cast, faults)
        others = {
            other: persona_of(other, part, world.lang, ())
            for other, part in given.items()
            if other != who
        }
        _check_newness(world, who, person, {**world.personas, **others}, there, faults)
    return {
        f"{SECTION}/{who}": orjson.dumps(dump_entry(person), option=orjson.OPT_SORT_KEYS).decode()
        for who, person in given.items()
    }


def _read_residents(people: object, lang: Lang, faults: Faults) -> dict[str, ResidentFile]:
    """Return the valid residents of a proposal by id, with faults for all others; none if it is no
    object.
    """
    if not isinstance(people, dict):
        faults.add(SECTION, "", "should hold one JSON object, { … }")
        return {}
    given: dict[str, ResidentFile] = {}
    for who, person in people.items():
        file = f"{SECTION}/{who}.json"
        if person is None:
            faults.add(
                file,
                "",
                "cannot be taken away: let this resident leave town instead (hometown leave)",
            )
        elif not isinstance(person, dict):
            faults.add(file, "", "should hold one JSON object, { … }")
        elif (read := validate_model(ResidentFile, person, file, faults, (lang,))) is not None:
            given[who] = read
    return given


def beds(world: World) -> list[str]:
    """Return the addresses of all beds that a town has or had, the smallest first."""
    return sorted(
        (name for name, thing in world.things.items() if "sleep" in thing.tags),
        key=lambda name: (world.things[name].seats, name),
    )


def _new_bed(world: World, address: str) -> Thing | None:
    """Return a bed to place at a free address; None if it is taken or there is no room."""
    arena, _, name = address.rpartition("/")
    models = beds(world)
    if not models or address in world.things or arena not in world.arenas or not ID.fullmatch(name):
        return None
    return replace(world.things[models[0]], address=address, arena=arena)


def _check_newness(
    world: World,
    who: str,
    person: ResidentFile,
    others: Mapping[str, Persona],
    there: Mapping[str, Thing],
    faults: Faults,
) -> None:
    """Add a fault if the id or the name is taken or impossible, and check the bed if there is one."""
    file = f"{SECTION}/{who}.json"
    if who in world.personas:
        faults.add(file, "", "{name} lives in the town already", name=world.personas[who].name)
        return
    if not ID.fullmatch(who) or who in world.sectors:
        faults.add(
            file,
            "",
            "{who!r} cannot be an id: take small letters and digits, with single underscores between them, that are no building's id",
            who=who,
        )
    for other in others.values():
        if lookalike_key(other.name) == lookalike_key(person.name[world.lang]):
            faults.add(
                file,
                "name",
                "{name!r} is somebody's name already ({other}); give another",
                name=other.name,
                other=other.id,
            )
    if bed := there.get(person.sleeps):
        _check_bed(who, person, bed, others, faults)


def _check_bed(
    who: str, person: ResidentFile, bed: Thing, others: Mapping[str, Persona], faults: Faults
) -> None:
    """Add a fault if a bed is not at home or has no room for one more."""
    file = f"{SECTION}/{who}.json"
    if sector_of(person.sleeps) != sector_of(person.home):
        faults.add(
            file,
            "sleeps",
            "{sleeps!r} is not in the building of its home {home!r}",
            sleeps=person.sleeps,
            home=person.home,
        )
    owners = [other.name for other in others.values() if other.sleeps == person.sleeps]
    if len(owners) >= bed.seats:
        faults.add(
            file,
            "sleeps",
            "{sleeps!r} is the bed of {owners}; give a free one, or one that is not there yet, such as {new!r}, which is then placed",
            sleeps=person.sleeps,
            owners=owners,
            new=f"{arena_of(person.sleeps)}/bed_{who}",
        )
