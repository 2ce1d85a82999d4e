"""A shard's part of a step, in the form of the tables.

Its rows travel as a small database, which SQLite copies into the run's without decoding any value.
The bytes that digest and checksum cover are sent with it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.records import Call
from hometown.storage.checksum import Section, around, make_section, number_at
from hometown.storage.codec import encode
from hometown.storage.digest import NO_STREAMS, Share, Streams, framed, memory_changes
from hometown.storage.row_conversion import (
    CALL,
    MEMORY_CHANGE,
    MEMORY_ROW,
    PROMPT,
    Statement,
    call_row,
    memory_row,
    prompt_frame,
)
from hometown.world.state import Changes

_COLUMNS = {"memories": MEMORY_ROW, "memory_changes": MEMORY_CHANGE, "calls": CALL}
"""Tables whose rows shards write, with their columns."""

_GATHERED, _IMAGE = "filed", "image"
"""Schema names of the rows of all shards, and of one shard's, in a run's connection."""

SealedCall = tuple[str, bytes, int | None, bytes]
"""The resident of a call, and the bytes of its row that a checksum covers: those before the number
of its prompt, that number within the shard, and those after it.
"""


@frozen
class Filed:
    """A shard's part of a step. `image` is a database with its rows, `prompts` the frame of its
    calls' prompts, b"" for none; `calls` and `streams` are the bytes for checksum and digest, calls
    in the order of resident, kind and ordinal.
    """

    image: bytes
    prompts: bytes
    calls: list[SealedCall]
    streams: Streams = NO_STREAMS


def filed(step: int, changes: Changes, calls: Sequence[Call], *, prompts: bool) -> Filed:
    """Put calls and changes of memory streams into the form of the tables. New memories are in the
    order of their ids; `prompts` says whether the text of prompts is kept.
    """
    memories = {
        who: [memory_row(step, who, each) for each in made]
        for who, made in sorted(changes.memories.items())
    }
    changed = [(step, *row) for row in memory_changes(changes)]
    asked = sorted(
        (call_row(call, at if prompts else None) for at, call in enumerate(calls)),
        key=itemgetter(1, 2, 3),
    )  # by resident, kind and ordinal
    image = _image(
        {
            "memories": [*chain.from_iterable(memories.values())],
            "memory_changes": changed,
            "calls": asked,
        }
    )
    streams = Streams(
        [_share(who, changes.memories[who], rows) for who, rows in memories.items()],
        [_change(row) for row in changed],
    )
    return Filed(
        image,
        prompt_frame(calls) if prompts and calls else b"",
        [_sealed(row) for row in asked],
        streams,
    )


def _share(who: str, memories: Sequence[Concept], rows: Sequence[tuple[Any, ...]]) -> Share:
    return Share(
        who,
        len(rows),
        framed(part for each in memories for part in (who, encode(each))),
        make_section(rows)[1],
    )


def _change(row: tuple[Any, ...]) -> Share:
    return Share(row[1], 1, framed(row[1:]), make_section([row])[1])


def _sealed(row: Sequence[Any]) -> SealedCall:
    before, after = around(row, PROMPT)
    return row[1], before, row[PROMPT], after


def _image(rows: Mapping[str, Sequence[tuple[Any, ...]]]) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for table, columns in _COLUMNS.items():
            database.execute(f"CREATE TABLE {table} ({columns})")
            marks = ",".join("?" * len(columns.split(",")))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows[table])
        return database.serialize()


@contextmanager
def gathered(database: sqlite3.Connection, parts: Sequence[Filed]) -> Iterator[None]:
    """Attach the rows of all shards to the run's connection, for `filed_statements`. Must not be
    called within a transaction, nor while the connection is read.
    """
    if not parts:
        yield
        return
    first, *others = parts
    with _attach(
        database, first.image, _GATHERED
    ):  # the rows of the others join its own, since SQLite attaches no more than ten databases
        for part, number in zip(others, _firsts(parts)[1:], strict=True):
            with _attach(database, part.image, _IMAGE):
                database.execute(f"UPDATE {_IMAGE}.calls SET prompt = prompt + ?", (number,))
                for table in _COLUMNS:
                    database.execute(
                        f"INSERT INTO {_GATHERED}.{table} SELECT * FROM {_IMAGE}.{table}"
                    )
        yield


@contextmanager
def _attach(database: sqlite3.Connection, image: bytes, name: str) -> Iterator[None]:
    database.execute(f"ATTACH ':memory:' AS {name}")
    try:
        database.deserialize(image, name=name)
        yield
    finally:
        database.execute(f"DETACH {name}")


def _firsts(parts: Sequence[Filed]) -> list[int]:
    """Return the number of each shard's first prompt: their frames follow one another."""
    return list(accumulate((len(part.calls) for part in parts[:-1]), initial=0))


def filed_statements(step: int, parts: Sequence[Filed]) -> list[Statement]:
    """Return the statements that write the rows of shards, while they are `gathered`."""
    frames = b"".join(part.prompts for part in parts)
    copies = [
        (f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_GATHERED}.{table}", [()])
        for table, columns in _COLUMNS.items()
    ]
    return [("INSERT INTO prompts VALUES (?,?)", [(step, frames)] if frames else []), *copies]


def calls_section(parts: Sequence[Filed]) -> Section:
    """Return the calls of all shards as a checksum covers them."""
    rows = [
        (
            who,
            before + after if place is None else before + number_at(PROMPT, first + place) + after,
        )
        for part, first in zip(parts, _firsts(parts), strict=True)
        for who, before, place, after in part.calls
    ]
    return len(rows), b"".join([row for _, row in sorted(rows, key=itemgetter(0))])
