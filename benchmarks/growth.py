"""Does a town slow down as it grows older? 25 residents on the scripted model, day 2 against day 8."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tqdm import tqdm

from modules.config import combine
from modules.founding import found
from modules.game import Game, StepReport
from modules.model.embedding import make_embedder
from modules.model.scripted.model import ScriptedModel
from modules.storage.run import Run
from modules.world.clones import crowd, populated
from modules.world.load import load_world

RESIDENTS = 25
STRIDE = 10
STEPS_A_DAY = 1440 // STRIDE
EARLY, LATE = 2, 8
ENGINE = ("think", "talk", "commit", "walk", "save")


@dataclass(frozen=True, slots=True)
class Measured:
    """One step: engine milliseconds per resident, milliseconds of its transaction, the bytes it wrote, and the database's after it."""

    engine_ms: float
    commit_ms: float
    written: int
    database: int


def measure() -> dict[str, float]:
    """Lives eight days and gives the medians of days 2 and 8."""
    with tempfile.TemporaryDirectory() as folder:
        steps = asyncio.run(_live(Path(folder)))
    early, late = (steps[(day - 1) * STEPS_A_DAY : day * STEPS_A_DAY] for day in (EARLY, LATE))
    figures: dict[str, float] = {}
    for name, day in (("early", early), ("late", late)):
        figures[f"engine_ms_{name}"] = statistics.median(step.engine_ms for step in day)
        figures[f"commit_ms_{name}"] = statistics.median(step.commit_ms for step in day)
        figures[f"bytes_{name}"] = statistics.median(step.written for step in day)
        figures[f"database_kb_a_step_{name}"] = (day[-1].database - day[0].database) / (len(day) - 1) / 1000
    return figures


async def _live(folder: Path) -> list[Measured]:
    town = load_world("minitown", "en")
    world = populated(town, crowd(list(town.personas), RESIDENTS))
    settings = combine([world.settings])
    model, embedder = ScriptedModel(), make_embedder("hash", settings)
    start = datetime(2025, 2, 13, 0, 0)
    days = STEPS_A_DAY * LATE
    run = await found(folder, world, settings, model, embedder, name="bench", start=start, stride=STRIDE, seed=1, steps=days)
    with run:
        game = Game(run, world, model, embedder)
        progress = tqdm(range(days), desc=f"{RESIDENTS} residents, {LATE} days", unit="step", mininterval=2)
        return [_measured(run, await game.step()) for _ in progress]


def _measured(run: Run, report: StepReport) -> Measured:
    engine = sum(report.milliseconds[phase] for phase in ENGINE)
    return Measured(engine / RESIDENTS, run.transaction_ms, _written(run, report.step), _pages(run))


def _written(run: Run, step: int) -> int:
    """Bytes of all rows that a step wrote, keys and values."""
    total = 0
    for table, columns in _columns(run).items():
        lengths = " + ".join(f"coalesce(length(CAST({column} AS BLOB)), 0)" for column in columns)
        (written,) = run.database.execute(f"SELECT coalesce(sum({lengths}), 0) FROM {table} WHERE step = ?", (step,)).fetchone()
        total += written
    return total


def _columns(run: Run) -> dict[str, list[str]]:
    """The columns of each table that is written by step."""
    tables = [name for (name,) in run.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {table: [row[1] for row in run.database.execute(f"PRAGMA table_info({table})")] for table in tables}
    return {table: names for table, names in columns.items() if "step" in names}


def _pages(run: Run) -> int:
    """Bytes of the database, free and full pages alike."""
    (count,) = run.database.execute("PRAGMA page_count").fetchone()
    (size,) = run.database.execute("PRAGMA page_size").fetchone()
    return int(count * size)
