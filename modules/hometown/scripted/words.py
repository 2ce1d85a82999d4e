"""Small tools for phrases: the banks, and how sentences are cut, joined and filled in either
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

import orjson

from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.paths import DATA
from hometown.prompt.prompt import Situation
from hometown.text import word_pattern
from hometown.world.persona import Persona

T = TypeVar("T")

TOPIC_LENGTH = {"en": 150, "zh": 70}
"""Maximum length of the topic of a decision, in characters."""

_SENTENCE = {
    "en": re.compile(r"(?<=[.!?…])[\"”’]?\s+(?=\S)"),
    "zh": re.compile(r"(?<=[。！？…])(?!”|」|$)"),
}
_CLAUSE = {"en": re.compile(r"[,;:–—]\s"), "zh": re.compile(r"[，；：、]")}
_DANGLING = re.compile(r"( (a|an|and|at|by|for|from|her|his|in|of|on|or|that|the|their|to|with))+$")
_CONTROL = re.compile(r"[\x00-\x1f\s]+")


@lru_cache(maxsize=16)
def read_bank(lang: Lang, name: str) -> dict[str, Any]:
    """Return the phrase bank `data/scripted/<lang>/<name>.json`, read once; it is not to be
    changed.
    """
    content: dict[str, Any] = orjson.loads((DATA / "scripted" / lang / f"{name}.json").read_bytes())
    return content


def clip(text: str, limit: int, lang: Lang) -> str:
    """Return a text on one line and within `limit` characters, cut at the end of a clause, or else
    of a word, or else at the limit; a quotation that the cut leaves open is closed.

    >>> clip("a walk by the pond, then tea at home", 25, "en")
    'a walk by the pond'
    >>> clip("Ann said: “Bob is moving house, and he needs boxes.”", 40, "en")
    'Ann said: “Bob is moving house”'
    """
    text = _CONTROL.sub(" ", text).strip()
    if len(text) <= limit:
        return text
    head = _cut(text[: limit - ("“" in text)], limit // 3, lang)
    return f"{head}”" if head.rfind("“") > head.rfind("”") else head


def _cut(head: str, shortest: int, lang: Lang) -> str:
    """Return a text up to the end of its last whole clause, or else of its last whole word, if at
    least `shortest` characters remain.
    """
    ends = [match.start() for match in _CLAUSE[lang].finditer(head)]
    if ends and ends[-1] >= shortest:
        return head[: ends[-1]]
    space = head.rfind(" ")
    return _DANGLING.sub("", head[:space]) if space >= shortest else head


def bare(text: str) -> str:
    """Return a sentence without its full stop, for use within another sentence.

    >>> bare("Ann said: “Bob is moving.”")
    'Ann said: “Bob is moving”'
    """
    return re.sub("[.。]”$", "”", text.strip().rstrip(".。;；,， "))


def sentences(text: str, lang: Lang) -> list[str]:
    """Return the sentences of a text, each with its full stop.

    >>> sentences("She came at 6. Nobody saw her!", "en")
    ['She came at 6.', 'Nobody saw her!']
    """
    return [part.strip() for part in _SENTENCE[lang].split(text) if part.strip()]


def possessive(me: Persona, lang: Lang) -> str:
    """Return the possessive pronoun of a resident: "her", "his", "their"; 「她的」 and so on in
    Chinese.
    """
    if lang == "zh":
        return f"{me.pronouns[0] if me.pronouns else '自己'}的"
    return me.pronouns[2] if len(me.pronouns) > 2 else "their"


def objective(me: Persona, lang: Lang) -> str:
    """Return the objective pronoun of a resident: "her", "him", "them"; 「她」 and so on in Chinese."""
    if lang == "zh":
        return me.pronouns[0] if me.pronouns else me.name
    return me.pronouns[1] if len(me.pronouns) > 1 else "them"


def known_names(situation: Situation) -> dict[str, str]:
    """Return the names, by id, of the others whom this resident knows by name."""
    return {person: name for person, name in situation.names if person != situation.me.id}


def is_day_plan(memory: Concept) -> bool:
    """Return True if a memory is the plan of a whole day; such plans are long, and outdated by the
    next day.
    """
    return memory.type == "plan" and memory.predicate == "plan"


def shuffle(items: Iterable[T], rng: Random) -> list[T]:
    """Return items in random order."""
    mixed = list(items)
    rng.shuffle(mixed)
    return mixed


@lru_cache(maxsize=4096)
def has(text: str, words: tuple[str, ...]) -> bool:
    """Return True if any of the words (regular expressions) occurs in the text, ignoring case."""
    return word_pattern(words).search(text.lower()) is not None


def fives(minutes: float) -> int:
    """Return the nearest multiple of five."""
    return round(minutes / 5) * 5


def tokens(text: str) -> int:
    """Estimate the tokens of a text: one a Chinese character, and one for every four others."""
    # A Chinese character has three bytes in UTF-8.
    wide = (len(text.encode()) - len(text)) // 2
    return wide + (len(text) - wide + 3) // 4
