"""The rows of the world's state: frozen values under keys, versioned by step in the run's database.

`modules/hometown/world/keys.py` declares the kinds of rows and their keys. All rows serialise to
JSON and back without loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import date, datetime, timedelta
from itertools import zip_longest

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.schedule import Routines, Schedule, Tasks
from hometown.text import overlap
from hometown.world.approaches import Approaches, Notes
from hometown.world.bond import Bond
from hometown.world.deal_records import Deals
from hometown.world.director_moves import DirectorMoves
from hometown.world.feeling import Feel
from hometown.world.goal import Goals
from hometown.world.incidents import (
    Answered,
    Condition,
    Countermeasure,
    Happenings,
    Law,
    PlacedThing,
    Removed,
    StoppedHappenings,
    Voices,
)
from hometown.world.labour import (
    ActiveNeed,
    Ailment,
    BlockedErrands,
    Employment,
    ErrandQueue,
    FixtureSight,
    Job,
    Needs,
    Process,
    RecentOutcomes,
    Shop,
    Skills,
    Weather,
)
from hometown.world.matter import Counter, Item, Stock
from hometown.world.maze import Tile
from hometown.world.notices import Board
from hometown.world.occasion import Occasion, Occasions
from hometown.world.pending import Questions, Unsummed
from hometown.world.process_rows import HeldOpinion, Infection
from hometown.world.regard import Impression, Regard
from hometown.world.threads import Threads
from hometown.world.wish import Wishes

SAME_SUBJECT_OVERLAP_MIN = 0.35
"""Overlap of character trigrams (Jaccard) from which two agreements have the same subject."""

LINES_KEPT = 24
"""Maximum number of one's own lines to another resident that a relation keeps."""


@frozen
class Clock:
    """`clock/town`: the present time and step."""

    now: datetime
    step: int


@frozen
class Body:
    """`body/<resident>`: the position, the path and the thing in use.

    Attributes:
        tile: The present tile.
        path: The tiles still to walk, nearest first.
        using: The address of the thing in use; "" for none.
        refused: The reason why the last claim failed, for the resident to read; "" if it succeeded.
    """

    tile: Tile
    path: tuple[Tile, ...] = ()
    using: str = ""
    refused: str = ""


@frozen
class Talking:
    """`talking/<resident>`: the conversation in which the resident stands until `until`. `partner`
    is the one they face: the opener, or the one whom the opener spoke to.
    """

    talk: str
    partner: str
    until: datetime


@frozen
class MindState:
    """`mind/<resident>`: values that change often.

    Attributes:
        currently: The sentence on the resident's present concerns.
        memories: The number of memories made so far; the next id is one more.
        poignancy: The sum since the last reflection.
        planned: The date of the present schedule.
        bed: The bedtime, in minutes since midnight of that date; above 1440 after the next midnight.
        reflections: The number of reflections so far.
        reflected: The time of the last one.
    """

    currently: str
    memories: int = 0
    poignancy: int = 0
    planned: date | None = None
    bed: int = 1440
    reflections: int = 0
    reflected: datetime | None = None

    def add_memory(self, memory: int, poignancy: int) -> MindState:
        """Return the values after the memory of this number, with its poignancy added."""
        weight = self.poignancy + poignancy
        # `replace` takes four times as long
        return MindState(
            self.currently, memory, weight, self.planned, self.bed, self.reflections, self.reflected
        )


@frozen
class Pondered:
    """`pondered/<resident>`: the number of the latest memory on which the plan has been
    reconsidered.
    """

    memory: int


@frozen
class Reasons:
    """`reasons/<resident>`: memories of one's own that are a reason to reconsider the day, and have
    not been considered yet.
    """

    memories: tuple[int, ...] = ()


@frozen
class KeptMemories:
    """`kept/<resident>`: the numbers of the memories kept for good, ascending."""

    memories: tuple[int, ...] = ()


@frozen
class SettledMemories:
    """`settled/<resident>`: the memories that are over, each with the time since when: intentions
    carried out, and what is no longer true.
    """

    items: tuple[tuple[int, datetime], ...] = ()


@frozen
class KnownPlaces:
    """`places/<resident>`: the known arenas, in the order of discovery."""

    arenas: tuple[str, ...] = ()


@frozen
class Known:
    """`known/<resident>/<arena>`: the things seen there, each with its last seen state."""

    things: tuple[tuple[str, str], ...] = ()


@frozen
class Relation:
    """`relation/<resident>/<other>`: the relation to another resident since their first meeting in
    this run.

    Attributes:
        talks: The number of conversations.
        last: The time of the last one.
        summary: How they stand, in the resident's own words.
    """

    talks: int = 0
    last: datetime | None = None
    summary: str = ""

    def has_talked_since(self, moment: datetime) -> bool:
        """Return True if a conversation with the other ended at a moment or later."""
        return self.last is not None and self.last >= moment

    def after(self, lines: Sequence[str], now: datetime) -> QuotedRelation:
        """Return the relation after one more conversation, in which the resident said these lines;
        it keeps the last `LINES_KEPT` lines.
        """
        latest = (*earlier_lines(self), *lines)[-LINES_KEPT:]
        return QuotedRelation(self.talks + 1, now, self.summary, lines=latest)


@frozen
class QuotedRelation(Relation):
    """A relation with the latest lines that the resident said to the other, oldest first."""

    lines: tuple[str, ...] = field(kw_only=True)


def earlier_lines(relation: Relation) -> tuple[str, ...]:
    """Return the latest lines that a resident said to the other, oldest first."""
    return relation.lines if isinstance(relation, QuotedRelation) else ()


WORD_MINUTES_MAX = 20
"""Minutes of a meeting for which there is time beside another one at the same place."""

SHARED_MINUTES_MAX = 15
"""Minutes that two agreements at different places may share without a clash."""


@frozen
class Promise:
    """An agreement from a conversation. `people` are ids; `address` is "" if no place was named.

    `parts` are their own parts in it, in the order of `people`, where these differ from `what`.
    """

    what: str
    people: tuple[str, ...]
    address: str
    start: datetime
    minutes: int
    talk: str
    parts: tuple[str, ...] = ()

    @property
    def end(self) -> datetime:
        return self.start + timedelta(minutes=self.minutes)

    def until(self, end: datetime) -> Promise:
        """Return it with another end."""
        return replace(self, minutes=(end - self.start) // timedelta(minutes=1))

    def is_on(self, moment: datetime) -> bool:
        """Return True from the beginning of an agreement until before its end."""
        return self.start <= moment < self.end

    def part_of(self, who: str) -> str:
        """Return what a resident does by this agreement: their own part, or what all do."""
        parts = dict(zip(self.people, self.parts, strict=False))
        return parts.get(who) or self.what

    def with_part(self, who: str, part: str) -> Promise:
        """Return it with the words of one of its people for what they do."""
        parts = {one: self.part_of(one) for one in self.people} | {who: part}
        return replace(self, parts=tuple(parts[one] for one in self.people))

    def is_same_meeting(self, other: Promise) -> bool:
        """Return True if two agreements are for one meeting: at one place, at times that overlap,
        and with the same hours, subject, or people. One of another subject that follows a meeting
        of the same people is another one if there is time for both.
        """
        if self.address != other.address or not self.is_at_once_with(other):
            return False
        mine, theirs = set(self.people), set(other.people)
        follows = not (
            self.start == other.start
            or self.contains(other)
            or other.contains(self)
            or not self.leaves_time_for(other)
        )
        return (
            (self.start, self.minutes) == (other.start, other.minutes)
            or ((mine <= theirs or theirs <= mine) and not follows)
            or overlap(self.what, other.what) >= SAME_SUBJECT_OVERLAP_MIN
        )

    def contains(self, other: Promise) -> bool:
        """Return True if another agreement begins and ends within the time of this one."""
        return self.start <= other.start and other.end <= self.end

    def leaves_time_for(self, other: Promise) -> bool:
        """Return True if a resident can keep both of two agreements for times that overlap: at one
        place, the shorter one interrupts the longer one, of which at least half is left, or takes at
        most `WORD_MINUTES_MAX`; elsewhere, they share at most `SHARED_MINUTES_MAX`, by which the
        earlier one is left early, and neither lies within the other.
        """
        shared = min(self.end, other.end) - max(self.start, other.start)
        if self.address == other.address:
            longer, shorter = sorted((self.minutes, other.minutes), reverse=True)
            return shorter <= WORD_MINUTES_MAX or shared <= timedelta(minutes=longer) / 2
        is_apart = not (self.contains(other) or other.contains(self))
        return is_apart and shared <= timedelta(minutes=SHARED_MINUTES_MAX)

    def is_at_once_with(self, other: Promise) -> bool:
        """Return True if the times of two agreements overlap."""
        return self.start < other.end and other.start < self.end

    def with_people(self, others: Sequence[str]) -> Promise:
        """Return it with further participants."""
        return replace(self, people=tuple(dict.fromkeys((*self.people, *others))))

    def without(self, who: str) -> Promise:
        """Return it without a participant."""
        left = [
            (person, part)
            for person, part in zip_longest(self.people, self.parts, fillvalue="")
            if person != who
        ]
        return replace(
            self,
            people=tuple(person for person, _ in left),
            parts=tuple(part for _, part in left) if self.parts else (),
        )


@frozen
class Resolution(Promise):
    """An act that a resident has resolved to do alone. Others see the act `outside` in its place."""

    outside: str = field(kw_only=True)


@frozen
class Promises:
    """`promises/<resident>`: the agreements that are not over, soonest first."""

    items: tuple[Promise, ...] = ()


@frozen
class Sighting:
    """A resident seen in passing, with `activity`, the act that others see."""

    other: str
    activity: str
    address: str


@frozen
class Passed:
    """`passed/<resident>`: the residents, and the things with their state, passed since the last
    step.
    """

    people: tuple[Sighting, ...] = ()
    things: tuple[tuple[str, str], ...] = ()


@frozen
class ThingState:
    """`thing/<address>`: the users (ids, in order of arrival) and the state that it shows."""

    users: tuple[str, ...] = ()
    state: str = ""


Row = (
    Clock
    | Body
    | Talking
    | MindState
    | KnownPlaces
    | Known
    | Relation
    | Promises
    | Passed
    | ThingState
    | Action
    | Schedule
    | Tasks
    | Routines
    | Answered
    | Voices
    | Pondered
    | Condition
    | PlacedThing
    | Removed
    | Law
    | Happenings
    | Occasion
    | Occasions
    | Bond
    | Goals
    | Stock
    | Item
    | Counter
    | Job
    | Process
    | Needs
    | Skills
    | Shop
    | Weather
    | ActiveNeed
    | ErrandQueue
    | RecentOutcomes
    | BlockedErrands
    | FixtureSight
    | Feel
    | KeptMemories
    | Questions
    | Unsummed
    | Regard
    | Impression
    | Deals
    | Employment
    | Threads
    | Board
    | Ailment
    | SettledMemories
    | Reasons
    | Approaches
    | Notes
    | StoppedHappenings
    | Countermeasure
    | Wishes
    | DirectorMoves
    | HeldOpinion
    | Infection
)
