"""Surprise: selects the few sights of residents that the model rates, without a call.

The usual acts of a resident are their habits. A sight, or an act of one's own, is surprising if it
is further from the habits of whom it shows than nearly all that the observer has seen lately. So the
share of surprising sights is small with any embedding, and depends on no list of words.
"""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.mind import Mind
from hometown.memory.event import Event
from hometown.text import catalogue

SEEN_LOOKBACK, SEEN_MIN = 100, 20
"""Number of latest sights with which a new one is compared, and the number below which none is
surprising.
"""

SURPRISING_SHARE = 0.05
"""The share of sights that may be further from habits than a surprising one."""


async def find_surprising(mind: Mind, events: Sequence[Event]) -> list[Event]:
    """Return those events among the acts of residents, one's own included, that are surprising; no
    act with another resident, of a known weight, seen lately, or of which nothing is seen is, and
    none before `SEEN_MIN` have been seen.
    """
    outside = catalogue(mind.world.lang, "outside")
    hidden = {text for key, text in outside.items() if key.endswith("_seen")}
    acts = [
        event
        for event in events
        if event.subject in mind.world.personas
        and not (event.weight or event.idle or event.unusual or event.predicate in hidden)
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
    shown: dict[str, list[str]] = {}
    pairs = [(memory.subject, memory.predicate) for memory in seen]
    for who, predicate in (*pairs, *((event.subject, event.predicate) for event in acts)):
        shown.setdefault(who, []).append(predicate)
    found = await mind.context.caller.greatest_products(
        [(mind.world.habitual_activities[who], predicates) for who, predicates in shown.items()]
    )
    likeness = dict(zip(shown, found, strict=True))
    before = [likeness[who][predicate] for who, predicate in pairs]
    most = int(len(seen) * SURPRISING_SHARE)
    return [
        event
        for event in acts
        for alike in [likeness[event.subject][event.predicate]]
        if sum(other <= alike for other in before) <= most
    ]
