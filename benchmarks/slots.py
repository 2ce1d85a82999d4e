"""How busy a town keeps a model server with 8 slots and a fixed time per call: `python -m
benchmarks.slots [WORLD]`.

The server is the scripted model behind that delay, in virtual time: the clock advances only while
everybody waits for replies, so the figures show how many calls can be under way at once and not how
fast this machine is. The processor time of Hometown itself per call is measured beside it.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.towns import STRIDE, new_run, town_of
from hometown.clock import DAY, minute_of_day
from hometown.model.llm import Completion, Request
from hometown.model.queue import CallQueue
from hometown.scripted.model import ScriptedModel
from hometown.world.world import World

SLOTS, DELAY = 8, 1.0
WORLD = "ville"
TOWNS = (25, 100)


class Meter:
    """Integrates, over virtual time, how many calls were under way and how many more were ready."""

    def __init__(self) -> None:
        self.now = self.seconds = self.busy_seconds = self.idle_seconds = self.thinking = 0.0
        self.calls = 0
        self.queue: CallQueue | None = None

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        if self.queue and self.queue.in_progress:
            busy = len(self.queue.in_progress)
            ready = sum(call.task is None for call in self.queue._calls.values())
            self.seconds += seconds
            self.busy_seconds += seconds * busy
            self.idle_seconds += seconds * min(SLOTS - busy, ready)

    def reset(self) -> None:
        """Discards what has been measured so far."""
        self.seconds = self.busy_seconds = self.idle_seconds = self.thinking = 0.0
        self.calls = 0


class Server:
    """The scripted model as a server: each reply comes after `DELAY` seconds."""

    name = "scripted"

    def __init__(self, meter: Meter) -> None:
        self.meter, self.model = meter, ScriptedModel()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.meter.calls += 1
        await asyncio.sleep(DELAY)
        began = time.process_time()
        completion = await self.model.complete(request, seed=seed)
        self.meter.thinking += time.process_time() - began
        return completion


class VirtualTime(selectors.DefaultSelector):
    """Advances the meter's clock instead of waiting: the next timer of the event loop is due at
    once.
    """

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
    """By size of town: mean slots busy, mean slots idle while calls were ready, and the process's
    own milliseconds per call.
    """
    figures: dict[str, float] = {}
    for count in TOWNS:
        meter, own = live_day(town_of(name, count))
        figures[f"slots_busy_{count}"] = meter.busy_seconds / meter.seconds
        figures[f"slots_idle_while_ready_{count}"] = meter.idle_seconds / meter.seconds
        figures[f"overhead_ms_per_call_{count}"] = own * 1000
    return figures


def live_day(world: World, until: int = DAY) -> tuple[Meter, float]:
    """Meters the day after the morning's planning, up to a minute of it; also the process's own
    seconds per call, without those of the scripted model.
    """
    meter = Meter()
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: Loop(meter)) as runner,
    ):
        return meter, runner.run(
            _live(Path(folder), world, meter, (until - minute_of_day(world.start)) // STRIDE)
        )


async def _live(folder: Path, world: World, meter: Meter, steps: int) -> float:
    run, game = await new_run(folder, world, steps=steps, model=Server(meter))
    with run:
        game.caller.queue = meter.queue = CallQueue(SLOTS)
        await game.step()  # the morning's planning
        meter.reset()
        began = time.process_time()
        for _ in range(1, steps):
            await game.step()
        return (time.process_time() - began - meter.thinking) / meter.calls


if __name__ == "__main__":
    for name, value in measure(*sys.argv[1:]).items():
        print(f"{name:32} {value:.3g}")
