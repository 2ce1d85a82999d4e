"""Own effects, folded where the mind is: what a shard hands over of them is ready to be written.

What a mind does to its own rows and memories concerns nobody else, so the process of the run keeps
it as it comes, in the form of the tables, and reads only what it needs. It carries out what
concerns others. Where it has changed a row itself that a mind has changed as well, it folds that
mind's effects again. Where a resident's thoughts and what it thought over meanwhile have changed
the same row, its shard does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from itertools import chain
from typing import Any, cast

from hometown.agent.minds import Seen, Thought
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.shards.package import owner_of
from hometown.storage.codec import RowData, decode_row, encode_rows
from hometown.storage.row_conversion import decode_entries, encode_entries
from hometown.world import effects as kinds
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.effects import Logged
from hometown.world.feeling import Felt
from hometown.world.keys import Key
from hometown.world.pending import QuestionArose, QuestionsAnswered
from hometown.world.rows import Row
from hometown.world.social import BondMoved
from hometown.world.state import Overlay, State

OF_MEMORY = (kinds.Remembered, kinds.Accessed, kinds.Retired, kinds.Recalled)
"""Effects on the memory streams, which are nowhere but on the shards."""

OWN_EFFECTS = (
    *OF_MEMORY, kinds.Kept, kinds.Reflected, kinds.DayPlanned, kinds.GoalsSet, kinds.Rescheduled, kinds.TasksSet, kinds.TaskBegun, kinds.TasksClosed,
    kinds.RoutineKept, kinds.Mapped, kinds.Missed, kinds.Reconsidered, kinds.Related, kinds.Promised, BondMoved, Felt, QuestionArose, QuestionsAnswered,
)  # fmt: skip
"""Effects that read and write nothing but what is the own of whom they are about."""


class EncodedRows(dict[str, Any]):
    """Rows by key, of which some are kept as the table has them until somebody asks for them. A row
    that is not there is None.
    """

    def __init__(self, rows: Mapping[str, Row] | None = None) -> None:
        super().__init__(rows or {})
        self._encoded: dict[str, bytes] = {}

    def __missing__(self, key: str) -> Any:
        data = self._encoded.pop(key, None)
        if data is None:
            return None
        row = decode_row(key, data)
        super().__setitem__(key, row)
        return row

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._encoded

    def __iter__(self) -> Iterator[str]:
        return chain(super().__iter__(), self._encoded)

    def get(self, key: str, default: Any = None) -> Any:
        row = self[key]
        return default if row is None else row

    def hand(self, rows: RowData) -> None:
        """Rows that another process has changed."""
        for key, data in rows.items():
            super().pop(key, None)
            self._encoded.pop(key, None)
            if data is not None:
                self._encoded[key] = data


class FarRows(EncodedRows):
    """The rows of a town. `put` are the keys of those that were put here since rows were last sent,
    `handed` of those that shards have handed over since.
    """

    def __init__(self, rows: Mapping[str, Row]) -> None:
        super().__init__(rows)
        self.put: set[str] = set()
        self.handed: set[str] = set()

    def __setitem__(self, key: str, row: Row) -> None:
        self.put.add(key)
        self._encoded.pop(key, None)
        super().__setitem__(key, row)

    def pop(self, key: str, *default: Any) -> Any:
        self.put.add(key)
        self._encoded.pop(key, None)
        return super().pop(key, *default)

    def hand(self, rows: RowData) -> None:
        self.handed.update(rows)
        super().hand(rows)

    def take_put(self) -> dict[str, Row | None]:
        """The rows that are to be sent."""
        put = {key: self[key] for key in self.put}
        self.put, self.handed = set(), set()
        return put

    def leave_public(self) -> None:
        """Shards have changed the public rows themselves that were put here since rows were last
        sent: only somebody's own are still to be sent.
        """
        self.put = {key for key in self.put if owner_of(key)}


class Fold(Overlay):
    """Somebody's own rows as its effects leave them, in the order in which they are logged; its
    memories are folded elsewhere.
    """

    def remember(self, who: str, concept: Concept) -> None:
        pass

    def access(self, who: str, ids: Iterable[int], when: datetime) -> None:
        pass

    def retire(self, who: str, ids: Iterable[int]) -> None:
        pass

    def recall(self, who: str, ids: Iterable[int], when: datetime) -> None:
        pass

    def after(self, effects: Iterable[Logged]) -> dict[str, Row | None]:
        """The own rows that change by further effects."""
        before = dict(self.changes.rows)
        for logged in effects:
            apply(logged.effect, self)
        return {
            key: row
            for key, row in self.changes.rows.items()
            if owner_of(key) == self._who and not (key in before and before[key] is row)
        }


@frozen
class Handed:
    """What a mind has come to since it last handed something over.

    `log` are all its effects as entries of the log, `rows` what they make of its own rows, and
    `shown` those that concern others, and its memory streams; the first `returned` of these came
    from the process of the run. Without a log, `shown` are all its effects.
    """

    shown: list[Logged]
    log: bytes = b""
    rows: RowData = field(default_factory=dict)
    returned: int = 0

    def happen(self, state: State, already: int = 0) -> None:
        """Carries out what is shown, but for the first effects, which were already. Of a memory,
        only the stream learns where the log has it.
        """
        for effect, who, _ in self.shown[already:]:
            if not self.log or not isinstance(effect, OF_MEMORY):
                apply(effect, state)
            elif isinstance(effect, kinds.Remembered):
                state.memories[who].add(effect.concept, None)
            elif isinstance(effect, kinds.Retired):
                state.memories[who].retire(effect.ids)
            else:
                state.memories[who].recall(effect.ids, effect.when)


def handed(fold: Fold, effects: Sequence[Logged], returned: int) -> Handed:
    """New effects of a mind, the first `returned` of which came from the process of the run."""
    rows = encode_rows(fold.after(effects))
    shown = [_concerns(logged) for logged in effects]
    return Handed(
        [one for one, seen in zip(effects, shown, strict=True) if seen],
        encode_entries(effects),
        rows,
        sum(shown[:returned]),
    )


def _concerns(logged: Logged) -> bool:
    """Whether the process of the run has to know an effect: it concerns others, or which
    conversations somebody remembers.
    """
    effect = logged.effect
    if isinstance(effect, kinds.Remembered):
        return effect.concept.type == "chat"
    return isinstance(effect, (kinds.Retired, kinds.Recalled)) or not isinstance(
        effect, OWN_EFFECTS
    )


def hand(state: State, rows: RowData) -> None:
    """Rows of a step enter the state as a shard has made them."""
    cast(FarRows, state.rows).hand(rows)
    state.changes.hand(rows)


@frozen
class FarThought(Thought):
    """What somebody has come to on a shard."""

    parts: Sequence[Handed] = ()

    def enter(self, state: State) -> Sequence[Logged | bytes]:
        for part in self.parts:
            part.happen(state)
        folded = [part for part in self.parts if part.log]
        rows = {key: row for part in folded for key, row in part.rows.items()}
        known = cast(FarRows, state.rows)
        if known.put.isdisjoint(rows):
            hand(
                state, {key: row for key, row in rows.items() if key not in known.handed}
            )  # the others are told as the thoughts settle (`Shard.settle`)
        else:
            for key, row in (
                Fold(state, self.who)
                .after(logged for part in folded for logged in decode_entries(part.log))
                .items()
            ):
                state.put(cast("Key[Row]", key), row)
        return [one for part in self.parts for one in ([part.log] if part.log else part.shown)]


@frozen
class FarSeen(Seen):
    """What residents saw on their way whose minds are on shards: what becomes of their own rows,
    and entries of the log by resident.
    """

    rows: RowData = field(default_factory=dict)
    log: Mapping[str, bytes] = field(default_factory=dict)

    def enter(self, state: State) -> Mapping[str, Logged | bytes]:
        hand(state, self.rows)
        return self.log


def seen_from_afar(seen: Seen, state: State) -> FarSeen:
    """What residents saw on their way, once it has entered the state, as it is handed over."""
    rows: dict[str, Row | None] = {
        keys.PASSED.of(who): state.row(keys.PASSED.of(who)) for who in seen.effects
    }
    return FarSeen(
        {},
        encode_rows(rows),
        {who: encode_entries([logged]) for who, logged in seen.effects.items()},
    )
