"""Access to a run on disk by ranges of steps, while it is being written or later.

The rows of a step never change once the step exists, so a reader that limits itself to steps up to
`last_step()` sees one consistent state without holding a transaction. Every query goes by a primary
key or by an index on the step; its cost follows the range, not the age of the run.

Step n leads from the state after step n − 1 to the state after step n; rows are those *after* a
step.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, cast

import orjson

from hometown.clock import TICK_SECONDS, TICKS_PER_MINUTE
from hometown.history.entities import (
    ConversationHead,
    OwnedMemory,
    SavedStep,
)
from hometown.history.shapes.versioned_values import Versions
from hometown.memory.action import Action
from hometown.memory.concept import NEWS_PREDICATE, MemoryType
from hometown.memory.schedule import Schedule
from hometown.storage.codec import decode_row
from hometown.storage.latecomers import arrival_steps, latecomers
from hometown.storage.row_conversion import (
    CONVERSATION_SUMMED,
    MEMORY,
    SUMMARY,
    concept_of,
    conversation_of,
    people_of,
)
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.carrying_out import out_of_town
from hometown.world.conversation import Conversation
from hometown.world.keys import DetailKind, Key, OwnerKind
from hometown.world.maze import Tile
from hometown.world.rows import Body, Relation, ThingState

ANSWERS_KEPT = 8
"""Maximum number of lists of memories and conversations in a reader's cache; committed steps do not
change.
"""

T = TypeVar("T")

R = TypeVar("R")

HEAD_COLUMNS = f"id, step, opener, partner, company, started, {SUMMARY}"
"""Columns of a conversation without its lines."""

_KEYS = """
    WITH RECURSIVE found(key) AS (
        SELECT min(key) FROM state WHERE key >= ?1 || '/' AND key < ?1 || '0'
        UNION ALL
        SELECT (SELECT min(key) FROM state WHERE key > found.key AND key < ?1 || '0') FROM found WHERE found.key IS NOT NULL
    )
    SELECT key FROM found WHERE key IS NOT NULL"""
"""The keys of a kind that were ever written: one index lookup for each, however long the run."""

Entered = tuple[int, int, int]
"""(Tick of the step, column, row) of an entered tile; the first tick is 0."""


class RunReader:
    """A run, for reading only. Before a resident moves in, they count as out of town and stand on
    the tile where they will appear.
    """

    def __init__(self, run: RunFile) -> None:
        self.run = run
        self.database = run.database
        self.manifest = run.manifest
        self._answers: dict[Hashable, Any] = {}

    @classmethod
    def open(cls, results: Path, name: str) -> RunReader:
        """Open the run `name` below a results folder.

        Raises:
            BadRun: There is no such run, or it cannot be read.
        """
        return cls(RunFile.open(results, name))

    def close(self) -> None:
        self.run.close()

    def __enter__(self) -> RunReader:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.run.__exit__(kind, error, trace)

    # steps --------------------------------------------------------------------------------

    @property
    def residents(self) -> list[str]:
        """The ids of all residents so far, in the run's order, then in the order of moving in."""
        return self.manifest.residents + [
            key.rpartition("/")[2] for key in latecomers(self.database)
        ]

    def residents_at(self, step: int) -> list[str]:
        """Return the ids of all residents who had moved in by a step, in the order of `residents`."""
        came = arrival_steps(self.database)
        return self.manifest.residents + [who for who, since in came.items() if since <= step]

    def last_step(self) -> int:
        """Return the latest step that exists; it grows while the run goes on."""
        return self.run.last.step

    def planned_end(self) -> int:
        """Return the last step that is planned."""
        return self.run.planned_end

    def moment(self, step: int) -> datetime:
        """Return the game time at which a step ends; step 0 ends at the run's start."""
        return self.manifest.moment(step)

    def tick(self, moment: datetime) -> int:
        """Return a game time in ticks from the run's start, rounded to an integer; earlier times
        are negative.
        """
        return round((moment - self.manifest.start).total_seconds() / TICK_SECONDS)

    @property
    def ticks(self) -> int:
        """The number of ticks of one step."""
        return self.manifest.stride * TICKS_PER_MINUTE

    def first_tick(self, step: int) -> int:
        """Return the tick with which a step begins; step 0 is the start itself."""
        return max(0, step - 1) * self.ticks

    def begin(self, first: int) -> int:
        """Return the first step of a range that begins with step `first`: the run's start, step 0,
        belongs with step 1.
        """
        return 0 if first == 1 else first

    def steps(self, first: int, last: int) -> list[SavedStep]:
        """Return steps `first` to `last`, as far as they exist."""
        rows = self.database.execute(
            "SELECT step, time, digest, stats FROM steps WHERE step BETWEEN ? AND ? ORDER BY step",
            (first, last),
        )
        return [
            SavedStep(step, datetime.fromisoformat(time), digest, orjson.loads(stats))
            for step, time, digest, stats in rows
        ]

    # state --------------------------------------------------------------------------------

    def row(self, key: Key[R], step: int) -> R | None:
        """Return the row under `key` after a step; None if there is none."""
        return self.run.row(key, step)

    def versions(self, key: Key[R], first: int, last: int) -> Versions[R | None]:
        """Return the row under `key` as (step, row) wherever one of steps `first` to `last` changed
        it; the version in force after `first` comes first, with `first` as its step. None stands
        for a removed row; the list is empty before the first row.
        """
        rows = self.database.execute(
            "SELECT step, value FROM state WHERE key = ?1 AND step BETWEEN"
            " coalesce((SELECT max(step) FROM state WHERE key = ?1 AND step <= ?2), ?2) AND ?3 ORDER BY step",
            (key, first, last),
        )
        return [(max(step, first), _row(key, value)) for step, value in rows]

    def versions_or(self, key: Key[R], first: int, last: int, default: T) -> Versions[R | T]:
        """Return the versions like `versions`, from `first` on, with a default where there is no
        row.
        """
        rows: Versions[R | T] = [
            (since, default if row is None else row)
            for since, row in self.versions(key, first, last)
        ]
        return rows if rows and rows[0][0] == first else [(first, default), *rows]

    def owners(self, kind: OwnerKind[Any]) -> list[str]:
        """Return the owners of all rows of a kind that were ever written, for example all things
        ever used.
        """
        return [kind.owner(key) for (key,) in self.database.execute(_KEYS, (kind.name,))]

    def has_changed(self, key: str, step: int) -> bool:
        """Return True if a step wrote the row under `key`."""
        return (
            self.database.execute(
                "SELECT 1 FROM state WHERE key = ? AND step = ?", (key, step)
            ).fetchone()
            is not None
        )

    def rows(self, key: Key[R], first: int, last: int, group: Callable[[R], object]) -> Versions[R]:
        """Return the rows under `key` that steps up to `last` wrote, in order, back to the first
        row of the group in force after `first`, or to the last removal.
        """
        rows: Versions[R] = []
        for step, value in self.database.execute(
            "SELECT step, value FROM state WHERE key = ? AND step <= ? ORDER BY step DESC",
            (key, last),
        ):
            row: R | None = _row(key, value)
            if row is None or (rows and rows[-1][0] <= first and group(row) != group(rows[-1][1])):
                break
            rows.append((step, row))
        return rows[::-1]

    def rows_below(self, prefix: Key[R], last: int) -> list[tuple[str, int, R | None]]:
        """Return all versions (key, step, row) under keys that begin with `prefix` and a slash, as
        steps up to `last` wrote them, by key and step; the row is None where it was removed.
        """
        query = "SELECT key, step, value FROM state WHERE key >= ? AND key < ? AND step <= ? ORDER BY key, step"
        return [
            (key, step, _row(key, value))
            for key, step, value in self.database.execute(query, (f"{prefix}/", f"{prefix}0", last))
        ]

    def rows_about(
        self, kind: DetailKind[R], who: str, last: int
    ) -> list[tuple[int, str, R | None]]:
        """Return all versions (step, other, row) of a resident's rows of a kind about others, as
        steps up to `last` wrote them; the row is None where it was removed.
        """
        return [
            (step, kind.detail(key), row)
            for key, step, row in self.rows_below(kind.below(who), last)
        ]

    def positions(self, step: int) -> dict[str, Tile]:
        """Return the tiles of all residents as a step begins; step 1 begins at the run's start."""
        return {who: self.position(who, step) for who in self.residents}

    def position(self, who: str, step: int) -> Tile:
        """Return the tile of a resident as a step begins; for one who has not moved in yet, the
        tile where they will appear.
        """
        return cast(
            Body, self.row(keys.BODY.of(who), max(step - 1, 0)) or self._earliest(keys.BODY.of(who))
        ).tile

    def actions(self, first: int, last: int) -> dict[str, Versions[Action]]:
        """Return the actions of all residents in steps `first` to `last` as (first step, action),
        including the one in force in step `first`.

        Actions begin with a step; `started` is the resident's time of arrival, if they arrived.
        """
        return {who: self.actions_of(who, first, last) for who in self.residents}

    def actions_of(self, who: str, first: int, last: int) -> Versions[Action]:
        """Return the actions of one resident in steps `first` to `last`, like `actions`; before
        they move in, they are out of town.
        """
        actions = [
            (step, action)
            for step, action in self.versions(keys.ACTION.of(who), first, last)
            if action
        ]
        if not actions or actions[0][0] > first:
            home = cast(Action, self._earliest(keys.ACTION.of(who))).address
            actions.insert(0, (first, out_of_town(self.manifest.lang, home, self.manifest.start)))
        return actions

    def schedule(self, who: str, step: int) -> Schedule | None:
        """Return the day's schedule after a step; None before the first is made."""
        return self.row(keys.SCHEDULE.of(who), step)

    def currently(self, who: str, step: int) -> str:
        """Return a resident's `currently`, the sentence about their present concerns, after a step;
        "" before they move in.
        """
        mind = self.row(keys.MIND.of(who), step)
        return mind.currently if mind else ""

    def relations(self, who: str, step: int) -> dict[str, Relation]:
        """Return a resident's relations to those with whom they have talked, by id, after a
        step.
        """
        rows = self._latest_below(keys.RELATION.below(who), step)
        return {keys.RELATION.detail(key): row for key, row in rows}

    def things(self, step: int) -> dict[str, ThingState]:
        """Return the things whose state after a step is not the idle one, by address."""
        rows = self._latest_below(keys.THING.root, step)
        return {keys.THING.owner(key): row for key, row in rows}

    # events -------------------------------------------------------------------------------

    def trajectories(
        self, first: int, last: int, of: str = ""
    ) -> dict[int, dict[str, list[Entered]]]:
        """Return the tiles entered in steps `first` to `last`, by step and resident, of one
        resident if given; residents who did not move are omitted.
        """
        paths: dict[int, dict[str, list[Entered]]] = {}
        query = "SELECT step, resident, path FROM trajectories WHERE step BETWEEN ? AND ? AND ? IN ('', resident)"
        for step, who, path in self.database.execute(query, (first, last, of)):
            paths.setdefault(step, {})[who] = list(struct.iter_unpack("<HHH", path))
        return paths

    def conversations(self, first: int, last: int) -> list[Conversation]:
        """Return the conversations begun in steps `first` to `last`, sorted by time. The latest one
        may have no summary yet.
        """
        key = "conversations", first, last, last < self.last_step()
        return self._read_cached(
            key,
            lambda: sorted(
                self.run.conversations(first, last), key=lambda conversation: conversation.started
            ),
        )

    def conversation(self, number: str) -> Conversation | None:
        """Return the conversation with this id; None if there is none."""
        row = self.database.execute(
            f"SELECT {CONVERSATION_SUMMED} FROM conversations WHERE id = ?", (number,)
        ).fetchone()
        return conversation_of(row) if row else None

    def conversation_head(self, number: str) -> ConversationHead | None:
        """Return the conversation with this id, without its lines; None if there is none."""
        row = self.database.execute(
            f"SELECT {HEAD_COLUMNS} FROM conversations WHERE id = ?", (number,)
        ).fetchone()
        return _conversation_head(row) if row else None

    def conversation_heads(self, who: str, last: int) -> list[ConversationHead]:
        """Return the conversations of a resident that began up to step `last`, without their lines,
        the latest first.
        """
        query = f"SELECT {HEAD_COLUMNS} FROM conversations WHERE (? IN (opener, partner) OR company IS NOT NULL) AND step <= ? ORDER BY started DESC"
        heads = (_conversation_head(row) for row in self.database.execute(query, (who, last)))
        return [head for head in heads if who in head.people]

    def memories(
        self, first: int, last: int, types: Sequence[MemoryType] = (), who: str = ""
    ) -> list[OwnedMemory]:
        """Return the memories made in steps `first` to `last`, in the order of their making, of
        some types and of one resident if given.
        """
        conditions = ["step BETWEEN ? AND ?"]
        values: list[int | str] = [first, last, *types]
        if types:
            conditions.append(f"type IN ({_marks(types)})")
        if who:
            conditions.append("resident = ?")
            values.append(who)
        where = " AND ".join(conditions) + " ORDER BY step, resident, id"
        return self._read_cached((where, *values), lambda: self._memories(where, values))

    def news(self, who: str, last: int) -> list[OwnedMemory]:
        """Return the memories of news that a resident heard or told up to step `last`."""
        where = "step <= ? AND type = 'event' AND predicate = ? AND ? IN (resident, object)"
        values = [last, NEWS_PREDICATE, who]
        return self._read_cached((where, *values), lambda: self._memories(where, values))

    def recall(self, who: str, ids: Sequence[int]) -> list[OwnedMemory]:
        """Return memories of a resident by their ids, in that order; unknown ones are left out."""
        memories = {
            memory.concept.id: memory
            for memory in self._memories(f"resident = ? AND id IN ({_marks(ids)})", [who, *ids])
        }
        return [memories[number] for number in ids if number in memories]

    def memory_changes(
        self, who: str, first: int, last: int
    ) -> tuple[list[tuple[int, int, datetime]], list[tuple[int, int]]]:
        """Return when a resident's memories were used (step, id, moment) and retired (step, id) in
        steps `first` to `last`.

        A row is looked up for each step: the table goes by step first, and reading all residents'
        would take longer.
        """
        used: list[tuple[int, int, datetime]] = []
        retired: list[tuple[int, int]] = []
        rows = self.database.execute(
            "SELECT m.step, accessed, retired FROM steps CROSS JOIN memory_changes AS m ON m.step = steps.step AND m.resident = ?"
            " WHERE steps.step BETWEEN ? AND ? ORDER BY steps.step",
            (who, first, last),
        )
        for step, times, gone in rows:
            used += (
                (step, int(number), datetime.fromisoformat(when))
                for number, when in orjson.loads(times).items()
            )
            retired += ((step, number) for number in orjson.loads(gone))
        return used, retired

    # ----------------------------------------------------------------------------------------

    def _latest_below(self, prefix: Key[R], step: int) -> Iterator[tuple[str, R]]:
        """Yield (key, row) for the keys that begin with `prefix` and a slash, with the rows as they
        are at the end of step `step`. Rows that are removed by then are left out.
        """
        query = "SELECT key, value, max(step) FROM state WHERE key >= ? AND key < ? AND step <= ? GROUP BY key"
        for key, value, _ in self.database.execute(query, (f"{prefix}/", f"{prefix}0", step)):
            if value is not None:
                yield key, _row(key, value)

    def _earliest(self, key: Key[R]) -> R | None:
        """Return the first version of a row; for a resident's rows, that of their moving in."""
        return self.versions(key, 0, self.last_step())[0][1]

    def _read_cached(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return the result of `read`, from the cache of the latest `ANSWERS_KEPT` results if it is
        there: an export reads the same rows for one resident after the other.
        """
        if key not in self._answers:
            if len(self._answers) >= ANSWERS_KEPT:
                del self._answers[next(iter(self._answers))]
            self._answers[key] = read()
        return cast(T, self._answers[key])

    def _memories(self, where: str, values: Sequence[Any]) -> list[OwnedMemory]:
        rows = self.database.execute(
            f"SELECT resident, step, {MEMORY} FROM memories WHERE {where}", values
        )
        return [OwnedMemory(who, step, concept_of(row)) for who, step, *row in rows]


def _conversation_head(row: Sequence[Any]) -> ConversationHead:
    number, step, opener, partner, company, started, summary = row
    return ConversationHead(
        number, step, people_of(opener, partner, company), datetime.fromisoformat(started), summary
    )


def _row(key: str, value: bytes | None) -> Any:
    return None if value is None else decode_row(key, value)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
