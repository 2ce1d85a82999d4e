"""Rules for reconsidering the plan: an inner voice's instruction becomes an activity for today, at
its time and place.
"""

from __future__ import annotations

from random import Random

from hometown.clock import DAY, hhmm, minute_of_day, parse_hhmm
from hometown.language import Lang
from hometown.prompt.second_thoughts import ReconsiderReply, ReconsiderVars
from hometown.scripted.when import clock_of, day_of, find_when
from hometown.scripted.words import bare, clip, read_bank

MINUTES = 60
LENGTH = {"en": 120, "zh": 60}


def answer_reconsider(v: ReconsiderVars, rng: Random, lang: Lang) -> ReconsiderReply:
    """Turn the latest thought into a plan for today, unless it names another day or a time that has
    passed.
    """
    text, now, today = bare(v.voices[-1]), minute_of_day(v.situation.now), v.situation.now.date()
    when = find_when(text, lang)
    start = _minute(clock_of(when, lang), now)
    if day_of(when, today, lang) not in (None, today) or not now <= start < DAY:
        return ReconsiderReply(activity="", start=hhmm(now), minutes=MINUTES)
    where = next(
        (
            number
            for number, (_, name) in enumerate(v.places, 1)
            if name.split(",")[0].casefold() in text.casefold()
        ),
        0,
    )
    activity = read_bank(lang, "doing")["voice"].format(text=clip(text, LENGTH[lang], lang))
    return ReconsiderReply(activity=activity, start=hhmm(start), minutes=MINUTES, where=where)


def _minute(clock: str, otherwise: int) -> int:
    """Return a written clock time in minutes; `otherwise` if it is not one."""
    try:
        return parse_hhmm(clock)
    except ValueError:
        return otherwise
