"""Choose the steps of a plan entry in a town with a society, and match steps to possible actions."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

from hometown.language import Lang
from hometown.prompt.errand_matching import (
    GroundReply,
    GroundVars,
    SpokenWay,
    StepsReply,
    StepsVars,
)
from hometown.scripted.doing import own_tasks
from hometown.scripted.words import clip
from hometown.text import overlap

SAME = 0.3
"""Overlap of character trigrams from which on a step means something that can be done."""

_WORDS = {"en": re.compile("[a-z]{4}"), "zh": re.compile("(?=([\u4e00-\u9fff]{2}))")}
"""Regular expressions for the units of comparison: the first four letters of a word, or two
characters.
"""


def answer_steps(v: StepsVars, rng: Random, lang: Lang) -> StepsReply:
    """Return the possible actions that match the activity, then the habit's own tasks; for a choice
    among given steps, the matching ones, or else a few at random in their order.
    """
    about = [
        line
        for line in v.choices or v.reach
        if _words(line.partition(" at ")[0], lang) & _words(v.entry.activity, lang)
    ]
    if v.choices:
        kept = sorted(rng.sample(range(len(v.choices)), min(len(v.choices), v.most)))
        return StepsReply(steps=about[: v.most] or [v.choices[at] for at in kept])
    if v.is_literal:
        about = _choose_ways(v, about)
    own = [
        clip(task, 240, lang)
        for task in own_tasks(v.situation.me, v.entry, v.situation.now.date(), rng, lang)
    ]
    steps = [step for step in dict.fromkeys([*about, *own]) if step.strip()]
    return StepsReply(steps=steps[: v.most] or [v.entry.activity])


def _choose_ways(v: StepsVars, about: list[str]) -> list[str]:
    """Return the steps of known ways, in order: to care for others, to meet the needs that are or
    will be low, then what matches the activity, and other duties.
    """
    called = [way for way in v.ways if way.kind == "care"]
    needed = [way for way in v.ways if way.kind == "need" and way.purpose in v.low]
    owed = [way for way in v.ways if way.kind in ("duty", "work") and not _has_failed(v, way)]
    steps = [step for way in (*called, *needed) for step in way.steps]
    return [*steps, *about, *(step for way in owed for step in way.steps)]


def _has_failed(v: StepsVars, way: SpokenWay) -> bool:
    """Return True if a resident remembers that the end of a way came to nothing in the last day."""
    deed = re.split("[,，]", way.steps[-1])[0]
    since = v.situation.now - timedelta(days=1)
    return any(
        memory.subject == v.situation.me.id and deed in memory.text and memory.created >= since
        for memory in v.remembered
    )


def answer_ground(v: GroundVars, rng: Random, lang: Lang) -> GroundReply:
    """Return, for each step, the number of the option that is worded most like it; 0 if none is
    like it.
    """
    return GroundReply(numbers=[_number(step, v.options) for step in v.steps])


def _words(text: str, lang: Lang) -> set[str]:
    """Return the units of a text by which it is compared."""
    return {
        found
        for word in text.casefold().split()
        for found in _WORDS[lang].findall(word)[: None if lang == "zh" else 1]
    }


def _number(step: str, options: tuple[str, ...]) -> int:
    """Return the number of the option that is worded most like a step; 0 if none is like it."""
    best = max(range(len(options)), key=lambda at: overlap(step, options[at]))
    return best + 1 if overlap(step, options[best]) >= SAME else 0
