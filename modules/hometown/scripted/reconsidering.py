"""Rules for reconsidering the plan: an inner voice's instruction becomes an activity for today, at
its time and place; a reason of the resident's own may become one that concerns another.
"""

from __future__ import annotations

import re
from datetime import datetime
from random import Random

from hometown.agent.mind.due import LATE_MINUTES, find_date, names_day
from hometown.agent.mind.meant import is_refraining
from hometown.clock import DAY, hhmm, minute_of_day, parse_hhmm
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import MOST_SETTLED
from hometown.prompt.second_thoughts import (
    MOST_DAYS_AHEAD,
    MOST_DROPPED,
    OccasionAnswer,
    ReconsiderReply,
    ReconsiderVars,
)
from hometown.scripted import wish_talk
from hometown.scripted.phrases import bank
from hometown.scripted.when import clock_of, day_of, find_when
from hometown.scripted.words import bare, clip, known_names, read_bank
from hometown.text import catalogue, overlap
from hometown.world.world import sector_of

MINUTES, SHORT, LATER = 60, 30, (20, 60, 120, 180)
"""Minutes for an inner voice and for a reason of one's own, and until the latter is seen to."""

ACTS, ACTS_DATED = 0.3, 0.7
"""Probability of doing something about what has happened, and about what names a time of today."""

TAKES_OVER = 0.5
"""Probability of taking over a gathering whose host is missing."""

DONE = 0.3
"""Overlap of character trigrams (Jaccard) from which what has happened makes a line of the plan
superfluous.
"""

LENGTH = {"en": 120, "zh": 60}


def answer_reconsider(v: ReconsiderVars, rng: Random, lang: Lang) -> ReconsiderReply:
    """Turn the latest inner voice into a plan for today, unless it names another day or a time that
    has passed; a wish to refrain needs none. Without voices, see to the resident's own reasons.
    """
    if not v.voices:
        return _see_to(v, rng, lang)
    if changed := _change_occasion(v, lang):
        return changed
    text, now, today = bare(v.voices[-1]), minute_of_day(v.situation.now), v.situation.now.date()
    if is_refraining(text, lang):
        return ReconsiderReply(activity="", start=hhmm(now), minutes=MINUTES, answer="yes")
    when = find_when(text, lang)
    dated = find_date(text, v.situation.now, lang, is_meant=True)
    start = _minute(clock_of(when or text, lang), max(now, dated.start if dated else now))
    day = day_of(when, today, lang) or (dated.day if dated else None)
    is_undated = day is None and not names_day(text, v.situation.now, lang)
    is_today = v.is_for_today or is_undated or day == today
    if not is_today or not now <= start < DAY:
        because = read_bank(lang, "doing")["not_today"]
        return ReconsiderReply(activity="", start=hhmm(now), minutes=MINUTES, because=because)
    where = next(
        (
            number
            for number, (_, name) in enumerate(v.places, 1)
            if name.split(",")[0].casefold() in text.casefold()
        ),
        0,
    )
    activity = wish_talk.as_activity(bare(text.replace(when, "")), v.situation.me.name, lang)
    if not activity:
        activity = read_bank(lang, "doing")["voice"].format(text=text)
    return ReconsiderReply(
        activity=clip(activity, LENGTH[lang], lang),
        start=hhmm(start),
        minutes=MINUTES,
        where=where,
        answer="yes",
    )


def _change_occasion(v: ReconsiderVars, lang: Lang) -> ReconsiderReply | None:
    """Return the reply that does with an occasion what the latest inner voice says; None if it says
    nothing of it.
    """
    text, words = v.voices[-1], catalogue(lang, "wishes")
    patterns: dict[OccasionAnswer, str] = {
        "call off": words["calls_off"],
        "move": words["moves"],
        "take over": words["takes_over"],
    }
    said = (
        choice
        for choice in v.occasion_choices
        if choice != "keep" and re.search(patterns[choice], text, re.IGNORECASE)
    )
    choice = next(said, None)
    if choice is None or v.meant is None or is_refraining(text, lang):
        return None
    places = (name.split(",")[0].casefold() for _, name in v.places)
    named = (number for number, name in enumerate(places, 1) if name in text.casefold())
    begins = f"{v.situation.now:%H:%M}"
    day = day_of(find_when(text, lang), v.situation.now.date(), lang) if choice == "move" else None
    new_day = f"{day}" if day and 0 <= (day - v.situation.now.date()).days < MOST_DAYS_AHEAD else ""
    new_start = _find_hour(text, v.meant.start, lang) if choice == "move" else ""
    new_place = next(named, 0) if choice == "move" else 0
    return ReconsiderReply(
        activity="",
        start=begins,
        minutes=SHORT,
        answer="yes",
        occasion=choice,
        new_day=new_day,
        new_start=new_start,
        new_place=new_place,
    )


def _find_hour(text: str, before: datetime, lang: Lang) -> str:
    """Return the time that a text names as HH:MM, in the same half of the day as an earlier one if it
    names none; "" for no time.
    """
    spoken = re.sub(r"\bto (?=\w+)", "at ", text) if lang == "en" else text
    due = find_date(spoken, before.replace(hour=0, minute=0), lang, is_meant=True)
    if due is None or not due.is_timed:
        return ""
    minute = due.end - LATE_MINUTES
    is_half_named = re.search(r"\d{2}:\d{2}|[ap]\.?m\b|morning|[上早]", text)
    if minute < DAY // 2 <= minute_of_day(before) and not is_half_named:
        minute += DAY // 2
    return hhmm(minute)


def _see_to(v: ReconsiderVars, rng: Random, lang: Lang) -> ReconsiderReply:
    """Return a plan about the weightiest event or else the first intention, and the lines of the
    plan and the intentions that the events make superfluous. The plan is made by chance, if the
    matter concerns another resident and no fixed line is near, at the time that it names or later
    today; else the activity is "".
    """
    first = max(
        v.happened or v.open_intentions[:1], key=lambda memory: (memory.poignancy, memory.id)
    )
    now, today = minute_of_day(v.situation.now), v.situation.now.date()
    drop, settled = _superfluous_lines(v, first), _settled_intentions(v)
    when = find_when(first.text, lang)
    start = _minute(clock_of(when, lang), 0)
    is_dated = day_of(when, today, lang) in (None, today) and now < start < DAY - MINUTES
    names = known_names(v.situation)
    others = [names[who] for who in first.about if who in names and who != v.situation.me.id]
    begins = start if is_dated else min(now + rng.choice(LATER), DAY - 1)
    taken = any(
        at - SHORT < begins < at + MINUTES
        for number, (at, _) in enumerate(v.plan, 1)
        if number not in v.open_lines
    )
    if "take over" in v.occasion_choices and rng.random() < TAKES_OVER:
        return ReconsiderReply(
            activity="", start=hhmm(now), minutes=SHORT, occasion="take over", settled=settled
        )
    if not others or taken or rng.random() >= (ACTS_DATED if is_dated else ACTS):
        return ReconsiderReply(
            activity="",
            start=hhmm(now),
            minutes=SHORT,
            drop=drop,
            settled=settled,
        )
    has_quarrelled = any(move.act == "sum_quarrel" for move in bank(lang).recognise(first.text))
    phrases: list[str] = read_bank(lang, "doing")["amends" if has_quarrelled else "reasons"]
    activity = clip(rng.choice(phrases).format(other=others[0]), LENGTH[lang], lang)
    return ReconsiderReply(
        activity=activity,
        start=hhmm(begins),
        minutes=SHORT,
        where=_home_number(v),
        drop=drop,
        settled=settled,
    )


def _superfluous_lines(v: ReconsiderVars, first: Concept) -> list[int]:
    """Return the numbers of the lines of the plan that an event makes superfluous, up to
    `MOST_DROPPED`; none for an intention.
    """
    same = (number for number in v.open_lines if overlap(v.plan[number - 1][1], first.text) >= DONE)
    return list(same)[:MOST_DROPPED] if v.happened else []


def _settled_intentions(v: ReconsiderVars) -> list[int]:
    """Return the numbers of the intentions that events have carried out, up to `MOST_SETTLED`; a
    thought or a talk about one does not.
    """
    events = [memory.text for memory in v.happened if memory.type == "event"]
    return [
        number
        for number, intention in enumerate(v.open_intentions, 1)
        if any(overlap(intention.text, event) >= DONE for event in events)
    ][:MOST_SETTLED]


def _home_number(v: ReconsiderVars) -> int:
    """Return the number of a place in the resident's own house; 0 if there is none."""
    home = sector_of(v.situation.me.home)
    return next(
        (number for number, (address, _) in enumerate(v.places, 1) if sector_of(address) == home), 0
    )


def _minute(clock: str, otherwise: int) -> int:
    """Return a written clock time in minutes; `otherwise` if it is not one."""
    try:
        return parse_hhmm(clock)
    except ValueError:
        return otherwise
