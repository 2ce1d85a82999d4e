"""The world's state: a table of frozen rows, and each resident's memory stream.

No decisions are made here. Rows are replaced by `modules/hometown/world/apply.py` and by nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from hometown.memory.action import Action
from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.memory.overlay import Fork
from hometown.memory.overlay import Overlay as MemoryOverlay
from hometown.memory.schedule import Routines, Schedule, Tasks
from hometown.memory.stream import MemoryStream
from hometown.world.bond import Bond
from hometown.world.conversation import Conversation
from hometown.world.feeling import Feel
from hometown.world.goal import Goal, Goals
from hometown.world.holdings import Holdings
from hometown.world.incidents import Answered, Condition, Happening, Happenings, Voices
from hometown.world.occasion import Occasion, Occasions
from hometown.world.pending import Question, Questions, Unsummed
from hometown.world.rows import (
    OWN,
    Body,
    Clock,
    KeptMemories,
    Known,
    MindState,
    Passed,
    Places,
    Pondered,
    Promises,
    Relation,
    Row,
    Talking,
    ThingState,
)

if TYPE_CHECKING:
    from hometown.memory.store import MemoryStore

# What stands for rows that are not there, made once: they are read a hundred times a step and
# resident.
_NO_TASKS, _NO_ROUTINES, _NO_PROMISES, _NO_PASSED, _NO_RELATION, _NO_PLACES = (
    Tasks(),
    Routines(),
    Promises(),
    Passed(),
    Relation(),
    Places(),
)
(
    _NO_KNOWN,
    _NO_THING_STATE,
    _NO_CONDITION,
    _NO_ANSWERED,
    _NO_HAPPENINGS,
    _NO_VOICES,
    _NO_PONDERED,
    _NO_OCCASIONS,
    _NO_BOND,
    _NO_GOALS,
    _NO_KEPT,
    _NO_QUESTIONS,
) = (
    Known(),
    ThingState(),
    Condition(""),
    Answered(),
    Happenings(),
    Voices(),
    Pondered(0),
    Occasions(),
    Bond(),
    Goals(),
    KeptMemories(),
    Questions(),
)


@dataclass(slots=True)
class Changes:
    """What one step wrote. A row of None was removed."""

    rows: dict[str, Row | None] = field(default_factory=dict)
    memories: dict[str, list[Concept]] = field(default_factory=dict)
    accessed: dict[str, dict[int, datetime]] = field(default_factory=dict)
    retired: dict[str, list[int]] = field(default_factory=dict)
    talks: list[Conversation] = field(default_factory=list)
    trajectories: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    """(tick, column, row) of each tile entered, by resident."""


class State(Holdings):
    """Rows by key, memory streams by resident, and all that has changed since `Changes` were last
    taken.

    `vector` gives the embedding of a text, float32[d], unit length; it is asked for when a memory
    is made. `new_stream` makes the stream of somebody new.
    """

    def __init__(
        self,
        rows: dict[str, Row],
        memories: dict[str, MemoryStream],
        vector: Callable[[str], Vector],
        new_stream: Callable[[], MemoryStream] = MemoryStream,
    ) -> None:
        self.rows = rows
        self.memories = memories
        self.vector = vector
        self.new_stream = new_stream
        self.changes = Changes()
        self._base: State | None = None
        """The state on which this one is layered."""
        self._store: MemoryStore | None = None

    def fork(self, vector: Callable[[str], Vector]) -> State:
        """A state that goes on from here on its own, as long as this one stays as it is; `vector`
        as for a new state.
        """
        fork = State(
            dict(self.rows), {who: Fork(memory) for who, memory in self.memories.items()}, vector
        )
        fork._base = self
        return fork

    def take_changes(self) -> Changes:
        """Returns what has changed since the last call, and clears it."""
        taken, self.changes = self.changes, Changes()
        return taken

    # rows ---------------------------------------------------------------------------------

    def row(self, key: str) -> Row | None:
        return self.rows.get(key)

    def put(self, key: str, row: Row | None) -> None:
        """Replaces a row; None removes it. A row equal to the one that stands is no change."""
        if self.row(key) == row:
            return
        self.changes.rows[key] = row
        if row is None:
            self.rows.pop(key, None)
        else:
            self.rows[key] = row

    # memories -----------------------------------------------------------------------------

    def memory(self, who: str) -> MemoryStream:
        return self.memories[who]

    @property
    def store(self) -> MemoryStore:
        """The vector store from which minds recall; another one may be put in its place."""
        if self._store is None:
            from hometown.memory.store import MemoryStore  # LlamaIndex takes seconds to import

            self._store = (
                MemoryStore.over(self.memories)
                if self._base is None
                else self._base.store.layer(self.memories)
            )
        return self._store

    @store.setter
    def store(self, store: MemoryStore) -> None:
        self._store = store

    def remember(self, who: str, concept: Concept) -> None:
        self.memories[who].add(concept, self.vector(concept.text))
        self.changes.memories.setdefault(who, []).append(concept)

    def access(self, who: str, ids: Iterable[int], when: datetime) -> None:
        ids = [number for number in ids if number in self.memories[who]]
        self.memories[who].access(ids, when)
        self.changes.accessed.setdefault(who, {}).update(dict.fromkeys(ids, when))

    def retire(self, who: str, ids: Iterable[int]) -> None:
        ids = [number for number in ids if number in self.memories[who]]
        self.memories[who].retire(ids)
        self.changes.retired.setdefault(who, []).extend(ids)

    def recall(self, who: str, ids: Iterable[int], when: datetime) -> None:
        """Brings retired memories back; in the tables, one is live again that was accessed after it
        was retired.
        """
        self.memories[who].recall(ids, when)
        self.changes.accessed.setdefault(who, {}).update(dict.fromkeys(ids, when))

    # rows by name -------------------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        return cast(Clock, self.row("clock/town"))

    def body(self, who: str) -> Body:
        return cast(Body, self.row(f"body/{who}"))

    def action(self, who: str) -> Action:
        return cast(Action, self.row(f"action/{who}"))

    def mind(self, who: str) -> MindState:
        return cast(MindState, self.row(f"mind/{who}"))

    def schedule(self, who: str) -> Schedule:
        return cast(Schedule, self.row(f"schedule/{who}"))

    def tasks(self, who: str) -> Tasks:
        return self._or(f"tasks/{who}", _NO_TASKS)

    def routines(self, who: str, activity: str) -> Routines:
        return self._or(f"routine/{who}/{activity}", _NO_ROUTINES)

    def talking(self, who: str) -> Talking | None:
        return cast("Talking | None", self.row(f"talking/{who}"))

    def promises(self, who: str) -> Promises:
        return self._or(f"promises/{who}", _NO_PROMISES)

    def passed(self, who: str) -> Passed:
        return self._or(f"passed/{who}", _NO_PASSED)

    def relation(self, who: str, other: str) -> Relation:
        return self._or(f"relation/{who}/{other}", _NO_RELATION)

    def bond(self, who: str, other: str) -> Bond:
        return self._or(f"bond/{who}/{other}", _NO_BOND)

    def feel(self, who: str) -> Feel | None:
        """What a resident feels; None where nothing has stirred it yet."""
        return cast("Feel | None", self.row(f"feel/{who}"))

    def goals(self, who: str) -> tuple[Goal, ...]:
        """What a resident works towards, the most important first."""
        return self._or(f"goals/{who}", _NO_GOALS).items

    def places(self, who: str) -> Places:
        return self._or(f"places/{who}", _NO_PLACES)

    def known(self, who: str, arena: str) -> Known:
        return self._or(f"known/{who}/{arena}", _NO_KNOWN)

    def thing(self, address: str) -> ThingState:
        return self._or(f"thing/{address}", _NO_THING_STATE)

    def condition(self, address: str) -> str:
        """The state of a thing that lasts, "" for none."""
        return self._or(f"condition/{address}", _NO_CONDITION).text

    def shown(self, address: str) -> str:
        """The visible state of a thing: the one that lasts, else how it is used, else ""."""
        return self.condition(address) or self.thing(address).state

    @property
    def answered(self) -> Answered:
        return self._or("answered/town", _NO_ANSWERED)

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return self._or("happenings/town", _NO_HAPPENINGS).items

    @property
    def occasions(self) -> tuple[tuple[str, Occasion], ...]:
        """The occasions that are not over, with their ids, in the order in which they were agreed
        on.
        """
        ids = self._or("occasions/town", _NO_OCCASIONS).ids
        return tuple((each, cast(Occasion, self.row(f"occasion/{each}"))) for each in ids)

    def occasion(self, number: str) -> Occasion | None:
        return cast("Occasion | None", self.row(f"occasion/{number}"))

    def voices(self, who: str) -> tuple[int, ...]:
        return self._or(f"voices/{who}", _NO_VOICES).memories

    def kept(self, who: str) -> frozenset[int]:
        """The memories that a resident keeps for good."""
        return frozenset(self._or(f"kept/{who}", _NO_KEPT).memories)

    def spared(self, who: str) -> frozenset[int]:
        """The memories that stay live whatever they are worth: those that a resident keeps for
        good, and those of what it is still to think over.
        """
        return self.kept(who).union(*(question.memories for question in self.questions(who)))

    def pondered(self, who: str) -> int:
        """The number of the latest memory about which a resident has decided what to do; 0 for
        none.
        """
        return self._or(f"pondered/{who}", _NO_PONDERED).memory

    def questions(self, who: str) -> tuple[Question, ...]:
        """What a resident is still to think over, the oldest first."""
        return self._or(f"questions/{who}", _NO_QUESTIONS).items

    def unsummed(self, talk: str) -> Conversation | None:
        """A conversation that is not summed up yet."""
        row = cast("Unsummed | None", self.row(f"unsummed/{talk}"))
        return None if row is None else row.talk

    def away(self, who: str) -> bool:
        """Whether a resident has left town."""
        return self.action(who).kind == "away"

    def asleep(self, who: str) -> bool:
        """In bed and sleeping: it has arrived there, and nothing has woken it."""
        action = self.action(who)
        return action.kind == "sleep" and action.started is not None


class Telepathy(Exception):
    """A mind has read or written what is another resident's own: a defect of the program."""


class Overlay(State):
    """One resident's private view: the frozen snapshot, with its own effects of this step laid over
    it. Rows of others' own raise `Telepathy`.
    """

    def __init__(self, snapshot: State, who: str) -> None:
        super().__init__(
            {},
            {who: MemoryOverlay(snapshot.memories[who], partial(_stacked, snapshot.vector))},
            snapshot.vector,
        )
        self.snapshot = self._base = snapshot
        self._who, self._within = who, f"{who}/"

    def remember(self, who: str, concept: Concept) -> None:
        """Few of those who remember something search for it in the same step: its vector is looked
        up when they do.
        """
        self.memories[who].add(concept, None)
        self.changes.memories.setdefault(who, []).append(concept)

    def row(self, key: str) -> Row | None:
        changed = self.changes.rows
        if key in changed:
            return changed[key]
        kind, _, owner = key.partition("/")
        if owner != self._who and kind in OWN and not owner.startswith(self._within):
            raise Telepathy(f"{self._who} has reached for {key}, which is not its own")
        return self.snapshot.rows.get(key)


def _stacked(vector: Callable[[str], Vector], texts: Sequence[str]) -> Vector:
    return np.stack([vector(text) for text in texts])
