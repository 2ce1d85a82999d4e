"""How busy the town keeps a real server over HTTP: `python -m benchmarks.served [RESIDENTS…]`, a quarter of an hour for 100.

The server runs in a process of its own, speaks OpenAI's protocol, and answers each request after a fixed delay with what
the scripted model had said to it. With a fixed delay, the slots that are busy on average are calls × delay ÷ time.
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

from modules.clock import DAY, minute_of_day
from modules.config import combine
from modules.founding import found
from modules.game import Game
from modules.model.embedding import make_embedder
from modules.model.llm import LanguageModel
from modules.model.openai_server import OpenAIModel
from modules.model.scripted.model import ScriptedModel
from modules.settings import Settings
from modules.storage.run import Run
from modules.world.clones import crowd, populated
from modules.world.load import load_world
from modules.world.world import World
from tests.torture.answers import book_of

SLOTS, DELAY = 8, 0.25
STRIDE, WORLD = 10, "ville"
TOWNS = (25, 100)


def measure(count: int) -> dict[str, float]:
    """Slots busy on average from the morning's planning to midnight, by so many residents; the calls, and the seconds they took."""
    town = load_world(WORLD, "en")
    world = populated(town, crowd(list(town.personas), count))
    settings = combine([world.settings, {"machine": {"slots": SLOTS}}])
    with tempfile.TemporaryDirectory() as folder:
        run, _ = asyncio.run(_live(Path(folder), "known", world, settings, ScriptedModel()))
        with run, _server(Path(folder), run) as address:
            there = combine([world.settings, {"machine": {"slots": SLOTS, "openai_base_url": address}, "llm": {"num_ctx": 65536}}])
            served, seconds = asyncio.run(_live(Path(folder), "served", world, there, OpenAIModel("town", there)))
            with served:
                assert served.digests() == run.digests(), "the served town should live what the scripted one lived"
                (calls,) = served.database.execute("SELECT count(*) FROM calls WHERE step > 1").fetchone()
    return {f"served_slots_busy_{count}": calls * DELAY / seconds, f"served_calls_{count}": calls, f"served_seconds_{count}": seconds}


async def _live(folder: Path, name: str, world: World, settings: Settings, model: LanguageModel) -> tuple[Run, float]:
    """The run, and the wall seconds of its steps after the first."""
    embedder = make_embedder("hash", settings)
    steps = (DAY - minute_of_day(world.start)) // STRIDE
    run = await found(folder, world, settings, model, embedder, name=name, start=world.start, stride=STRIDE, seed=1, steps=steps)
    game = Game(run, world, model, embedder, settings.machine)
    await game.step()  # the morning's planning
    began = time.perf_counter()
    for _ in tqdm(range(1, steps), desc=name, unit="step"):
        await game.step()
    return run, time.perf_counter() - began


@contextmanager
def _server(folder: Path, run: Run) -> Iterator[str]:
    """The address of a server that knows every reply of a run."""
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
