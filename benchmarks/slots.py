"""How busy a town keeps a model server of 8 slots that takes a fixed time for every call: `python -m benchmarks.slots [WORLD]`.

The model is the scripted one behind that delay, in virtual time: the clock moves on only when everybody waits for replies, so the
figures say how much of the thinking can go on at once and not how quick this machine is. That is measured beside it, as the time
that this process takes for a call.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from modules.clock import DAY, minute_of_day
from modules.config import combine
from modules.founding import found
from modules.game import Game
from modules.model.embedding import make_embedder
from modules.model.llm import Completion, Request
from modules.model.scripted.model import ScriptedModel
from modules.world.clones import crowd, populated
from modules.world.load import load_world
from modules.world.world import World

SLOTS, DELAY = 8, 1.0
STRIDE, WORLD = 10, "ville"
TOWNS = (25, 100)


class Meter:
    """Sums up, over virtual time, how many calls were under way, and how many more could have been."""

    def __init__(self) -> None:
        self.now = self.seconds = self.busy_seconds = self.idle_seconds = self.thinking = 0.0
        self.busy = self.ready = self.calls = 0

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        if self.ready:
            self.seconds += seconds
            self.busy_seconds += seconds * self.busy
            self.idle_seconds += seconds * (min(SLOTS, self.ready) - self.busy)

    def start_again(self) -> None:
        """Forgets what has been measured so far."""
        self.seconds = self.busy_seconds = self.idle_seconds = self.thinking = 0.0
        self.calls = 0


class Slots(asyncio.Semaphore):
    """The limit on calls under way, metered."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(SLOTS)
        self.meter = meter

    async def acquire(self) -> Any:
        self.meter.ready += 1
        return await super().acquire()

    def release(self) -> None:
        self.meter.ready -= 1
        super().release()


class Server:
    """The scripted model, as a server would give its replies: each after `DELAY` seconds."""

    name = "scripted"

    def __init__(self, meter: Meter) -> None:
        self.meter, self.model = meter, ScriptedModel()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.meter.busy += 1
        self.meter.calls += 1
        await asyncio.sleep(DELAY)
        self.meter.busy -= 1
        began = time.perf_counter()
        completion = await self.model.complete(request, seed=seed)
        self.meter.thinking += time.perf_counter() - began
        return completion


class VirtualTime(selectors.DefaultSelector):  # type: ignore[valid-type, misc]
    """Lets no time pass but the meter's: where an event loop would wait for its next timer, that is due at once."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self.meter = meter

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select(None)
        events = super().select(0)
        if not events and timeout > 0:
            self.meter.pass_time(timeout)
        return events


class Loop(asyncio.SelectorEventLoop):
    def __init__(self, meter: Meter) -> None:
        super().__init__(VirtualTime(meter))
        self.meter = meter

    def time(self) -> float:
        return self.meter.now


def measure(name: str = WORLD) -> dict[str, float]:
    """Slots busy on average, those idle while calls were ready, and the process's own milliseconds per call, by size of town."""
    figures: dict[str, float] = {}
    for count in TOWNS:
        town = load_world(name, "en")
        meter, own = lived(populated(town, crowd(list(town.personas), count)))
        figures[f"slots_busy_{count}"] = meter.busy_seconds / meter.seconds
        figures[f"slots_idle_while_ready_{count}"] = meter.idle_seconds / meter.seconds
        figures[f"overhead_ms_per_call_{count}"] = own * 1000
    return figures


def lived(world: World, until: int = DAY) -> tuple[Meter, float]:
    """The day up to a minute of it, after the morning's planning; and the process's own seconds for each call: all but the model's rules."""
    meter = Meter()
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=lambda: Loop(meter)) as runner:
        return meter, runner.run(_live(Path(folder), world, meter, (until - minute_of_day(world.start)) // STRIDE))


async def _live(folder: Path, world: World, meter: Meter, steps: int) -> float:
    settings = combine([world.settings])
    model, embedder = Server(meter), make_embedder("hash", settings)
    run = await found(folder, world, settings, model, embedder, name="slots", start=world.start, stride=STRIDE, seed=1, steps=steps)
    with run:
        game = Game(run, world, model, embedder)
        game.caller._slots = (asyncio.get_running_loop(), Slots(meter))
        await game.step()  # the morning's planning
        meter.start_again()
        began = time.perf_counter()
        for _ in range(1, steps):
            await game.step()
        return (time.perf_counter() - began - meter.thinking) / meter.calls


if __name__ == "__main__":
    for name, value in measure(*sys.argv[1:]).items():
        print(f"{name:32} {value:.3g}")
