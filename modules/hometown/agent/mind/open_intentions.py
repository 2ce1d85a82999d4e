"""Open intentions: resolutions after an inner voice or a conversation, until they are settled."""

from __future__ import annotations

from collections.abc import Collection

from hometown.agent.mind.due import find_date
from hometown.agent.mind.mind import Mind
from hometown.agent.mind.wishes import list_open_wishes
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.text import coverage, overlap
from hometown.world.inner_voice import is_news
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.resident_names import drop_names, named_residents

LOOKBACK_THOUGHTS = 60
"""Number of latest thoughts among which open intentions are looked for."""

MAX_OPEN_INTENTIONS = 5
"""Maximum number of open intentions in a prompt."""


SAME_INTENTION_OVERLAP_MIN = 0.4
"""Overlap of character trigrams (Jaccard) from which two intentions for one time are the same."""

CONTAINED_COVERAGE_MIN = {"en": 0.7, "zh": 0.4}
"""Share of an intention's character trigrams, without names, in another one for its time from which
it says nothing else.
"""


def is_intention(memory: Concept) -> bool:
    """Return True for an intention, and for the words of an inner voice unless they are news."""
    is_voice = memory.predicate == VOICE_PREDICATE
    return memory.predicate == INTENTION_PREDICATE or (is_voice and not is_news(memory.text))


def list_open_intentions(mind: Mind) -> list[Concept]:
    """Return the resident's open intentions that have not expired, the latest first: those among
    the latest thoughts, then older ones that are open wishes.
    """
    stream = mind.state.memory(mind.who)
    recent = list(stream.recent(("thought",), LOOKBACK_THOUGHTS))
    shown = {memory.id for memory in recent}
    wished = (wish.memory for wish in reversed(list_open_wishes(mind)))
    recent += [stream.concept(each) for each in wished if each in stream and each not in shown]
    meant = [memory for memory in recent if is_intention(memory) and memory.expires > mind.now]
    return mind.leave_out_settled(meant)


def is_meant_already(mind: Mind, text: str) -> bool:
    """Return True if one of the resident's open intentions says the same, for the same time and about
    the same residents.
    """
    lang = mind.world.lang
    due, named = find_date(text, mind.now, lang, True), set(named_residents(mind.world, text))

    def is_contained(meant: str) -> bool:
        bare, whole = drop_names(mind.world, (meant, text), mind.world.personas)
        return coverage(bare, whole) >= CONTAINED_COVERAGE_MIN[lang]

    return any(
        (overlap(text, each.text) >= SAME_INTENTION_OVERLAP_MIN or is_contained(each.text))
        and find_date(each.text, each.created, lang, True) == due
        and named <= set(named_residents(mind.world, each.text))
        for each in list_open_intentions(mind)
    )


def find_open_intentions(
    mind: Mind, others: Collection[str] = (), without: Collection[int] = ()
) -> tuple[Concept, ...]:
    """Return the resident's open intentions, as many as a prompt has room for: those towards some
    residents first, then the most poignant.

    Args:
        mind: the mind of the resident.
        others: ids of the residents whom they face.
        without: ids of memories that the prompt shows anyway.
    """

    def is_towards_them(intention: Concept) -> bool:
        return not set(others).isdisjoint(named_residents(mind.world, intention.text))

    found = [intention for intention in list_open_intentions(mind) if intention.id not in without]
    ranked = sorted(found, key=lambda each: (not is_towards_them(each), -each.poignancy, -each.id))
    return tuple(ranked[:MAX_OPEN_INTENTIONS])
