"""The prompt for a day made of habits: the model names the lines of the usual day that differ
today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated

from pydantic import Field

from hometown.clock import DAY, hhmm
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, at_most, between, text
from hometown.prompt.mending import SAME
from hometown.prompt.plans import ACTIVITY, CLOCK, LINE, clock_minutes
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.text import overlaps
from hometown.world.activities import themes_of
from hometown.world.rows import Promise

MOST_CHANGES = 3
"""Maximum number of changes in one reply."""

SHIFT_MINUTES = 30
"""Minutes by which a line may begin earlier or later than usual."""

SHORTEST_MINUTES = 15
"""Minimum minutes of a line when the next one is moved."""


@frozen
class PlanLine:
    """A line of a usual day, which begins at `start` in minutes since midnight; after midnight,
    above 1440.

    Replies refer to it by `number`; 0 marks lines that cannot change: getting up, meals, work, the
    last.
    """

    start: int
    activity: str
    number: int = 0


@frozen
class ScheduleChangesVars(Variables):
    """Variables for the changes of a `usual` day between `wake` and `bed`.

    At least one of its lines has a number.
    """

    day: date
    wake: int
    bed: int
    usual: tuple[PlanLine, ...]
    memories: tuple[Concept, ...]
    promises: tuple[Promise, ...]


class PlanChange(Reply):
    """A change of one line of the usual day."""

    number: int = Field(description="Number of the line that is different today.")
    activity: Annotated[str, LINE] = Field(description="What to do instead, a few words.")
    start: str = Field(pattern=CLOCK, description="When it begins today.")


class ScheduleChangesReply(Reply):
    """The changes of the usual day; none if it stays as it is."""

    changes: list[PlanChange] = Field(
        max_length=MOST_CHANGES, description="What is different today; an empty list if nothing is."
    )


def _narrow(v: ScheduleChangesVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: at most `MOST_CHANGES` changes, and the numbers of the lines
    that may change.
    """
    numbers = [each.number for each in v.usual if each.number]
    return {
        "changes": at_most(min(MOST_CHANGES, len(numbers))),
        "changes[].number": between(1, max(numbers)),
        "changes[].activity": text(v.situation.lang, ACTIVITY),
    }


def _word_changes(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> ScheduleChangesReply:
    return ScheduleChangesReply(
        changes=[
            change.model_copy(
                update={"activity": v.situation.word_activity(change.activity, ACTIVITY)}
            )
            for change in reply.changes
        ]
    )


def _drop_changes(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> ScheduleChangesReply:
    """Return a reply with one change for each changeable line at most, without unknown activities,
    and without repetitions of other lines and of memories.
    """
    kept: list[PlanChange] = []
    may_change = {each.number for each in v.usual if each.number}
    for change in reply.changes:
        others = [each.activity for each in v.usual if each.number != change.number]
        others += [each.activity for each in kept]
        is_known = bool(themes_of(change.activity, v.situation.lang))
        is_repeated = change.activity.casefold() in map(str.casefold, others) or overlaps(
            change.activity, [each.text for each in v.memories], SAME
        )
        is_open = change.number in may_change - {each.number for each in kept}
        if is_known and is_open and not is_repeated:
            kept.append(change)
    return ScheduleChangesReply(changes=kept)


def _move_starts(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> ScheduleChangesReply:
    return ScheduleChangesReply(
        changes=[
            change.model_copy(update={"start": hhmm(_changed_start(v, change) % DAY)})
            for change in reply.changes
        ]
    )


def _changed_start(v: ScheduleChangesVars, change: PlanChange) -> int:
    """Return the start of a changed line: the reply's, kept near the usual time and between its
    neighbours.
    """
    at = next(at for at, each in enumerate(v.usual) if each.number == change.number)
    usual = v.usual[at].start
    after_previous = v.usual[at - 1].start + SHORTEST_MINUTES if at else v.wake
    earliest = max(usual - SHIFT_MINUTES, after_previous)
    next_start = v.usual[at + 1].start if at + 1 < len(v.usual) else v.bed
    latest = min(usual + SHIFT_MINUTES, next_start - SHORTEST_MINUTES)
    start = clock_minutes(change.start)
    start = min(start, start + DAY, key=lambda minute: abs(minute - usual))
    return max(min(start, max(latest, usual)), min(earliest, usual))


def varied(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> Iterator[tuple[int, str]]:
    """Yield the day with its changes, as (start in minutes, activity)."""
    changes = {change.number: change for change in reply.changes}
    for each in v.usual:
        change = changes.get(each.number)
        yield (
            (_changed_start(v, change), change.activity) if change else (each.start, each.activity)
        )


SCHEDULE_CHANGES = Prompt(
    "schedule_changes",
    ScheduleChangesVars,
    ScheduleChangesReply,
    fallback=lambda v: ScheduleChangesReply(changes=[]),
    narrow=_narrow,
    mend=(
        Rule("worded", _word_changes),
        Rule("dropped", _drop_changes),
        Rule("moved", _move_starts),
    ),
    max_tokens=240,
)
