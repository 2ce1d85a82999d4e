"""Parsing of a daily plan, clause by clause: known places, known pursuits, times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hometown.authoring.importing.clock_words import clauses, clock_times
from hometown.authoring.importing.rooms import Place
from hometown.authoring.importing.site import SourcePerson
from hometown.authoring.importing.surroundings import SERVED, Surroundings, tags_of
from hometown.authoring.word_tables import contains_word, read_word_table
from hometown.json_object import Json
from hometown.language import Lang
from hometown.world.world import arena_of, sector_of


@dataclass(frozen=True)
class DayPart:
    """Part of a day: an activity and its place, with beginning and end (minutes since midnight) if
    they are given.
    """

    place: str
    activity: str
    start: int | None = None
    end: int | None = None


def stretches(person: SourcePerson, around_me: Surroundings, lang: Lang) -> list[DayPart]:
    """Return the parts of a plan, one for each clause that names a place or a pursuit. Meals are
    left out; a repetition, or a time alone, belongs to the preceding part. A single time is the end
    where the clause says "until", else the start.
    """
    words = read_word_table(lang)
    plan: list[DayPart] = []
    for clause in clauses(person.daily_plan, lang):
        named, until = clock_times(clause, lang), contains_word(clause, words["until"])
        start, end = (
            (named[0] if named and not (until and len(named) == 1) else None),
            (named[-1] if until and named else None),
        )
        arena, pursuit = (
            around_me.place_named(clause),
            next((row for row in words["pursuits"] if contains_word(clause, row["words"])), None),
        )
        if contains_word(clause, words["meal"]) and not pursuit:
            continue
        part = (
            DayPart(
                _choose_spot(clause, arena, pursuit, plan, around_me),
                activity_at(arena, pursuit, lang),
                start,
                end,
            )
            if arena or pursuit
            else None
        )
        last = plan[-1] if plan else None
        if last and (part is None or (part.place, part.activity) == (last.place, last.activity)):
            plan[-1] = replace(
                last, start=last.start if last.start is not None else start, end=end or last.end
            )
        elif part:
            plan.append(part)
    return plan


def lunch_place(person: SourcePerson, around_me: Surroundings, lang: Lang) -> str:
    """Return the place for lunch: as the plan says, or a café if there is one, so that residents
    meet, or else a place with food.
    """
    named = [
        around_me.place_named(clause)
        for clause in clauses(person.daily_plan, lang)
        if contains_word(clause, read_word_table(lang)["meal"])
    ]
    cafe = next((place for place in named if place), None) or around_me.among_people(("cafe",))
    return around_me.inside(cafe, SERVED, around_me.number) if cafe else around_me.table()


def frequented_sectors(person: SourcePerson, around_me: Surroundings, lang: Lang) -> set[str]:
    """Return the sectors, the own home aside, that a plan names."""
    named = (around_me.place_named(clause) for clause in clauses(person.daily_plan, lang))
    return {sector_of(place.address) for place in named if place} - {
        sector_of(around_me.home.address)
    }


def meeting_place(around_me: Surroundings, lang: Lang, kinds: Sequence[str]) -> DayPart:
    """Return a public place of some kinds to spend time at, or home if there is none, with the
    usual activity there.
    """
    arena = around_me.among_people(kinds) or around_me.home
    return DayPart(
        around_me.inside(arena, ("seat", "bench", "read", "order", "watch"), around_me.number),
        activity_at(arena, None, lang),
    )


def activity_at(arena: Place | None, pursuit: Json | None, lang: Lang) -> str:
    """Return the activity: the pursuit that is named, or the usual one for such a place."""
    words = read_word_table(lang)["activities"]
    if pursuit:
        return str(pursuit["activity"])
    tags = tags_of(arena) if arena else []
    return str(
        next((words[tag] for tag in tags if tag in words and tag != "home"), words["elsewhere"])
    )


def _choose_spot(
    clause: str,
    arena: Place | None,
    pursuit: Json | None,
    before: list[DayPart],
    around_me: Surroundings,
) -> str:
    """Return the place of an activity: the thing or place that is named, or the previous place if
    it fits, or home, or a place for such activities.
    """
    wanted = pursuit["tags"] if pursuit else ("seat", "counter", "work", "read", "garden", "shop")
    town = around_me.town
    where = arena or next(
        (
            place
            for place in town.arenas.values()
            if before and arena_of(before[-1].place) == place.address
        ),
        None,
    )
    if where:
        named = [
            item
            for item in town.things_in(where.address)
            if str(item.properties[town.lang]).lower() in clause.lower()
        ]
        spot = (
            max(named, key=lambda item: len(item.address)).address
            if named
            else around_me.inside(where, wanted, around_me.number)
        )
        if arena or spot != where.address:
            return spot
    public = around_me.among_people(wanted)
    return around_me.at_home(wanted) or (
        around_me.inside(public, wanted, around_me.number) if public else around_me.home.address
    )
