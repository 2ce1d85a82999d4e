"""Effects: the only way in which the world changes.

Thinking returns them, walking yields them, recipes turn actions into them. They are data, logged in
order, and `apply` is the one place that carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import singledispatch

from modules.memory.action import Action
from modules.memory.concept import Concept
from modules.memory.schedule import Schedule, Tasks
from modules.world.maze import Tile
from modules.world.rows import (
    Clock,
    Condition,
    Happening,
    Happenings,
    Known,
    Passed,
    Placed,
    Places,
    Promises,
    Relation,
    Removed,
    Sighting,
    Talking,
    ThingState,
    Voices,
)
from modules.world.state import State
from modules.world.talk import Talk

# of one mind -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory is made. Its poignancy counts towards the next reflection where `counts` says so."""

    who: str
    concept: Concept
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Accessed:
    """Memories were retrieved at `when`."""

    who: str
    ids: tuple[int, ...]
    when: datetime


@dataclass(frozen=True, slots=True)
class Retired:
    """Memories leave retrieval; `reason` is "expired" or "surplus"."""

    who: str
    ids: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflection is over: the sum of poignancy begins anew."""

    who: str
    when: datetime


@dataclass(frozen=True, slots=True)
class DayPlanned:
    """A new day begins with this schedule and bedtime, and with this sense of what is going on."""

    who: str
    schedule: Schedule
    bed: int
    currently: str


@dataclass(frozen=True, slots=True)
class Rescheduled:
    """The schedule changes in the course of the day; `reason` names the talk or the rule."""

    who: str
    schedule: Schedule
    reason: str


@dataclass(frozen=True, slots=True)
class TasksSet:
    """The tasks of the entry under way are drawn up, or changed by a talk."""

    who: str
    tasks: Tasks


@dataclass(frozen=True, slots=True)
class TaskBegun:
    """The task due at `minute` is begun; earlier ones are closed as done or skipped."""

    who: str
    minute: int


@dataclass(frozen=True, slots=True)
class TasksClosed:
    """The entry is left at `minute`: its tasks are closed as done, skipped or dropped."""

    who: str
    minute: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """The resident's picture of an arena is brought up to date by what it sees there."""

    who: str
    arena: str
    things: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """Things that the resident knew in an arena are not there any more."""

    who: str
    arena: str
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reconsidered:
    """What the inner voice said has been thought over."""

    who: str


@dataclass(frozen=True, slots=True)
class Related:
    """How it stands with another is summed up anew."""

    who: str
    other: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Promised:
    """The list of what it has agreed to is replaced."""

    who: str
    promises: Promises


# of the body and of things -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Began:
    """An action replaces the one before; the way to it begins at the tile where the resident stands."""

    who: str
    action: Action
    path: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A thing is let go."""

    who: str
    address: str


@dataclass(frozen=True, slots=True)
class Moved:
    """`tiles` were entered one a tick, the first in tick `tick` of the step (0 is the first)."""

    who: str
    tick: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Arrived:
    """The end of the way; a thing there is claimed and shows its new state."""

    who: str
    when: datetime
    address: str
    thing: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """The claim on a thing failed; `reason` is read by its owner at its next step."""

    who: str
    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class PassedBy:
    """What a resident came by on its way in this step."""

    who: str
    people: tuple[Sighting, ...]
    things: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TalkBegan:
    """Two residents stand still for a conversation, which has been held in full."""

    talk: Talk
    until: datetime


@dataclass(frozen=True, slots=True)
class TalkEnded:
    """The time that a conversation takes is over for this resident."""

    who: str


# of the user -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intervened:
    """The user's request `number` is carried out, by the effects that follow; `kind` and the rest are as in `interventions.Intervention`."""

    number: int
    kind: str
    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """An inner voice has spoken, and `memory` is what it said: something to think over."""

    who: str
    memory: int


@dataclass(frozen=True, slots=True)
class ConditionSet:
    """Something is the matter with a thing from now on; nothing any more where `text` is ""."""

    address: str
    text: str


@dataclass(frozen=True, slots=True)
class ThingPlaced:
    """A thing stands there that the map does not have."""

    address: str
    placed: Placed


@dataclass(frozen=True, slots=True)
class ThingRemoved:
    """A thing is gone."""

    address: str
    when: datetime


@dataclass(frozen=True, slots=True)
class HappeningBegan:
    """Something happens at a place."""

    happening: Happening


@dataclass(frozen=True, slots=True)
class HappeningsEnded:
    """What was to go on until `now` or before is over."""

    now: datetime


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A step is over."""

    now: datetime
    step: int


Effect = (
    Remembered | Accessed | Retired | Reflected | DayPlanned | Rescheduled | TasksSet | TaskBegun | TasksClosed | Mapped | Related | Promised
    | Began | Left | Moved | Arrived | Refused | PassedBy | TalkBegan | TalkEnded | TimePassed
    | Missed | Reconsidered | Intervened | Told | ConditionSet | ThingPlaced | ThingRemoved | HappeningBegan | HappeningsEnded
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Logged:
    """An effect as it is kept: whose it is ("" for the town's own) and what caused it.

    `cause` is "call:<kind>#<ordinal>", a model call of `who` in the same step, "rule:<name>", or "user:<number>", a request of the user's.
    """

    effect: Effect
    who: str
    cause: str


@singledispatch
def apply(effect: Effect, state: State) -> None:
    """Carries out one effect. Raises TypeError for anything that is none."""
    raise TypeError(f"{effect!r} is not an effect")


@apply.register
def _(effect: Remembered, state: State) -> None:
    mind = state.mind(effect.who)
    poignancy = mind.poignancy + (effect.concept.poignancy if effect.counts else 0)
    state.put(f"mind/{effect.who}", replace(mind, memories=effect.concept.id, poignancy=poignancy))
    state.remember(effect.who, effect.concept)


@apply.register
def _(effect: Accessed, state: State) -> None:
    state.access(effect.who, effect.ids, effect.when)


@apply.register
def _(effect: Retired, state: State) -> None:
    state.retire(effect.who, effect.ids)


@apply.register
def _(effect: Reflected, state: State) -> None:
    mind = state.mind(effect.who)
    state.put(f"mind/{effect.who}", replace(mind, poignancy=0, reflections=mind.reflections + 1, reflected=effect.when))


@apply.register
def _(effect: DayPlanned, state: State) -> None:
    mind = replace(state.mind(effect.who), planned=effect.schedule.date, bed=effect.bed, currently=effect.currently)
    state.put(f"mind/{effect.who}", mind)
    state.put(f"schedule/{effect.who}", effect.schedule)
    state.put(f"tasks/{effect.who}", Tasks())


@apply.register
def _(effect: Rescheduled, state: State) -> None:
    state.put(f"schedule/{effect.who}", effect.schedule)


@apply.register
def _(effect: TasksSet, state: State) -> None:
    state.put(f"tasks/{effect.who}", effect.tasks)


@apply.register
def _(effect: TaskBegun, state: State) -> None:
    state.put(f"tasks/{effect.who}", state.tasks(effect.who).begin(effect.minute))


@apply.register
def _(effect: TasksClosed, state: State) -> None:
    state.put(f"tasks/{effect.who}", state.tasks(effect.who).close(effect.minute))


@apply.register
def _(effect: Mapped, state: State) -> None:
    places = state.places(effect.who)
    if effect.arena not in places.arenas:
        state.put(f"places/{effect.who}", Places((*places.arenas, effect.arena)))
    known = dict(state.known(effect.who, effect.arena).things) | dict(effect.things)
    state.put(f"known/{effect.who}/{effect.arena}", Known(tuple(sorted(known.items()))))


@apply.register
def _(effect: Related, state: State) -> None:
    state.put(f"relation/{effect.who}/{effect.other}", effect.relation)


@apply.register
def _(effect: Promised, state: State) -> None:
    state.put(f"promises/{effect.who}", effect.promises)


@apply.register
def _(effect: Began, state: State) -> None:
    body = state.body(effect.who)
    state.put(f"action/{effect.who}", effect.action)
    state.put(f"body/{effect.who}", replace(body, path=effect.path, refused=""))


@apply.register
def _(effect: Left, state: State) -> None:
    thing = state.thing(effect.address)
    users = tuple(user for user in thing.users if user != effect.who)
    row = ThingState(users, thing.state) if users else None
    state.put(f"thing/{effect.address}", row)
    state.put(f"body/{effect.who}", replace(state.body(effect.who), using=""))


@apply.register
def _(effect: Moved, state: State) -> None:
    body = state.body(effect.who)
    rest = body.path[len(effect.tiles) :]
    state.put(f"body/{effect.who}", replace(body, tile=effect.tiles[-1], path=rest))
    state.changes.trajectories.setdefault(effect.who, []).extend((effect.tick + at, *tile) for at, tile in enumerate(effect.tiles))


@apply.register
def _(effect: Arrived, state: State) -> None:
    action = replace(state.action(effect.who), started=effect.when)
    state.put(f"action/{effect.who}", action)
    if effect.thing:
        users = state.thing(effect.address).users
        users = users if effect.who in users else (*users, effect.who)  # who goes on at the same thing claims it once
        state.put(f"thing/{effect.address}", ThingState(users, action.thing_state))
        state.put(f"body/{effect.who}", replace(state.body(effect.who), using=effect.address))


@apply.register
def _(effect: Refused, state: State) -> None:
    state.put(f"body/{effect.who}", replace(state.body(effect.who), path=(), refused=effect.reason))


@apply.register
def _(effect: PassedBy, state: State) -> None:
    row = Passed(effect.people, effect.things) if effect.people or effect.things else None
    state.put(f"passed/{effect.who}", row)


@apply.register
def _(effect: TalkBegan, state: State) -> None:
    talk = effect.talk
    state.put(f"talking/{talk.opener}", Talking(talk.id, talk.partner, effect.until))
    state.put(f"talking/{talk.partner}", Talking(talk.id, talk.opener, effect.until))
    state.changes.talks.append(talk)


@apply.register
def _(effect: TalkEnded, state: State) -> None:
    state.put(f"talking/{effect.who}", None)


@apply.register
def _(effect: Missed, state: State) -> None:
    known = state.known(effect.who, effect.arena).things
    state.put(f"known/{effect.who}/{effect.arena}", Known(tuple(one for one in known if one[0] not in effect.things)))


@apply.register
def _(effect: Reconsidered, state: State) -> None:
    state.put(f"voices/{effect.who}", None)


@apply.register
def _(effect: Intervened, state: State) -> None:
    state.put("answered/town", state.answered.along(effect.number))


@apply.register
def _(effect: Told, state: State) -> None:
    state.put(f"voices/{effect.who}", Voices((*state.voices(effect.who), effect.memory)))


@apply.register
def _(effect: ConditionSet, state: State) -> None:
    state.put(f"condition/{effect.address}", Condition(effect.text) if effect.text else None)


@apply.register
def _(effect: ThingPlaced, state: State) -> None:
    state.put(f"placed/{effect.address}", effect.placed)


@apply.register
def _(effect: ThingRemoved, state: State) -> None:
    state.put(f"removed/{effect.address}", Removed(effect.when))


@apply.register
def _(effect: HappeningBegan, state: State) -> None:
    state.put("happenings/town", Happenings((*state.happenings, effect.happening)))


@apply.register
def _(effect: HappeningsEnded, state: State) -> None:
    left = tuple(one for one in state.happenings if one.until > effect.now)
    state.put("happenings/town", Happenings(left) if left else None)


@apply.register
def _(effect: TimePassed, state: State) -> None:
    state.put("clock/town", Clock(effect.now, effect.step))
