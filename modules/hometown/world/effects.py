"""Effects: the only way in which the world changes. They are data, logged in order, and applied by
`modules/hometown/world/apply.py` alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from hometown.frozen import frozen
from hometown.memory.action import Action, DiscreetAction
from hometown.memory.concept import Concept
from hometown.memory.schedule import Schedule, Tasks
from hometown.world.approaches import ApproachesSet, NoteLeft, NotesRead
from hometown.world.conversation import Company, Conversation
from hometown.world.deal_records import DealingEffect
from hometown.world.director_moves import DirectorAsked
from hometown.world.feeling import Felt
from hometown.world.goal import Goals
from hometown.world.incidents import IncidentEffect
from hometown.world.labour import LabourEffect
from hometown.world.matter import MatterEffect
from hometown.world.maze import Tile
from hometown.world.notices import BoardSet
from hometown.world.pending import QuestionArose, QuestionsAnswered, SummedUp
from hometown.world.process_rows import ProcessEffect
from hometown.world.regard import RegardEffect
from hometown.world.rows import Promises, QuotedRelation, Relation, Sighting
from hometown.world.social import BondMoved, OccasionEffect
from hometown.world.threads import ThreadEffect
from hometown.world.wish import WishSet

# of one mind -------------------------------------------------------------------------------


@frozen
class Remembered:
    """A memory is made. Its poignancy counts towards the next reflection if `counts`."""

    who: str
    concept: Concept
    counts: bool = True


@frozen
class Accessed:
    """Memories were retrieved at `when`."""

    who: str
    ids: tuple[int, ...]
    when: datetime


@frozen
class Retired:
    """Memories leave retrieval; `reason` is "expired", "surplus", "repeated", "trivial" or
    "deleted".
    """

    who: str
    ids: tuple[int, ...]
    reason: str


@frozen
class Settled:
    """Memories are over at `when`: done, or no longer true. They are not recalled any more, and stay
    as evidence. Those that an open question is about stay live until it is answered.
    """

    who: str
    ids: tuple[int, ...]
    when: datetime


@frozen
class Kept:
    """Memories are to be kept for good."""

    who: str
    ids: tuple[int, ...]


@frozen
class Recalled:
    """Retired memories came to mind at `when`, and are active again."""

    who: str
    ids: tuple[int, ...]
    when: datetime


@frozen
class Reflected:
    """A resident has reflected, on memories of the poignancy `weighed`; later ones count towards
    the next reflection. None restarts the sum at 0.
    """

    who: str
    when: datetime
    weighed: int | None = None


@frozen
class DayPlanned:
    """A new day begins, with a schedule, a bedtime and a sentence on the present concerns."""

    who: str
    schedule: Schedule
    bed: int
    currently: str


@frozen
class ConcernsRenewed:
    """The sentence on a resident's present concerns is as something has left it."""

    who: str
    currently: str


@frozen
class GoalsSet:
    """A resident's goals are revised, or counted on another day's plan."""

    who: str
    goals: Goals


@frozen
class Rescheduled:
    """The schedule changes during the day; `reason` names the conversation or the rule."""

    who: str
    schedule: Schedule
    reason: str


@frozen
class TasksSet:
    """The tasks of the current entry are drawn up, or changed by a conversation."""

    who: str
    tasks: Tasks


@frozen
class RoutineKept:
    """The tasks of an activity are stored for other days."""

    who: str
    activity: str
    tasks: Tasks


@frozen
class TaskBegun:
    """The task due at `minute` begins; earlier ones are closed as done or skipped."""

    who: str
    minute: int


@frozen
class TasksClosed:
    """The entry ends at `minute`; its tasks are closed as done, skipped or dropped."""

    who: str
    minute: int


@frozen
class Mapped:
    """A resident's picture of an arena is updated by the things seen there."""

    who: str
    arena: str
    things: tuple[tuple[str, str], ...]


@frozen
class Missed:
    """Things that a resident knew in an arena are no longer there."""

    who: str
    arena: str
    things: tuple[str, ...]


@frozen
class ReasonArose:
    """A memory is a reason to reconsider the rest of the day."""

    who: str
    memory: int


@frozen
class Reconsidered:
    """A resident has reconsidered the plan, after all memories up to `memory`, or for 0 after an
    inner voice and all reasons of their own.
    """

    who: str
    memory: int = 0


@frozen
class Related:
    """The relation to another resident is summarised again."""

    who: str
    other: str
    relation: QuotedRelation | Relation


@frozen
class Promised:
    """A resident's list of agreements is replaced."""

    who: str
    promises: Promises


# of the body and of things -----------------------------------------------------------------


@frozen
class Began:
    """An action replaces the previous one. Its path begins at the resident's tile."""

    who: str
    action: DiscreetAction | Action
    path: tuple[Tile, ...]


@frozen
class Left:
    """A thing is released."""

    who: str
    address: str


@frozen
class Moved:
    """Tiles were entered, one a tick, from tick `tick` of the step on; 0 is the first."""

    who: str
    tick: int
    tiles: tuple[Tile, ...]


@frozen
class Arrived:
    """A resident reaches the destination; a thing there is claimed and shows its new state."""

    who: str
    when: datetime
    address: str
    thing: bool


@frozen
class Refused:
    """The claim on a thing failed; the resident reads `reason` at the next step."""

    who: str
    address: str
    reason: str


@frozen
class PassedBy:
    """A resident passed residents and things in this step."""

    who: str
    people: tuple[Sighting, ...]
    things: tuple[tuple[str, str], ...]


@frozen
class TalkBegan:
    """Residents stand still for a conversation, which has been held in full. Those who left it
    early are free before `until`.

    Unless it is `summed` up, that follows in the next step.
    """

    talk: Company | Conversation
    until: datetime
    summed: bool = True


@frozen
class TalkEnded:
    """The duration of a conversation is over for a resident."""

    who: str


# of time ---------------------------------------------------------------------------------


@frozen
class TimePassed:
    """A step is over."""

    now: datetime
    step: int


Effect = (
    Remembered
    | Accessed
    | Retired
    | Settled
    | Kept
    | Recalled
    | Reflected
    | DayPlanned
    | Rescheduled
    | TasksSet
    | TaskBegun
    | TasksClosed
    | RoutineKept
    | Mapped
    | Related
    | Promised
    | Began
    | Left
    | Moved
    | Arrived
    | Refused
    | PassedBy
    | TalkBegan
    | TalkEnded
    | TimePassed
    | Missed
    | ReasonArose
    | Reconsidered
    | OccasionEffect
    | BondMoved
    | GoalsSet
    | IncidentEffect
    | MatterEffect
    | LabourEffect
    | Felt
    | ConcernsRenewed
    | QuestionArose
    | QuestionsAnswered
    | SummedUp
    | DealingEffect
    | RegardEffect
    | ThreadEffect
    | BoardSet
    | ApproachesSet
    | NoteLeft
    | NotesRead
    | WishSet
    | DirectorAsked
    | ProcessEffect
)


class Logged(NamedTuple):
    """An effect as stored, with its resident ("" for the town) and its cause:
    "call:<kind>#<ordinal>" of the same step, "rule:<name>", or "user:<number>", a user's request.
    """

    effect: Effect
    who: str
    cause: str


def owner(effect: Effect) -> str:
    """Return the resident whom an effect concerns; "" for an effect on the town."""
    return getattr(effect, "who", "")
