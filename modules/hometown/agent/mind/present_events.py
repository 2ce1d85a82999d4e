"""The happenings around a resident that stand in all their prompts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from hometown.agent.mind.phrasing import Words
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import ENDED_PREDICATE
from hometown.world.befalling import course_of
from hometown.world.happening_process import DAMAGE_KEY, find_workers, work_needed
from hometown.world.incidents import Happening, UnfoldingHappening
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
        _describe_present(words, state, happening, now)
        for happening in state.happenings
        if arena_of(happening.address) == arena
    )
    ended = (
        words.say("happening_over", time=hhmm(minute_of_day(memory.created)), text=memory.text)
        for memory in state.memory(who).since(now - AFTERMATH, ("event",))
        if memory.predicate == ENDED_PREDICATE
    )
    return *present, *ended


def _describe_present(words: Words, state: State, happening: Happening, now: datetime) -> str:
    """Return the sentences on a happening that goes on: its text and stage, an activity that would
    end it, and that the place is closed.
    """
    course = course_of(happening, words.world.lang)
    parts = [words.say("happening_here", text=happening.clause)]
    if isinstance(happening, UnfoldingHappening):
        parts += _describe_stage(words, state, happening, now)
    if course.remedy:
        parts.append(words.say("lasts_until", remedy=course.remedy))
    if course.closes:
        parts.append(words.say("is_closed"))
    return "".join(parts)


def _describe_stage(
    words: Words, state: State, happening: UnfoldingHappening, now: datetime
) -> Iterator[str]:
    """Yield sentences on the stage of a happening: its growth, those who work on it, the work left,
    and the help that has been called.
    """
    if happening.stage == "grown":
        yield words.say("is_growing")
    if workers := find_workers(words.world, state, happening):
        yield words.say("worked_on", names=words.names(workers))
    if happening.course.key == DAMAGE_KEY:
        left = work_needed(happening) - happening.worked
        yield words.say("work_left", minutes=str(left))
    if happening.called:
        key = "help_coming" if now < happening.called else "help_here"
        time = hhmm(minute_of_day(happening.called))
        yield words.say(key, helpers=happening.course.helpers, time=time)
