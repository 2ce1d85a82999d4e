"""Rules for the hourly schedule: the outline's activities near their usual times, overlaid by
promises and visits; and for changes of a usual day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from hometown.clock import DAY, hhmm, minute_of_day
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.bounds import DENSITY
from hometown.prompt.plans import (
    ACTIVITY,
    MOST_HOURS,
    PlannedHour,
    ScheduleDailyReply,
    ScheduleDailyVars,
)
from hometown.prompt.varying import PlanChange, ScheduleChangesReply, ScheduleChangesVars
from hometown.scripted.events import MINUTES
from hometown.scripted.noticing import closeness_to
from hometown.scripted.planning import due_on, event_in, stroke_of
from hometown.scripted.pursuits import (
    IDLE_STRETCH,
    Pursuit,
    habits_on,
    ideas_for,
    stands,
    take_idea,
)
from hometown.scripted.pursuits import pursuit as find_pursuit
from hometown.scripted.room_choice import choose_room, is_home_of
from hometown.scripted.words import bare, clip, fives, known_names, read_bank
from hometown.world.rows import Promise
from hometown.world.work import workplace

SHORTEST_STRETCH = 15
"""Minutes that a stretch of the day lasts at least, where the day has room."""

PASTIME_MINUTES = 80
"""Approximate length of a pastime; longer gaps hold several."""


FRIEND = 6
"""Closeness from which a resident is visited at home."""

VISITING_HOURS = (17 * 60, 20 * 60 + 30)
"""Minutes of the day between which a visit begins."""

VISITING_PROBABILITY = 0.3
"""Probability of a visit on a day with time for one."""


@frozen
class Stretch:
    """An activity and the minute of the day at which it begins."""

    start: int
    activity: str


@frozen
class Bound:
    """An activity with a fixed time, from the minute of the day `start` on: a promise or an
    event.
    """

    start: int
    minutes: int
    activity: str


def answer_schedule_daily(v: ScheduleDailyVars, rng: Random, lang: Lang) -> ScheduleDailyReply:
    """Return the outline's activities within a quarter of an hour of their usual times, at most
    `MOST_HOURS`, with rooms; gaps are filled, promises and events take precedence, and a visit to a
    friend may replace a pastime.
    """
    me = v.situation.me
    last = max(min(v.bed, DAY), v.wake + 5)
    ideas = [idea for idea in ideas_for(me, rng, lang) if idea.activity not in v.strokes]
    spare = [
        *(idea.activity for idea in ideas),
        *(task for habit in me.habits for task in habit.tasks),
    ]
    timed = [pursuit for pursuit in _time_outline(v, lang) if pursuit.start < last]
    stretches = _shift_starts(_fill_gaps(timed, ideas, v.wake, last), v.wake, last, rng)
    bound = [_as_bound(promise, lang) for promise in due_on(v.promises, v.day)]
    bound += [
        Bound(event[1], MINUTES, event[0])
        for stroke in v.strokes
        if (event := event_in(stroke, lang))
    ]
    stretches = _overlay_fixed(
        stretches, sorted(bound, key=lambda appointment: appointment.start), last
    )
    stretches = _with_visit(_diversify(stretches, v.diversity, last, spare), v, rng, lang)
    hours = [
        PlannedHour(
            start=hhmm(min(stretch.start, DAY)),
            activity=stretch.activity,
            place=choose_room(v, stretch.activity, stretch.start, rng, lang) if v.rooms else 0,
        )
        for stretch in stretches[:MOST_HOURS]
    ]
    return ScheduleDailyReply(hours=hours)


def _with_visit(
    stretches: list[Stretch], v: ScheduleDailyVars, rng: Random, lang: Lang
) -> list[Stretch]:
    """Return the day with a visit to a friend in place of one pastime, on some days."""
    me = v.situation.me
    friends = [
        name
        for person, name in known_names(v.situation).items()
        if closeness_to(me, person) >= FRIEND and any(is_home_of(name, room) for room in v.rooms)
    ]
    free = [
        at
        for at, stretch in enumerate(stretches)
        if VISITING_HOURS[0] <= stretch.start < VISITING_HOURS[1]
        and (usual := find_pursuit(me, stretch.activity, stretch.start, v.day, lang))
        and not usual.place
    ]
    if not friends or not free or rng.random() >= VISITING_PROBABILITY:
        return stretches
    at = rng.choice(free)
    visit = read_bank(lang, "planning")["visit"].format(name=rng.choice(friends))
    return [*stretches[:at], replace(stretches[at], activity=visit), *stretches[at + 1 :]]


def answer_schedule_changes(
    v: ScheduleChangesVars, rng: Random, lang: Lang
) -> ScheduleChangesReply:
    """Return a pastime in place of one line of the usual day that may change, in two days of three;
    on the third, no change.
    """
    line = rng.choice([line for line in v.usual if line.number])
    if rng.random() < 1 / 3:
        return ScheduleChangesReply(changes=[])
    idea = take_idea(line.start, ideas_for(v.situation.me, rng, lang))
    return ScheduleChangesReply(
        changes=[
            PlanChange(
                number=line.number,
                start=hhmm(line.start % DAY),
                activity=clip(idea.activity, round(ACTIVITY * DENSITY[lang]), lang),
            )
        ]
    )


def _time_outline(v: ScheduleDailyVars, lang: Lang) -> list[Pursuit]:
    """Return the outline's activities at usual times, and omitted habits where they fit.

    An activity that is no habit takes the time of an omitted habit at its position in the day.
    """
    promised = {stroke_of(promise, lang) for promise in v.promises}
    unsaid = [habit for habit in habits_on(v.situation.me, v.day) if habit.end > v.wake]
    work = workplace(unsaid, v.situation.me.home)
    changeable = [habit for habit in unsaid if not stands(habit, work, v.situation.me, lang)]
    named: list[tuple[str, Pursuit | None]] = []
    for stroke in v.strokes:
        habit = next((candidate for candidate in unsaid if candidate.activity == stroke), None)
        if habit:
            unsaid.remove(habit)
        if stroke not in promised and not event_in(stroke, lang):
            named.append((bare(clip(stroke, 240, lang)) or v.situation.me.name, habit))
    timed: list[Pursuit] = []
    for at, (stroke, habit) in enumerate(named):
        since = timed[-1].end if timed else v.wake
        until = next((after.start for _, after in named[at:] if after), v.bed)
        timed.append(habit or _find_stand_in(stroke, since, until, unsaid, changeable))
    return sorted(
        [*timed, *(pursuit for pursuit in unsaid if _fits_between(pursuit, timed))],
        key=lambda pursuit: pursuit.start,
    )


def _find_stand_in(
    stroke: str, since: int, until: int, unsaid: list[Pursuit], changeable: list[Pursuit]
) -> Pursuit:
    """Return a stroke that is no habit as a pursuit: in the time of a habit of `unsaid` at its
    position in the day, preferably a changeable and long one, which is taken out; or else for the
    hour from `since`.
    """
    between = [habit for habit in unsaid if since - 10 <= habit.start and habit.end <= until + 10]
    slot = max(
        between, key=lambda habit: (habit in changeable, habit.end - habit.start), default=None
    )
    if slot is None:
        return Pursuit(stroke, "", (), (), since, since + 60)
    unsaid.remove(slot)
    return replace(slot, activity=stroke, place="", tasks=())


def _fits_between(habit: Pursuit, timed: list[Pursuit]) -> bool:
    """Return True if the usual time of a habit that no stroke names overlaps no other pursuit by
    more than ten minutes.
    """
    return all(
        habit.end <= pursuit.start + 10 or habit.start >= pursuit.end - 10 for pursuit in timed
    )


def _fill_gaps(timed: list[Pursuit], ideas: list[Pursuit], wake: int, last: int) -> list[Pursuit]:
    """Return the pursuits with activities in each gap of `IDLE_STRETCH` or more between them,
    before and after; these are taken from `ideas`.
    """
    filled: list[Pursuit] = []
    free = wake
    for pursuit in (*timed, Pursuit("", "", (), (), last, last)):
        pieces = (
            min(
                max(1, round((pursuit.start - free) / PASTIME_MINUTES)),
                len({idea.activity for idea in ideas}),
            )
            if pursuit.start - free >= IDLE_STRETCH
            else 0
        )
        for nth in range(pieces):
            start = fives(free + (pursuit.start - free) * nth / pieces)
            filled.append(replace(take_idea(start, ideas), start=start))
        filled.append(pursuit)
        free = pursuit.end
    return filled[:-1]


def _shift_starts(timed: list[Pursuit], wake: int, last: int, rng: Random) -> list[Stretch]:
    """Return the pursuits with randomly shifted starts in ascending order, from waking until a
    quarter of an hour before bedtime; the first starts on waking.
    """
    stretches: list[Stretch] = []
    minute = wake
    for pursuit in timed:
        start = (
            wake
            if not stretches
            else max(minute, pursuit.start + rng.choice((-10, -5, 0, 0, 5, 10, 15)))
        )
        if stretches and start > last - SHORTEST_STRETCH:
            break
        stretches.append(Stretch(start, pursuit.activity))
        minute = start + SHORTEST_STRETCH
    return stretches


def _as_bound(promise: Promise, lang: Lang) -> Bound:
    """Return a promise as an activity with a fixed time."""
    return Bound(
        minute_of_day(promise.start),
        promise.minutes,
        bare(clip(promise.what, 160, lang)) or stroke_of(promise, lang),
    )


def _overlay_fixed(stretches: list[Stretch], bound: Sequence[Bound], last: int) -> list[Stretch]:
    """Return the day with the activities that have a fixed time in place of those at that time; an
    interrupted activity resumes afterwards.
    """
    for appointment in bound:
        end = appointment.start + appointment.minutes
        going = [stretch for stretch in stretches if stretch.start <= end]
        rest = (
            [Stretch(end, going[-1].activity)] if going and end <= last - SHORTEST_STRETCH else []
        )
        kept = [stretch for stretch in stretches if not appointment.start <= stretch.start <= end]
        stretches = sorted(
            [*kept, Stretch(appointment.start, appointment.activity), *rest],
            key=lambda stretch: stretch.start,
        )
    return stretches


def _diversify(
    stretches: list[Stretch], wanted: int, last: int, spare: Iterable[str]
) -> list[Stretch]:
    """Return the day with its longest stretches cut in two, the second half for a spare activity,
    until there are enough different activities.
    """
    different = {stretch.activity for stretch in stretches}
    for activity in spare:
        if len(different) >= wanted:
            break
        if activity in different:
            continue
        ends = [stretch.start for stretch in stretches[1:]] + [last]
        at = max(range(len(stretches)), key=lambda i: ends[i] - stretches[i].start, default=-1)
        middle = fives((stretches[at].start + ends[at]) / 2) if stretches else fives(last / 2)
        stretches.insert(at + 1, Stretch(min(middle, DAY), activity))
        different.add(activity)
    return stretches
