"""Effects: the only way in which the world changes. They are data, logged in order, and carried out
by `modules/hometown/world/apply.py` alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.schedule import Schedule, Tasks
from hometown.world.conversation import Company, Conversation
from hometown.world.dealing import DealingEffect
from hometown.world.feeling import Felt
from hometown.world.goal import Goals
from hometown.world.incidents import IncidentEffect
from hometown.world.labour import LabourEffect
from hometown.world.matter import MatterEffect
from hometown.world.maze import Tile
from hometown.world.notices import BoardSet
from hometown.world.pending import QuestionArose, QuestionsAnswered, SummedUp
from hometown.world.regard import RegardEffect
from hometown.world.rows import Promises, Relation, Sighting
from hometown.world.social import BondMoved, OccasionEnded, OccasionKnown, OccasionSet
from hometown.world.threads import ThreadEffect

# of one mind -------------------------------------------------------------------------------


@frozen
class Remembered:
    """A memory is made. Its poignancy counts towards the next reflection where `counts` says so."""

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
    """Memories leave retrieval; `reason` is "expired", "surplus", "repeated" or "trivial"."""

    who: str
    ids: tuple[int, ...]
    reason: str


@frozen
class Kept:
    """Memories are kept for good from now on."""

    who: str
    ids: tuple[int, ...]


@frozen
class Recalled:
    """Memories that had been retired came to mind at `when`, and are live again."""

    who: str
    ids: tuple[int, ...]
    when: datetime


@frozen
class Reflected:
    """A resident has looked back at `when`, on what `weighed` so much; what it has noticed since
    counts for the next time. None: the sum restarts at 0.
    """

    who: str
    when: datetime
    weighed: int | None = None


@frozen
class DayPlanned:
    """A new day begins with this schedule and bedtime, and with this sense of what is going on."""

    who: str
    schedule: Schedule
    bed: int
    currently: str


@frozen
class GoalsSet:
    """What is worked towards over days is revised, or has been on another day's plan."""

    who: str
    goals: Goals


@frozen
class Rescheduled:
    """The schedule changes in the course of the day; `reason` names the conversation or the rule."""

    who: str
    schedule: Schedule
    reason: str


@frozen
class TasksSet:
    """The tasks of the entry under way are drawn up, or changed by a conversation."""

    who: str
    tasks: Tasks


@frozen
class RoutineKept:
    """What an entry of the schedule with this activity is made up of is kept for other days."""

    who: str
    activity: str
    tasks: Tasks


@frozen
class TaskBegun:
    """The task due at `minute` is begun; earlier ones are closed as done or skipped."""

    who: str
    minute: int


@frozen
class TasksClosed:
    """The entry is left at `minute`: its tasks are closed as done, skipped or dropped."""

    who: str
    minute: int


@frozen
class Mapped:
    """The resident's picture of an arena is brought up to date by what it sees there."""

    who: str
    arena: str
    things: tuple[tuple[str, str], ...]


@frozen
class Missed:
    """Things that the resident knew in an arena are not there any more."""

    who: str
    arena: str
    things: tuple[str, ...]


@frozen
class Reconsidered:
    """The plan has been reconsidered: after all that was noticed and heard up to `memory`, or,
    where that is 0, after what the inner voice said.
    """

    who: str
    memory: int = 0


@frozen
class Related:
    """The relation to another resident is summarised anew."""

    who: str
    other: str
    relation: Relation


@frozen
class Promised:
    """The list of what it has agreed to is replaced."""

    who: str
    promises: Promises


# of the body and of things -----------------------------------------------------------------


@frozen
class Began:
    """An action replaces the one before; the way to it begins at the tile where the resident
    stands.
    """

    who: str
    action: Action
    path: tuple[Tile, ...]


@frozen
class Left:
    """A thing is let go."""

    who: str
    address: str


@frozen
class Moved:
    """`tiles` were entered one a tick, the first in tick `tick` of the step (0 is the first)."""

    who: str
    tick: int
    tiles: tuple[Tile, ...]


@frozen
class Arrived:
    """The destination is reached; a thing there is claimed and shows its new state."""

    who: str
    when: datetime
    address: str
    thing: bool


@frozen
class Refused:
    """The claim on a thing failed; `reason` is read by its owner at its next step."""

    who: str
    address: str
    reason: str


@frozen
class PassedBy:
    """What a resident passed on its way in this step."""

    who: str
    people: tuple[Sighting, ...]
    things: tuple[tuple[str, str], ...]


@frozen
class TalkBegan:
    """Residents stand still for a conversation, which has been held in full; whoever left it early
    is free before `until`.

    One that is not `summed` up yet is so in the next step.
    """

    talk: Company | Conversation
    until: datetime
    summed: bool = True


@frozen
class TalkEnded:
    """The time that a conversation takes is over for this resident."""

    who: str


# of time ---------------------------------------------------------------------------------


@frozen
class TimePassed:
    """A step is over."""

    now: datetime
    step: int


Effect = (
    Remembered | Accessed | Retired | Kept | Recalled | Reflected | DayPlanned | Rescheduled | TasksSet | TaskBegun | TasksClosed | RoutineKept
    | Mapped | Related | Promised | Began | Left | Moved | Arrived | Refused | PassedBy | TalkBegan | TalkEnded | TimePassed
    | Missed | Reconsidered | OccasionSet | OccasionKnown | OccasionEnded | BondMoved | GoalsSet | IncidentEffect | MatterEffect | LabourEffect | Felt
    | QuestionArose | QuestionsAnswered | SummedUp | DealingEffect | RegardEffect | ThreadEffect | BoardSet
)  # fmt: skip


class Logged(NamedTuple):
    """An effect as it is kept: whose it is ("" for the town's own) and what caused it:
    "call:<kind>#<ordinal>" of the same step, "rule:<name>", or "user:<number>", a request of the
    user's.
    """

    effect: Effect
    who: str
    cause: str
