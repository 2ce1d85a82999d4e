"""Whether a town slows down as it grows older: 25 residents, day 2 against day 8."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from benchmarks.towns import STEPS_A_DAY, new_run, town_of
from hometown.game import StepReport
from hometown.storage.run import RunFile

RESIDENTS = 25
EARLY, LATE = 2, 8


@dataclass(frozen=True, slots=True)
class StepCost:
    """One step: milliseconds per resident, with the stand-in's own thinking, of its transaction,
    bytes that it wrote, bytes of the database after it.
    """

    step_ms: float
    commit_ms: float
    written: int
    database: int


def measure() -> dict[str, float]:
    """The medians of days 2 and 8, and the ratios of late to early."""
    with tempfile.TemporaryDirectory() as folder:
        steps = asyncio.run(_live(Path(folder)))
    early, late = (steps[(day - 1) * STEPS_A_DAY : day * STEPS_A_DAY] for day in (EARLY, LATE))
    figures: dict[str, float] = {}
    for name, day in (("early", early), ("late", late)):
        figures[f"step_ms_{name}"] = statistics.median(step.step_ms for step in day)
        figures[f"commit_ms_{name}"] = statistics.median(step.commit_ms for step in day)
        figures[f"bytes_{name}"] = statistics.median(step.written for step in day)
        figures[f"database_kb_a_step_{name}"] = (
            (day[-1].database - day[0].database) / (len(day) - 1) / 1000
        )
    for kind in ("step_ms", "commit_ms", "bytes"):
        figures[f"{kind.removesuffix('_ms')}_ratio"] = (
            figures[f"{kind}_late"] / figures[f"{kind}_early"]
        )
    return figures


async def _live(folder: Path) -> list[StepCost]:
    steps = STEPS_A_DAY * LATE
    run, game = await new_run(
        folder, town_of("minitown", RESIDENTS), steps=steps, start=datetime(2025, 2, 13)
    )
    with run:
        progress = tqdm(
            range(steps), desc=f"{RESIDENTS} residents, {LATE} days", unit="step", mininterval=2
        )
        return [_cost(run, await game.step()) for _ in progress]


def _cost(run: RunFile, report: StepReport) -> StepCost:
    return StepCost(
        sum(report.milliseconds.values()) / RESIDENTS,
        run.transaction_ms,
        _written(run, report.step),
        _pages(run),
    )


def _written(run: RunFile, step: int) -> int:
    """Bytes of all rows that a step wrote, keys included."""
    total = 0
    for table, columns in _columns(run).items():
        lengths = " + ".join(f"coalesce(length(CAST({column} AS BLOB)), 0)" for column in columns)
        (written,) = run.database.execute(
            f"SELECT coalesce(sum({lengths}), 0) FROM {table} WHERE step = ?", (step,)
        ).fetchone()
        total += written
    return total


def _columns(run: RunFile) -> dict[str, list[str]]:
    """The columns of each table that has a column `step`."""
    tables = [
        name
        for (name,) in run.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    columns = {
        table: [row[1] for row in run.database.execute(f"PRAGMA table_info({table})")]
        for table in tables
    }
    return {table: names for table, names in columns.items() if "step" in names}


def _pages(run: RunFile) -> int:
    """Bytes of the database, free and full pages alike."""
    (count,) = run.database.execute("PRAGMA page_count").fetchone()
    (size,) = run.database.execute("PRAGMA page_size").fetchone()
    return int(count * size)
