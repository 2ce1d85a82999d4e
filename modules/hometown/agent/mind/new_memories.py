"""Memories as they are made and, beyond the limit, retired."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from hometown.agent.mind.reflection_due import REFLECTION_KINDS, is_reflection_due
from hometown.frozen import frozen
from hometown.memory.concept import Concept, MemoryType
from hometown.memory.scoring import Scored
from hometown.records import Retrieval
from hometown.settings import Settings
from hometown.world.state import State


@frozen
class NewMemory:
    """A memory that has no id, poignancy and dates yet; its fields are as in `Concept`."""

    type: MemoryType
    text: str
    subject: str
    predicate: str
    object: str = ""
    address: str = ""
    evidence: tuple[int, ...] = ()
    talk: str = ""
    about: tuple[str, ...] = ()

    def at(self, now: datetime, number: int, poignancy: int, days: int) -> Concept:
        """Return the memory with an id, a poignancy, the time of its creation, and the days until it
        expires.
        """
        return Concept(
            id=number,
            type=self.type,
            text=self.text,
            subject=self.subject,
            predicate=self.predicate,
            object=self.object,
            address=self.address,
            poignancy=poignancy,
            created=now,
            expires=now + timedelta(days=days),
            evidence=self.evidence,
            talk=self.talk,
            about=self.about,
        )


def find_surplus(who: str, state: State, now: datetime, settings: Settings) -> list[int]:
    """Return the ids of a resident's least valuable memories beyond `associate.max_memory`; none
    while a reflection goes on beside this step, whose questions will be about some of them.
    """
    questions = state.questions(who)
    is_reflecting = any(question.kind in REFLECTION_KINDS for question in questions)
    if is_reflecting or is_reflection_due(who, state, settings):
        return []
    limit, memory = settings.associate.max_memory, state.memory(who)
    if not 0 <= limit < len(memory):
        return []
    background = {concept.id for concept in memory.background}
    surplus = len(memory) - len(background) - limit
    if surplus <= 0:
        return []
    spared = state.protected_memories(who) | background
    return memory.partition.find_least_valuable(surplus, now, settings.associate, spared)


def concepts(retrieved: Iterable[Scored]) -> tuple[Concept, ...]:
    """Return retrieved memories in order of age, oldest first, as prompts list them."""
    return tuple(sorted((scored.concept for scored in retrieved), key=lambda concept: concept.id))


def as_retrieval(scored: Scored) -> Retrieval:
    """Return the record of a retrieved memory: its id and its scores."""
    return Retrieval(scored.concept.id, *scored[1:])
