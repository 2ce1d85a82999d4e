"""What sleep does to memories: of those that say the same the strongest stays, what is trivial
goes, and what is weighty is kept for good.

It happens on waking, by rule and without a model. No memory is rewritten: those that go are
retired, and one memory of the night cites those that were repeated.
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
from hometown.world.effects import Kept, Retired

FOR_GOOD = 7
"""Poignancy from which on a memory is kept for good."""

TRIVIAL, SLIGHT = 2, 3
"""Poignancy up to which a memory goes on which nothing rests if it has not come to mind since it
was made, or for days.
"""

IDLE = timedelta(days=3)
"""Time for which what is slight stays without coming to mind."""

SAME = 0.9
"""Cosine from which on two memories of one type and subject say the same."""

NAMED = 3
"""Of what was repeated, the number of memories that the summary names, those first that were
repeated most.
"""

SUMMED_UP, SUMMARY_WEIGHS = "sum up", 3
"""The predicate and the poignancy of the memory that sums up a night."""


async def consolidate(mind: Mind) -> None:
    """Goes through the live memories as somebody wakes; nothing where that is not to be. What it
    began with, background knowledge and what is hot stays as it is.
    """
    if not mind.settings.faculties.consolidate:
        return
    memory = mind.state.memory(mind.who)
    concepts = list(memory.concepts.values())
    weighty = tuple(
        each.id
        for each in concepts
        if each.poignancy >= FOR_GOOD and each.id not in mind.state.kept(mind.who)
    )
    if weighty:
        mind.do(Kept(mind.who, weighty), "rule:sleep")
    spared = mind.state.spared(mind.who)
    settled = [
        each
        for each in concepts
        if each.id not in spared
        and not mind.me.began_with(each.id)
        and not each.is_background
        and each.created <= mind.now - HOT
    ]
    repeated = repetitions(settled, partial(mind.state.store.get_vectors, mind.who))
    gone = {each.id for others in repeated.values() for each in others}
    trivial = [
        each.id
        for each in trivia(
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


def repetitions(
    settled: Sequence[Concept], get_vectors: Callable[[Sequence[int]], Vector]
) -> dict[Concept, list[Concept]]:
    """Return what says the same as a stronger memory of its type and subject, by that one; of
    equals the latest is the strongest.

    `get_vectors` returns the quantised vectors of memories by their ids, float32[n, d].
    """
    alike: defaultdict[tuple[MemoryType, str], list[Concept]] = defaultdict(list)
    for each in sorted(settled, key=lambda one: (-one.poignancy, -one.id)):
        alike[each.type, each.subject].append(each)
    repeated: defaultdict[Concept, list[Concept]] = defaultdict(list)
    for group in alike.values():
        vectors = get_vectors([each.id for each in group])
        stay: list[int] = []
        for at, each in enumerate(group):
            like = _first_like(vectors, stay, at)
            if like is None:
                stay.append(at)
            else:
                repeated[group[like]].append(each)
    return dict(repeated)


def _first_like(vectors: Vector, stay: Sequence[int], at: int) -> int | None:
    """The first of the rows `stay` that is near the row `at`."""
    near = np.flatnonzero(to_cosines(dot(vectors[list(stay)], vectors[at])) >= SAME)
    return stay[int(near[0])] if near.size else None


def trivia(
    settled: Iterable[Concept], live: Iterable[Concept], memory: MemoryStream, now: datetime
) -> list[Concept]:
    """What does not matter, is the ground of no live memory, and has not come to mind since it was
    made, or for days.
    """
    cited = {number for each in live for number in each.evidence}
    slight = (
        (each, memory.last_access(each.id))
        for each in settled
        if each.poignancy <= SLIGHT and each.id not in cited
    )
    return [
        each
        for each, used in slight
        if used <= now - IDLE or (each.poignancy <= TRIVIAL and used == each.created)
    ]


async def _sum_up(mind: Mind, repeated: dict[Concept, list[Concept]]) -> None:
    """One memory that tells what was repeated most, and cites all that goes."""
    most = sorted(repeated, key=lambda each: (-len(repeated[each]), each.id))[:NAMED]
    texts = mind.words.texts["item_separator"].join(each.text for each in most)
    evidence = tuple(sorted(each.id for others in repeated.values() for each in others))
    about = _people(most, mind.who)
    summary = NewMemory(
        "thought",
        mind.words.say("summed_up", texts=texts),
        mind.who,
        SUMMED_UP,
        evidence=evidence,
        about=about,
    )
    await mind.remember([summary], [SUMMARY_WEIGHS], "rule:sleep", counts=False)


def _people(memories: Iterable[Concept], me: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(who for each in memories for who in each.about if who != me))
