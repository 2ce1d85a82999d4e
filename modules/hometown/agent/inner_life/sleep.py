"""Consolidation of memories during sleep: repetitions and trivia are retired, important memories
pinned.

It happens on waking, by rule. Memories are never rewritten, and one new memory of the night, which
the model words in one call, cites those that were repeated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

import numpy as np

from hometown.agent.mind import Mind, NewMemory
from hometown.memory.arithmetic import Vector, dot, to_cosines
from hometown.memory.concept import Concept, MemoryType
from hometown.memory.stream import MemoryStream
from hometown.memory.tiers import HOT
from hometown.prompt.night_gist import NIGHT_GIST, NightGistVars
from hometown.world.effects import Kept, Retired

PINNED_POIGNANCY_MIN = 7
"""Poignancy from which a memory is kept for good."""

TRIVIAL_POIGNANCY_MAX, SLIGHT_POIGNANCY_MAX = 2, 3
"""Maximum poignancy of trivial memories, retired if never recalled, and of slight ones, retired if
not recalled for days; memories that are evidence stay.
"""

SLIGHT_MEMORY_LIFETIME = timedelta(days=3)
"""Time for which a slight memory stays without being recalled."""

REPETITION_COSINE_MIN = 0.9
"""Cosine similarity from which two memories of one type and subject say the same."""

MAX_GIST_MEMORIES = 8
"""Maximum number of repeated memories from which the gist of a night is made, most repeated first."""

SUMMARY_PREDICATE, SUMMARY_POIGNANCY = "sum up", 3
"""The predicate and the poignancy of the memory that sums up a night."""


async def consolidate(mind: Mind) -> None:
    """Pin important memories, and retire repeated and trivial ones, if the run has this faculty.

    Recent memories, protected ones, background knowledge and those from the persona stay as they
    are.
    """
    if not mind.settings.faculties.consolidate:
        return
    memory = mind.state.memory(mind.who)
    concepts = list(memory.concepts.values())
    weighty = tuple(
        each.id
        for each in concepts
        if each.poignancy >= PINNED_POIGNANCY_MIN
        and each.id not in mind.state.pinned_memories(mind.who)
    )
    if weighty:
        mind.do(Kept(mind.who, weighty), "rule:sleep")
    spared = mind.state.protected_memories(mind.who)
    settled = [
        each
        for each in concepts
        if each.id not in spared
        and not mind.me.began_with(each.id)
        and not each.is_background
        and each.created <= mind.now - HOT
    ]
    repeated = find_repetitions(settled, partial(mind.state.store.get_vectors, mind.who))
    gone = {each.id for others in repeated.values() for each in others}
    trivial = [
        each.id
        for each in find_trivial(
            [each for each in settled if each.id not in gone and each not in repeated],
            concepts,
            memory,
            mind.now,
        )
    ]
    if repeated:
        await _sum_up(mind, repeated)
        mind.do(Retired(mind.who, tuple(sorted(gone)), "repeated"), "rule:sleep")
    if trivial:
        mind.do(Retired(mind.who, tuple(trivial), "trivial"), "rule:sleep")


def find_repetitions(
    settled: Sequence[Concept], get_vectors: Callable[[Sequence[int]], Vector]
) -> dict[Concept, list[Concept]]:
    """Group memories that say the same as a stronger one of their type and subject.

    Args:
        settled: memories old enough to be consolidated.
        get_vectors: returns the quantised vectors of memories by their ids, float32[n, d].

    Returns:
        The weaker memories by the strongest one. Of equal poignancy, the latest counts as the
        strongest.
    """
    alike: defaultdict[tuple[MemoryType, str], list[Concept]] = defaultdict(list)
    for each in sorted(settled, key=lambda one: (-one.poignancy, -one.id)):
        alike[each.type, each.subject].append(each)
    repeated: defaultdict[Concept, list[Concept]] = defaultdict(list)
    for group in alike.values():
        vectors = get_vectors([each.id for each in group])
        stay: list[Concept] = []
        kept = np.empty_like(vectors)
        for each, vector in zip(group, vectors, strict=True):
            like = _find_similar(kept[: len(stay)], vector)
            if like is None:
                kept[len(stay)] = vector
                stay.append(each)
            else:
                repeated[stay[like]].append(each)
    return dict(repeated)


def _find_similar(vectors: Vector, vector: Vector) -> int | None:
    """Return the first row of `vectors` whose cosine similarity to a vector is high enough, or None."""
    near = np.flatnonzero(to_cosines(dot(vectors, vector)) >= REPETITION_COSINE_MIN)
    return int(near[0]) if near.size else None


def find_trivial(
    settled: Iterable[Concept], live: Iterable[Concept], memory: MemoryStream, now: datetime
) -> list[Concept]:
    """Return memories of low poignancy that are no evidence and have not been recalled lately.

    Args:
        settled: memories old enough to be consolidated.
        live: all live memories, whose evidence is kept.
        memory: the stream, which holds the times of last access.
        now: the present.
    """
    cited = {number for each in live for number in each.evidence}
    slight = (
        (each, memory.last_access(each.id))
        for each in settled
        if each.poignancy <= SLIGHT_POIGNANCY_MAX and each.id not in cited
    )
    return [
        each
        for each, used in slight
        if used <= now - SLIGHT_MEMORY_LIFETIME
        or (each.poignancy <= TRIVIAL_POIGNANCY_MAX and used == each.created)
    ]


async def _sum_up(mind: Mind, repeated: dict[Concept, list[Concept]]) -> None:
    """Store the gist of the most repeated memories, which cites all that will be retired."""
    most = sorted(repeated, key=lambda each: (-len(repeated[each]), each.id))[:MAX_GIST_MEMORIES]
    reply, cause = await mind.ask(NIGHT_GIST, NightGistVars(mind.situation, tuple(most)))
    evidence = tuple(sorted(each.id for others in repeated.values() for each in others))
    about = _people(most, mind.who)
    summary = NewMemory(
        "thought",
        reply.gist,
        mind.who,
        SUMMARY_PREDICATE,
        evidence=evidence,
        about=about,
    )
    await mind.remember([summary], [SUMMARY_POIGNANCY], cause, counts=False)


def _people(memories: Iterable[Concept], me: str) -> tuple[str, ...]:
    """Return the residents whom memories are about, without `me`."""
    return tuple(dict.fromkeys(who for each in memories for who in each.about if who != me))
