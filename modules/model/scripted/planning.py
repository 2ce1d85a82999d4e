"""The day as rules plan it: from the persona's habits, with some chance, and around its promises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from modules.clock import DAY, hhmm, minute_of_day
from modules.model.scripted.gist import gist
from modules.model.scripted.pursuits import Pursuit, habits_on, interests, pastimes, themes_of
from modules.model.scripted.words import bank, bare, capital, clip, fives, is_day_plan, sentences, shuffled
from modules.prompt.planning import (
    CurrentlyReply,
    CurrentlyVars,
    PlannedHour,
    ScheduleDailyReply,
    ScheduleDailyVars,
    ScheduleInitReply,
    ScheduleInitVars,
    WakeUpReply,
    WakeUpVars,
)
from modules.world.persona import Persona
from modules.world.rows import Promise
from modules.world.world import Lang

MOST_STROKES = 10
FEWEST_STROKES = 5
SHORTEST_STRETCH = 15
"""Minutes that a stretch of the day lasts at least, where the day has room."""

IDLE_STRETCH = 45
"""A gap between habits, in minutes, from which on it is filled with something."""

PASTIME_MINUTES = 80
"""What one pastime takes, about; longer gaps hold more of them."""

SWAPPABLE_MINUTES = 150
"""Longer habits are work, and aren't swapped for a pastime."""

OUTINGS = 3
"""Different arenas that a day should lead to, at least."""

GIST_LENGTH = {"en": 170, "zh": 80}

MORNING, EVENING = 9 * 60, 20 * 60 + 30
"""Before and after these, idle people look for something to do at home."""


# currently ---------------------------------------------------------------------------------


def answer_currently(v: CurrentlyVars, rng: Random, lang: Lang) -> CurrentlyReply:
    """The persona's own concern, then what the memories and promises add to it."""
    phrases, me = bank(lang, "planning")["currently"], v.situation.me
    parts = [clip(one, 240, lang) for one in sentences(me.currently, lang)[: rng.choice((1, 1, 2))]]
    for promise in sorted(v.promises, key=lambda one: one.start)[:1]:
        what = bare(clip(promise.what, 120, lang))
        parts.append(rng.choice(phrases["promise"]).format(name=me.name, what=what, when=_when(promise, v.day, lang)))
    for kind, text in _worth_mention(v, parts, lang)[: 3 - len(parts)]:
        parts += [rng.choice(phrases[kind]).format(name=me.name, text=text)]
    text = ("" if lang == "zh" else " ").join(capital(part) for part in parts)
    return CurrentlyReply(currently=clip(text, 600, lang) or me.name)


def _worth_mention(v: CurrentlyVars, said: Sequence[str], lang: Lang) -> list[tuple[str, str]]:
    """(kind, gist) of the memories that stand out and aren't said yet, the weightiest first."""
    known = " ".join((v.situation.me.currently, *said))
    weighty = sorted((one for one in v.memories if one.poignancy >= 4 and not is_day_plan(one)), key=lambda one: (-one.poignancy, -one.id))
    found = {gist(one, v.situation, lang, GIST_LENGTH[lang]): one.type for one in reversed(weighty)}
    return [(kind, text) for text, kind in reversed(found.items()) if text not in known]


def _when(promise: Promise, today: date, lang: Lang) -> str:
    phrases = bank(lang, "planning")
    key = {0: "today", 1: "tomorrow"}.get((promise.start.date() - today).days, "later")
    text: str = phrases["when"][key].format(time=f"{promise.start:%H:%M}", weekday=phrases["weekdays"][promise.start.weekday()])
    return text


# wake_up -----------------------------------------------------------------------------------


def answer_wake_up(v: WakeUpVars, rng: Random, lang: Lang) -> WakeUpReply:
    """Usual hours, give or take: up to 20 minutes for rising, 25 for going to bed; later after a long night."""
    me = v.situation.me
    late = rng.randrange(15, 50, 5) if v.awake else 0
    wake = min(max(fives(me.wake) + late + _jitter(rng, 20), 0), DAY - 5)
    return WakeUpReply(wake=hhmm(wake), bed=hhmm((fives(me.bed) + _jitter(rng, 25)) % DAY))


def _jitter(rng: Random, most: int) -> int:
    """A multiple of five within ±most; small ones are likelier."""
    return fives(rng.triangular(-most, most, 0))


# schedule_init -----------------------------------------------------------------------------


def answer_schedule_init(v: ScheduleInitVars, rng: Random, lang: Lang) -> ScheduleInitReply:
    """Today's habits, one or two of them swapped for a pastime, and today's promises. Small habits go without saying."""
    me = v.situation.me
    promised = {_stroke(one, lang): minute_of_day(one.start) for one in _due(v.promises, v.day)[: MOST_STROKES - FEWEST_STROKES]}
    chosen = [one for one in habits_on(me, v.day) if one.end > v.wake and one.start < v.bed]
    chosen = _vary(chosen, me, rng, lang)
    while len(chosen) > MOST_STROKES - len(promised):
        chosen.remove(min(chosen[1:-1], key=lambda one: one.end - one.start))
    _enrich(chosen, MOST_STROKES - len(promised), _ideas(me, rng, lang))
    return ScheduleInitReply(strokes=_with_strokes(chosen, promised))


def _enrich(chosen: list[Pursuit], most: int, ideas: list[Pursuit]) -> None:
    """Adds pastimes before the last habit until the day holds enough, in enough places."""
    named = {one.activity for one in chosen}
    ideas[:] = [one for one in ideas if one.activity not in named]
    while len(chosen) < most and ideas and (len(chosen) < FEWEST_STROKES or len({_where(one) for one in chosen}) < OUTINGS):
        outing = next((one for one in ideas if one.tags and _where(one) not in {"home", *map(_where, chosen)}), ideas[-1])
        ideas[:] = [one for one in ideas if one.activity != outing.activity]
        chosen.insert(max(len(chosen) - 1, 0), outing)


def _due(promises: Sequence[Promise], day: date) -> list[Promise]:
    return sorted((one for one in promises if one.start.date() == day), key=lambda one: one.start)


def _with_strokes(chosen: list[Pursuit], promised: dict[str, int]) -> list[str]:
    """Strokes in order: promises stand before the first habit that usually begins after them."""
    strokes = [(one.activity, one.start) for one in chosen]
    for stroke, minute in promised.items():
        at = next((at for at, (_, start) in enumerate(strokes) if start > minute), len(strokes))
        strokes.insert(at, (stroke, minute))
    return [stroke for stroke, _ in strokes]


def _stroke(promise: Promise, lang: Lang) -> str:
    text: str = bank(lang, "planning")["promise"].format(what=bare(clip(promise.what, 160, lang)), time=f"{promise.start:%H:%M}")
    return text


def _vary(habits: list[Pursuit], me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Mornings, meals, work and the last habit stand; of the rest some are swapped for a pastime, no two in a row."""
    varied: list[Pursuit] = []
    ideas = _ideas(me, rng, lang)
    work = _work_place(habits, me)
    for habit in habits:
        chance = rng.random()
        touched = bool(varied) and varied[-1] not in habits
        if chance > 0.35 or touched or habit is habits[-1] or _stands(habit, work, lang):
            varied.append(habit)
        else:
            varied.append(_idea_for(habit.start, ideas))
    return varied


def _work_place(habits: list[Pursuit], me: Persona) -> str:
    """Where most of the day is spent, away from home."""
    home = me.home.split("/")[0]
    minutes: dict[str, int] = {}
    for habit in habits:
        if habit.place.split("/")[0] != home:
            minutes[_where(habit)] = minutes.get(_where(habit), 0) + habit.end - habit.start
    return max(minutes, key=lambda place: minutes[place], default="")


def _stands(habit: Pursuit, work: str, lang: Lang) -> bool:
    length = habit.end - habit.start
    meal = "eat" in {theme.key for theme in themes_of(habit.activity, lang)}
    return habit.start < MORNING or not IDLE_STRETCH <= length <= SWAPPABLE_MINUTES or _where(habit) == work or meal


def _ideas(me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Pastimes in a chance order, with one wording of each interest among them."""
    wordings = len(bank(lang, "planning")["interest"])
    every = interests(me, lang)
    own = [every[at * wordings + rng.randrange(wordings)] for at in range(len(me.interests))]
    return shuffled([*pastimes(lang), *own, *own], rng)


def _idea_for(minute: int, ideas: list[Pursuit]) -> Pursuit:
    """Takes the last idea that suits the time of day out of the list."""
    indoors = not MORNING <= minute < EVENING
    fitting = [at for at, idea in enumerate(ideas) if not indoors or "home" in idea.tags]
    chosen = ideas.pop(fitting[-1] if fitting else -1)
    ideas[:] = [idea for idea in ideas if idea.activity != chosen.activity]
    return chosen


def _where(one: Pursuit) -> str:
    """Where it leads, near enough to count places: an arena, or what kind of place a pastime asks for."""
    return "/".join(one.place.split("/")[:2]) if one.place else "".join(one.tags[:1])


# schedule_daily ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stretch:
    """An activity and the minute at which it begins."""

    start: int
    activity: str


def answer_schedule_daily(v: ScheduleDailyVars, rng: Random, lang: Lang) -> ScheduleDailyReply:
    """The strokes at their usual hours, give or take a quarter; idle gaps filled, promises laid over."""
    me = v.situation.me
    last = max(min(v.bed, DAY), v.wake + 5)
    ideas = [one for one in _ideas(me, rng, lang) if one.activity not in v.strokes]
    spare = [*(one.activity for one in ideas), *(task for habit in me.habits for task in habit.tasks)]
    timed = [one for one in _timed(v, lang) if one.start < last]
    stretches = _in_order(_filled(timed, ideas, v.wake, last), v.wake, last, rng)
    stretches = _with_promises(stretches, _due(v.promises, v.day), last, lang)
    stretches = _diverse(stretches, v.diversity, last, spare)
    hours = [PlannedHour(start=hhmm(min(one.start, DAY)), activity=one.activity) for one in stretches[:32]]
    return ScheduleDailyReply(hours=hours)


def _timed(v: ScheduleDailyVars, lang: Lang) -> list[Pursuit]:
    """The strokes with usual times: habits have their own, others begin where the one before ends.

    Habits that went unsaid come back where there is room.
    """
    promised = {_stroke(promise, lang) for promise in v.promises}
    habits = habits_on(v.situation.me, v.day)
    timed: list[Pursuit] = []
    for stroke in v.strokes:
        if stroke in promised:
            continue
        habit = next((one for one in habits if one.activity == stroke), None)
        if habit:
            habits.remove(habit)
        end = timed[-1].end if timed else v.wake
        timed.append(habit or Pursuit(bare(clip(stroke, 240, lang)) or v.situation.me.name, "", (), (), end, end + 60))
    return sorted([*timed, *(one for one in habits if _fits_between(one, timed))], key=lambda one: one.start)


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
            filled.append(replace(_idea_for(start, ideas), start=start))
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


def _with_promises(stretches: list[Stretch], promises: Sequence[Promise], last: int, lang: Lang) -> list[Stretch]:
    """Promises take their time; what they cut goes on after them."""
    for promise in promises:
        start = minute_of_day(promise.start)
        end = start + promise.minutes
        going = [one for one in stretches if one.start <= end]
        rest = [Stretch(end, going[-1].activity)] if going and end <= last - SHORTEST_STRETCH else []
        kept = [one for one in stretches if not start <= one.start <= end]
        what = bare(clip(promise.what, 160, lang)) or _stroke(promise, lang)
        stretches = sorted([*kept, Stretch(start, what), *rest], key=lambda one: one.start)
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
