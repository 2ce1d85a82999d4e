"""A typical day derived from a person's texts: meals at home, work at the place and time of the
plan, two hours among people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hometown.authoring.importing.clock_words import rhythm
from hometown.authoring.importing.daily_plan import DayPart, lunch_place, meeting_place, stretches
from hometown.authoring.importing.site import SourcePerson
from hometown.authoring.importing.surroundings import Surroundings
from hometown.authoring.word_tables import read_word_table
from hometown.clock import DAY, hhmm
from hometown.json_object import Json
from hometown.language import Lang

NOON, LUNCH, WORK, WORK_ENDS = 12 * 60, 60, 9 * 60, 17 * 60
WASHING, BREAKFAST, DINNER, OUT = 30, 30, 60, 120
"""Minutes of washing, breakfast, dinner and an evening out."""

SHORTEST = 20
"""Shortest part of a day in minutes; shorter ones are left out."""

BATH = ("wash", "basin", "shower")
EASE = ("sofa", "rest", "read", "desk", "seat")
COMPANY = ("cafe", "park", "square", "library", "shop", "garden")
EVENING = ("cafe", "park", "square")


def derive_habits(person: SourcePerson, around_me: Surroundings, lang: Lang) -> list[Json]:
    """Return habits from waking to bed, as in a resident's file: washing, breakfast, the parts of
    the plan with an hour for lunch, dinner, and the evening, out for a while if more than an hour
    is left. Activities with a time in the plan keep that time; without a plan, residents meet at an
    open place.
    """
    words, at = read_word_table(lang)["activities"], rhythm(person.lifestyle, lang)
    bed = at.bed if at.bed > at.wake else DAY
    plan = stretches(person, around_me, lang) or [meeting_place(around_me, lang, COMPANY)]
    late = [
        part for part in plan if part.start is not None and part.start >= max(at.dinner, WORK_ENDS)
    ]
    plan = [part for part in plan if part not in late] or [meeting_place(around_me, lang, COMPANY)]
    eaten = at.wake + WASHING + BREAKFAST
    first = min((part.start for part in plan if part.start is not None), default=max(eaten, WORK))
    begin, end = (
        first if plan[0].start is not None else max(eaten, min(first, WORK)),
        _end_of_plan(plan, first, bed),
    )
    begin = max(eaten, begin)
    dinner = min(max(end, at.dinner), bed - DINNER - SHORTEST)
    evening = dinner + DINNER
    ease = DayPart(around_me.at_home(EASE) or around_me.home.address, words["home"], bed, bed)
    if not late and bed - evening > OUT + 60:
        late = [replace(meeting_place(around_me, lang, EVENING), start=evening, end=evening + OUT)]
    day = [
        DayPart(
            around_me.at_home(BATH) or around_me.home.address,
            words["wash"],
            at.wake,
            at.wake + WASHING,
        ),
        DayPart(around_me.table(), words["breakfast"], at.wake + WASHING, eaten),
        *_insert_lunch(
            _allot_times(plan, begin, end),
            DayPart(lunch_place(person, around_me, lang), words["lunch"]),
            begin,
            end,
            plan,
        ),
        DayPart(around_me.table(), words["dinner"], dinner, evening),
        *_fill_evening(late, ease, evening, bed),
    ]
    return _format_habits(day, at.wake, bed, lang)


def _end_of_plan(plan: Sequence[DayPart], first: int, bed: int) -> int:
    """Return the end of the planned part of a day: as the plan says, or in the afternoon, and at
    least an hour after its last beginning.
    """
    last = max((part.start for part in plan if part.start is not None), default=first)
    ends = [part.end for part in plan if part.end is not None and part.end > first]
    return (
        max([*ends, last + 60])
        if ends
        else max(min(max(WORK_ENDS, first + 4 * 60), bed - 3 * 60), last + 60)
    )


def _allot_times(plan: Sequence[DayPart], begin: int, end: int) -> list[DayPart]:
    """Return the parts of a plan with a start and an end each: those with a time at theirs, those
    without share the time between.
    """
    groups: list[list[DayPart]] = []
    for part in plan:
        if part.start is not None or not groups:
            groups.append([part])
        else:
            groups[-1].append(part)
    starts = [
        max(begin, group[0].start if group[0].start is not None else begin) for group in groups
    ]
    order = sorted(range(len(groups)), key=lambda at: starts[at])
    made: list[DayPart] = []
    for number, at in enumerate(order):
        until = starts[order[number + 1]] if number + 1 < len(order) else end
        made += _share_time(groups[at], starts[at], until)
    return made


def _share_time(group: Sequence[DayPart], begin: int, end: int) -> list[DayPart]:
    """Return a group of parts between two fixed times, in equal shares unless the first has its own
    end.
    """
    head, *rest = group
    stop = (
        min(head.end, end)
        if head.end is not None and head.end > begin
        else begin + (end - begin) // len(group)
    )
    each = (end - stop) // len(rest) if rest else 0
    return [
        replace(head, start=begin, end=stop if rest or head.end is not None else end),
        *(
            replace(part, start=stop + number * each, end=stop + (number + 1) * each)
            for number, part in enumerate(rest)
        ),
    ]


def _insert_lunch(
    parts: Iterable[DayPart], meal: DayPart, begin: int, end: int, plan: Sequence[DayPart]
) -> list[DayPart]:
    """Return the parts with an hour for lunch inserted at noon, or right before a part that the
    plan fixes at that hour; unchanged if the planned day does not span lunch.
    """
    fixed = min(
        (
            part.start
            for part in plan
            if part.start is not None and NOON <= part.start < NOON + LUNCH
        ),
        default=NOON + LUNCH,
    )
    start = fixed - LUNCH
    parts = list(parts)
    if begin >= start or end <= fixed:
        return parts
    cut = [
        piece
        for part in parts
        for piece in (
            replace(part, end=min(part.end or end, start)),
            replace(part, start=max(part.start or begin, fixed)),
        )
    ]
    cut = [piece for piece in cut if (piece.end or 0) - (piece.start or 0) > 0]
    return sorted([*cut, replace(meal, start=start, end=fixed)], key=lambda piece: piece.start or 0)


def _fill_evening(late: Sequence[DayPart], ease: DayPart, begin: int, bed: int) -> list[DayPart]:
    """Return the plan for after dinner, with rest at home in the gaps."""
    made: list[DayPart] = []
    free = begin
    for part in sorted(late, key=lambda part: part.start or 0):
        start = max(free, part.start or 0)
        made += [
            replace(ease, start=free, end=start),
            replace(
                part,
                start=start,
                end=min(part.end if part.end and part.end > start else start + OUT, bed),
            ),
        ]
        free = made[-1].end or start
    return [*made, replace(ease, start=free, end=bed)]


def _format_habits(day: Sequence[DayPart], wake: int, bed: int, lang: Lang) -> list[Json]:
    """Return the day as in a resident's file, each part beginning at the earliest when the one
    before ends, without parts that are too short.
    """
    habits, free = [], wake
    for part in day:
        start, end = max(free, part.start or 0), min(part.end or bed, bed)
        if end - start >= SHORTEST:
            habits.append(
                {
                    "start": hhmm(start),
                    "end": hhmm(end),
                    "place": part.place,
                    "activity": {lang: part.activity},
                }
            )
            free = end
    return habits
