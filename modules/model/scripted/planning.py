"""The day as rules plan it: from the persona's habits, with some chance, and around its promises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from modules.clock import DAY, hhmm, minute_of_day, parse_hhmm
from modules.model.scripted.events import MINUTES, events_on
from modules.model.scripted.gist import gist, told
from modules.model.scripted.noticing import close_to
from modules.model.scripted.pursuits import Pursuit, habits_on, ideas_for, kind_of_place, stands, take_idea, work_place
from modules.model.scripted.when import is_stale
from modules.model.scripted.words import bank, bare, capital, clip, fives, is_day_plan, names, sentences, shuffled
from modules.prompt.planning import (
    CurrentlyReply,
    CurrentlyVars,
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
OUTINGS = 3
"""Different arenas that a day should lead to, at least."""

GIST_LENGTH = {"en": 170, "zh": 80}


# currently ---------------------------------------------------------------------------------


def answer_currently(v: CurrentlyVars, rng: Random, lang: Lang) -> CurrentlyReply:
    """The persona's own concern, then what the promises and memories add to it."""
    me, parts = v.situation.me, _own_concern(v, rng, lang)
    phrases = {kind: shuffled(frames, rng) for kind, frames in bank(lang, "planning")["currently"].items()}
    for promise in sorted(v.promises, key=lambda one: one.start)[:1]:
        what = bare(clip(promise.what, 120, lang))
        parts.append(phrases["promise"].pop().format(name=me.name, what=what, when=_when(promise, v.day, lang)))
    for kind, text in _worth_mention(v, parts, lang)[: 3 - len(parts)]:
        parts += [phrases[kind].pop().format(name=me.name, text=text)]
    text = ("" if lang == "zh" else " ").join(capital(part) for part in parts)
    return CurrentlyReply(currently=clip(text, 600, lang) or me.name)


def _own_concern(v: CurrentlyVars, rng: Random, lang: Lang) -> list[str]:
    """One or two sentences as the author wrote them for the first day, without those that "tomorrow" has overtaken."""
    me = v.situation.me
    lasting = [one for one in sentences(me.currently, lang) if not is_stale(one, v.day - timedelta(days=1), v.day, lang)]
    chosen = [clip(one, 240, lang) for one in lasting[: rng.choice((1, 1, 2))]]
    subject, _, rest = chosen[0].partition(" ") if chosen else ("", "", "")
    if lang == "en" and subject.lower() in me.pronouns[:1]:
        chosen[0] = f"{me.name} {rest}"
    return chosen


def _worth_mention(v: CurrentlyVars, said: Sequence[str], lang: Lang) -> list[tuple[str, str]]:
    """(type, gist) of the memories that stand out, hold good today and aren't said yet: the weightiest first, one of each type."""
    known = " ".join((v.situation.me.currently, *said))
    weighty = sorted((one for one in v.memories if one.poignancy >= 4 and not is_day_plan(one)), key=lambda one: (-one.poignancy, -one.id))
    found: dict[str, str] = {}
    for one in weighty:
        text = gist(one, v.situation, lang, GIST_LENGTH[lang])
        small_talk = one.type == "chat" and not told(one, v.situation, lang).text
        if not small_talk and text not in known and text not in found.values() and not is_stale(text, one.created.date(), v.day, lang):
            found.setdefault(one.type, text)
    return list(found.items())


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
    promised = {stroke_of(one, lang): minute_of_day(one.start) for one in due_on(v.promises, v.day)[: MOST_STROKES - FEWEST_STROKES]}
    promised |= _events_to_go_to(v, rng, lang)
    chosen = [one for one in habits_on(me, v.day) if one.end > v.wake and one.start < v.bed]
    chosen = _vary(chosen, me, rng, lang)
    while len(chosen) > MOST_STROKES - len(promised):
        chosen.remove(min((one for one in chosen[1:-1] if one.end), key=lambda one: one.end - one.start, default=chosen[-2]))
    _enrich(chosen, MOST_STROKES - len(promised), ideas_for(me, rng, lang))
    return ScheduleInitReply(strokes=_with_strokes(chosen, promised))


def _enrich(chosen: list[Pursuit], most: int, ideas: list[Pursuit]) -> None:
    """Adds pastimes before the last habit until the day holds enough, in enough places."""
    named = {one.activity for one in chosen}
    ideas[:] = [one for one in ideas if one.activity not in named]
    while len(chosen) < most and ideas and (len(chosen) < FEWEST_STROKES or len({kind_of_place(one) for one in chosen}) < OUTINGS):
        outing = next((one for one in ideas if one.tags and kind_of_place(one) not in {"home", *map(kind_of_place, chosen)}), ideas[-1])
        ideas[:] = [one for one in ideas if one.activity != outing.activity]
        chosen.insert(max(len(chosen) - 1, 0), outing)


def _events_to_go_to(v: ScheduleInitVars, rng: Random, lang: Lang) -> dict[str, int]:
    """Strokes for the day's events that come to mind: one's own, and by chance those of others, the closer the likelier."""
    me, frames = v.situation.me, bank(lang, "planning")["event"]
    taken = [(minute_of_day(one.start), one.minutes) for one in due_on(v.promises, v.day)]
    strokes: dict[str, int] = {}
    for event in events_on(v.day, v.memories, me.name, lang):
        hosts = [close_to(me, one) for one, name in names(v.situation).items() if name in event.clause]
        going = event.own or rng.random() < 0.4 + 0.06 * max(hosts, default=0)
        free = all(start + minutes <= event.start or start >= event.start + MINUTES for start, minutes in taken)
        if event.venue and going and free:
            what = frames["host" if event.own else "guest"].format(topic=event.topic, venue=event.venue)
            strokes[frames["stroke"].format(what=what, time=hhmm(event.start))] = event.start
    return strokes


def event_in(stroke: str, lang: Lang) -> tuple[str, int] | None:
    """(what, minute) of a stroke that says when it begins; None of any other."""
    what, time = re.escape(bank(lang, "planning")["event"]["stroke"]).replace(r"\{what\}", "(?P<what>.+)"), r"(?P<time>\d\d:\d\d)"
    found = re.fullmatch(what.replace(r"\{time\}", time), stroke)
    return (found["what"], parse_hhmm(found["time"])) if found else None


def due_on(promises: Sequence[Promise], day: date) -> list[Promise]:
    return sorted((one for one in promises if one.start.date() == day), key=lambda one: one.start)


def _with_strokes(chosen: list[Pursuit], promised: dict[str, int]) -> list[str]:
    """Strokes in order: promises stand before the first habit that usually begins after them."""
    strokes = [(one.activity, one.start) for one in chosen]
    for stroke, minute in promised.items():
        at = next((at for at, (_, start) in enumerate(strokes) if start > minute), len(strokes))
        strokes.insert(at, (stroke, minute))
    return [stroke for stroke, _ in strokes]


def stroke_of(promise: Promise, lang: Lang) -> str:
    text: str = bank(lang, "planning")["promise"].format(what=bare(clip(promise.what, 160, lang)), time=f"{promise.start:%H:%M}")
    return text


def _vary(habits: list[Pursuit], me: Persona, rng: Random, lang: Lang) -> list[Pursuit]:
    """Mornings, meals, work and the last habit stand; of the rest some are swapped for a pastime, no two in a row."""
    varied: list[Pursuit] = []
    ideas = ideas_for(me, rng, lang)
    work = work_place(habits, me)
    for habit in habits:
        chance = rng.random()
        touched = bool(varied) and varied[-1] not in habits
        if chance > 0.35 or touched or habit is habits[-1] or stands(habit, work, me, lang):
            varied.append(habit)
        else:
            varied.append(take_idea(habit.start, ideas))
    return varied
