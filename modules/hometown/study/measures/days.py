"""Measures of residents' daily life: habits, company, novelty and repetition."""

from __future__ import annotations

from collections import Counter

from hometown.memory.concept import MEMORY_TYPES
from hometown.study.measures.registry import Figure, Subject, measure
from hometown.text_features import features


@measure(shares=["up_on_time", "at_work"])
def adherence(town: Subject) -> list[Figure]:
    """Return the share of mornings on which residents got up within two hours of habit, and of
    working time spent at work, 0–1; nothing without the world's files.
    """
    from hometown.history.life import life_of

    if town.names.world is None:
        return []
    life = life_of(town.run, town.last)
    return [Figure("up_on_time", life.on_time_share), Figure("at_work", life.work_share)]


@measure(counts=["conversations"], scores=["lines_each"])
def company(town: Subject) -> list[Figure]:
    """Return the number of conversations, and their average number of lines."""
    held = town.run.conversations(1, town.last)
    lines = sum(len(conversation.lines) for conversation in held)
    return [
        Figure("conversations", len(held)),
        Figure("lines_each", lines / len(held) if held else 0.0),
    ]


@measure(shares=["distinct_2"])
def novelty(town: Subject) -> list[Figure]:
    """Return distinct-2 of the conversations: different pairs of neighbouring words, in Chinese of
    characters, among all, 0–1 (Li et al. 2016).

    It falls with the length of the text, so compare only runs of about the same length.
    """
    lines = [
        line.text
        for conversation in town.run.conversations(1, town.last)
        for line in conversation.lines
    ]
    pairs = Counter(
        unit
        for line in lines
        for kind, unit in features(line)
        if kind == "pair" or (kind == "han" and len(unit) == 2)
    )
    return [Figure("distinct_2", len(pairs) / max(1, pairs.total()))]


@measure(counts=["loops", "most_times"])
def repetition(town: Subject) -> list[Figure]:
    """Return the number of residents' lines, activities and thoughts that are repeated over and
    over, and the count of the worst of them.
    """
    from hometown.history.loops import loops

    found = loops(town.run, town.last)
    return [
        Figure("loops", len(found)),
        Figure("most_times", max((loop.times for loop in found), default=0)),
    ]


@measure(counts=[*MEMORY_TYPES, "reflections"])
def memory(town: Subject) -> list[Figure]:
    """Return the number of memories by type, and of reflections, the thoughts with evidence."""
    made = town.run.memories(0, town.last)
    counts = Counter(memory.concept.type for memory in made)
    reflections = sum(
        bool(memory.concept.type == "thought" and memory.concept.evidence) for memory in made
    )
    return [
        *(Figure(kind, counts[kind]) for kind in MEMORY_TYPES),
        Figure("reflections", reflections),
    ]
