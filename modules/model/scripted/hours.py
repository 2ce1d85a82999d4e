"""The hours of a day by rules: strokes at their usual times, give or take, with promises laid over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from modules.clock import DAY, hhmm, minute_of_day
from modules.model.scripted.events import MINUTES
from modules.model.scripted.planning import due_on, event_in, stroke_of
from modules.model.scripted.pursuits import IDLE_STRETCH, Pursuit, habits_on, ideas_for, stands, take_idea, work_place
from modules.model.scripted.words import bare, clip, fives
from modules.prompt.planning import PlannedHour, ScheduleDailyReply, ScheduleDailyVars
from modules.world.rows import Promise
from modules.world.world import Lang

SHORTEST_STRETCH = 15
"""Minutes that a stretch of the day lasts at least, where the day has room."""

PASTIME_MINUTES = 80
"""What one pastime takes, about; longer gaps hold more of them."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """An activity and the minute at which it begins."""

    start: int
    activity: str


@dataclass(frozen=True, slots=True)
class Bound:
    """Something that has its hour: a promise or an event."""

    start: int
    minutes: int
    activity: str


def answer_schedule_daily(v: ScheduleDailyVars, rng: Random, lang: Lang) -> ScheduleDailyReply:
    """The strokes at their usual hours, give or take a quarter; idle gaps filled, promises laid over."""
    me = v.situation.me
    last = max(min(v.bed, DAY), v.wake + 5)
    ideas = [one for one in ideas_for(me, rng, lang) if one.activity not in v.strokes]
    spare = [*(one.activity for one in ideas), *(task for habit in me.habits for task in habit.tasks)]
    timed = [one for one in _timed(v, lang) if one.start < last]
    stretches = _in_order(_filled(timed, ideas, v.wake, last), v.wake, last, rng)
    bound = [_bound(promise, lang) for promise in due_on(v.promises, v.day)]
    bound += [Bound(event[1], MINUTES, event[0]) for stroke in v.strokes if (event := event_in(stroke, lang))]
    stretches = _laid_over(stretches, sorted(bound, key=lambda one: one.start), last)
    stretches = _diverse(stretches, v.diversity, last, spare)
    hours = [PlannedHour(start=hhmm(min(one.start, DAY)), activity=one.activity) for one in stretches[:32]]
    return ScheduleDailyReply(hours=hours)


def _timed(v: ScheduleDailyVars, lang: Lang) -> list[Pursuit]:
    """The strokes with usual times, and the habits that went unsaid where there is room for them.

    A stroke that is no habit takes the time of the one that it stands for: an unsaid one at its place in the day.
    """
    promised = {stroke_of(promise, lang) for promise in v.promises}
    unsaid = habits_on(v.situation.me, v.day)
    work = work_place(unsaid, v.situation.me)
    changeable = [one for one in unsaid if not stands(one, work, v.situation.me, lang)]
    named: list[tuple[str, Pursuit | None]] = []
    for stroke in v.strokes:
        habit = next((one for one in unsaid if one.activity == stroke), None)
        if habit:
            unsaid.remove(habit)
        if stroke not in promised and not event_in(stroke, lang):
            named.append((bare(clip(stroke, 240, lang)) or v.situation.me.name, habit))
    timed: list[Pursuit] = []
    for at, (stroke, habit) in enumerate(named):
        since = timed[-1].end if timed else v.wake
        until = next((after.start for _, after in named[at:] if after), v.bed)
        timed.append(habit or _standing_for(stroke, since, until, unsaid, changeable))
    return sorted([*timed, *(one for one in unsaid if _fits_between(one, timed))], key=lambda one: one.start)


def _standing_for(stroke: str, since: int, until: int, unsaid: list[Pursuit], changeable: list[Pursuit]) -> Pursuit:
    between = [one for one in unsaid if since - 10 <= one.start and one.end <= until + 10]
    slot = max(between, key=lambda one: (one in changeable, one.end - one.start), default=None)
    if slot is None:
        return Pursuit(stroke, "", (), (), since, since + 60)
    unsaid.remove(slot)
    return replace(slot, activity=stroke, place="", tasks=())


def _fits_between(habit: Pursuit, timed: list[Pursuit]) -> bool:
    """Whether a habit that no stroke names has its usual time to itself."""
    return all(habit.end <= one.start + 10 or habit.start >= one.end - 10 for one in timed)


def _filled(timed: list[Pursuit], ideas: list[Pursuit], wake: int, last: int) -> list[Pursuit]:
    """The pursuits with something to do in each gap between them, and before and after."""
    filled: list[Pursuit] = []
    free = wake
    for one in (*timed, Pursuit("", "", (), (), last, last)):
        pieces = min(max(1, round((one.start - free) / PASTIME_MINUTES)), len(ideas)) if one.start - free >= IDLE_STRETCH else 0
        for nth in range(pieces):
            start = fives(free + (one.start - free) * nth / pieces)
            filled.append(replace(take_idea(start, ideas), start=start))
        filled.append(one)
        free = one.end
    return filled[:-1]


def _in_order(timed: list[Pursuit], wake: int, last: int, rng: Random) -> list[Stretch]:
    """Starts with some chance in them, in order, from waking until the last quarter of an hour before bed."""
    stretches: list[Stretch] = []
    minute = wake
    for one in timed:
        start = wake if not stretches else max(minute, one.start + rng.choice((-10, -5, 0, 0, 5, 10, 15)))
        if stretches and start > last - SHORTEST_STRETCH:
            break
        stretches.append(Stretch(start, one.activity))
        minute = start + SHORTEST_STRETCH
    return stretches


def _bound(promise: Promise, lang: Lang) -> Bound:
    return Bound(minute_of_day(promise.start), promise.minutes, bare(clip(promise.what, 160, lang)) or stroke_of(promise, lang))


def _laid_over(stretches: list[Stretch], bound: Sequence[Bound], last: int) -> list[Stretch]:
    """What is bound to an hour takes its time; what that cuts goes on after it."""
    for one in bound:
        end = one.start + one.minutes
        going = [stretch for stretch in stretches if stretch.start <= end]
        rest = [Stretch(end, going[-1].activity)] if going and end <= last - SHORTEST_STRETCH else []
        kept = [stretch for stretch in stretches if not one.start <= stretch.start <= end]
        stretches = sorted([*kept, Stretch(one.start, one.activity), *rest], key=lambda stretch: stretch.start)
    return stretches


def _diverse(stretches: list[Stretch], wanted: int, last: int, spare: Iterable[str]) -> list[Stretch]:
    """Cuts the longest stretches in two until there are enough different activities."""
    different = {one.activity for one in stretches}
    for activity in spare:
        if len(different) >= wanted:
            break
        if activity in different:
            continue
        ends = [one.start for one in stretches[1:]] + [last]
        at = max(range(len(stretches)), key=lambda i: ends[i] - stretches[i].start, default=-1)
        middle = fives((stretches[at].start + ends[at]) / 2) if stretches else fives(last / 2)
        stretches.insert(at + 1, Stretch(min(middle, DAY), activity))
        different.add(activity)
    return stretches
