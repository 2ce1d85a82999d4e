"""A usual day made of what somebody's texts say of it: meals at home, work where the plan names a place, an hour among people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modules.clock import DAY, hhmm
from modules.world.world import Lang, arena_of
from modules.worlds.importing.clock_words import clauses, rhythm, times
from modules.worlds.importing.furnish import Furnished, Item, Place
from modules.worlds.importing.guess import mentions, table
from modules.worlds.importing.site import Newcomer

NOON, LUNCH_ENDS, WORK, WORK_ENDS = 12 * 60, 13 * 60, 9 * 60, 17 * 60
WASHING, BREAKFAST, DINNER, OUT = 30, 30, 60, 120
"""Minutes."""

SHORTEST = 20
"""Minutes of a stretch at least; what is shorter is left out of the day."""

FOOD = ("eat", "dining", "cook", "snack")
SERVED = ("eat", "order")
BATH = ("wash", "basin", "shower")
EASE = ("sofa", "rest", "read", "desk", "seat")
COMPANY = ("cafe", "park", "square", "library", "shop", "garden")
EVENING = ("cafe", "park", "square")


@dataclass(frozen=True)
class Stretch:
    """Part of a plan: what is done where, from and until when if that is said."""

    place: str
    activity: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Haunts:
    """Where somebody goes: its own arena and sector, and how its places are found by their tags."""

    found: Furnished
    home: Place
    number: int

    def inside(self, arena: Place, wanted: Sequence[str], index: int = 0) -> str:
        """The thing of an arena that fits best, or the arena itself where none does."""
        fitting = [item for tag in wanted for item in self.found.things_in(arena.address) if tag in tags_of(item) and "sleep" not in tags_of(item)]
        return fitting[index % len(fitting)].address if fitting else arena.address

    def at_home(self, wanted: Sequence[str]) -> str:
        """In the own room if it has something that fits, else in a room of the house that anybody there uses, else ""."""
        house = self.home.address.split("/")[0]
        shared = [one for one in self.found.arenas.values() if one.address.split("/")[0] == house and "bedroom" not in str(one.properties["tags"])]
        for arena in (self.home, *shared):
            spot = self.inside(arena, wanted)
            if spot != arena.address:
                return spot
        return ""

    def among_people(self, wanted: Sequence[str]) -> Place | None:
        """An open place of the kinds wanted; who comes by another number gets another one."""
        public = [one for one in self.found.arenas.values() if one.properties.get("public", True)]
        fitting = [one for tag in wanted for one in public if tag in str(one.properties["tags"]).split(", ")]
        return fitting[self.number % len(fitting)] if fitting else None

    def table(self) -> str:
        """Where there is food: at home, or else at a café, or else at home all the same."""
        cafe = self.among_people(("cafe",))
        return self.at_home(FOOD) or (self.inside(cafe, SERVED, self.number) if cafe else self.home.address)


def tags_of(item: Item) -> list[str]:
    return [tag.strip() for tag in str(item.properties["tags"]).split(",")]


def usual_day(who: Newcomer, haunts: Haunts, lang: Lang) -> list[dict[str, Any]]:
    """Habits from waking to bed, in the form of a resident's file."""
    said, at = table(lang)["activities"], rhythm(who.lifestyle, lang)
    bed = at.bed if at.bed > at.wake else DAY
    plan = stretches(who, haunts, lang) or _company(haunts, lang, COMPANY)
    eaten = at.wake + WASHING + BREAKFAST
    day = [
        Stretch(haunts.at_home(BATH) or haunts.home.address, said["wash"], at.wake, at.wake + WASHING),
        Stretch(haunts.table(), said["breakfast"], at.wake + WASHING, eaten),
    ]
    begin = max(eaten, min((one.start for one in plan if one.start is not None), default=max(eaten, WORK)))
    end = max([one.end for one in plan if one.end is not None and one.end > begin], default=min(max(WORK_ENDS, begin + 4 * 60), bed - 3 * 60))
    day += _spread(plan, begin, end, _lunch(who, haunts, lang), lang)
    dinner = min(max(end, at.dinner), bed - DINNER - SHORTEST)
    day.append(Stretch(haunts.table(), said["dinner"], dinner, dinner + DINNER))
    home = dinner + DINNER
    if bed - home > OUT + 60:
        out = _company(haunts, lang, EVENING)[0]
        day.append(Stretch(out.place, out.activity, home, home + OUT))
        home += OUT
    day.append(Stretch(haunts.at_home(EASE) or haunts.home.address, said["home"], home, bed))
    return _habits(day, at.wake, bed, lang)


def _habits(day: list[Stretch], wake: int, bed: int, lang: Lang) -> list[dict[str, Any]]:
    """The day without overlaps and without what is too short."""
    made, free = [], wake
    for one in day:
        start, end = max(free, one.start or 0), min(one.end or bed, bed)
        if end - start >= SHORTEST:
            made.append({"start": hhmm(start), "end": hhmm(end), "place": one.place, "activity": {lang: one.activity}})
            free = end
    return made


def _spread(plan: list[Stretch], begin: int, end: int, lunch: str, lang: Lang) -> list[Stretch]:
    """What is planned, over the hours from `begin` to `end`, with lunch in between."""
    if begin >= NOON or end <= LUNCH_ENDS:
        return _in_turn(plan, begin, end)
    half = -(-len(plan) // 2)
    meal = Stretch(lunch, table(lang)["activities"]["lunch"], NOON, LUNCH_ENDS)
    return [*_in_turn(plan[:half], begin, NOON), meal, *_in_turn(plan[half:] or plan[:1], LUNCH_ENDS, end)]


def _in_turn(plan: list[Stretch], begin: int, end: int) -> list[Stretch]:
    each = (end - begin) // len(plan)
    return [Stretch(one.place, one.activity, begin + number * each, begin + (number + 1) * each) for number, one in enumerate(plan)]


def _lunch(who: Newcomer, haunts: Haunts, lang: Lang) -> str:
    """Where the plan says that one eats, or at a café where there is one, since people meet there."""
    said = [_place_named(clause, haunts) for clause in clauses(who.daily_plan, lang) if mentions(clause, table(lang)["meal"])]
    cafe = next((place for place in said if place), None) or haunts.among_people(("cafe",))
    return haunts.inside(cafe, SERVED, haunts.number) if cafe else haunts.table()


def stretches(who: Newcomer, haunts: Haunts, lang: Lang) -> list[Stretch]:
    """What a daily plan says, clause by clause: known places, known pursuits, times. What is said again, or only a time, goes to the one before."""
    words = table(lang)
    found: list[Stretch] = []
    for clause in clauses(who.daily_plan, lang):
        at, until = times(clause, lang), mentions(clause, words["until"])
        start, end = (at[0] if at and not (until and len(at) == 1) else None), (at[-1] if until and at else None)
        arena, pursuit = _place_named(clause, haunts), next((row for row in words["pursuits"] if mentions(clause, row["words"])), None)
        if mentions(clause, words["meal"]) and not pursuit:
            continue
        one = Stretch(_spot(clause, arena, pursuit, found, haunts), _activity(arena, pursuit, lang), start, end) if arena or pursuit else None
        last = found[-1] if found else None
        if last and (one is None or (one.place, one.activity) == (last.place, last.activity)):
            found[-1] = Stretch(last.place, last.activity, last.start, end or last.end)
        elif one:
            found.append(one)
    return found


def _spot(clause: str, arena: Place | None, pursuit: dict[str, Any] | None, before: list[Stretch], haunts: Haunts) -> str:
    """Where: at the thing or in the place that is named, or where one was before if that fits, or at home, or where such things are done."""
    wanted = pursuit["tags"] if pursuit else ("seat", "counter", "work", "read", "garden", "shop")
    last = next((one for one in haunts.found.arenas.values() if before and arena_of(before[-1].place) == one.address), None)
    where = arena or last
    if where:
        said = [item for item in haunts.found.things_in(where.address) if str(item.properties[haunts.found.lang]).lower() in clause.lower()]
        spot = max(said, key=lambda item: len(item.address)).address if said else haunts.inside(where, wanted, haunts.number)
        if arena or spot != where.address:
            return spot
    public = haunts.among_people(wanted)
    return haunts.at_home(wanted) or (haunts.inside(public, wanted, haunts.number) if public else haunts.home.address)


def _activity(arena: Place | None, pursuit: dict[str, Any] | None, lang: Lang) -> str:
    said = table(lang)["activities"]
    if pursuit:
        return str(pursuit["activity"])
    tags = str(arena.properties["tags"]).split(", ") if arena else []
    return str(next((said[tag] for tag in tags if tag in said and tag != "home"), said["elsewhere"]))


def _place_named(clause: str, haunts: Haunts) -> Place | None:
    """The arena that a clause names, by its own name and its building's; the more of both is named, the better the match."""
    text, house = clause.lower(), haunts.home.address.split("/")[0]
    scores = {names: sum(len(name) for name in set(names) if len(name) > 1 and name.lower() in text) for names in haunts.found.arenas}
    open_to_me = [names for names, arena in haunts.found.arenas.items() if arena.properties.get("public", True) or arena.address.split("/")[0] == house]
    best = max(open_to_me, key=lambda names: scores[names], default=None)
    return haunts.found.arenas[best] if best and scores[best] else None


def _company(haunts: Haunts, lang: Lang, kinds: Sequence[str]) -> list[Stretch]:
    """An open place of some kinds to spend time at."""
    arena = haunts.among_people(kinds) or haunts.home
    return [Stretch(haunts.inside(arena, ("seat", "bench", "read", "order", "watch"), haunts.number), _activity(arena, None, lang))]
