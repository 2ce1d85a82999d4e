"""How long a town's waking day takes on a server over HTTP, by steps ahead: `python -m
benchmarks.served [RESIDENTS [STEPS]]`, 25 and the whole day by default.

The server (`timed_server.py`) takes the time of a graphics card of 12 GB with a model of 8 billion
parameters, whose slots do not disturb each other, and is `SPEED` times as fast; the seconds are
those of the card. The day is that which the scripted model has lived, from six in the morning on,
after everybody has planned it.
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
from benchmarks.turns import CARD_12_GB
from hometown.clock import DAY, minute_of_day
from hometown.config import combine
from hometown.model.llm import LanguageModel
from hometown.model.openai_server import OpenAIModel
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.world.world import World
from tests.torture.answers import book_of

SPEED = 5
WORLD = "ville"
DEPTHS = (0, 1, 2)


def measure(count: int, steps: int = 0) -> dict[str, float]:
    """Seconds of the day, and the share of calls that nobody needed, by steps ahead. Every day must
    be the same.
    """
    world, figures = town_of(WORLD, count), dict[str, float]()
    steps = steps or (DAY - minute_of_day(world.start)) // STRIDE
    with tempfile.TemporaryDirectory() as folder:
        known, _, _ = asyncio.run(
            _live(Path(folder), "known", world, combine([world.settings]), ScriptedModel(), steps)
        )
        for depth in DEPTHS:
            with server_of(Path(folder), known, SPEED) as address:
                machine = {"slots": CARD_12_GB.slots, "ahead": depth, "openai_base_url": address}
                settings = combine(
                    [world.settings, {"machine": machine, "llm": {"num_ctx": 65536}}]
                )
                run, seconds, unused = asyncio.run(
                    _live(
                        Path(folder),
                        f"ahead-{depth}",
                        world,
                        settings,
                        OpenAIModel("town", settings),
                        steps,
                    )
                )
            with run:
                assert run.digests() == known.digests(), "all towns must live the same day"
            figures |= {
                f"served_seconds_{count}_ahead_{depth}": seconds * SPEED,
                f"served_unused_{count}_ahead_{depth}": unused,
            }
        known.close()
    return figures


async def _live(
    folder: Path, name: str, world: World, settings: Settings, model: LanguageModel, steps: int
) -> tuple[RunFile, float, float]:
    """A finished run, the wall seconds of its steps after the first, and the share of its calls
    that it did not need.
    """
    run, game = await new_run(folder, world, steps=steps, name=name, settings=settings, model=model)
    await game.step()  # the morning's planning
    began = time.perf_counter()
    for _ in tqdm(range(1, steps), desc=name, unit="step"):
        await game.step()
    total = game.stats.total
    return run, time.perf_counter() - began, total.unused / total.calls


@contextmanager
def server_of(folder: Path, run: RunFile, speed: int) -> Iterator[str]:
    """The address of a server that gives every reply of a run again, so many times as fast as the
    card.
    """
    book = folder / "book.json"
    book.write_text(json.dumps(book_of(run)), "utf-8")
    command = [sys.executable, "-m", "benchmarks.timed_server", str(book), str(speed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


if __name__ == "__main__":
    for figure, value in measure(*map(int, sys.argv[1:] or ("25",))).items():
        print(f"{figure:36} {value:.4g}", flush=True)
