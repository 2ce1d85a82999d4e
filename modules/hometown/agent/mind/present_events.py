"""The happenings around a resident that stand in all their prompts."""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.agent.mind.phrasing import Words
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import ENDED_PREDICATE
from hometown.world.befalling import happening_kind
from hometown.world.incidents import Happening
from hometown.world.state import State
from hometown.world.world import arena_of

AFTERMATH = timedelta(minutes=60)
"""Time for which the end of a happening stays in the prompts of those who perceived it."""


def describe_happenings(
    words: Words, state: State, who: str, arena: str, now: datetime
) -> tuple[str, ...]:
    """Return a sentence for each happening in the resident's arena, and for each whose end they
    perceived within the last hour.
    """
    present = (
        _describe_present(words, happening)
        for happening in state.happenings
        if arena_of(happening.address) == arena
    )
    ended = (
        words.say("happening_over", time=hhmm(minute_of_day(memory.created)), text=memory.text)
        for memory in state.memory(who).since(now - AFTERMATH, ("event",))
        if memory.predicate == ENDED_PREDICATE
    )
    return *present, *ended


def _describe_present(words: Words, happening: Happening) -> str:
    """Return the sentence on a happening that goes on, with what would end it."""
    kind = happening_kind(happening.text, words.world.lang)
    here = words.say("happening_here", text=happening.clause)
    return here + words.say("lasts_until", remedy=kind.remedy) if kind and kind.remedy else here
