"""Surprise: selects the few sights of residents that the model rates, without a call.

The usual acts of a resident are their habits. A sight, or an act of one's own, is surprising if it
is further from the habits of whom it shows than nearly all that the observer has seen lately. So the
share of surprising sights is small with any embedding, and depends on no list of words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hometown.agent.mind import Mind
from hometown.memory.arithmetic import dot
from hometown.memory.event import Event
from hometown.world.persona import Persona

SEEN_LOOKBACK, SEEN_MIN = 100, 20
"""Number of latest sights with which a new one is compared, and the number below which none is
surprising.
"""

SURPRISING_SHARE = 0.05
"""The share of sights that may be further from habits than a surprising one."""


async def find_surprising(mind: Mind, events: Sequence[Event]) -> list[Event]:
    """Return those events among the acts of residents, one's own included, that are surprising; no
    act with another resident, of a known weight, or seen lately is, and none before `SEEN_MIN` have
    been seen.
    """
    acts = [
        event
        for event in events
        if event.subject in mind.world.personas
        and not (event.weight or event.idle or event.unusual)
        and event.object not in mind.world.personas
    ]
    seen = [
        memory
        for memory in mind.state.memory(mind.who).recent(("event",), SEEN_LOOKBACK)
        if memory.subject in mind.world.personas
        and memory.object not in mind.world.personas
        and not memory.talk
    ]
    known = {(memory.subject, memory.predicate) for memory in seen}
    acts = [event for event in acts if (event.subject, event.predicate) not in known]
    if not acts or len(seen) < SEEN_MIN:
        return []
    sights = [
        *((memory.subject, memory.predicate) for memory in seen),
        *((event.subject, event.predicate) for event in acts),
    ]
    likeness = await _compare_with_habits(mind, sights)
    before, most = likeness[: len(seen)], int(len(seen) * SURPRISING_SHARE)
    return [
        event
        for event, alike in zip(acts, likeness[len(seen) :], strict=True)
        if sum(other <= alike for other in before) <= most
    ]


async def _compare_with_habits(mind: Mind, sights: Sequence[tuple[str, str]]) -> list[int]:
    """Return the likeness of each act, as (resident, activity), to the habit of the resident that
    it is most like: the dot product of their quantised vectors.
    """
    usual = {who: _habitual_activities(mind.world.personas[who]) for who, _ in sights}
    texts = [text for _, text in sights]
    texts += [text for habits in usual.values() for text in habits]
    vectors = dict(zip(texts, await mind.context.caller.embed(texts), strict=True))
    matrices = {
        who: np.stack([vectors[text] for text in habits]) for who, habits in usual.items() if habits
    }
    return [
        int(dot(matrices[who], vectors[text]).max()) if who in matrices else 0
        for who, text in sights
    ]


def _habitual_activities(persona: Persona) -> tuple[str, ...]:
    """Return all that a resident usually does."""
    habits = persona.habits
    return tuple(sorted({activity for each in habits for activity in (each.activity, *each.tasks)}))
