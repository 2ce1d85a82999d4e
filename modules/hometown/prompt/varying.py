"""The prompt for a day made of habits: the model names the lines of the usual day that differ
today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from pydantic import Field

from hometown.clock import DAY, hhmm
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, at_most, between, line
from hometown.prompt.plans import CLOCK, since_waking
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.world.activities import themes_of
from hometown.world.rows import Promise

MOST_CHANGES = 3
"""Maximum number of changes in one reply."""

LENGTH = 60
"""Maximum length of a changed activity in characters."""

SAFE_LENGTH = 48
"""Length in characters up to which an activity fits `WORDS` however long its verb is."""

WORDS: dict[Lang, str] = {
    "en": rf'^[a-z]{{1,12}}ing [A-Za-z\u00c0-\u017f][^\x00-\x1f"\\.:0-9\u2026]{{0,{SAFE_LENGTH - 5}}}$',
    "zh": rf'^[^\x00-\x40\x5b-\x60\x7b-\xbf\u2000-\u206f\u3000-\u303f\ufeff][^\x00-\x1f"\\0-9]{{0,{LENGTH - 1}}}$',
}
"""Pattern of a changed activity by language.

It excludes digits, in which small models get lost after a list of times. In English it demands the
form of all activities, so that no sentence of the prompt is copied.
"""

SHIFT = 30
"""Minutes by which a line may begin earlier or later than usual."""

SHORTEST = 15
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
    number: int = Field(description="Number of the line that is different today.")
    activity: str = Field(pattern=line(LENGTH), description="What to do instead, a few words.")
    start: str = Field(pattern=CLOCK, description="When it begins today.")


class ScheduleChangesReply(Reply):
    changes: list[PlanChange] = Field(
        max_length=MOST_CHANGES, description="What is different today; an empty list if nothing is."
    )


def _open_lines(v: ScheduleChangesVars) -> Mapping[str, Keywords]:
    numbers = [each.number for each in v.usual if each.number]
    return {
        "changes": at_most(min(MOST_CHANGES, len(numbers))),
        "changes[].number": between(1, max(numbers)),
        "changes[].activity": {"pattern": WORDS[v.situation.lang]},
    }


def _each_once(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> ScheduleChangesReply:
    """Keep one change for each changeable line, without unknown activities and repetitions of other
    lines.
    """
    kept: list[PlanChange] = []
    may_change = {each.number for each in v.usual if each.number}
    for change in reply.changes:
        others = [each.activity for each in v.usual if each.number != change.number] + [
            each.activity for each in kept
        ]
        new = themes_of(
            change.activity, v.situation.lang
        ) and change.activity.casefold() not in map(str.casefold, others)
        if new and change.number in may_change - {each.number for each in kept}:
            kept.append(change)
    return ScheduleChangesReply(changes=kept)


def _between_its_neighbours(
    v: ScheduleChangesVars, reply: ScheduleChangesReply
) -> ScheduleChangesReply:
    return ScheduleChangesReply(
        changes=[
            change.model_copy(update={"start": hhmm(_start(v, change) % DAY)})
            for change in reply.changes
        ]
    )


def _start(v: ScheduleChangesVars, change: PlanChange) -> int:
    """Return the start of a changed line: the reply's, kept near the usual time and between its
    neighbours.
    """
    at = next(at for at, each in enumerate(v.usual) if each.number == change.number)
    usual = v.usual[at].start
    earliest = max(usual - SHIFT, v.usual[at - 1].start + SHORTEST if at else v.wake)
    latest = min(
        usual + SHIFT, (v.usual[at + 1].start if at + 1 < len(v.usual) else v.bed) - SHORTEST
    )
    return max(min(since_waking(change.start, v.wake), max(latest, usual)), min(earliest, usual))


def varied(v: ScheduleChangesVars, reply: ScheduleChangesReply) -> Iterator[tuple[int, str]]:
    """Yield the day with its changes, as (start in minutes, activity)."""
    changes = {change.number: change for change in reply.changes}
    for each in v.usual:
        change = changes.get(each.number)
        yield (_start(v, change), change.activity) if change else (each.start, each.activity)


SCHEDULE_CHANGES = Prompt(
    "schedule_changes", ScheduleChangesVars, ScheduleChangesReply,
    fallback=lambda v: ScheduleChangesReply(changes=[]),
    narrow=_open_lines,
    mend=(Rule("dropped", _each_once), Rule("moved", _between_its_neighbours)),
    max_tokens=240,
)  # fmt: skip
