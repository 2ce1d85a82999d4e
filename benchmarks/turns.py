"""Two time models of a server: what it takes to read prompts and to write replies. Both describe a
machine by two speeds that anybody can measure: the tokens a second that it reads, and those that
each slot writes while all slots write.

In `Apart`, slots do not disturb each other: each reads and writes at these speeds by itself,
whatever the others do.

In `Turns`, which is stricter, they share their machine. The server works in turns. In a turn it
reads up to `BATCH` tokens of prompts and writes one token of each reply that it is at, and the turn
takes a time of its own (the weights pass by once) and a time for each of those tokens (what is
computed with them). `python -m benchmarks.machines check` compares this one with a real llama.cpp.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

BATCH = 512
"""Tokens of prompts that are read in one turn: llama.cpp's `ubatch-size`."""


@dataclass(frozen=True)
class Machine:
    """What serves a model: its slots, the tokens a second that it reads, and those that each slot
    writes while all of them write.
    """

    slots: int
    read: float
    written: float

    @property
    def of_token(self) -> float:
        """Seconds that a token takes in its turn."""
        return 1 / self.read

    @property
    def of_turn(self) -> float:
        """Seconds that a turn takes beside its tokens."""
        return 1 / self.written - self.slots * self.of_token


CARD_12_GB = Machine(8, 1500, 40)
"""A graphics card of 12 GB with a model of 8 billion parameters."""


@dataclass(frozen=True)
class Apart:
    """The server whose slots do not disturb each other, in the time of the event loop."""

    machine: Machine

    async def work(self, read: int, written: int) -> None:
        """Returns when so many tokens have been read and written."""
        await asyncio.sleep(read / self.machine.read + written / self.machine.written)


@dataclass
class _Job:
    """What is left of a request, and what is set when nothing is."""

    read: int
    written: int
    done: asyncio.Future[None]


class Turns:
    """The server whose slots share their machine, in the time of the event loop."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._jobs: list[_Job] = []
        self._working: asyncio.Task[None] | None = None

    async def work(self, read: int, written: int) -> None:
        """Returns when so many tokens have been read and written."""
        job = _Job(read, max(1, written), asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        if self._working is None:
            self._working = asyncio.create_task(self._take_turns())
        try:
            await job.done
        finally:
            if job in self._jobs:  # the call was given up
                self._jobs.remove(job)

    async def _take_turns(self) -> None:
        while self._jobs:
            await asyncio.sleep(self.machine.of_turn + self._turn() * self.machine.of_token)
            for job in [job for job in self._jobs if not job.written]:
                self._jobs.remove(job)
                job.done.set_result(None)
            await asyncio.sleep(0)  # whoever waited for one may ask for the next
        self._working = None

    def _turn(self) -> int:
        """One turn of each job; gives the number of tokens in it."""
        tokens = 0
        for job in self._jobs:
            part = min(job.read, BATCH - tokens) if job.read else 1
            tokens += part
            if job.read:
                job.read -= part
            else:
                job.written -= 1
        return tokens
