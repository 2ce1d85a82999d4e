"""Convert a resident's file to a persona in one language, and check it against the world."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import orjson

from hometown.clock import DAY, hhmm
from hometown.language import Lang
from hometown.name import lookalike_key
from hometown.text import N_, Phrase
from hometown.world.authored import (
    WEEKDAY_NAMES,
    WEEKDAYS,
    HabitPart,
    PastimePart,
    ResidentFile,
    SeedPart,
)
from hometown.world.faults import Faults, likely
from hometown.world.map_places import Places
from hometown.world.persona import Habit, Pastime, Persona, Seed
from hometown.world.pictures import check_picture


@dataclass(frozen=True)
class Referents:
    """The referents of residents' files: residents, places (None if the map is faulty), storylines,
    images.
    """

    people: Collection[str]
    places: Places | None
    storylines: frozenset[str]
    folder: Path


def check_referents(who: str, given: ResidentFile, cast: Referents, faults: Faults) -> None:
    """Add a fault for each part of a resident's file that does not fit the world."""
    file = f"residents/{who}.json"
    _check_people(given, file, cast, faults)
    if cast.places:
        _check_places(given, file, cast.places, faults)
    _check_times(given, file, faults)
    _check_overlaps(given, file, faults)
    for field in ("portrait", "sprite"):
        if getattr(given, field):
            check_picture(
                cast.folder,
                getattr(given, field),
                file,
                f"{field} {getattr(given, field)!r}",
                faults,
            )


def check_looks(personas: Mapping[str, Persona], faults: Faults) -> None:
    """Add a fault for each resident whose name is visually the same as another's."""
    seen: dict[str, str] = {}
    for who, persona in personas.items():
        other = seen.setdefault(lookalike_key(persona.name), who)
        if other != who and not faults.from_run:
            file, named = f"residents/{who}.json", personas[other].name
            if named == persona.name:
                faults.add(
                    file,
                    "name",
                    "{name!r} is also the name of {other!r}; give each their own",
                    name=named,
                    other=other,
                )
            else:
                text = N_(
                    "{name!r} looks the same as {named!r}, the name of {other!r}; give each their own"
                )
                faults.add(file, "name", text, name=persona.name, named=named, other=other)


def persona_of(who: str, given: ResidentFile, lang: Lang, pastimes: Iterable[Pastime]) -> Persona:
    """Return a resident's persona in `lang`, with the pastimes of the world."""
    relations = {other: relation.text[lang] for other, relation in given.relations.items()}
    closeness = {other: relation.closeness for other, relation in given.relations.items()}
    return Persona(
        id=who,
        name=given.name[lang],
        age=given.age,
        occupation=given.occupation[lang],
        innate=given.innate[lang],
        learned=given.learned[lang],
        lifestyle=given.lifestyle[lang],
        currently=given.currently[lang],
        daily_plan=given.daily_plan[lang],
        wake=given.wake,
        bed=given.bed,
        home=given.home,
        sleeps=given.sleeps,
        pronouns=tuple(given.pronouns[lang]),
        interests=tuple(given.interests[lang]),
        habits=tuple(
            _habit(habit, lang) for habit in sorted(given.habits, key=lambda habit: habit.start)
        ),
        relations=relations,
        closeness=closeness,
        knows=tuple(given.knows),
        seeds=tuple(_seed(who, seed, lang) for seed in given.seeds),
        portrait=given.portrait,
        sprite=given.sprite,
        pastimes=tuple(pastimes),
        candour=given.candour,
        is_visitor=given.visitor,
        look=orjson.dumps(given.look).decode() if given.look else "",
        at_odds={
            other: relation.at_odds[lang]
            for other, relation in given.relations.items()
            if relation.at_odds
        },
    )


def pastime_of(given: PastimePart, lang: Lang) -> Pastime:
    """Return a pastime in `lang`."""
    return Pastime(given.activity[lang], tuple(given.tags), tuple(given.tasks[lang]))


def _habit(given: HabitPart, lang: Lang) -> Habit:
    days = tuple(sorted(WEEKDAYS.index(day) for day in given.days))
    return Habit(
        given.start,
        given.end,
        given.activity[lang],
        given.place,
        tuple(given.tasks.get(lang, ())),
        days,
    )


def _seed(who: str, given: SeedPart, lang: Lang) -> Seed:
    return Seed(
        given.text[lang],
        given.type,
        given.poignancy,
        tuple(given.about),
        given.subject or who,
        given.predicate[lang],
        given.object[lang],
        given.storyline,
    )


def _check_people(given: ResidentFile, file: str, cast: Referents, faults: Faults) -> None:
    """Add a fault for each unknown resident in relations and seeds, and for unknown storylines."""
    mentioned = [("relations", who) for who in given.relations]
    mentioned += [
        (f"seeds[{n}].about", who)
        for n, seed in enumerate(given.seeds)
        for who in (*seed.about, *filter(None, [seed.subject]))
    ]
    for where, who in mentioned:
        _check_known(who, cast.people, Phrase("resident"), file, where, faults)
    for n, seed in enumerate(given.seeds):
        if seed.storyline:
            _check_known(
                seed.storyline,
                cast.storylines,
                Phrase("storyline of world.json"),
                file,
                f"seeds[{n}].storyline",
                faults,
            )


def _check_places(given: ResidentFile, file: str, places: Places, faults: Faults) -> None:
    """Add a fault for each place that the map lacks, and for a bed without the tag sleep."""
    _check_known(given.home, places.arenas, Phrase("arena of the map"), file, "home", faults)
    _check_known(given.sleeps, places.things, Phrase("thing of the map"), file, "sleeps", faults)
    for n, habit in enumerate(given.habits):
        _check_known(
            habit.place,
            places.spots,
            Phrase("place of the map"),
            file,
            f"habits[{n}].place",
            faults,
        )
    for n, place in enumerate(given.knows):
        _check_known(
            place, places.areas, Phrase("sector or arena of the map"), file, f"knows[{n}]", faults
        )
    bed = places.things.get(given.sleeps)
    if bed and "sleep" not in bed.tags:
        beds = [address for address, thing in places.things.items() if "sleep" in thing.tags]
        faults.add(
            file,
            "sleeps",
            "{sleeps!r} lacks the tag sleep; add the tag in the map, or give a bed such as {bed}",
            sleeps=given.sleeps,
            bed=repr(beds[0]) if beds else Phrase("one you add"),
        )


def _check_known(
    name: str, known: Iterable[str], kind: Phrase, file: str, where: str, faults: Faults
) -> None:
    """Add a fault, with the likeliest known name, for a name that is not known."""
    if name not in known:
        faults.add(
            file,
            where,
            "no {kind} is called {name!r}{hint}",
            name=name,
            kind=kind,
            hint=likely(name, known),
        )


def _check_times(given: ResidentFile, file: str, faults: Faults) -> None:
    """Add faults for fewer than 4 or more than 22 waking hours, and for habits that end before they
    start, or lie outside the waking hours.
    """
    bed = given.bed if given.bed > given.wake else given.bed + DAY
    if bed - given.wake < 4 * 60 or bed - given.wake > 22 * 60:
        faults.add(
            file,
            "wake",
            "{wake} and bed {bed} leave {hours} waking hours; there should be 4 to 22",
            wake=hhmm(given.wake),
            bed=hhmm(given.bed),
            hours=(bed - given.wake) // 60,
        )
    for n, habit in enumerate(given.habits):
        if habit.end <= habit.start:
            faults.add(
                file,
                f"habits[{n}]",
                "ends at {end}, which is not after its start at {start}; if it lasts past midnight, split it there",
                end=hhmm(habit.end),
                start=hhmm(habit.start),
            )
        elif not any(
            given.wake <= habit.start + shift and habit.end + shift <= bed for shift in (0, DAY)
        ):
            faults.add(
                file,
                f"habits[{n}]",
                "{start}–{end} is not between wake {wake} and bed {bed}",
                start=hhmm(habit.start),
                end=hhmm(habit.end),
                wake=hhmm(given.wake),
                bed=hhmm(given.bed),
            )


def _check_overlaps(given: ResidentFile, file: str, faults: Faults) -> None:
    """Add faults for habits that overlap on a weekday."""
    clashes: dict[tuple[int, int], Phrase] = {}
    for day in WEEKDAYS:
        today = sorted(
            (habit.start, habit.end, n)
            for n, habit in enumerate(given.habits)
            if not habit.days or day in habit.days
        )
        for (_, end, earlier), (start, _, later) in pairwise(today):
            if start < end:
                text = N_(
                    "begins at {start} on {day}, before habits[{earlier}] ends at {end}; let one end earlier"
                )
                clashes.setdefault(
                    (earlier, later),
                    Phrase(
                        text,
                        start=hhmm(start),
                        day=WEEKDAY_NAMES[day],
                        earlier=earlier,
                        end=hhmm(end),
                    ),
                )
    for (_, later), clash in clashes.items():
        faults.add(file, f"habits[{later}]", clash)
