"""A run as tables, for whoever analyses in pandas or R: each as CSV and as Parquet; docs/formats.md describes the columns.

Rows are written in batches, so that memory does not grow with the run.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from modules.clock import TICK_SECONDS
from modules.errors import BadInput
from modules.replay.output import progress, whole_file
from modules.replay.reader import RunReader, blocks

if TYPE_CHECKING:
    import pyarrow

BATCH = 20_000
"""Rows held at once."""

BLOCK = 100
"""Steps read at once."""

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """`columns` are names with Arrow's names of their types; `rows` reads steps from the first to the last of a range."""

    name: str
    columns: dict[str, str]
    rows: Callable[[RunReader, int, int], Iterator[Row]]


def write_tables(run: RunReader, folder: Path, last: int) -> list[Path]:
    """Writes steps 0 to `last` as `<table>.csv` and `<table>.parquet`; gives their paths. Raises BadInput where pyarrow is missing."""
    try:
        import pyarrow
    except ImportError:
        raise BadInput("--tables writes Parquet with the package pyarrow, which is not installed: pip install pyarrow") from None
    written = []
    for table in progress(TABLES, "tables", "table", len(TABLES)):
        paths = [folder / f"{table.name}.{kind}" for kind in ("csv", "parquet")]
        schema = pyarrow.schema([(name, pyarrow.timestamp("s") if kind == "timestamp" else kind) for name, kind in table.columns.items()])
        _write(schema, paths, (row for first, end in blocks(0, last, BLOCK) for row in table.rows(run, first, end)))
        written += paths
    return written


def _write(schema: pyarrow.Schema, paths: list[Path], rows: Iterator[Row]) -> None:
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    with ExitStack() as stack:
        plain, packed = (stack.enter_context(whole_file(path)) for path in paths)
        writers = [stack.enter_context(pyarrow.csv.CSVWriter(plain, schema)), stack.enter_context(pyarrow.parquet.ParquetWriter(packed, schema))]
        while batch := list(islice(rows, BATCH)):
            columns = [pyarrow.array(column, one.type) for column, one in zip(zip(*batch, strict=True), schema, strict=True)]
            for writer in writers:
                writer.write_table(pyarrow.Table.from_arrays(columns, schema=schema))


# the tables --------------------------------------------------------------------------------


def _memories(run: RunReader, first: int, last: int) -> Iterator[Row]:
    for one in run.memories(first, last):
        it = one.concept
        lists = (" ".join(map(str, it.evidence)), it.talk, " ".join(it.about))
        yield one.who, it.id, one.step, it.type, it.text, *it.triple, it.address, it.poignancy, it.created, it.expires, *lists


def _conversations(run: RunReader, first: int, last: int) -> Iterator[Row]:
    for talk in run.talks(first, last):
        for number, line in enumerate(talk.lines):
            head = (talk.id, talk.step, talk.started, talk.minutes, talk.address, talk.opener, talk.partner)
            yield *head, number, line.speaker, line.text, talk.summary, talk.ended_by


def _actions(run: RunReader, first: int, last: int) -> Iterator[Row]:
    for who in run.residents:
        for step, action in run.actions_of(who, first, last):
            if first and step == first and not run.changed(f"action/{who}", step):
                continue  # the one in force as the range begins, told in the range before
            yield who, step, run.moment(max(step - 1, 0)), action.kind, action.activity, action.address, action.emoji, action.minutes, action.started


def _calls(run: RunReader, first: int, last: int) -> Iterator[Row]:
    query = (
        "SELECT step, resident, kind, ordinal, model, outcome, attempts, retrieved, prompt_tokens, reply_tokens, ms, reply FROM calls"
        " WHERE step BETWEEN ? AND ? ORDER BY step, resident, kind, ordinal"
    )
    for *head, attempts, retrieved, prompt_tokens, reply_tokens, ms, reply in run.database.execute(query, (first, last)):
        yield *head, len(orjson.loads(attempts)), len(orjson.loads(retrieved)), prompt_tokens, reply_tokens, ms, reply.decode()


def _trajectories(run: RunReader, first: int, last: int) -> Iterator[Row]:
    rows = run.database.execute("SELECT step, resident, path FROM trajectories WHERE step BETWEEN ? AND ? ORDER BY step, resident", (first, last))
    for step, who, path in rows:
        begin = run.moment(step - 1)
        for tick, column, row in struct.iter_unpack("<HHH", path):
            yield who, step, tick, begin + timedelta(seconds=(tick + 1) * TICK_SECONDS), column, row


TABLES = (
    Table(
        "memories",
        {
            "resident": "string", "id": "int32", "step": "int32", "type": "string", "text": "string", "subject": "string", "predicate": "string",
            "object": "string", "address": "string", "poignancy": "int8", "created": "timestamp", "expires": "timestamp", "evidence": "string",
            "conversation": "string", "about": "string",
        },
        _memories,
    ),
    Table(
        "conversations",
        {
            "conversation": "string", "step": "int32", "started": "timestamp", "minutes": "int32", "address": "string", "opener": "string",
            "partner": "string", "line": "int16", "speaker": "string", "text": "string", "summary": "string", "ended_by": "string",
        },
        _conversations,
    ),
    Table(
        "actions",
        {
            "resident": "string", "step": "int32", "began": "timestamp", "kind": "string", "activity": "string", "address": "string", "emoji": "string",
            "minutes": "int32", "arrived": "timestamp",
        },
        _actions,
    ),
    Table(
        "calls",
        {
            "step": "int32", "resident": "string", "kind": "string", "ordinal": "int32", "model": "string", "outcome": "string", "attempts": "int16",
            "retrieved": "int16", "prompt_tokens": "int32", "reply_tokens": "int32", "ms": "float64", "reply": "string",
        },
        _calls,
    ),
    Table(
        "trajectories",
        {"resident": "string", "step": "int32", "tick": "int32", "time": "timestamp", "column": "int16", "row": "int16"},
        _trajectories,
    ),
)  # fmt: skip
