"""Kinds of memories in a world, such as those of cultivation, and the recall of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from hometown.agent.mind import Mind
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.memory.scoring import Scored, compute_prior, find_best
from hometown.text import word_pattern
from hometown.world.book.parts import MemoryKindPart
from hometown.world.effects import Accessed
from hometown.world.word_patterns import compile_pattern

MemoryKinds = dict[str, MemoryKindPart]
"""The kinds of memories of a world, by id."""


def kind_of_text(kinds: MemoryKinds, text: str, lang: Lang) -> str:
    """Return the first kind of memories whose words occur in a text; "" for none."""
    lowered = text.lower()
    found = (
        kind
        for kind, part in kinds.items()
        if part.words and _pattern(tuple(part.words[lang])).search(lowered)
    )
    return next(found, "")


def kind_of_memory(kinds: MemoryKinds, memory: Concept, lang: Lang) -> str:
    """Return the kind of a memory: that of all conversations for one, or else by its words, or else
    the kind of all other memories. "" in a world without such kinds.
    """
    if memory.type == "chat":
        return _first(kind for kind, part in kinds.items() if part.talks)
    return kind_of_text(kinds, memory.text, lang) or _first(
        kind for kind, part in kinds.items() if not part.words and not part.talks
    )


def recall_kind(mind: Mind, kind: str, count: int) -> list[Scored]:
    """Return up to `count` live memories of one kind, with different texts, and mark them as
    accessed. As in other retrieval, the best are the recent and the important ones; their relevance
    is their kind, the same for all. Memories of the present step are left out: steps are planned
    while reactions remember what they see.
    """
    assert mind.world.book is not None
    kinds, stream = mind.world.book.memory_kinds, mind.context.snapshot.memory(mind.who)
    settings, columns = mind.settings.associate, stream.partition.columns()
    memories = [stream.concept(int(number)) for number in columns.ids]
    prior = compute_prior(columns, mind.now, settings)
    among = np.array(
        [kind_of_memory(kinds, memory, mind.world.lang) == kind for memory in memories], np.bool_
    )
    best: dict[str, Scored] = {}
    for row in find_best(prior.weighted, len(memories), among):
        terms = float(prior.weighted[row]), float(prior.recency[row]), float(prior.importance[row])
        best.setdefault(memories[row].text, Scored(memories[row], *terms, 0.0))
    found = list(best.values())[:count]
    if found:
        ids = tuple(sorted(scored.concept.id for scored in found))
        mind.do(Accessed(mind.who, ids, mind.now), "rule:retrieval")
    return found


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression that matches any of some patterns of words."""
    return word_pattern(tuple(map(compile_pattern, words)))


def _first(kinds: Iterable[str]) -> str:
    return next(iter(kinds), "")
