"""Second thoughts by rule: what an inner voice says is done, today, when and where it says."""

from __future__ import annotations

from random import Random

from modules.clock import DAY, hhmm, minute_of_day, parse_hhmm
from modules.model.scripted.when import clock_of, day_of, find_when
from modules.model.scripted.words import bank, bare, clip
from modules.prompt.reconsidering import ReconsiderReply, ReconsiderVars
from modules.world.world import Lang

MINUTES = 60
LENGTH = {"en": 120, "zh": 60}


def answer_reconsider(v: ReconsiderVars, rng: Random, lang: Lang) -> ReconsiderReply:
    """The latest thought becomes a plan for today, unless it names another day or what can't be done any more."""
    text, now, today = bare(v.voices[-1]), minute_of_day(v.situation.now), v.situation.now.date()
    when = find_when(text, lang)
    start = _minute(clock_of(when, lang), now)
    if day_of(when, today, lang) not in (None, today) or not now <= start < DAY:
        return ReconsiderReply(activity="", start=hhmm(now), minutes=MINUTES)
    where = next((address for address, name in v.places if name.split(",")[0].casefold() in text.casefold()), "")
    activity = bank(lang, "doing")["voice"].format(text=clip(text, LENGTH[lang], lang))
    return ReconsiderReply(activity=activity, start=hhmm(start), minutes=MINUTES, where=where)


def _minute(clock: str, otherwise: int) -> int:
    """A clock time as somebody wrote it, in minutes; what is none counts as not said."""
    try:
        return parse_hhmm(clock)
    except ValueError:
        return otherwise
