"""How busy a town keeps a real server over HTTP: `python -m benchmarks.served [RESIDENTS…]`, a quarter of an hour for 100.

The server is a process of its own, speaks OpenAI's protocol, and answers each request after a fixed delay with what the scripted model
replied to it. With a fixed delay, the mean number of busy slots is calls × delay ÷ time.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from benchmarks.towns import STRIDE, new_run, town_of
from hometown.clock import DAY, minute_of_day
from hometown.config import combine
from hometown.model.llm import LanguageModel
from hometown.model.openai_server import OpenAIModel
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.storage.run import Run
from hometown.world.world import World
from tests.torture.answers import book_of

SLOTS, DELAY = 8, 0.25
WORLD = "ville"
TOWNS = (25, 100)


def measure(count: int) -> dict[str, float]:
    """Mean slots busy from the morning's planning to midnight in a town of `count`, its calls, and the seconds that they took."""
    world = town_of(WORLD, count)
    settings = combine([world.settings, {"machine": {"slots": SLOTS}}])
    with tempfile.TemporaryDirectory() as folder:
        run, _ = asyncio.run(_live(Path(folder), "known", world, settings, ScriptedModel()))
        with run, _server(Path(folder), run) as address:
            there = combine([world.settings, {"machine": {"slots": SLOTS, "openai_base_url": address}, "llm": {"num_ctx": 65536}}])
            served, seconds = asyncio.run(_live(Path(folder), "served", world, there, OpenAIModel("town", there)))
            with served:
                assert served.digests() == run.digests(), "both towns must live the same day"
                (calls,) = served.database.execute("SELECT count(*) FROM calls WHERE step > 1").fetchone()
    return {f"served_slots_busy_{count}": calls * DELAY / seconds, f"served_calls_{count}": calls, f"served_seconds_{count}": seconds}


async def _live(folder: Path, name: str, world: World, settings: Settings, model: LanguageModel) -> tuple[Run, float]:
    """A finished run, and the wall seconds of its steps after the first."""
    steps = (DAY - minute_of_day(world.start)) // STRIDE
    run, game = await new_run(folder, world, steps=steps, name=name, settings=settings, model=model)
    await game.step()  # the morning's planning
    began = time.perf_counter()
    for _ in tqdm(range(1, steps), desc=name, unit="step"):
        await game.step()
    return run, time.perf_counter() - began


@contextmanager
def _server(folder: Path, run: Run) -> Iterator[str]:
    """The address of a server that gives every reply of a run again."""
    book, log = folder / "book.json", folder / "asked.log"
    book.write_text(json.dumps(book_of(run)), "utf-8")
    command = [sys.executable, "-m", "tests.torture.answers", str(book), str(log), str(DELAY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


if __name__ == "__main__":
    for count in map(int, sys.argv[1:] or TOWNS):
        for figure, value in measure(count).items():
            print(f"{figure:32} {value:.4g}", flush=True)
