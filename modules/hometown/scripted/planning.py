"""Rules for the day's plan: current concerns and goals, waking hours, and an outline of the
persona's habits with random variation, promises and events.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from random import Random

from hometown.clock import DAY, hhmm, minute_of_day, parse_hhmm
from hometown.language import Lang
from hometown.prompt.plans import (
    CurrentlyReply,
    CurrentlyVars,
    ScheduleInitReply,
    ScheduleInitVars,
    WakeUpReply,
    WakeUpVars,
    nearest,
)
from hometown.scripted.events import MINUTES, events_on
from hometown.scripted.findings import core_of
from hometown.scripted.gist import takeaway
from hometown.scripted.noticing import closeness_to
from hometown.scripted.pursuits import (
    Pursuit,
    habits_on,
    ideas_for,
    interests,
    place_of_pursuit,
    stands,
    take_idea,
)
from hometown.scripted.when import is_stale
from hometown.scripted.words import (
    bare,
    clip,
    fives,
    is_day_plan,
    known_names,
    read_bank,
    sentences,
    shuffle,
)
from hometown.text import capital
from hometown.world.persona import Persona
from hometown.world.rows import Promise
from hometown.world.work import workplace

MOST_STROKES = 10
FEWEST_STROKES = 5
OUTINGS = 3
"""Different arenas that a day should lead to, at least."""

OUTING_MINUTES = 60
"""Length of an outing, in minutes, as the schedule has it."""

DAYS_FOR_A_GOAL = 4
"""Days after which an unreached goal leaves the plan."""


# currently ---------------------------------------------------------------------------------


def answer_currently(v: CurrentlyVars, rng: Random, lang: Lang) -> CurrentlyReply:
    """Return the persona's own concern, with additions from the next promise and from memories, and
    the goals.
    """
    me, parts = v.situation.me, _own_concern(v, rng, lang)
    phrases = {
        kind: shuffle(frames, rng)
        for kind, frames in read_bank(lang, "planning")["currently"].items()
    }
    for promise in sorted(v.promises, key=lambda promise: promise.start)[:1]:
        what = bare(clip(promise.what, 120, lang))
        parts.append(
            phrases["promise"]
            .pop()
            .format(name=me.name, what=what, when=_phrase_time(promise, v.day, lang))
        )
    for kind, text in _worth_mention(v, parts, lang)[: 3 - len(parts)]:
        parts += [phrases[kind].pop().format(name=me.name, text=text)]
    text = ("" if lang == "zh" else " ").join(capital(part) for part in parts)
    return CurrentlyReply(
        currently="".join(filter(str.isprintable, clip(text, 600, lang))).strip() or me.name,
        goals=_choose_goals(v, rng, lang),
    )


def _choose_goals(v: CurrentlyVars, rng: Random, lang: Lang) -> list[str]:
    """Return the unreached goals; without any, one morning in three, a new goal from the resident's
    interests.
    """
    open_ones = [goal.what for goal in v.goals if goal.days < DAYS_FOR_A_GOAL]
    ideas = [
        idea.activity
        for idea in interests(v.situation.me, lang)
        if idea.activity not in {goal.what for goal in v.goals}
    ]
    return open_ones or ([rng.choice(ideas)] if ideas and rng.random() < 1 / 3 else [])


def _own_concern(v: CurrentlyVars, rng: Random, lang: Lang) -> list[str]:
    """Return one or two sentences of the concern that the author wrote, without outdated ones; in
    English, a pronoun that begins the first becomes the name.
    """
    me = v.situation.me
    current = [
        sentence
        for sentence in sentences(me.currently, lang)
        if not is_stale(sentence, v.day - timedelta(days=1), v.day, lang)
    ]
    chosen = [clip(sentence, 240, lang) for sentence in current[: rng.choice((1, 1, 2))]]
    subject, _, rest = chosen[0].partition(" ") if chosen else ("", "", "")
    if lang == "en" and subject.lower() in me.pronouns[:1]:
        chosen[0] = f"{me.name} {rest}"
    return chosen


def _worth_mention(v: CurrentlyVars, parts: Sequence[str], lang: Lang) -> list[tuple[str, str]]:
    """Return (type, gist) of the most poignant memory of each type that still applies today and
    isn't among `parts` yet.
    """
    known = " ".join((v.situation.me.currently, *parts))
    weighty = sorted(
        (memory for memory in v.memories if memory.poignancy >= 4 and not is_day_plan(memory)),
        key=lambda memory: (-memory.poignancy, -memory.id),
    )
    gists: dict[str, str] = {}
    for memory in weighty:
        text = core_of(memory, v.situation, lang)
        small_talk = memory.type == "chat" and not takeaway(memory, v.situation, lang).text
        if (
            not small_talk
            and text not in known
            and text not in gists.values()
            and not is_stale(text, memory.created.date(), v.day, lang)
        ):
            gists.setdefault(memory.type, text)
    return list(gists.items())


def _phrase_time(promise: Promise, today: date, lang: Lang) -> str:
    """Return the time of a promise in words relative to today: today, tomorrow or a weekday."""
    phrases = read_bank(lang, "planning")
    key = {0: "today", 1: "tomorrow"}.get((promise.start.date() - today).days, "later")
    text: str = phrases["when"][key].format(
        time=f"{promise.start:%H:%M}", weekday=phrases["weekdays"][promise.start.weekday()]
    )
    return text


# wake_up -----------------------------------------------------------------------------------


def answer_wake_up(v: WakeUpVars, rng: Random, lang: Lang) -> WakeUpReply:
    """Return the usual hours with random variation, the nearest of those offered: up to 20 minutes
    for getting up, 25 for going to bed; later after a long night.
    """
    me = v.situation.me
    late = rng.randrange(15, 50, 5) if v.awake else 0
    wake = min(max(fives(me.wake) + late + _jitter(rng, 20), 0), DAY - 5)
    bed = (fives(me.bed) + _jitter(rng, 25)) % DAY
    return WakeUpReply(wake=hhmm(nearest(wake, v.wakes)), bed=hhmm(nearest(bed, v.beds)))


def _jitter(rng: Random, most: int) -> int:
    """Return a random number of minutes between -`most` and `most`, rounded to a multiple of five;
    those near 0 are likelier.
    """
    return fives(rng.triangular(-most, most, 0))


# schedule_init -----------------------------------------------------------------------------


def answer_schedule_init(v: ScheduleInitVars, rng: Random, lang: Lang) -> ScheduleInitReply:
    """Return today's habits, some of them swapped for a pastime, with goals, promises and events;
    pastimes are added to a day with little in it, and the shortest habits omitted from a full one.
    """
    me = v.situation.me
    promised = {
        stroke_of(promise, lang): minute_of_day(promise.start)
        for promise in due_on(v.promises, v.day)[: MOST_STROKES - FEWEST_STROKES]
    }
    promised |= _events_to_go_to(v, rng, lang)
    chosen = [habit for habit in habits_on(me, v.day) if habit.end > v.wake and habit.start < v.bed]
    chosen = _vary(chosen, me, rng, lang)
    room = MOST_STROKES - len(promised) - len(v.goals)
    while len(chosen) > room:
        chosen.remove(
            min(
                (habit for habit in chosen[1:-1] if habit.end),
                key=lambda habit: habit.end - habit.start,
                default=chosen[-2],
            )
        )
    for goal in v.goals:
        if all(pursuit.activity != goal.what for pursuit in chosen):
            chosen.insert(max(len(chosen) - 1, 0), Pursuit(goal.what, "", (), ()))
    _enrich(chosen, MOST_STROKES - len(promised), ideas_for(me, rng, lang))
    return ScheduleInitReply(strokes=_with_strokes(chosen, promised))


def _enrich(chosen: list[Pursuit], most: int, ideas: list[Pursuit]) -> None:
    """Add pastimes between the habits, each in the widest gap, until the day holds enough, in
    enough places; used ones are taken from `ideas`. For the sake of another place no habit is cut
    short.
    """
    named = {pursuit.activity for pursuit in chosen}
    ideas[:] = [idea for idea in ideas if idea.activity not in named]
    while (
        len(chosen) < most
        and ideas
        and (
            len(chosen) < FEWEST_STROKES
            or len({place_of_pursuit(pursuit) for pursuit in chosen}) < OUTINGS
        )
    ):
        outing = next(
            (
                idea
                for idea in ideas
                if idea.tags
                and place_of_pursuit(idea) not in {"home", *map(place_of_pursuit, chosen)}
            ),
            ideas[-1],
        )
        ideas[:] = [idea for idea in ideas if idea.activity != outing.activity]
        at, start, minutes = _widest_gap(chosen)
        if minutes < OUTING_MINUTES and len(chosen) >= FEWEST_STROKES:
            return
        chosen.insert(at, replace(outing, start=start, end=start + OUTING_MINUTES))


def _widest_gap(chosen: Sequence[Pursuit]) -> tuple[int, int, int]:
    """Return the position of the widest gap between pursuits with a time, the minute of the day at
    which it begins, and its length in minutes; before the last pursuit if there is none.
    """
    timed = [(at, pursuit) for at, pursuit in enumerate(chosen) if pursuit.end]
    gaps = [
        (after.start - before.end, at, before.end) for (_, before), (at, after) in pairwise(timed)
    ]
    minutes, at, start = max(gaps, default=(0, max(len(chosen) - 1, 0), 0))
    return at, start, minutes


def _events_to_go_to(v: ScheduleInitVars, rng: Random, lang: Lang) -> dict[str, int]:
    """Return broad strokes of the plan for attending events of the day, each with its start in
    minutes since midnight.

    These are the events in the memories of the prompt that have a place and no promise at their
    time: all that the resident gives, and some that others give, at random, with a probability
    that rises with the closeness to them.
    """
    me, frames = v.situation.me, read_bank(lang, "planning")["event"]
    taken = [
        (minute_of_day(promise.start), promise.minutes) for promise in due_on(v.promises, v.day)
    ]
    strokes: dict[str, int] = {}
    for event in events_on(v.day, v.memories, me.name, lang):
        hosts = [
            closeness_to(me, person)
            for person, name in known_names(v.situation).items()
            if name in event.clause
        ]
        going = event.own or rng.random() < 0.4 + 0.06 * max(hosts, default=0)
        free = all(
            start + minutes <= event.start or start >= event.start + MINUTES
            for start, minutes in taken
        )
        if event.venue and going and free:
            what = frames["host" if event.own else "guest"].format(
                topic=event.topic, venue=event.venue
            )
            strokes[frames["stroke"].format(what=what, time=hhmm(event.start))] = event.start
    return strokes


def event_in(stroke: str, lang: Lang) -> tuple[str, int] | None:
    """Return (activity, start in minutes since midnight) of a broad stroke that names a time; None
    for any other.
    """
    what, time = (
        re.escape(read_bank(lang, "planning")["event"]["stroke"]).replace(
            r"\{what\}", "(?P<what>.+)"
        ),
        r"(?P<time>(?:[01]\d|2[0-3]):[0-5]\d)",
    )
    match = re.fullmatch(what.replace(r"\{time\}", time), stroke)
    return (match["what"], parse_hhmm(match["time"])) if match else None


def due_on(promises: Sequence[Promise], day: date) -> list[Promise]:
    """Return the promises for a day in the order of their starts."""
    return sorted(
        (promise for promise in promises if promise.start.date() == day),
        key=lambda promise: promise.start,
    )


def _with_strokes(chosen: list[Pursuit], promised: dict[str, int]) -> list[str]:
    """Return the broad strokes of the day in order: the activities of `chosen`, and before the
    first of them that usually begins later, each stroke of `promised` (with its minute of the day).
    """
    strokes = [(pursuit.activity, pursuit.start) for pursuit in chosen]
    for stroke, minute in promised.items():
        at = next((at for at, (_, start) in enumerate(strokes) if start > minute), len(strokes))
        strokes.insert(at, (stroke, minute))
    return [stroke for stroke, _ in strokes]


def stroke_of(promise: Promise, lang: Lang) -> str:
    """Return a promise as a broad stroke of the day's plan, with its time."""
    text: str = read_bank(lang, "planning")["promise"].format(
        what=bare(clip(promise.what, 160, lang)), time=f"{promise.start:%H:%M}"
    )
    return text


def _vary(habits: list[Pursuit], me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Return the habits with some replaced by pastimes, never two in a row. Mornings, meals, work
    and the last habit are kept.
    """
    varied: list[Pursuit] = []
    ideas = ideas_for(me, rng, lang)
    work = workplace(habits, me.home)
    for habit in habits:
        chance = rng.random()
        touched = bool(varied) and varied[-1] not in habits
        if chance > 0.35 or touched or habit is habits[-1] or stands(habit, work, me, lang):
            varied.append(habit)
        else:
            varied.append(take_idea(habit.start, ideas))
    return varied
