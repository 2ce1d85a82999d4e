"""How much something matters, and whether it is worth stopping for."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from modules.clock import minutes_between
from modules.memory.concept import Concept
from modules.model.scripted.words import bank, bare, clip, has
from modules.prompt.noticing import Happening, Neighbour, PoignancyReply, PoignancyVars, ReactReply, ReactVars
from modules.world.persona import Persona
from modules.world.world import Lang

NEWS = 5
"""Poignancy from which on a memory is worth telling."""

DEAR = 7
"""Closeness from which on what happens to somebody matters more."""

LONGEST_WAIT = 20
"""Minutes that one waits for a thing in use."""

TOPIC_LENGTH = {"en": 150, "zh": 70}


# poignancy ---------------------------------------------------------------------------------


def answer_poignancy(v: PoignancyVars, rng: Random, lang: Lang) -> PoignancyReply:
    """By what the words are about, the kind of memory, and who is concerned."""
    return PoignancyReply(ratings=[_rating(one, v, rng, lang) for one in v.happenings])


def _rating(one: Happening, v: PoignancyVars, rng: Random, lang: Lang) -> int:
    me = v.situation.me
    level = max(weight(one.text, lang), _rubric_level(one.text, v.rubric))
    if one.kind == "event" and is_sighting(one.text, lang):
        return min(10, 1 + (bool(one.about) and rng.random() < 0.6) + (level >= 6) + (_dear(one, me) and rng.random() < 0.3))
    if one.kind == "event" and not one.about:
        rating = max(1, level)
    elif one.kind == "thought":
        rating = min(max(2, level - 1), 6)
    else:
        rating = max(4, level)
    rating += rating > 1 and one.kind != "thought" and _dear(one, me)
    rating += rating > 2 and any(interest.lower() in one.text.lower() for interest in me.interests)
    return min(max(rating + rng.choice((-1, 0, 0, 0, 0, 1)), 1), 10)


def _dear(one: Happening, me: Persona) -> bool:
    return any(close_to(me, other) >= DEAR for other in one.about)


@lru_cache(maxsize=4096)
def weight(text: str, lang: Lang) -> int:
    """The highest level (4–9) whose words occur in the text, 0 if none do.

    >>> weight("There will be lay-offs at the studio", "en"), weight("下周六有读书会", "zh")
    (8, 6)
    """
    levels: dict[str, list[str]] = bank(lang, "noticing")["levels"]
    return next((int(level) for level, words in levels.items() if has(text, tuple(words))), 0)


def _rubric_level(text: str, rubric: tuple[tuple[int, str], ...]) -> int:
    """The highest level of the world's scale of which the text holds a phrase word by word; 0 if none."""
    lowered = text.lower()
    return max((level for level, phrases in rubric for phrase in _phrases(phrases) if phrase in lowered), default=0)


@lru_cache(maxsize=128)
def _phrases(text: str) -> tuple[str, ...]:
    parts = re.split(r"[,;.:，；。：、]\s*", text.lower())
    return tuple(part for part in parts if len(part) >= (4 if part.isascii() else 2))


def is_sighting(text: str, lang: Lang) -> bool:
    """Whether the text says what somebody was seen doing, as against something that was heard or thought."""
    phrases = bank(lang, "noticing")
    return bool(re.search(phrases["sighting"], text)) and not has(text, tuple(phrases["dated"]))


def close_to(me: Persona, other: str) -> int:
    """0 (a stranger) to 10, as the world's author has it; 5 for a relation without a number."""
    return (me.closeness or {}).get(other, 5 if me.relation_to(other) else 0)


# react -------------------------------------------------------------------------------------


def answer_react(v: ReactVars, rng: Random, lang: Lang) -> ReactReply:
    """Talks where closeness, news and the time since the last talk make it likely; waits for what is soon free."""
    private = any(place in v.situation.where for place in bank(lang, "noticing")["unsociable_places"])
    chances = [(_chance(one, v, lang) * rng.uniform(0.7, 1.3), one) for one in v.neighbours if not private]
    best = max(chances, key=lambda chance: chance[0], default=None)
    if best and rng.random() < best[0]:
        return ReactReply(decision="talk", whom=best[1].id, topic=_topic(best[1], v, rng, lang))
    if v.waiting_for and v.free_in <= LONGEST_WAIT and rng.random() < 0.9:
        return ReactReply(decision="wait")
    return ReactReply(decision="continue")


def _chance(other: Neighbour, v: ReactVars, lang: Lang) -> float:
    phrases, me = bank(lang, "noticing"), v.situation.me
    chance = 0.02 + 0.02 * other.closeness
    chance += 0.07 * has(me.innate, tuple(phrases["sociable"])) - 0.1 * has(me.innate, tuple(phrases["reserved"]))
    chance += 0.15 * bool(_news_for(other, v))
    return chance * _freshness(other, v)


def _freshness(other: Neighbour, v: ReactVars) -> float:
    """Who has just been talked to has less to say: 0 right after a talk, 1 after some hours."""
    if other.last_talk is None:
        return 1.0
    minutes = minutes_between(other.last_talk, v.situation.now)
    return min(1.0, max(0.0, minutes - 45) / 360)


def _news_for(other: Neighbour, v: ReactVars) -> list[Concept]:
    """Memories worth telling this person: weighty, at first or second hand, and neither about them nor from them."""
    heard = [one for one in v.memories if one.type in ("event", "thought") and (one.talk or not one.evidence)]
    return [one for one in heard if one.poignancy >= NEWS and other.id not in one.about]


def _topic(other: Neighbour, v: ReactVars, rng: Random, lang: Lang) -> str:
    """News if there is some, else what either is busy with or fond of."""
    news = _news_for(other, v)
    if news and rng.random() < 0.75:
        return clip(bare(max(news, key=lambda one: (one.poignancy + 2 * rng.random(), one.id)).text), TOPIC_LENGTH[lang], lang)
    phrases = bank(lang, "noticing")["topics"]
    fields = {
        "interest": rng.choice(v.situation.me.interests or ("",)),
        "doing": other.doing,
        "plan": v.plan[0][1] if v.plan else "",
    }
    kind = rng.choice([key for key, value in fields.items() if value] + ["day"])
    return clip(rng.choice(phrases[kind]).format(name=other.name, **fields), TOPIC_LENGTH[lang], lang)
