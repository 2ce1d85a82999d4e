"""Reads a run by range, as it stands on disk, while it is being written or long after.

What one step wrote never changes once the step exists, so a reader that keeps to steps up to
`last_step()` sees one consistent state without holding a transaction. Every query goes by a primary
key or by an index on the step; its cost follows the range, not the age of the run.

Step n leads from the state after step n − 1 to the state after step n; rows are those *after* a step.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import orjson

from modules.clock import TICK_SECONDS
from modules.memory.action import Action
from modules.memory.concept import Concept, MemoryType
from modules.memory.schedule import Schedule
from modules.storage.codec import decode_row
from modules.storage.run import Run
from modules.storage.tables import MEMORY, TALK, concept_of, talk_of
from modules.world.maze import Tile
from modules.world.rows import Body, Mind, Relation, Row, ThingState
from modules.world.talk import Talk

Entered = tuple[int, int, int]
"""A tick of the step (0 is the first), and column and row of the tile that was entered in it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step that exists; `time` is when it ends, `stats` what it cost."""

    number: int
    time: datetime
    digest: str
    stats: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory, whose it is, and the step that made it."""

    who: str
    step: int
    concept: Concept


@dataclass(frozen=True, slots=True)
class CallCount:
    """Model calls of one kind with one outcome ("ok", "retried", "fallback")."""

    kind: str
    outcome: str
    calls: int
    prompt_tokens: int
    reply_tokens: int


class RunReader:
    """A run, for reading only. `residents` are ids, in the run's order."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.database = run.database
        self.manifest = run.manifest

    @classmethod
    def open(cls, results: Path, name: str) -> RunReader:
        """The run `name` below a results folder. Raises BadRun where there is none or it cannot be read."""
        return cls(Run.open(results, name))

    def close(self) -> None:
        self.run.close()

    def __enter__(self) -> RunReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # steps --------------------------------------------------------------------------------

    @property
    def residents(self) -> list[str]:
        return self.manifest.residents

    def last_step(self) -> int:
        """The latest step that exists; it grows while the run goes on."""
        return self.run.last.step

    def planned_end(self) -> int:
        """The last step that is meant to be lived."""
        return self.run.planned_end

    def moment(self, step: int) -> datetime:
        """Game time at which a step ends; step 0 ends at the run's start."""
        return self.manifest.start + timedelta(minutes=step * self.manifest.stride)

    def tick(self, moment: datetime) -> int:
        """A game time in ticks from the run's start; before it they are negative."""
        return round((moment - self.manifest.start).total_seconds() / TICK_SECONDS)

    def steps(self, first: int, last: int) -> list[Step]:
        """Steps `first` to `last`, as far as they exist."""
        rows = self.database.execute("SELECT step, time, digest, stats FROM steps WHERE step BETWEEN ? AND ? ORDER BY step", (first, last))
        return [Step(step, datetime.fromisoformat(time), digest, orjson.loads(stats)) for step, time, digest, stats in rows]

    # state --------------------------------------------------------------------------------

    def row(self, key: str, step: int) -> Row | None:
        """The row under `key` after a step; None if there is none."""
        return self.run.row(key, step)

    def versions(self, key: str, first: int, last: int) -> list[tuple[int, Row | None]]:
        """The row under `key` as each of steps `first` to `last` left it, where it changed; the one in force after `first` comes first."""
        rows = self.database.execute(
            "SELECT step, value FROM state WHERE key = ?1 AND step BETWEEN"
            " coalesce((SELECT max(step) FROM state WHERE key = ?1 AND step <= ?2), ?2) AND ?3 ORDER BY step",
            (key, first, last),
        )
        return [(max(step, first), _row(key, value)) for step, value in rows]

    def changed(self, key: str, step: int) -> bool:
        """Whether a step wrote the row under `key`."""
        return self.database.execute("SELECT 1 FROM state WHERE key = ? AND step = ?", (key, step)).fetchone() is not None

    def bodies(self, step: int) -> dict[str, Body]:
        """Where everybody stands after a step."""
        return {who: cast(Body, self.row(f"body/{who}", step)) for who in self.residents}

    def positions(self, step: int) -> dict[str, Tile]:
        """The tile on which everybody stands as a step begins; step 1 begins at the run's start."""
        return {who: body.tile for who, body in self.bodies(max(step - 1, 0)).items()}

    def actions(self, first: int, last: int) -> dict[str, list[tuple[int, Action]]]:
        """What everybody does in steps `first` to `last`: (step from which on, action), the one of step `first` included.

        Actions begin with a step; `started` tells when in its step the resident arrived, if it did.
        """
        return {who: self.actions_of(who, first, last) for who in self.residents}

    def actions_of(self, who: str, first: int, last: int) -> list[tuple[int, Action]]:
        """What one resident does in steps `first` to `last`, like `actions`."""
        return [(step, cast(Action, action)) for step, action in self.versions(f"action/{who}", first, last) if action]

    def schedule(self, who: str, step: int) -> Schedule | None:
        """The day's schedule after a step; None before the first is made."""
        return cast("Schedule | None", self.row(f"schedule/{who}", step))

    def currently(self, who: str, step: int) -> str:
        """What is on a resident's mind after a step."""
        mind = cast("Mind | None", self.row(f"mind/{who}", step))
        return mind.currently if mind else ""

    def relations(self, who: str, step: int) -> dict[str, Relation]:
        """How it stands with those whom a resident has talked with, by their ids, after a step."""
        prefix = f"relation/{who}/"
        rows = self.database.execute(
            "SELECT key, value, max(step) FROM state WHERE key >= ? AND key < ? AND step <= ? GROUP BY key", (prefix, f"relation/{who}0", step)
        )
        return {key.removeprefix(prefix): cast(Relation, _row(key, value)) for key, value, _ in rows if value is not None}

    def things(self, step: int) -> dict[str, ThingState]:
        """The things that show anything but their idle state after a step, by address."""
        rows = self.database.execute("SELECT key, value, max(step) FROM state WHERE key >= 'thing/' AND key < 'thing0' AND step <= ? GROUP BY key", (step,))
        return {key.removeprefix("thing/"): cast(ThingState, _row(key, value)) for key, value, _ in rows if value is not None}

    # what happened ------------------------------------------------------------------------

    def trajectories(self, first: int, last: int, of: str = "") -> dict[int, dict[str, list[Entered]]]:
        """The tiles entered in steps `first` to `last`, by step and resident, of one resident if given; who stood still is left out."""
        found: dict[int, dict[str, list[Entered]]] = {}
        query = "SELECT step, resident, path FROM trajectories WHERE step BETWEEN ? AND ? AND ? IN ('', resident)"
        for step, who, path in self.database.execute(query, (first, last, of)):
            found.setdefault(step, {})[who] = list(struct.iter_unpack("<HHH", path))
        return found

    def talks(self, first: int, last: int) -> list[Talk]:
        """The conversations begun in steps `first` to `last`, in order of time."""
        return sorted(self.run.talks(first, last), key=lambda talk: talk.started)

    def talk(self, one: str) -> Talk | None:
        """The conversation with this id."""
        row = self.database.execute(f"SELECT {TALK} FROM conversations WHERE id = ?", (one,)).fetchone()
        return talk_of(row) if row else None

    def last_talks(self, who: str, step: int, count: int = 3) -> dict[str, list[Talk]]:
        """The latest talks of a resident with each it talked with, begun up to a step, latest first."""
        rows = self.database.execute(
            f"SELECT {TALK} FROM (SELECT *, row_number() OVER (PARTITION BY iif(opener = ?1, partner, opener) ORDER BY started DESC) AS place"
            " FROM conversations WHERE ?1 IN (opener, partner) AND step <= ?2) WHERE place <= ?3 ORDER BY started DESC",
            (who, step, count),
        )
        found: dict[str, list[Talk]] = {}
        for talk in map(talk_of, rows):
            found.setdefault(talk.partner if talk.opener == who else talk.opener, []).append(talk)
        return found

    def memories(self, first: int, last: int, types: Sequence[MemoryType] = (), who: str = "") -> list[Memory]:
        """The memories made in steps `first` to `last`, of some types and of one resident if given, in order of making."""
        conditions = ["step BETWEEN ? AND ?"]
        values: list[int | str] = [first, last, *types]
        if types:
            conditions.append(f"type IN ({_marks(types)})")
        if who:
            conditions.append("resident = ?")
            values.append(who)
        return self._memories(" AND ".join(conditions) + " ORDER BY step, resident, id", values)

    def stream(self, who: str, step: int) -> list[Memory]:
        """All memories that a resident made up to a step, in order of making."""
        return self._memories("resident = ? AND step <= ? ORDER BY id", [who, step])

    def recall(self, who: str, ids: Sequence[int]) -> list[Memory]:
        """Memories of a resident by their ids, in that order; unknown ones are left out."""
        found = {one.concept.id: one for one in self._memories(f"resident = ? AND id IN ({_marks(ids)})", [who, *ids])}
        return [found[one] for one in ids if one in found]

    def changes(self, who: str, step: int) -> tuple[dict[int, datetime], set[int]]:
        """When a resident's memories were last used, where that was after they were made, and which are retired, after a step.

        A row is looked up for each step: the table goes by step first, and reading all residents' would take longer.
        """
        accessed: dict[int, datetime] = {}
        retired: set[int] = set()
        rows = self.database.execute(
            "SELECT accessed, retired FROM steps CROSS JOIN memory_changes AS m ON m.step = steps.step AND m.resident = ? WHERE steps.step <= ?"
            " ORDER BY steps.step",
            (who, step),
        )
        for times, gone in rows:
            accessed.update((int(one), datetime.fromisoformat(when)) for one, when in orjson.loads(times).items())
            retired.update(orjson.loads(gone))
        return accessed, retired

    def history(self, who: str) -> tuple[list[tuple[int, int, datetime]], list[tuple[int, int]]]:
        """Of the whole run, when a resident's memories were used (step, id, moment), and retired (step, id)."""
        used: list[tuple[int, int, datetime]] = []
        retired: list[tuple[int, int]] = []
        rows = self.database.execute("SELECT step, accessed, retired FROM memory_changes WHERE resident = ? ORDER BY step", (who,))
        for step, times, gone in rows:
            used += ((step, int(one), datetime.fromisoformat(when)) for one, when in orjson.loads(times).items())
            retired += ((step, one) for one in orjson.loads(gone))
        return used, retired

    def calls(self, first: int, last: int) -> list[CallCount]:
        """Model calls of steps `first` to `last`, counted by kind and outcome."""
        rows = self.database.execute(
            "SELECT kind, outcome, count(*), sum(prompt_tokens), sum(reply_tokens) FROM calls WHERE step BETWEEN ? AND ?"
            " GROUP BY kind, outcome ORDER BY kind, outcome",
            (first, last),
        )
        return [CallCount(*row) for row in rows]

    # ----------------------------------------------------------------------------------------

    def _memories(self, where: str, values: Sequence[Any]) -> list[Memory]:
        rows = self.database.execute(f"SELECT resident, step, {MEMORY} FROM memories WHERE {where}", values)
        return [Memory(who, step, concept_of(row)) for who, step, *row in rows]


def _row(key: str, value: bytes | None) -> Row | None:
    return None if value is None else decode_row(key, value)


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def blocks(first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    """`first` to `last` in ranges of `size` steps at most.

    >>> list(blocks(1, 5, 2))
    [(1, 2), (3, 4), (5, 5)]
    """
    for start in range(first, last + 1, size):
        yield start, min(start + size - 1, last)
