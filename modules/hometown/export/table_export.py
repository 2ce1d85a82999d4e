"""A run as tables for analysis in pandas or R: each as CSV, and as Parquet where pyarrow is
installed; docs/formats.md describes the columns.

Rows are written in batches, so that memory does not grow with the run.
"""

from __future__ import annotations

import csv
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from hometown.clock import TICK_SECONDS
from hometown.errors import BadInput
from hometown.files import atomic_write
from hometown.history.director_hand import list_director_moves, step_of_move
from hometown.history.habitual import habitual_activities
from hometown.history.names import Names
from hometown.history.news_beliefs import list_beliefs
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.progress_bar import progress
from hometown.storage.codec import encode
from hometown.world.process_rows import MOST_IN_FAVOUR, InfectionSet, OpinionMoved

if TYPE_CHECKING:
    import pyarrow

BATCH_ROWS = 20_000
"""Maximum number of rows in memory."""

BLOCK = 100
"""Number of steps read at once."""

FORMULA = re.compile("'*[=+@\\t-]")
"""The beginning of cells that spreadsheets take for a formula, or that are escaped from it."""

CSV_ENCODING = "utf-8-sig"
"""Encoding of CSV: UTF-8 with a byte order mark, without which Excel takes it for the computer's
old code page, and shows no Chinese.
"""

Row = tuple[Any, ...]

Writer = AbstractContextManager[Callable[[list[Row]], None]]
"""A context manager that yields a function for writing a batch of rows."""


@dataclass(frozen=True)
class ExportTable:
    """`columns` are names with Arrow's names of their types; `rows` reads a range of steps, or, if
    the table is of the whole run (`is_whole`), all of them at once.
    """

    name: str
    columns: dict[str, str]
    rows: Callable[[RunReader, int, int], Iterator[Row]]
    is_whole: bool = False


def has_parquet() -> bool:
    """Return True if the package that writes Parquet, pyarrow, is installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def export_tables(run: RunReader, folder: Path, last: int) -> list[Path]:
    """Write steps 0 to `last` as `<table>.csv`, and as `<table>.parquet` where pyarrow is
    installed.

    Returns:
        The paths of the files.
    """
    writers: dict[str, Callable[[ExportTable, BinaryIO], Writer]] = {"csv": _open_csv} | (
        {"parquet": _open_parquet} if has_parquet() else {}
    )
    written: list[Path] = []
    for table in progress(TABLES, "tables", "table", len(TABLES)):
        paths = {kind: folder / f"{table.name}.{kind}" for kind in writers}
        ranges = [(0, last)] if table.is_whole else blocks(0, last, BLOCK)
        rows = (row for first, end in ranges for row in table.rows(run, first, end))
        with ExitStack() as stack:
            opened = [
                stack.enter_context(writers[kind](table, stack.enter_context(atomic_write(path))))
                for kind, path in paths.items()
            ]
            while batch := list(islice(rows, BATCH_ROWS)):
                for write in opened:
                    write(batch)
        written += paths.values()
    return written


@contextmanager
def _open_csv(table: ExportTable, file: BinaryIO) -> Iterator[Callable[[list[Row]], None]]:
    """Write the heads of the columns, and yield the function that writes rows as CSV:
    missing values are empty, a time has a blank between date and hour, and no text is a formula.
    """
    text = TextIOWrapper(file, CSV_ENCODING, newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(table.columns)
    texts = [at for at, kind in enumerate(table.columns.values()) if kind == "string"]
    yield lambda batch: rows.writerows(_make_safe(row, texts) for row in batch)
    text.flush()
    text.detach()


def _make_safe(row: Row, texts: list[int]) -> list[Any]:
    """Return a row in which texts are cells of CSV, by `make_cell`."""
    cells = list(row)
    for at in texts:
        if isinstance(text := cells[at], str):
            cells[at] = make_cell(text)
    return cells


def make_cell(text: str) -> str:
    """Return a text as a cell of CSV: with an apostrophe before a formula, and line breaks of one
    kind, since a carriage return alone ends a row.

    >>> [make_cell(text) for text in ("=1", "'=1", "'tis")]
    ["'=1", "''=1", "'tis"]
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if FORMULA.match(text) else text


def read_cell(cell: str) -> str:
    """Return the text of a cell of CSV, the inverse of `make_cell` but for line breaks."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


@contextmanager
def _open_parquet(table: ExportTable, file: BinaryIO) -> Iterator[Callable[[list[Row]], None]]:
    """Yield the function that writes rows as Parquet, with the column types of the table."""
    import pyarrow.parquet

    schema = _arrow_schema(table)

    def write(batch: list[Row]) -> None:
        writer.write_table(_arrow_table(batch, schema))

    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        yield write


def _arrow_schema(table: ExportTable) -> pyarrow.Schema:
    """Return the columns of a table with their types."""
    import pyarrow

    return pyarrow.schema(
        [
            (name, pyarrow.timestamp("s") if kind == "timestamp" else kind)
            for name, kind in table.columns.items()
        ]
    )


def _arrow_table(rows: list[Row], schema: pyarrow.Schema) -> pyarrow.Table:
    """Return rows as a table of Arrow."""
    import pyarrow

    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [
        pyarrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def read_run_table(run: RunReader, name: str, last: int) -> pyarrow.Table:
    """Return one of `TABLES`, by name, of steps 0 to `last`. Raises BadInput for an unknown name,
    ModuleNotFoundError where pyarrow is not installed.
    """
    table = next((table for table in TABLES if table.name == name), None)
    if table is None:
        names = [table.name for table in TABLES]
        raise BadInput("there is no table {name}; the tables are {names}", name=name, names=names)
    return _arrow_table([*table.rows(run, 0, last)], _arrow_schema(table))


# the tables --------------------------------------------------------------------------------


def _read_memories(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each memory; ids of evidence and of residents are joined by blanks."""
    for memory in run.memories(first, last):
        concept = memory.concept
        lists = (" ".join(map(str, concept.evidence)), concept.talk, " ".join(concept.about))
        yield (
            memory.who,
            concept.id,
            memory.step,
            concept.type,
            concept.text,
            *concept.triple,
            concept.address,
            concept.poignancy,
            concept.created,
            concept.expires,
            *lists,
        )


def _read_lines(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each line of the conversations, with the data of its conversation."""
    for talk in run.conversations(first, last):
        for number, line in enumerate(talk.lines):
            head = (
                talk.id,
                talk.step,
                talk.started,
                talk.minutes,
                talk.address,
                talk.opener,
                talk.partner,
                encode(talk.people).decode(),
            )
            yield *head, number, line.speaker, line.text, talk.summary, talk.ended_by


def _read_actions(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each action, with the time at which its step begins and a mark if the
    activity is one of the resident's habits.
    """
    world = Names.of(run).world
    for who in run.residents:
        habitual = habitual_activities(run.manifest, world, who)
        for step, action in run.actions_of(who, first, last):
            if step == first and not run.has_changed(f"action/{who}", step):
                continue  # in force as the range begins: in an earlier one, or out of town before
            yield (
                who,
                step,
                run.moment(max(step - 1, 0)),
                action.kind,
                action.activity,
                action.address,
                action.emoji,
                action.minutes,
                action.started,
                action.activity in habitual,
            )


def _read_calls(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each model call, with the numbers of its attempts and retrieved memories."""
    query = (
        "SELECT step, resident, kind, ordinal, model, outcome, attempts, retrieved, prompt_tokens, reply_tokens, ms, reply FROM calls"
        " WHERE step BETWEEN ? AND ? ORDER BY step, resident, kind, ordinal"
    )
    for *head, attempts, retrieved, prompt_tokens, reply_tokens, ms, reply in run.database.execute(
        query, (first, last)
    ):
        yield (
            *head,
            len(orjson.loads(attempts)),
            len(orjson.loads(retrieved)),
            prompt_tokens,
            reply_tokens,
            ms,
            reply.decode(),
        )


def _read_trajectories(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each tile entered, with its tick in the step (from 0) and the time at which
    it is reached.
    """
    rows = run.database.execute(
        "SELECT step, resident, path FROM trajectories WHERE step BETWEEN ? AND ? ORDER BY step, resident",
        (first, last),
    )
    for step, who, path in rows:
        begin = run.moment(step - 1)
        for tick, column, row in struct.iter_unpack("<HHH", path):
            yield who, step, tick, begin + timedelta(seconds=(tick + 1) * TICK_SECONDS), column, row


def _read_director_moves(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each move of the director."""
    for move in list_director_moves(run):
        if first <= (step := step_of_move(run, move)) <= last:
            yield step, move.when, move.kind, move.target, move.text, move.why


def _read_beliefs(run: RunReader, _: int, last: int) -> Iterator[Row]:
    """Yield a row for each belief after step `last`; changed facts are joined by blanks."""
    for belief in list_beliefs(run, Names.of(run), last):
        claim, memory = belief.claim, belief.memory
        head = (belief.who, claim.kind, claim.text, belief.channel, belief.teller, belief.truth)
        yield *head, " ".join(belief.changed), belief.step, memory.created, memory.id, memory.text


def _read_processes(run: RunReader, first: int, last: int) -> Iterator[Row]:
    """Yield a row for each change of an opinion or an infection, in a run that has processes."""
    if not run.manifest.settings.processes.are_on:
        return
    for step, (effect, _, _) in run.run.effects(first, last):
        if isinstance(effect, OpinionMoved):
            value = effect.opinion.value / MOST_IN_FAVOUR
            yield step, effect.who, "opinion", value, "", effect.other, effect.talk
        elif isinstance(effect, InfectionSet):
            infection = effect.infection
            yield step, effect.who, "illness", None, infection.stage, infection.source, ""


TABLES = (
    ExportTable(
        "memories",
        {
            "resident": "string",
            "id": "int32",
            "step": "int32",
            "type": "string",
            "text": "string",
            "subject": "string",
            "predicate": "string",
            "object": "string",
            "address": "string",
            "poignancy": "int8",
            "created": "timestamp",
            "expires": "timestamp",
            "evidence": "string",
            "conversation": "string",
            "about": "string",
        },
        _read_memories,
    ),
    ExportTable(
        "conversations",
        {
            "conversation": "string",
            "step": "int32",
            "started": "timestamp",
            "minutes": "int32",
            "address": "string",
            "opener": "string",
            "partner": "string",
            "people": "string",
            "line": "int16",
            "speaker": "string",
            "text": "string",
            "summary": "string",
            "ended_by": "string",
        },
        _read_lines,
    ),
    ExportTable(
        "actions",
        {
            "resident": "string",
            "step": "int32",
            "began": "timestamp",
            "kind": "string",
            "activity": "string",
            "address": "string",
            "emoji": "string",
            "minutes": "int32",
            "arrived": "timestamp",
            "habitual": "bool",
        },
        _read_actions,
    ),
    ExportTable(
        "calls",
        {
            "step": "int32",
            "resident": "string",
            "kind": "string",
            "ordinal": "int32",
            "model": "string",
            "outcome": "string",
            "attempts": "int16",
            "retrieved": "int16",
            "prompt_tokens": "int32",
            "reply_tokens": "int32",
            "ms": "float64",
            "reply": "string",
        },
        _read_calls,
    ),
    ExportTable(
        "trajectories",
        {
            "resident": "string",
            "step": "int32",
            "tick": "int32",
            "time": "timestamp",
            "column": "int16",
            "row": "int16",
        },
        _read_trajectories,
    ),
    ExportTable(
        "director",
        {
            "step": "int32",
            "time": "timestamp",
            "kind": "string",
            "target": "string",
            "text": "string",
            "why": "string",
        },
        _read_director_moves,
    ),
    ExportTable(
        "beliefs",
        {
            "resident": "string",
            "kind": "string",
            "claim": "string",
            "channel": "string",
            "from": "string",
            "truth": "string",
            "changed": "string",
            "step": "int32",
            "created": "timestamp",
            "memory": "int32",
            "text": "string",
        },
        _read_beliefs,
        is_whole=True,
    ),
    ExportTable(
        "processes",
        {
            "step": "int32",
            "resident": "string",
            "process": "string",
            "opinion": "float64",
            "stage": "string",
            "other": "string",
            "conversation": "string",
        },
        _read_processes,
    ),
)
