"""The world's state: a table of frozen rows, and each resident's memory stream.

It makes no decisions. Only `modules/hometown/world/apply.py` replaces rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hometown.json_object import Json
from hometown.memory.action import Action
from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.memory.overlay import Fork
from hometown.memory.overlay import Overlay as MemoryOverlay
from hometown.memory.schedule import Routines, Schedule, Tasks
from hometown.memory.stream import MemoryStream
from hometown.world import keys
from hometown.world.approaches import Approaches, Note, Notes
from hometown.world.bond import Bond
from hometown.world.conversation import Conversation
from hometown.world.feeling import Feel
from hometown.world.goal import Goal, Goals
from hometown.world.holdings import Holdings
from hometown.world.incidents import (
    Answered,
    Condition,
    Countermeasure,
    EndedHappening,
    Happening,
    Happenings,
    StoppedHappening,
    StoppedHappenings,
    UnfoldingHappening,
    Voices,
)
from hometown.world.keys import Key
from hometown.world.occasion import Occasion, Occasions
from hometown.world.pending import Question, Questions
from hometown.world.rows import (
    Body,
    Clock,
    KeptMemories,
    Known,
    KnownPlaces,
    MindState,
    Passed,
    Pondered,
    Promises,
    Reasons,
    Relation,
    Row,
    SettledMemories,
    Talking,
    ThingState,
)
from hometown.world.wish import Wish, Wishes

R = TypeVar("R")

if TYPE_CHECKING:
    from hometown.memory.store import MemoryStore

# What stands for rows that are not there, made once: they are read a hundred times a step and
# resident.
_NO_TASKS = Tasks()
_NO_ROUTINES = Routines()
_NO_PROMISES = Promises()
_NO_PASSED = Passed()
_NO_RELATION = Relation()
_NO_PLACES = KnownPlaces()
_NO_KNOWN = Known()
_NO_THING_STATE = ThingState()
_NO_CONDITION = Condition("")
_NO_ANSWERED = Answered()
_NO_HAPPENINGS = Happenings()
_NO_STOPPED = StoppedHappenings()
_NO_VOICES = Voices()
_NO_REASONS = Reasons()
_NO_PONDERED = Pondered(0)
_NO_OCCASIONS = Occasions()
_NO_BOND = Bond()
_NO_GOALS = Goals()
_NO_KEPT = KeptMemories()
_NO_SETTLED = SettledMemories()
_NO_QUESTIONS = Questions()
_NO_APPROACHES = Approaches()
_NO_NOTES = Notes()
_NO_WISHES = Wishes()


@dataclass(slots=True)
class Changes:
    """The changes of one step. A row of None was removed."""

    rows: dict[str, Row | None] = field(default_factory=dict)
    memories: dict[str, list[Concept]] = field(default_factory=dict)
    accessed: dict[str, dict[int, datetime]] = field(default_factory=dict)
    retired: dict[str, list[int]] = field(default_factory=dict)
    talks: list[Conversation] = field(default_factory=list)
    trajectories: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    """(tick, column, row) of each tile entered, by resident."""


class State(Holdings):
    """Rows by key, memory streams by resident, and the changes since they were last taken.

    Args:
        vector: Returns the embedding of a text, float32[d], unit length, for a new memory.
        new_stream: Returns the memory stream of a new resident.
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
        """Return a copy that can change without changing this state. This state must not change
        any more, since the copy shares its memories. `vector` returns the embedding of a text, as
        for a new state.
        """
        fork = State(
            dict(self.rows), {who: Fork(memory) for who, memory in self.memories.items()}, vector
        )
        fork._base = self
        return fork

    def take_changes(self) -> Changes:
        """Return the changes since the last call, and clear them."""
        taken, self.changes = self.changes, Changes()
        return taken

    # rows ---------------------------------------------------------------------------------

    def row(self, key: Key[R]) -> R | None:
        rows: Json = self.rows
        row: R | None = rows.get(key)
        return row

    def put(self, key: Key[R], row: R | None) -> None:
        """Replace a row, or remove it if `row` is None. An equal row is no change."""
        if self.row(key) == row:
            return
        value: Any = row
        self.changes.rows[key] = value
        if value is None:
            self.rows.pop(key, None)
        else:
            self.rows[key] = value

    # memories -----------------------------------------------------------------------------

    def memory(self, who: str) -> MemoryStream:
        return self.memories[who]

    @property
    def store(self) -> MemoryStore:
        """The vector store for recall; it can be replaced."""
        if self._store is None:
            from hometown.memory.store import MemoryStore  # takes a while to import

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
        """Reactivate retired memories. In the tables, a memory accessed after its retirement is
        active again.
        """
        self.memories[who].recall(ids, when)
        self.changes.accessed.setdefault(who, {}).update(dict.fromkeys(ids, when))

    # rows by name -------------------------------------------------------------------------

    @property
    def clock(self) -> Clock:
        """The present time and step."""
        return self._required(keys.CLOCK.key)

    def body(self, who: str) -> Body:
        """Return a resident's position, path and thing in use."""
        return self._required(keys.BODY.of(who))

    def action(self, who: str) -> Action:
        """Return a resident's present action."""
        return self._required(keys.ACTION.of(who))

    def mind(self, who: str) -> MindState:
        """Return a resident's concerns, counts of memories and reflections, and bedtime."""
        return self._required(keys.MIND.of(who))

    def schedule(self, who: str) -> Schedule:
        """Return a resident's schedule of the day."""
        return self._required(keys.SCHEDULE.of(who))

    def tasks(self, who: str) -> Tasks:
        """Return the tasks of a resident's present entry."""
        return self._get_or(keys.TASKS.of(who), _NO_TASKS)

    def routines(self, who: str, activity: str) -> Routines:
        """Return the tasks that a resident planned earlier for entries of this wording."""
        return self._get_or(keys.ROUTINE.of(who, activity), _NO_ROUTINES)

    def talking(self, who: str) -> Talking | None:
        """Return the conversation in which a resident stands; None if there is none."""
        return self.row(keys.TALKING.of(who))

    def promises(self, who: str) -> Promises:
        """Return a resident's agreements that are not over."""
        return self._get_or(keys.PROMISES.of(who), _NO_PROMISES)

    def passed(self, who: str) -> Passed:
        """Return the residents and things that a resident has passed since the last step."""
        return self._get_or(keys.PASSED.of(who), _NO_PASSED)

    def relation(self, who: str, other: str) -> Relation:
        """Return a resident's relation to another since their first meeting in this run."""
        return self._get_or(keys.RELATION.of(who, other), _NO_RELATION)

    def bond(self, who: str, other: str) -> Bond:
        """Return the change of a resident's closeness to another."""
        return self._get_or(keys.BOND.of(who, other), _NO_BOND)

    def feel(self, who: str) -> Feel | None:
        """Return a resident's feelings; None before the first stimulus."""
        return self.row(keys.FEEL.of(who))

    def goals(self, who: str) -> tuple[Goal, ...]:
        """Return a resident's goals, the most important first."""
        return self._get_or(keys.GOALS.of(who), _NO_GOALS).items

    def places(self, who: str) -> KnownPlaces:
        """Return the arenas that a resident knows."""
        return self._get_or(keys.PLACES.of(who), _NO_PLACES)

    def known_things(self, who: str, arena: str) -> Known:
        """Return the things that a resident has seen in an arena, with their last seen states."""
        return self._get_or(keys.KNOWN.of(who, arena), _NO_KNOWN)

    def thing(self, address: str) -> ThingState:
        """Return the users of a thing, and the state that its use shows."""
        return self._get_or(keys.THING.of(address), _NO_THING_STATE)

    def condition(self, address: str) -> str:
        """Return the lasting state of a thing; "" for none."""
        return self._get_or(keys.CONDITION.of(address), _NO_CONDITION).text

    def visible_state(self, address: str) -> str:
        """Return the visible state of a thing: the lasting one, or that of its use, or ""."""
        return self.condition(address) or self.thing(address).state

    @property
    def answered(self) -> Answered:
        """The numbers of the user's requests that were carried out."""
        return self._get_or(keys.ANSWERED.key, _NO_ANSWERED)

    @property
    def happenings(self) -> tuple[UnfoldingHappening | Happening, ...]:
        """The happenings that go on."""
        return self._get_or(keys.HAPPENINGS.key, _NO_HAPPENINGS).items

    @property
    def stopped_happenings(self) -> tuple[EndedHappening | StoppedHappening, ...]:
        """The happenings that have ended lately, the latest last."""
        return self._get_or(keys.STOPPED.key, _NO_STOPPED).items

    def find_ended(self, address: str) -> EndedHappening | StoppedHappening | None:
        """Return the happening at an address that has ended last; None if none has lately."""
        ended = (each for each in reversed(self.stopped_happenings) if each.address == address)
        return next(ended, None)

    def measure(self, who: str) -> Countermeasure | None:
        """Return what a resident has last decided to do about a happening; None if nothing."""
        return self.row(keys.MEASURE.of(who))

    @property
    def occasions(self) -> tuple[tuple[str, Occasion], ...]:
        """The occasions that are not over, with their ids, in the order of agreement."""
        return self._occasions_of(self.occasion_list.ids)

    @property
    def called_off(self) -> tuple[tuple[str, Occasion], ...]:
        """The occasions that were called off lately, with their ids."""
        return self._occasions_of(self.occasion_list.called_off)

    @property
    def occasion_list(self) -> Occasions:
        """The ids of the occasions that are not over or were called off."""
        return self._get_or(keys.OCCASIONS.key, _NO_OCCASIONS)

    def _occasions_of(self, ids: Iterable[str]) -> tuple[tuple[str, Occasion], ...]:
        """Return the occasions of some ids, with these."""
        return tuple((each, self._required(keys.OCCASION.of(each))) for each in ids)

    def occasion(self, number: str) -> Occasion | None:
        """Return an occasion by its id; None for an unknown one."""
        return self.row(keys.OCCASION.of(number))

    def voices(self, who: str) -> tuple[int, ...]:
        """Return the memories of inner voices that a resident has not considered yet."""
        return self._get_or(keys.VOICES.of(who), _NO_VOICES).memories

    def reasons(self, who: str) -> tuple[int, ...]:
        """Return the memories that are a reason to reconsider the day, the oldest first."""
        return self._get_or(keys.REASONS.of(who), _NO_REASONS).memories

    def pinned_memories(self, who: str) -> frozenset[int]:
        """Return the memories that a resident keeps for good."""
        return frozenset(self._get_or(keys.KEPT.of(who), _NO_KEPT).memories)

    def settled_memories(self, who: str) -> dict[int, datetime]:
        """Return the memories that are over for a resident, with the time since when."""
        return dict(self._get_or(keys.SETTLED.of(who), _NO_SETTLED).items)

    def protected_memories(self, who: str) -> frozenset[int]:
        """Return the memories exempt from forgetting: those kept for good, and those of open
        questions.
        """
        return self.pinned_memories(who).union(
            *(question.memories for question in self.questions(who))
        )

    def pondered(self, who: str) -> int:
        """Return the number of the latest memory on which a resident has reconsidered the plan; 0
        for none.
        """
        return self._get_or(keys.PONDERED.of(who), _NO_PONDERED).memory

    def approaches(self, who: str) -> Approaches:
        """Return what a resident has decided about others whom they have in mind."""
        return self._get_or(keys.APPROACHES.of(who), _NO_APPROACHES)

    def notes(self, address: str) -> tuple[Note, ...]:
        """Return the notes left in a house, the oldest first."""
        return self._get_or(keys.NOTES.of(address), _NO_NOTES).items

    def wishes(self, who: str) -> tuple[Wish, ...]:
        """Return the wishes that inner voices have given to a resident, the oldest first."""
        return self._get_or(keys.WISHES.of(who), _NO_WISHES).items

    def questions(self, who: str) -> tuple[Question, ...]:
        """Return a resident's open questions, the oldest first."""
        return self._get_or(keys.QUESTIONS.of(who), _NO_QUESTIONS).items

    def unsummed(self, talk: str) -> Conversation | None:
        """Return a conversation without a summary so far; None if it has one."""
        row = self.row(keys.UNSUMMED.of(talk))
        return None if row is None else row.talk

    def is_away(self, who: str) -> bool:
        """Return True if a resident has left town."""
        return self.action(who).kind == "away"

    def is_asleep(self, who: str) -> bool:
        """Return True if a resident sleeps in bed."""
        action = self.action(who)
        return action.kind == "sleep" and action.started is not None


class Telepathy(Exception):
    """A mind has read or written another resident's own row: a defect of the program."""


class PrivateState(State):
    """A resident's private view: a frozen snapshot under their own effects of this step. Access to
    other residents' own rows raises `Telepathy`.
    """

    def __init__(self, snapshot: State, who: str) -> None:
        super().__init__(
            {},
            {who: MemoryOverlay(snapshot.memories[who], partial(_stack_vectors, snapshot.vector))},
            snapshot.vector,
        )
        self.snapshot = self._base = snapshot
        self._who = who
        self._own_prefix = f"{who}/"
        self._readable = set[str]()
        """Keys that are known to be public or the resident's own."""

    def remember(self, who: str, concept: Concept) -> None:
        """Add a memory, whose vector is looked up only if a search in the same step needs it."""
        self.memories[who].add(concept, None)
        self.changes.memories.setdefault(who, []).append(concept)

    def row(self, key: Key[R]) -> R | None:
        """Return the row with a key, as changed in this step or else as in the snapshot; None if
        there is none. Raises Telepathy for another resident's own row.
        """
        changed: Json = self.changes.rows
        if key in changed:
            own: R | None = changed[key]
            return own
        if key not in self._readable:
            kind, _, owner = key.partition("/")
            if owner != self._who and kind in keys.OWN and not owner.startswith(self._own_prefix):
                raise Telepathy(f"{self._who} has reached for {key}, which is not its own")
            self._readable.add(key)
        rows: Json = self.snapshot.rows
        row: R | None = rows.get(key)
        return row


def _stack_vectors(vector: Callable[[str], Vector], texts: Sequence[str]) -> Vector:
    """Return the vectors of texts, float32[len(texts), d]; `vector` returns that of one."""
    return np.stack([vector(text) for text in texts])
