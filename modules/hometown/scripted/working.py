"""Rules for the steps of an entry in a town with a society, and for what they mean."""

from __future__ import annotations

import re
from random import Random

from hometown.language import Lang
from hometown.prompt.working import GroundReply, GroundVars, StepsReply, StepsVars
from hometown.scripted.doing import own_tasks
from hometown.scripted.words import clip
from hometown.text import overlap

SAME = 0.3
"""Overlap of character trigrams from which on a step means something that can be done."""

_WORDS = {"en": re.compile("[a-z]{4}"), "zh": re.compile("(?=([\u4e00-\u9fff]{2}))")}
"""By what a language's words are compared: four letters from where a word begins, or two
characters.
"""


def answer_steps(v: StepsVars, rng: Random, lang: Lang) -> StepsReply:
    """What can be done that the activity is about, then the habit's own tasks; of steps to choose
    from, those, else any few in their order.
    """
    about = [
        line
        for line in v.choices or v.reach
        if _words(line.partition(" at ")[0], lang) & _words(v.entry.activity, lang)
    ]
    if v.choices:
        kept = sorted(rng.sample(range(len(v.choices)), min(len(v.choices), v.most)))
        return StepsReply(steps=about[: v.most] or [v.choices[at] for at in kept])
    own = [
        clip(task, 240, lang)
        for task in own_tasks(v.situation.me, v.entry, v.situation.now.date(), rng, lang)
    ]
    steps = [step for step in dict.fromkeys([*about, *own]) if step.strip()]
    return StepsReply(steps=steps[: v.most] or [v.entry.activity])


def answer_ground(v: GroundVars, rng: Random, lang: Lang) -> GroundReply:
    """The option that is worded most like a step, if it is like it at all."""
    return GroundReply(numbers=[_number(step, v.options) for step in v.steps])


def _words(text: str, lang: Lang) -> set[str]:
    return {
        found
        for word in text.casefold().split()
        for found in _WORDS[lang].findall(word)[: None if lang == "zh" else 1]
    }


def _number(step: str, options: tuple[str, ...]) -> int:
    best = max(range(len(options)), key=lambda at: overlap(step, options[at]))
    return best + 1 if overlap(step, options[best]) >= SAME else 0
