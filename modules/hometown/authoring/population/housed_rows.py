"""A world whose residents are rows of a table, in the houses of another world."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from hometown.authoring.folder import new_world_folder
from hometown.authoring.importing.guess import identifier
from hometown.authoring.invented_residents import BED_TIME, TownWithBed
from hometown.authoring.lint import raise_errors
from hometown.authoring.people_art import draw_people
from hometown.authoring.population.people_table import PersonRow
from hometown.authoring.population.plausibility import read_population_words
from hometown.authoring.starter import in_langs, write_json
from hometown.authoring.word_tables import contains_word
from hometown.authoring.world_changes import copy_folder
from hometown.clock import hhmm
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.language import Lang
from hometown.name import first_free
from hometown.text import capital, catalogue
from hometown.world.load import folder_of, load_world
from hometown.world.tiled import map_file
from hometown.world.world import Thing, World, sector_of

EARLIEST = 6 * 60 + 30
"""The time at which the first residents get up; others do up to three quarters of an hour later."""

CLOSENESS_OF_HOUSEMATES = 6


def make_population(
    rows: Sequence[PersonRow], which: str, name: str, root: Path, lang: Lang
) -> Path:
    """Make the world `name`, in which the people of the rows live in the houses of the world
    `which`, without its residents and storylines, and return its folder.

    Raises:
        BadWorld: That world has errors, a society, a map in XML, or fewer beds than there are
            people. Nothing is written.
    """
    source = folder_of(which, root)
    world = load_world(source, lang)
    if world.book is not None:
        raise BadWorld(
            "world {world!r} has a society, whose things belong to its residents; choose a world without one",
            world=which,
        )
    if map_file(source).suffix != ".tmj":
        raise BadWorld(
            "{map} is in XML, in which rooms can't get the names of those who live there; save it as map.tmj in Tiled, and move map.tmx away",
            map=map_file(source),
        )
    beds = [thing for thing in world.things.values() if "sleep" in thing.tags]
    if len(beds) < len(rows):
        raise BadWorld(
            "world {world!r} has {beds} beds for {count} people; lower --count, or make a larger one by hometown world districts",
            world=which,
            beds=len(beds),
            count=len(rows),
        )
    with new_world_folder(root, name) as folder:
        copy_folder(source, folder)
        for part in ("residents", "portraits", "sprites"):
            shutil.rmtree(folder / part, ignore_errors=True)
        given = orjson.loads((source / "world.json").read_bytes()) | {"langs": [lang]}
        given.pop("storylines", None)
        write_json(folder / "world.json", in_langs(given, [lang]) | {"name": {lang: name}})
        residents = _house(rows, beds, world, lang)
        (folder / "residents").mkdir()
        for who, content in residents.items():
            write_json(folder / "residents" / f"{who}.json", content)
        _name_rooms(map_file(folder), residents, world, lang)
        draw_people(folder, residents)
        raise_errors(folder)
    return root / name


def _house(
    rows: Sequence[PersonRow], beds: Sequence[Thing], world: World, lang: Lang
) -> dict[str, Json]:
    """Return the residents' files by id, with a bed for each and a relation to those of the same
    house.
    """
    residents: dict[str, Json] = {}
    for number, (row, bed) in enumerate(zip(rows, beds, strict=False)):
        taken = [str(other["name"][lang]) for other in residents.values()]
        name = first_free(row.get("name") or _pick_name(number, row.pronoun, lang), taken)
        town = TownWithBed(world, {}, bed, number)
        residents[identifier(name, residents)] = _describe(row, name, town, lang)
    houses: dict[str, list[str]] = defaultdict(list)
    for who, content in residents.items():
        houses[sector_of(str(content["home"]))].append(who)
    relation = {
        "text": {lang: read_population_words(lang)["housemate"]},
        "closeness": CLOSENESS_OF_HOUSEMATES,
    }
    for mates in houses.values():
        for who in mates:
            residents[who]["relations"] = {other: relation for other in mates if other != who}
    return residents


def _pick_name(number: int, pronoun: str, lang: Lang) -> str:
    """Return a name for a row without one."""
    names = catalogue(lang, "clones")
    families = names["family"].split()
    given = names["given_he" if pronoun == "he" else "given_she"].split()
    family = families[(7 * number + number // len(given)) % len(families)]
    return str(names["name"].format(given=given[number % len(given)], family=family))


def _describe(row: PersonRow, name: str, town: TownWithBed, lang: Lang) -> Json:
    """Return the content of a resident's file; columns without a meaning of their own are part of
    the biography.
    """
    words, occupation = read_population_words(lang), row.get("occupation")
    concern = _name_subject(row.get("concern"), name, words[row.pronoun][0])
    work = next(
        (each for each in words["occupations"] if contains_word(occupation, each["words"])),
        words["work"],
    )
    wake = EARLIEST + town.turn % 4 * 15
    times = {"wake": hhmm(wake), "bed": hhmm(BED_TIME)}
    introduction = words["introduction"].format(name=name, age=row.age, occupation=occupation)
    attributes = [
        words["attribute"].format(column=capital(column), value=value)
        for column, value in row.attributes.items()
    ]
    about = _name_subject(row.get("about"), name, words[row.pronoun][0]) or introduction
    activity, evening = work["activity"], words["evening"]
    day = {"work": work["tags"], "job": {lang: activity}, "evening": {lang: evening}}
    interests = [each.strip() for each in row.get("interests").replace("；", ";").split(";")]
    texts = {
        "name": name,
        "occupation": occupation,
        "innate": row.get("traits") or words["nothing"],
        "learned": words["join"].join([about, *attributes]),
        "lifestyle": words["lifestyle"].format(name=name, **times),
        "currently": concern or words["concern"].format(name=name),
        "daily_plan": words["plan"].format(job=activity),
        "pronouns": words[row.pronoun],
        "interests": [each for each in interests if each] or [activity],
    }
    return {
        **{key: {lang: value} for key, value in texts.items()},
        "age": row.age,
        **times,
        "home": town.bed.arena,
        "sleeps": town.bed.address,
        "habits": in_langs(town.plan_day(day, wake), [lang]),
        "knows": [sector for sector in town.world.sectors if sector != "outdoors"],
        "seeds": [*_list_seeds(concern, lang)],
    }


def _name_subject(text: str, name: str, pronoun: str) -> str:
    """Return a text that names its person in place of a pronoun at its beginning.

    >>> _name_subject("She sings.", "Anna Bell", "she"), _name_subject("他爱下棋。", "李强", "他")
    ('Anna Bell sings.', '李强爱下棋。')
    """
    pattern = rf"^{pronoun}(?=\W|[\u4e00-\u9fff])"
    return re.sub(pattern, lambda _: name, text, flags=re.IGNORECASE)


def _list_seeds(concern: str, lang: Lang) -> Iterator[Json]:
    """Yield the first memory of a resident: their concern, if the table names one."""
    if concern:
        yield {
            "type": "thought",
            "poignancy": 6,
            "text": {lang: concern},
            "predicate": {lang: read_population_words(lang)["thinks"]},
            "object": {lang: concern.rstrip(".。!！")},
        }


def _name_rooms(file: Path, residents: Mapping[str, Json], world: World, lang: Lang) -> None:
    """Name the houses of a map by numbers, and their bedrooms after those who sleep there: names of
    other people would mislead.
    """
    words = read_population_words(lang)
    sleepers: dict[str, list[str]] = defaultdict(list)
    for content in residents.values():
        sleepers[str(content["home"])].append(str(content["name"][lang]))
    bedrooms = {thing.arena for thing in world.things.values() if "sleep" in thing.tags}
    houses = list(dict.fromkeys(sector_of(arena) for arena in bedrooms))
    names = {house: words["house"].format(number=at) for at, house in enumerate(houses, 1)}
    for arena in bedrooms:
        named = words["and"].join(sleepers[arena])
        names[arena] = words["room"].format(names=named) if named else words["spare_room"]
    content = orjson.loads(file.read_bytes())
    for drawn in _list_objects(content):
        for each in drawn.get("properties", ()):
            if each["name"] == lang and drawn.get("name") in names:
                each["value"] = names[drawn["name"]]
    file.write_bytes(orjson.dumps(content))


def _list_objects(group: Json) -> Iterator[Json]:
    """Yield the objects of a map, or of a group of layers, with those of the groups in it."""
    for layer in group["layers"]:
        yield from layer.get("objects", ())
        if "layers" in layer:
            yield from _list_objects(layer)
