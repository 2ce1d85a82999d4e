"""A resident's memory stream as it was after a step: filtered, in order of time or of the score by which it would be searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import numpy as np

from modules.errors import BadRun
from modules.memory.associate import Associate, Scored, Vector
from modules.memory.concept import Concept, MemoryType
from modules.model.hashing import hash_vector
from modules.replay.reader import Memory, RunReader

HASH = "hash"

WORDS_DIMENSION = 384
"""Of the vectors of words that stand in for an embedding which is not at hand."""

NODES = 240
"""Memories in one tree of evidence at most."""

By = Literal["vectors", "words"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which memories: of some types (all if none), that hold a text, and of some importance; a page of them."""

    types: tuple[MemoryType, ...] = ()
    text: str = ""
    least: int = 1
    offset: int = 0
    limit: int = 50

    def fits(self, one: Concept) -> bool:
        return (not self.types or one.type in self.types) and one.poignancy >= self.least and self.text.casefold() in one.text.casefold()


def by_time(run: RunReader, who: str, step: int, wanted: Wanted) -> dict[str, Any]:
    """The memories made up to a step, the latest first, those retired since included."""
    accessed, retired = run.changes(who, step)
    found = [one for one in run.stream(who, step) if wanted.fits(one.concept)][::-1]
    page = found[wanted.offset : wanted.offset + wanted.limit]
    return {"total": len(found), "items": [told(run, one, accessed, retired) for one in page]}


def by_score(run: RunReader, who: str, step: int, query: str, wanted: Wanted) -> dict[str, Any]:
    """The live memories as a search for `query` would have ranked them after a step, with their scores.

    By the run's vectors where the query's is known or the embedding needs no model, else by words; `by` says which.
    """
    accessed, retired = run.changes(who, step)
    live = {one.concept.id: one for one in run.stream(who, step) if one.concept.id not in retired}
    by, scored = _ranked(run, list(live.values()), accessed, query, run.moment(step))
    found = [one for one in scored if wanted.fits(one.concept)]
    page = found[wanted.offset : wanted.offset + wanted.limit]
    items = [told(run, live[one.concept.id], accessed, retired) | {"scores": [one.score, one.recency, one.importance, one.relevance]} for one in page]
    return {"total": len(found), "by": by, "weights": weights(run), "items": items}


def weights(run: RunReader) -> list[float]:
    """What recency, importance and relevance are multiplied by in the sum."""
    settings = run.manifest.settings.associate
    return [settings.recency_weight, settings.importance_weight, settings.relevance_weight]


def told(run: RunReader, one: Memory, accessed: dict[int, datetime] | None = None, retired: set[int] | None = None) -> dict[str, Any]:
    """A memory as the API gives it."""
    concept = one.concept
    used = (accessed or {}).get(concept.id)
    return {
        "id": concept.id,
        "who": one.who,
        "step": one.step,
        "tick": run.tick(concept.created),
        "type": concept.type,
        "text": concept.text,
        "poignancy": concept.poignancy,
        "address": concept.address,
        "evidence": concept.evidence,
        "talk": concept.talk,
        "about": concept.about,
        "used": run.tick(used) if used else None,
        "retired": concept.id in (retired or ()),
    }


def tree(run: RunReader, who: str, one: int) -> dict[str, Any] | None:
    """A memory with those it rests on, down to what rests on nothing. A memory met again is told without its own evidence.

    None where there is no such memory.
    """
    known: dict[int, Memory] = {}
    level = [one]
    while level and len(known) < NODES:
        met = run.recall(who, level)
        known |= {memory.concept.id: memory for memory in met}
        level = list(dict.fromkeys(other for memory in met for other in memory.concept.evidence if other not in known))[: NODES - len(known)]
    return _branch(run, known, one, set()) if one in known else None


def _branch(run: RunReader, known: dict[int, Memory], one: int, told_before: set[int]) -> dict[str, Any]:
    again = one in told_before
    told_before.add(one)
    below = () if again else known[one].concept.evidence
    return {"memory": told(run, known[one]), "again": again, "evidence": [_branch(run, known, other, told_before) for other in below if other in known]}


# scores -----------------------------------------------------------------------------------------


def _ranked(run: RunReader, live: Sequence[Memory], accessed: dict[int, datetime], query: str, now: datetime) -> tuple[By, list[Scored]]:
    vector = _query_vector(run, query)
    if vector is not None:
        try:
            return "vectors", _scored(run, live, accessed, vector, now, run.run.vectors.load)
        except BadRun:
            pass  # a vector is missing: a run that was cut out of another, say
    return "words", _scored(run, live, accessed, hash_vector(query, WORDS_DIMENSION), now, _word_vectors)


def _query_vector(run: RunReader, query: str) -> Vector | None:
    """The query's vector, if it was searched for before or the embedding needs no model."""
    known = run.run.vectors.get_many([query]).get(query)
    if known is None and run.manifest.embedding == HASH:
        return hash_vector(query, run.manifest.dimension)
    return known


def _word_vectors(texts: Sequence[str]) -> Vector:
    return np.array([hash_vector(text, WORDS_DIMENSION) for text in texts], np.float32).reshape(len(texts), WORDS_DIMENSION)


def _scored(
    run: RunReader, live: Sequence[Memory], accessed: dict[int, datetime], query: Vector, now: datetime, load: Callable[[Sequence[str]], Vector]
) -> list[Scored]:
    associate = Associate(load)
    for one in live:
        associate.add(one.concept, None, accessed.get(one.concept.id))
    return associate.retrieve(query, now, run.manifest.settings.associate, count=len(live))
