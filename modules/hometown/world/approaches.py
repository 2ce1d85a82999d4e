"""Approaches: what a resident decides to do about others whom they have in mind."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

ApproachKind = Literal["talk", "join", "go", "wait", "over"]
"""Action towards another resident: talk with them here, join their conversation, look for them, wait for
them, or no more.
"""


@frozen
class Approach:
    """A decision about another resident, which a reason called for.

    Attributes:
        kind: What is being done.
        other: The other resident.
        reason: The key of the reason.
        place: The arena where the other is looked for, awaited or spoken to.
        activity: The activity that looks for the other or waits for them; "" for a conversation.
        since: The time of the decision.
        along: Further residents who are to be spoken to with the other.
        topic: What to talk about.
    """

    kind: ApproachKind
    other: str
    reason: str
    place: str
    activity: str
    since: datetime
    along: tuple[str, ...] = ()
    topic: str = ""

    @property
    def seeks(self) -> bool:
        """Return True while the other is looked for or awaited."""
        return self.kind in ("join", "go", "wait")

    def is_for(self, reason: str, other: str) -> bool:
        """Return True if the approach was decided on for this reason to see this resident."""
        return (self.reason, self.other) == (reason, other)


@frozen
class AnsweredReason:
    """A reason to see another resident that has been decided on, and is not asked about again in
    the same situation: the other being free or busy here, or believed to be in an arena.
    """

    reason: str
    other: str
    situation: str
    when: datetime


@frozen
class Approaches:
    """`approaches/<resident>`: the approach under way, and the reasons answered today."""

    current: Approach | None = None
    answered: tuple[AnsweredReason, ...] = ()

    def means_to_address(self, other: str) -> bool:
        """Return True if the resident has decided to talk with another."""
        current = self.current
        return (
            current is not None
            and current.kind in ("talk", "join")
            and other in (current.other, *current.along)
        )

    def means_to_join(self, other: str) -> bool:
        """Return True if the resident has decided to join another's conversation."""
        return (
            self.current is not None
            and self.current.kind == "join"
            and self.means_to_address(other)
        )

    def answers(self, reason: str, other: str, situation: str) -> list[AnsweredReason]:
        """Return the answers of the day to a reason in a situation."""
        return [
            each
            for each in self.answered
            if (each.reason, each.other, each.situation) == (reason, other, situation)
        ]


@frozen
class ApproachesSet:
    """A resident decides about others whom they have in mind, or the approach under way is over."""

    who: str
    approaches: Approaches


@frozen
class Note:
    """A note that a resident left for another; without a `writer`, a letter from out of town."""

    writer: str
    reader: str
    text: str
    when: datetime


@frozen
class Notes:
    """`notes/<sector>`: the notes left in a house, the oldest first."""

    items: tuple[Note, ...] = ()


@frozen
class NoteLeft:
    """A note is left in a house."""

    address: str
    note: Note


@frozen
class NotesRead:
    """The resident to whom notes in a house are addressed reads them and takes them away."""

    address: str
    reader: str
