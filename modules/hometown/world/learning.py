"""Background knowledge: passages of files, which a resident remembers as known before the run
began.

They are events that happened to nobody: they are recalled like any memory, and are neither news nor
anything that the resident has just noticed. They never expire and make no room for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from hometown.errors import BadRun
from hometown.memory.concept import BACKGROUND, NEVER, Concept
from hometown.world.effects import Effect, Remembered
from hometown.world.interventions import Intervention
from hometown.world.state import State

POIGNANCY = 4
"""Poignancy of a passage, 1 to 10: it matters as much as the news of a law."""

_PASSAGES = TypeAdapter(dict[int, str])


def lesson(who: str, file: str, passages: Mapping[int, str], step: int = 0) -> Intervention:
    """Return the intervention by which a resident has known passages of a file, by their numbers."""
    return Intervention(
        "learn", who, _PASSAGES.dump_json(dict(passages)).decode(), step, memory=file
    )


def parse_passages(intervention: Intervention) -> dict[int, str]:
    """Return the passages of what is learnt, by their numbers. Raises BadRun where there are none:
    the inbox has been edited by hand.
    """
    try:
        return _PASSAGES.validate_json(intervention.text)
    except ValidationError:
        raise BadRun(
            "intervention {number} in the inbox has no passages to learn: remove its line",
            number=intervention.number,
        ) from None


def learn_passages(state: State, intervention: Intervention, start: datetime) -> Iterator[Effect]:
    """Yield the effects of learning, without passages that are known already; apply each before
    taking the next. `start` is when the run began.
    """
    yield intervention.effect
    who = intervention.target
    known = {concept.text for concept in state.memory(who).background}
    for number, text in sorted(parse_passages(intervention).items()):
        if text not in known:
            known.add(text)
            concept = _make_concept(state, who, text, f"{intervention.memory}#{number}", start)
            yield Remembered(who, concept, counts=False)


def _make_concept(state: State, who: str, text: str, source: str, start: datetime) -> Concept:
    return Concept(
        id=state.mind(who).memories + 1,
        type="event",
        text=text,
        subject=who,
        predicate=BACKGROUND,
        object=source,
        address="",
        poignancy=POIGNANCY,
        created=start,
        expires=NEVER,
    )
