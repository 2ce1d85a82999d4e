"""Does it cost a run anything that people look on? `python -m benchmarks.live [TURNS]`: the more turns, the surer the answer.

Two towns alike live the same hours, one alone, the other with two viewers.

They take turns, a few steps each, in one process; what is compared is the processor time that it takes for the same steps, so that
what else the machine does is left out. The server and the viewers are processes of their own, as for users; the viewers fetch the
frames of each new step, as the page does.
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

from modules.config import combine
from modules.founding import found
from modules.game import Game
from modules.model.embedding import make_embedder
from modules.model.scripted.model import ScriptedModel
from modules.replay.live import EVERY
from modules.world.load import load_world

ROOT = Path(__file__).resolve().parent.parent
MORNING = datetime(2025, 2, 13, 8, 0)
TURN, TURNS = 6, 25
"""Steps of a turn, and turns, of which the first warms up."""

VIEWERS = 2
ERROR = 1.25
"""The standard error of a median, in those of a mean."""


def measure(turns: int = TURNS) -> dict[str, float]:
    """Milliseconds of a step alone and watched, by the clock and of processor time, and the medians of their ratios over the turns, with standard errors."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as address:
        taken = asyncio.run(_take_turns(Path(folder), address, turns))
    figures: dict[str, float] = {}
    for at, kind in enumerate(("cpu", "wall")):
        alone, watched = ([turn[at] for turn in taken[name]] for name in ("alone", "watched"))
        figures |= {f"live_alone_{kind}_ms": statistics.median(alone) / TURN, f"live_watched_{kind}_ms": statistics.median(watched) / TURN}
        ratios = [other / one for one, other in zip(alone, watched, strict=True)]
        figures |= {f"live_{kind}_ratio": statistics.median(ratios), f"live_{kind}_ratio_error": ERROR * statistics.stdev(ratios) / len(ratios) ** 0.5}
    return figures


async def _take_turns(results: Path, address: str, turns: int) -> dict[str, list[tuple[float, float]]]:
    """By run, what each turn but the first took, as `_turn` gives it; who goes first changes."""
    with ExitStack() as open_ones:
        games = {name: await _game(results, name, TURN * turns, open_ones) for name in ("alone", "watched")}
        for _ in range(VIEWERS):
            viewer = multiprocessing.get_context("spawn").Process(target=_watch, args=(f"{address}/api/runs/watched",), daemon=True)
            viewer.start()
            open_ones.callback(viewer.terminate)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in games}
        for turn in tqdm(range(turns), desc="alone and watched", unit="turn"):
            for name in sorted(games, reverse=turn % 2 == 1):
                taken[name].append(await _turn(games[name]))
                time.sleep(1.2 * EVERY)  # whoever looks on has seen everything before the other goes on
    return {name: found[1:] for name, found in taken.items()}


async def _game(results: Path, name: str, steps: int, open_ones: ExitStack) -> Game:
    """A new town, held open."""
    world = load_world("ville", "en")
    settings = combine([world.settings])
    model, embedder = ScriptedModel(), make_embedder("hash", settings)
    run = await found(results, world, settings, model, embedder, name=name, start=MORNING, stride=10, seed=1, steps=steps)
    return Game(open_ones.enter_context(run), world, model, embedder)


async def _turn(game: Game) -> tuple[float, float]:
    """Milliseconds of processor time and of the clock that the next few steps take."""
    gc.collect()
    worked, began = time.process_time(), time.perf_counter()
    for _ in range(TURN):
        await game.step()
    return (time.process_time() - worked) * 1000, (time.perf_counter() - began) * 1000


@contextmanager
def _server(results: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "replay.py", "--port", str(port), "--results", str(results)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _patiently(f"{address}/api/runs")
        yield address
    finally:
        server.terminate()
        server.wait()


def _watch(address: str) -> None:
    """Follows a run from its beginning to its end."""
    _patiently(address)
    with urlopen(f"{address}/live") as events:
        for line in events:
            if line.startswith(b'data: {"step":'):
                step = max(1, int(line.split(b":")[2].split(b",")[0]))
                first = (step - 1) // 24 * 24 + 1
                urlopen(f"{address}/frames?from={first}&to={step}").read()


def _patiently(address: str) -> None:
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
