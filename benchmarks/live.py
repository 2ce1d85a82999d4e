"""Whether viewers slow a run down: `python -m benchmarks.live [TURNS]`; more turns give smaller
errors.

Two equal towns live the same hours, one alone, the other with two viewers. They take turns of a few
steps in one process. Processor time is compared, so that whatever else the machine does does not
count. The server and the viewers are processes of their own, as they are for users; the viewers
fetch the frames of each new step, as the page does.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tqdm import tqdm

from benchmarks.towns import new_run
from hometown.game import Game
from hometown.web.live import POLL_SECONDS
from hometown.world.load import load_world

ROOT = Path(__file__).resolve().parent.parent
MORNING = datetime(2025, 2, 13, 8, 0)
TURN, TURNS = 6, 25
"""Steps of a turn, and turns, of which the first warms up."""

VIEWERS = 2
ERROR = 1.25
"""The standard error of a median as a multiple of a mean's, for normally distributed values."""


def measure(turns: int = TURNS) -> dict[str, float]:
    """Milliseconds of a step alone and watched, of processor and wall time; medians of their ratios
    over the turns, with standard errors.
    """
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as address:
        taken = asyncio.run(_take_turns(Path(folder), address, turns))
    figures: dict[str, float] = {}
    for at, kind in enumerate(("cpu", "wall")):
        alone, watched = ([turn[at] for turn in taken[name]] for name in ("alone", "watched"))
        figures |= {
            f"live_alone_{kind}_ms": statistics.median(alone) / TURN,
            f"live_watched_{kind}_ms": statistics.median(watched) / TURN,
        }
        ratios = [after / before for before, after in zip(alone, watched, strict=True)]
        figures |= {
            f"live_{kind}_ratio": statistics.median(ratios),
            f"live_{kind}_ratio_error": ERROR * statistics.stdev(ratios) / len(ratios) ** 0.5,
        }
    return figures


async def _take_turns(
    results: Path, address: str, turns: int
) -> dict[str, list[tuple[float, float]]]:
    """By run, what `_turn` measured in each turn but the first; the runs take turns in going first."""
    with ExitStack() as stack:
        games = {
            name: await _game(results, name, TURN * turns, stack) for name in ("alone", "watched")
        }
        for _ in range(VIEWERS):
            viewer = multiprocessing.get_context("spawn").Process(
                target=_watch, args=(f"{address}/api/v1/runs/watched",), daemon=True
            )
            viewer.start()
            stack.callback(viewer.terminate)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in games}
        for turn in tqdm(range(turns), desc="alone and watched", unit="turn"):
            for name in sorted(games, reverse=turn % 2 == 1):
                taken[name].append(await _turn(games[name]))
                # The viewers have fetched everything before the other run continues.
                time.sleep(1.2 * POLL_SECONDS)
    return {name: turns_of[1:] for name, turns_of in taken.items()}


async def _game(results: Path, name: str, steps: int, stack: ExitStack) -> Game:
    """A new town; the stack closes its run."""
    run, game = await new_run(
        results, load_world("ville", "en"), steps=steps, name=name, start=MORNING
    )
    stack.enter_context(run)
    return game


async def _turn(game: Game) -> tuple[float, float]:
    """Milliseconds of processor and of wall time that the next `TURN` steps take."""
    gc.collect()
    worked, began = time.process_time(), time.perf_counter()
    for _ in range(TURN):
        await game.step()
    return (time.process_time() - worked) * 1000, (time.perf_counter() - began) * 1000


@contextmanager
def _server(results: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "replay.py",
        "--port",
        str(port),
        "--results",
        str(results),
        "--public",
    ]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api/v1/runs")
        yield address
    finally:
        server.terminate()
        server.wait()


def _watch(address: str) -> None:
    """Follows a run from its beginning to its end."""
    _wait_for(address)
    with urlopen(f"{address}/live") as events:
        for line in events:
            if line.startswith(b'data: {"step":'):
                step = max(1, int(line.split(b":")[2].split(b",")[0]))
                first = (step - 1) // 24 * 24 + 1
                urlopen(f"{address}/frames?from={first}&to={step}").read()


def _wait_for(address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urlopen(address).read()
            return
        except URLError:
            time.sleep(0.1)


if __name__ == "__main__":
    for name, value in measure(*map(int, sys.argv[1:])).items():
        print(f"{name:20} {value:.4g}")
