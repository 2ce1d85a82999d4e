"""Rules for poignancy, and for reactions to perceived events."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from hometown.agent.acting.talk_urge import novelty_factor
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.reactions import (
    CONTINUE,
    SPEAK,
    WAIT,
    Neighbour,
    PoignancyReply,
    PoignancyVars,
    RatedEvent,
    ReactReply,
    ReactVars,
)
from hometown.scripted.clauses import split_source
from hometown.scripted.words import TOPIC_LENGTH, bare, clip, has, read_bank
from hometown.world.befalling import happening_kind
from hometown.world.persona import Persona

NEWS = 5
"""Poignancy from which on a memory is worth telling."""

DEAR = 7
"""Closeness from which events that concern a resident weigh more."""

READY, READY_WITH_NEWS = 0.4, 0.8
"""Probabilities that a resident who would like to talk does so, without news and with news."""

LONGEST_WAIT = 20
"""Maximum minutes of waiting for a thing in use."""


# poignancy ---------------------------------------------------------------------------------


def answer_poignancy(v: PoignancyVars, rng: Random, lang: Lang) -> PoignancyReply:
    """Rate each happening by the subject of its text, the kind of memory, and the people concerned."""
    return PoignancyReply(
        ratings=[
            rating(happening, v.situation.me, v.rubric, rng, lang) for happening in v.happenings
        ]
    )


def rating(
    happening: RatedEvent, me: Persona, rubric: tuple[tuple[int, str], ...], rng: Random, lang: Lang
) -> int:
    """Return a happening's poignancy for a resident, 1–10: by its words, its kind, closeness to
    those concerned, interests and a random part; sightings weigh little.
    """
    level = max(weight(happening.text, lang), _rubric_level(happening.text, rubric))
    if happening.kind == "event" and is_sighting_text(happening.text, lang):
        return min(
            10,
            1
            + (bool(happening.about) and rng.random() < 0.6)
            + (level >= 6)
            + (_is_about_dear(happening, me) and rng.random() < 0.3),
        )
    if happening.kind == "event" and not happening.about:
        rated = max(1, level)
    elif happening.kind == "thought":
        rated = min(max(2, level - 1), 6)
    else:
        rated = max(4, level)
    rated += rated > 1 and happening.kind != "thought" and _is_about_dear(happening, me)
    rated += rated > 2 and any(
        interest.lower() in happening.text.lower() for interest in me.interests
    )
    return min(max(rated + rng.choice((-1, 0, 0, 0, 0, 1)), 1), 10)


def _is_about_dear(happening: RatedEvent, me: Persona) -> bool:
    """Return True if a happening concerns a resident to whom this one is close."""
    return any(closeness_to(me, other) >= DEAR for other in happening.about)


@lru_cache(maxsize=4096)
def weight(text: str, lang: Lang) -> int:
    """Return the highest level (4–9) whose words occur in the text, or, if higher, one less than
    the weight of its kind of happening; 0 if neither.

    >>> weight("There will be lay-offs at the studio", "en"), weight("下周六有读书会", "zh")
    (8, 6)
    """
    levels: dict[str, list[str]] = read_bank(lang, "noticing")["levels"]
    happening = happening_kind(text, lang)
    return max(
        next((int(level) for level, words in levels.items() if has(text, tuple(words))), 0),
        happening.weight - 1 if happening else 0,
    )


def _rubric_level(text: str, rubric: tuple[tuple[int, str], ...]) -> int:
    """Return the highest level of the world's scale with a phrase that occurs verbatim in the text;
    0 if none.
    """
    lowered = text.lower()
    return max(
        (level for level, phrases in rubric for phrase in _phrases(phrases) if phrase in lowered),
        default=0,
    )


@lru_cache(maxsize=128)
def _phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a level of the scale, in lower case, without very short ones."""
    parts = re.split(r"[,;.:，；。：、]\s*", text.lower())
    return tuple(part for part in parts if len(part) >= (4 if part.isascii() else 2))


def is_sighting_text(text: str, lang: Lang) -> bool:
    """Return True if the text reports an observed activity rather than hearsay or a thought."""
    phrases = read_bank(lang, "noticing")
    told = bool(split_source(text, lang)[1]) or has(text, tuple(phrases["dated"]))
    return not told and bool(re.search(phrases["sighting"], text))


def closeness_to(me: Persona, other: str) -> int:
    """Return a resident's closeness to another as the world's author gave it, from 0 (a stranger)
    to 10; 5 for a relation without a number.
    """
    return (me.closeness or {}).get(other, 5 if me.relation_to(other) else 0)


# react -------------------------------------------------------------------------------------


def answer_react(v: ReactVars, rng: Random, lang: Lang) -> ReactReply:
    """Talk with a probability from closeness, news and the time since the last conversation; wait
    for a thing that is free soon.
    """
    private = any(
        place in v.situation.where for place in read_bank(lang, "noticing")["unsociable_places"]
    )
    inclined = len(v.neighbours) - v.near if v.inclined else 0
    chances = [
        (chance(neighbour, v, lang) * rng.uniform(0.7, 1.3), neighbour)
        for at, neighbour in enumerate(v.neighbours)
        if not private
        for chance in (_inclined_probability if at < inclined else _talk_probability,)
    ]
    best = max(chances, key=lambda chance: chance[0], default=None)
    if best and rng.random() < best[0]:
        return ReactReply(
            decision=f"{SPEAK}{v.neighbours.index(best[1]) + 1}",
            topic=_choose_topic(best[1], v, rng, lang),
        )
    if v.waiting_for and v.free_in <= LONGEST_WAIT and rng.random() < 0.9:
        return ReactReply(decision=WAIT)
    return ReactReply(decision=CONTINUE)


def _inclined_probability(other: Neighbour, v: ReactVars, lang: Lang) -> float:
    """Return the probability of talking to a resident whom this one would like to talk to."""
    return (READY_WITH_NEWS if _list_news_for(other, v) else READY) + 0.1 * _sociability(v, lang)


def _sociability(v: ReactVars, lang: Lang) -> int:
    """Return 1 for sociable characters, −1 for reserved ones, 0 for all others."""
    phrases, innate = read_bank(lang, "noticing"), v.situation.me.innate
    return has(innate, tuple(phrases["sociable"])) - has(innate, tuple(phrases["reserved"]))


def _talk_probability(other: Neighbour, v: ReactVars, lang: Lang) -> float:
    """Return the probability of talking to a resident: by closeness, character, news and the time
    since the last conversation.
    """
    phrases, me = read_bank(lang, "noticing"), v.situation.me
    chance = 0.02 + 0.02 * other.closeness
    chance += 0.07 * has(me.innate, tuple(phrases["sociable"])) - 0.1 * has(
        me.innate, tuple(phrases["reserved"])
    )
    chance += 0.15 * bool(_list_news_for(other, v))
    return chance * novelty_factor(other, v.situation.now)


def _list_news_for(other: Neighbour, v: ReactVars) -> list[Concept]:
    """Return the memories worth telling this person: of high poignancy, experienced or heard, and
    not about that person.
    """
    passable = [
        memory
        for memory in v.memories
        if memory.type in ("event", "thought") and (memory.talk or not memory.evidence)
    ]
    return [
        memory for memory in passable if memory.poignancy >= NEWS and other.id not in memory.about
    ]


def _choose_topic(other: Neighbour, v: ReactVars, rng: Random, lang: Lang) -> str:
    """Return news to talk about, if there is any and by chance, else a phrase about an activity, a
    plan, an interest or the day.
    """
    news = _list_news_for(other, v)
    if news and rng.random() < 0.75:
        return clip(
            bare(
                max(news, key=lambda memory: (memory.poignancy + 2 * rng.random(), memory.id)).text
            ),
            TOPIC_LENGTH[lang],
            lang,
        )
    phrases = read_bank(lang, "noticing")["topics"]
    fields = {
        "interest": rng.choice(v.situation.me.interests or ("",)),
        "doing": other.doing,
        "plan": v.plan[0][1] if v.plan else "",
    }
    kind = rng.choice([key for key, value in fields.items() if value] + ["day"])
    return clip(
        rng.choice(phrases[kind]).format(name=other.name, **fields), TOPIC_LENGTH[lang], lang
    )
