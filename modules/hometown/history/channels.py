"""The channels by which residents come to know of a storyline.

Only a resident who was told counts in the figure of Park et al. (2023, §7.1.1): to see a hostess
prepare, to overhear a line or to draw a conclusion is another event, and so is an intervention. A
line that denies or doubts the storyline tells of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.frozen import frozen
from hometown.history.entities import OwnedMemory
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.history.spread import (
    BLOCK,
    OVERHEARD_PREDICATES,
    Topic,
    find_teller_of,
    memories_as_learnt,
    widen_topic,
)
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.interventions import VOICE_PREDICATE

Channel = Literal["start", "told", "overheard", "saw", "read", "inferred", "injected"]
"""start: known from the beginning. told: by another resident, in a conversation. overheard: from a
conversation of others, a shout, or noise from elsewhere. saw: perceived. read: a note, a letter, or a file.
inferred: a thought, a plan, a decision or words of the resident's own, before any other channel.
injected: by an intervention.
"""


@frozen
class LearningEvent:
    """A resident's first memory of a storyline by a channel; `teller` is the resident who told them,
    whom they overheard, or whose note they read, "" for none.
    """

    memory: OwnedMemory
    channel: Channel
    teller: str = ""


def find_channels(run: RunReader, topics: Sequence[Topic], last: int) -> list[list[LearningEvent]]:
    """Return for each topic each resident's first memory of it by each channel up to step `last`, in
    the order of their making.

    What residents think, say or decide about a topic that they know of is no channel.
    """
    topics = [widen_topic(topic, run) for topic in topics]
    found: list[dict[tuple[str, Channel], LearningEvent]] = [{} for _ in topics]
    knowers: list[set[str]] = [set() for _ in topics]
    for first, end in blocks(0, last, BLOCK):
        for memory in memories_as_learnt(run, first, end):
            for topic, events, known in zip(topics, found, knowers, strict=True):
                if topic.is_mentioned_in(memory.concept.text):
                    learned = classify_memory(run, topic, memory)
                    if learned.channel != "inferred" or memory.who not in known:
                        events.setdefault((memory.who, learned.channel), learned)
                    known.add(memory.who)
    return [list(events.values()) for events in found]


def classify_memory(run: RunReader, topic: Topic, memory: OwnedMemory) -> LearningEvent:
    """Return the channel of a memory that mentions a topic, with its teller: the first other
    speaker of its conversation who asserts the topic, the one overheard, or the writer of the note.

    Any memory of step 0 is "start". One of a conversation in which no other asserts the topic, and
    an event of the resident's own, such as a plan that they changed, are "inferred".
    """
    concept = memory.concept
    is_of_another = concept.subject != memory.who
    if memory.step == 0:
        return LearningEvent(memory, "start")
    if concept.predicate == VOICE_PREDICATE:
        return LearningEvent(memory, "injected")
    if concept.is_background:
        return LearningEvent(memory, "read")
    if concept.predicate == NOTE_PREDICATE and is_of_another:
        writer = concept.subject if concept.subject in run.residents else ""
        return LearningEvent(memory, "read", writer)
    teller = find_teller_of(run, topic, memory)
    if concept.predicate in OVERHEARD_PREDICATES:
        return LearningEvent(memory, "overheard", teller)
    if teller:
        return LearningEvent(memory, "told", teller)
    if concept.type != "event" or not is_of_another:
        return LearningEvent(memory, "inferred")
    return LearningEvent(
        memory, "overheard" if is_noise(concept.text, run.manifest.lang) else "saw"
    )


def is_noise(text: str, lang: Lang) -> bool:
    """Return True if a memory tells of a happening as it is heard from elsewhere."""
    return all(part in text for part in re.split(r"{\w+}", catalogue(lang, "mind")["heard_from"]))


def find_targets(run: RunReader, last: int) -> frozenset[str]:
    """Return the residents whom interventions gave a memory up to step `last`: an inner voice, or a
    text to read.
    """
    return frozenset(
        memory.who
        for first, end in blocks(1, last, BLOCK)
        for memory in run.memories(first, end)
        if memory.concept.predicate == VOICE_PREDICATE or memory.concept.is_background
    )
