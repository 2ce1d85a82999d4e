"""Rules for closed questions: how far residents agree, and how much they give or how high a number
they name, follows from their traits and their ties to others; options, and what is divided, from
the words that they share with the persona. Some refuse.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from hometown.prompt.interview_answers import (
    AMOUNT_SEPARATOR,
    Choices,
    InterviewReply,
    InterviewVars,
)
from hometown.rng import stream
from hometown.text_features import STOP_CHARACTERS, STOP_WORDS, features
from hometown.world.persona import MIDDLING_CANDOUR, Persona

REFUSALS = 0.02
"""Share of refusals for each point by which a resident is less candid than others."""

MANY_TIES = 3
"""Number of relations below which a resident has few ties to the town."""

FAR = 2
"""Maximum distance of agreement from the middle of a scale of five points."""


def choose_closed_option(v: InterviewVars, words: dict[str, Any], rng: Random) -> InterviewReply:
    """Return the resident's answer to a closed question, by traits and ties, with some variation.
    Deterministic in its arguments.
    """
    me, choices = v.situation.me, v.choices
    # Calls of an interview have the same seed: without the question, all items would vary alike.
    rng = stream(rng.getrandbits(32), v.question)
    reserve = max(0, MIDDLING_CANDOUR + 1 - me.candour)
    if rng.random() < REFUSALS * reserve:
        answer = choices.refusal
    elif choices.form == "number":
        level = (FAR + _find_warmth(me, words, rng)) / (2 * FAR)
        answer = choices.options[round(level * (len(choices.options) - 1))]
    elif choices.form == "amounts":
        answer = _divide(choices, me)
    elif set(choices.options) == set(words["agreement"]):
        answer = _agree(v.question, me, words, rng)
    else:
        answer = _prefer(choices.options, me, rng)
    return InterviewReply(evidence=[], answer=answer)


def _agree(question: str, me: Persona, words: dict[str, Any], rng: Random) -> str:
    """Return how far a resident agrees with a sentence about the town."""
    sign = -1 if re.search(words["adverse"], question) else 1
    return str(words["agreement"][FAR + sign * _find_warmth(me, words, rng)])


def _find_warmth(me: Persona, words: dict[str, Any], rng: Random) -> int:
    """Return how warm a resident is towards others, from -`FAR` to `FAR`, with some variation."""
    warmth = _count(words["warm"], me.innate) - _count(words["cool"], me.innate)
    warmth -= len(me.relations or {}) < MANY_TIES
    return max(-FAR, min(FAR, warmth + rng.choice((-1, 0, 0, 1))))


def _divide(choices: Choices, me: Persona) -> str:
    """Return the division in which each thing has a share, in proportion to the words that it has in
    common with the persona and one more; what is left over goes to the first shares cut.
    """
    _, total, unit = choices.span
    own = _persona_units(me)
    weights = [1 + len(_units(thing) & own) for thing in choices.among]
    exact = [total / unit * weight / sum(weights) for weight in weights]
    parts = [int(each) for each in exact]
    by_rest = sorted(range(len(exact)), key=lambda at: (parts[at] - exact[at], choices.among[at]))
    for at in by_rest[: round(total / unit) - sum(parts)]:
        parts[at] += 1
    return AMOUNT_SEPARATOR.join(str(unit * part) for part in parts)


def _prefer(options: tuple[str, ...], me: Persona, rng: Random) -> str:
    """Return the option with most words of the persona, by chance among equal ones. The order in
    which the options are shown has no influence.
    """
    own = _persona_units(me)
    shared = {option: len(_units(option) & own) for option in options}
    most = max(shared.values())
    return rng.choice(sorted(option for option in options if shared[option] == most))


def _persona_units(me: Persona) -> set[str]:
    """Return the content words of a persona."""
    return _units(" ".join((me.occupation, me.innate, me.learned, me.lifestyle, *me.interests)))


def _count(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text.casefold()))


def _units(text: str) -> set[str]:
    """Return the content words of a text, of Chinese pairs of characters."""
    return {unit for kind, unit in features(text) if is_content_word(kind, unit)}


def is_content_word(kind: str, unit: str) -> bool:
    """Return True if a unit of text is a content word: two Chinese characters, or a word of at
    least three letters, that is no function word.
    """
    if kind == "han":
        return len(unit) == 2 and not STOP_CHARACTERS.intersection(unit)
    return kind == "word" and len(unit) > 2 and unit not in STOP_WORDS
