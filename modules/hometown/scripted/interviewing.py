"""Rules for interviews: an answer quotes a memory, the plan or the persona, or says that the
resident doesn't know. Nothing else is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from hometown.clock import DAY, hhmm, minute_of_day, parse_hhmm
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import DENSITY
from hometown.prompt.interview_answers import ANSWER_LENGTH, InterviewReply, InterviewVars, Knows
from hometown.prompt.wording import fitting
from hometown.scripted.choosing import choose_closed_option, is_content_word
from hometown.scripted.clauses import split_source
from hometown.scripted.words import bare, clip, read_bank
from hometown.text import names_any, nest_quotes
from hometown.text_features import features

QUOTED = {"en": 190, "zh": 76}
"""Characters of a memory that are quoted."""

MOST_QUOTED, MOST_PLANNED, MOST_DONE = 2, 4, 6
"""Memories quoted, parts of the plan, and parts of the day so far named, in one answer."""

PARTS_OF_DAY = {"morning": (0, 12 * 60), "afternoon": (12 * 60, 18 * 60), "evening": (17 * 60, DAY)}
"""The parts of the day that a question may be about, in minutes since midnight."""

NEAR = 0.5
"""Share of a question's words from which a memory counts as related; a memory with all of them
answers it.
"""

_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")


def answer_interview(v: InterviewVars, rng: Random, lang: Lang) -> InterviewReply:
    """Return the resident's answer to a question. Hypothetical questions stay undecided; those
    about the resident, the day so far, the plan or the present are answered from these, all others
    from memories or else the relation to the residents named. Deterministic in its arguments.
    """
    words = read_bank(lang, "interviewing")
    if v.choices.options:
        return choose_closed_option(v, words, rng)
    if _mentions(v.question, words["would"]):
        return _reply(rng.choice(words["undecided"]), "unsure", lang)
    if _mentions(v.question, words["self"]):
        me = v.situation.me
        return _reply(
            words["about_me"].format(name=me.name, age=me.age, occupation=bare(me.occupation)),
            "yes",
            lang,
        )
    topic = _find_topic(v, words, lang)
    if not topic.units and not topic.people:
        if _mentions(v.question, words["plans"]):
            return _reply(_quote_plan(v, words), "yes", lang)
        if _mentions(v.question, words["now"]):
            return _reply(
                words["here"].format(where=v.situation.where, doing=bare(v.situation.doing)),
                "yes",
                lang,
            )
    if _mentions(v.question, words["past"]) and not _mentions(v.question, words["another_day"]):
        told = _tell_day(v, topic, words)
        if told:
            return _reply(told, "yes", lang)
    reply = _quote_memories(v.memories, topic, words, rng, lang)
    related = [
        _describe_relation(v, who, words) for who in topic.people if v.situation.me.relation_to(who)
    ]
    return (
        _reply("".join(related), "yes", lang)
        if reply.knows == "no" and related and not topic.units
        else reply
    )


def _describe_relation(v: InterviewVars, who: str, words: dict[str, Any]) -> str:
    """Return the persona's relation to an acquaintance, as a sentence."""
    return str(
        words["related"].format(
            other=dict(v.situation.names)[who], relation=bare(v.situation.me.relation_to(who))
        )
    )


# memories ----------------------------------------------------------------------------------


@frozen
class _Topic:
    """The subject of a question: content words (in Chinese, pairs of characters), and the people
    that it names, by id with the parts of their names.
    """

    units: frozenset[str]
    people: dict[str, tuple[str, ...]]

    def share(self, memory: Concept) -> float:
        """Return the share of the question that a memory covers, 0–1; 0 if it concerns none of the
        people.
        """
        text = memory.text.casefold()
        if self.people and not all(
            who in memory.about or names_any(parts, memory.text)
            for who, parts in self.people.items()
        ):
            return 0.0
        if not self.units:
            return 1.0 if self.people else 0.0
        return sum(unit in text for unit in self.units) / len(self.units)


def _find_topic(v: InterviewVars, words: dict[str, Any], lang: Lang) -> _Topic:
    """Return the topic of the question, or, where it has none ("When is it?"), of the latest one
    before it that had.
    """
    for question in (v.question, *(asked for asked, _ in reversed(v.lines))):
        topic = _topic_of(question, v.situation.names, v.situation.me.id, words, lang)
        if (
            topic.units
            or topic.people
            or _mentions(question, words["plans"])
            or _mentions(question, words["now"])
        ):
            return topic
    return _Topic(frozenset(), {})


def _topic_of(
    question: str, names: Iterable[tuple[str, str]], me: str, words: dict[str, Any], lang: Lang
) -> _Topic:
    """Return the topic of a question: the people whom it names, without the resident, and its other
    content words, without the words of asking.
    """
    text, people = question.casefold(), dict[str, tuple[str, ...]]()
    for who, parts in _own_parts(tuple(names)).items():
        # People type names in small letters; in a memory, "park" is no resident called Park.
        folded = tuple(part.casefold() for part in parts)
        if names_any(folded, text):
            text = re.sub("|".join(map(re.escape, folded)), " ", text)
            if who != me:
                people[who] = parts
    for ignored in (
        words["plans"],
        words["now"],
        words["asking"],
        *(words[p] for p in PARTS_OF_DAY),
    ):
        text = re.sub(ignored, " ", text)
    return _Topic(
        frozenset(
            _stem(unit)
            for kind, unit in features(_CLOCK.sub(" ", text))
            if is_content_word(kind, unit)
        ),
        people,
    )


@lru_cache(maxsize=64)
def _own_parts(names: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """Return the unambiguous names of each resident: the full name, and its parts that no other
    resident shares.
    """
    parts = {
        who: [part for part in (name, *re.split(r"[\s·]+", name)) if len(part) > 1]
        for who, name in names
    }
    shared = Counter(part for own in parts.values() for part in dict.fromkeys(own))
    return {
        who: tuple(dict.fromkeys(part for part in own if shared[part] == 1))
        for who, own in parts.items()
    }


def _stem(unit: str) -> str:
    """Return a word without its plural's s, so that it is found in either form."""
    return unit[:-1] if len(unit) > 3 and unit.isascii() and unit.endswith("s") else unit


def _quote_memories(
    memories: Sequence[Concept], topic: _Topic, words: dict[str, Any], rng: Random, lang: Lang
) -> InterviewReply:
    """Return the best-matching memories verbatim, ordered by coverage of the question and then by
    poignancy: up to `MOST_QUOTED` that cover all of it, else the nearest one as unsure, else the
    answer that the resident doesn't know.
    """
    ranked = sorted(
        enumerate(memories, 1),
        key=lambda item: (-topic.share(item[1]), -item[1].poignancy, -item[1].id),
    )
    telling = [
        (number, memory)
        for number, memory in ranked
        if topic.share(memory) >= NEAR and bare(memory.text)
    ]
    if not telling:
        return _reply(rng.choice(words["unknown"]), "no", lang)
    full = [(number, memory) for number, memory in telling if topic.share(memory) == 1.0]
    if not full:
        number, memory = telling[0]
        return _reply(
            words["nearest"].format(memory=_quotation(memory, lang)), "unsure", lang, [number]
        )
    quoted = full[:MOST_QUOTED]
    frames = [words["remember"], *[words["remember_join"]] * (MOST_QUOTED - 1)]
    parts = [
        frame.format(memory=_quotation(memory, lang))
        for frame, (_, memory) in zip(frames, quoted, strict=False)
    ]
    return _reply("".join(parts), "yes", lang, [number for number, _ in quoted])


def _quotation(memory: Concept, lang: Lang) -> str:
    """Return a memory without its source, short enough to be quoted."""
    return nest_quotes(bare(fitting(split_source(memory.text, lang)[0], QUOTED[lang])))


# the day and its plan ----------------------------------------------------------------------


def _quote_plan(v: InterviewVars, words: dict[str, Any]) -> str:
    """Return the plan for the time that the question names, if it is not past, or else for the rest
    of the day, up to `MOST_PLANNED` parts.
    """
    now = minute_of_day(v.situation.now)
    clock = _CLOCK.search(v.question)
    if clock and (minute := parse_hhmm(f"{int(clock[1]):02d}:{clock[2]}")) >= now:
        begun = [activity for start, activity in v.plan if start <= minute]
        return str(
            words["at"].format(
                time=hhmm(minute), activity=bare(begun[-1] if begun else v.situation.doing)
            )
        )
    items = [
        words["item"].format(time=hhmm(start), activity=bare(activity))
        for start, activity in v.plan
        if start > now
    ][:MOST_PLANNED]
    return str(
        words["planned"].format(items=words["item_join"].join(items))
        if items
        else words["planned_none"]
    )


def _tell_day(v: InterviewVars, topic: _Topic, words: dict[str, Any]) -> str:
    """Return whom the resident has talked with today, if that is the question, or else the latest
    acts of the day, or of its part, that the question is about; "" if there are none.
    """
    if _mentions(v.question, words["met"]):
        *others, last = dict.fromkeys(names for _, names in v.talks) or [""]
        names = words["names_last"].join(filter(None, (words["names_join"].join(others), last)))
        return str(words["talked"].format(names=names) if names else words["talked_none"])
    part = next((part for part in PARTS_OF_DAY if _mentions(v.question, words[part])), None)
    start, end = PARTS_OF_DAY[part] if part else (0, DAY)
    items = [
        words["item"].format(time=hhmm(minute), activity=bare(activity))
        for minute, activity in v.so_far
        if start <= minute < end and all(unit in activity.casefold() for unit in topic.units)
    ]
    if topic.people or not items:
        return ""
    return str(words["done"].format(items=words["item_join"].join(items[-MOST_DONE:])))


def _mentions(question: str, pattern: str) -> bool:
    return re.search(pattern, question.casefold()) is not None


def _reply(answer: str, knows: Knows, lang: Lang, evidence: Sequence[int] = ()) -> InterviewReply:
    """Return an answer, clipped to its maximum length, with its certainty and the numbers of the
    memories that it rests on.
    """
    return InterviewReply(
        evidence=list(evidence),
        answer=clip(answer, round(ANSWER_LENGTH * DENSITY[lang]), lang),
        knows=knows,
    )
