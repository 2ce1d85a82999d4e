"""Respond to urgent matters: fight, flee or watch a fire, fetch help, repair a broken thing, and
warn others; draft the course of a happening, and judge a measure against it.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hometown.language import Lang
from hometown.prompt.happening_drafts import HappeningReply, HappeningVars, as_draft
from hometown.prompt.measures import MeasureReply, MeasureVars
from hometown.prompt.reactions import CONTINUE, SPEAK, WAIT
from hometown.prompt.responses import (
    CALL,
    DO,
    KEEP,
    LEAVE,
    LONGEST,
    MEANS,
    RUN,
    SHORTEST,
    Matter,
    RespondReply,
    RespondVars,
)
from hometown.scripted.words import TOPIC_LENGTH, bare, clip, has, read_bank
from hometown.world.befalling import happening_kind, usual_course
from hometown.world.world import sector_of

MENDS = 0.9
"""Probability of attending to a thing of one's own that needs repair."""

TELLS = 0.5
"""Probability of first telling those present about a matter that they cannot perceive themselves.
"""

TURNS = {"seen": 0.99, "heard": 0.97, "told": 0.75}
"""Probability of leaving everything for something grave, by how one knows of it."""

SHOUTS, RUNS = 0.5, 0.1
"""Probabilities of calling out something grave to all in hearing, and of running to tell somebody absent."""

MINUTES = (20, 30, 40)
SHOUT_LENGTH = {"en": 100, "zh": 36}
LENGTH = {"en": 80, "zh": 32}


def answer_respond(v: RespondVars, rng: Random, lang: Lang) -> RespondReply:
    """Respond to the heaviest matter: with its remedy if it is a lasting one, else by the
    resident's character and by chance: help, call helpers, leave, fetch, run to tell others, shout,
    or go on.
    """
    first = v.matters[0]
    if first.remedy:
        return _respond_to_condition(first, v, rng, lang)
    phrases: dict[str, Any] = read_bank(lang, "responding")
    ways = phrases["kinds"].get(first.kind) or phrases["kinds"][""]
    if first.how == "told" and v.neighbours and rng.random() < TELLS:
        return _tell(first, rng, v, lang)
    if rng.random() >= TURNS[first.how] - (0.0 if first.kind or v.danger else 0.4):
        return RespondReply(decision=WAIT if first.here else CONTINUE)
    way = _choose_way(first, v, rng, lang)
    if way == "leave" and not (first.kind or v.danger):  # nobody flees from an act like any other
        return RespondReply(decision=WAIT if first.here else CONTINUE)
    is_shouted = v.hearers and (first.kind or v.danger) and rng.random() < SHOUTS
    shout = clip(bare(first.text), SHOUT_LENGTH[lang], lang) if is_shouted else ""
    if way == "help" and v.means:
        number = rng.randrange(len(v.means)) + 1
        decision, minutes = f"{MEANS}{number}", rng.choice(MINUTES)
        return RespondReply(decision=decision, minutes=minutes, shout=shout)
    if way == "fetch" and v.helpers:
        return RespondReply(decision=CALL, shout=shout)
    if way == "leave" and v.appointment:
        return RespondReply(decision=KEEP, shout=shout)
    if way == "leave" and v.danger:
        return RespondReply(decision=LEAVE, where=_choose_refuge(first, v, rng), shout=shout)
    what = rng.choice(ways[way] if first.here else ways["away"])
    where = (
        _choose_refuge(first, v, rng) if first.here and way in ("leave", "fetch") else first.place
    )
    if v.absent and rng.random() < RUNS:
        runs_to = rng.randrange(len(v.absent)) + 1
        return RespondReply(decision=f"{RUN}{runs_to}", shout=shout)
    return RespondReply(
        decision=DO,
        what=clip(_fill_place(what, first, v), LENGTH[lang], lang),
        minutes=rng.choice(MINUTES),
        where=where,
        shout=shout,
    )


def answer_happening(v: HappeningVars, rng: Random, lang: Lang) -> HappeningReply:
    """Draft the usual course of the kind of happening that is recognised by words."""
    return as_draft(usual_course(v.text, lang))


def answer_measure(v: MeasureVars, rng: Random, lang: Lang) -> MeasureReply:
    """Judge an activity by its words: those of the means, or of the kind of the happening."""
    kind = happening_kind(v.happening, lang)
    if v.what in v.means or (kind and kind.rights(v.what)):
        return MeasureReply(effect="helps")
    if v.helpers and v.helpers.casefold() in v.what.casefold():
        return MeasureReply(effect="calls")
    return MeasureReply(effect="useless")


def _respond_to_condition(matter: Matter, v: RespondVars, rng: Random, lang: Lang) -> RespondReply:
    """Return the response to a lasting matter: to repair a thing of one's own, with a craftsman if
    it takes one, or to tell a resident present about a thing of others; each by chance, else to go
    on.
    """
    if not matter.own:
        return (
            _tell(matter, rng, v, lang)
            if v.neighbours and rng.random() < TELLS
            else RespondReply(decision=CONTINUE)
        )
    if rng.random() >= MENDS:
        return RespondReply(decision=CONTINUE)
    handy = has(
        f"{v.situation.me.innate} {v.situation.me.occupation}",
        tuple(read_bank(lang, "responding")["handy"]),
    )
    called = matter.kind == "broken" and not handy
    ways = [
        way for way in read_bank(lang, "responding")["called"] if not v.situation.is_foreign(way)
    ]
    what = rng.choice(ways).format(remedy=matter.remedy) if called else matter.remedy
    minutes = min(max(matter.minutes, SHORTEST) + (20 if called else 0), LONGEST)
    return RespondReply(
        decision=DO, what=clip(what, 2 * LENGTH[lang], lang), minutes=minutes, where=matter.place
    )


def _tell(matter: Matter, rng: Random, v: RespondVars, lang: Lang) -> RespondReply:
    """Return the decision to tell a random resident present about a matter."""
    return RespondReply(
        decision=f"{SPEAK}{rng.randrange(len(v.neighbours)) + 1}",
        what=clip(bare(matter.text), TOPIC_LENGTH[lang], lang),
    )


def _choose_way(matter: Matter, v: RespondVars, rng: Random, lang: Lang) -> str:
    """Choose helping, fetching help, leaving or watching: kind-hearted residents, and those at home
    there, tend to help.
    """
    words, innate = read_bank(lang, "responding"), v.situation.me.innate
    weights = {
        "help": 1.0 + 3.0 * matter.own + 2.0 * has(innate, tuple(words["helpful"])),
        "fetch": 1.0 + has(innate, tuple(words["quick"])),
        "leave": 1.0 + 2.0 * has(innate, tuple(words["timid"])) + (v.situation.me.age < 14),
        "watch": 1.0 + has(innate, tuple(words["curious"])),
    }
    return rng.choices(list(weights), list(weights.values()))[0]


def _choose_refuge(matter: Matter, v: RespondVars, rng: Random) -> int:
    """Return the number of a place in another house; 0 if there is none."""
    houses = {number: sector_of(address) for number, (address, _) in enumerate(v.places, 1)}
    away = [number for number, house in houses.items() if house != houses.get(matter.place)]
    return rng.choice(away) if away else 0


def _fill_place(text: str, matter: Matter, v: RespondVars) -> str:
    """Return a phrase with the name of the place filled in; an event in the resident's own room has
    no place name.
    """
    place = (
        v.places[matter.place - 1][1] if 0 < matter.place <= len(v.places) else v.situation.where
    )
    return text.replace("{place}", place.partition(":")[0])
