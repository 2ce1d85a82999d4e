"""How long a day of the Ville takes on four kinds of machine: `python -m benchmarks.machines`, and
`python -m benchmarks.machines check`.

The days are lived on both time models of `turns.py`, with slots that keep prompts as
`kept_prompts.py` says. `check` compares the stricter one with a real llama.cpp and SmolLM2 on this
machine: it measures the speed of reading, one request at a time, and that of writing, when all
slots write; foretells from them how long other requests take on all slots at once; and lets
llama.cpp work on those. It wants an otherwise idle machine.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tqdm import tqdm

from benchmarks.costs import CachingServer, Work, lived_day
from benchmarks.slots import Loop, Meter
from benchmarks.towns import new_run
from benchmarks.turns import CARD_12_GB, Apart, Machine, Turns
from hometown.backends import make_model
from hometown.config import combine
from hometown.model.llama.gguf_files import CACHED_TOKENS
from hometown.model.llm import Completion, LanguageModel, Loading, Request
from hometown.scripted.model import ScriptedModel
from hometown.speculation import USUAL_STEPS
from hometown.world.load import load_world

MACHINES = {
    "CPU, 8 cores, 4B model": Machine(2, 60, 6),
    "8 GB card, 4B model": Machine(4, 1500, 45),
    "12 GB card, 8B model": CARD_12_GB,
    "24 GB card, 14B model": Machine(8, 3000, 50),
}
"""What such machines commonly do with weights of 4 bits; `hometown doctor` measures yours."""

MODELS: dict[str, Callable[[Machine], Work]] = {
    "apart": lambda machine: Apart(machine).work,
    "shared": lambda machine: Turns(machine).work,
}
"""The time models by name: slots that do not disturb each other, and slots that share their
machine.
"""


# the model against a real server -------------------------------------------------------------

TINY = {
    "machine": {"slots": 2, "llama_threads": 2},
    "llm": {"num_ctx": 4096, "freedom": "plain", "give_up_after": 600},
}
ALONE, TOGETHER = 12, 36
"""Requests from which the speeds are measured, and with which the model is compared."""

STEPS = 12


class _Recording:
    """The scripted model, which keeps what it was asked."""

    name = "scripted"

    def __init__(self) -> None:
        self.model, self.requests = ScriptedModel(), list[Request]()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests.append(request)
        return await self.model.complete(request, seed=seed)


async def recorded() -> list[Request]:
    """What a town asks on a morning."""
    world, recording = load_world("minitown", "en"), _Recording()
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(
            Path(folder), world, steps=STEPS, settings=combine([TINY]), model=recording
        )
        with run:
            while len(recording.requests) < ALONE + TOGETHER:
                await game.step()
    return recording.requests[: ALONE + TOGETHER]


async def answered(
    model: LanguageModel, requests: Sequence[Request], slots: int
) -> tuple[float, list[Completion]]:
    """The seconds that a model took for all requests, so many at once, and its completions."""
    free, bar = (
        asyncio.Semaphore(slots),
        tqdm(total=len(requests), desc=f"{slots} at once", unit="call"),
    )

    async def one(number: int, request: Request) -> Completion:
        async with free:
            completion = await model.complete(request, seed=number)
        bar.update()
        return completion

    began = time.perf_counter()
    completions = await asyncio.gather(
        *(one(number, request) for number, request in enumerate(requests))
    )
    bar.close()
    return time.perf_counter() - began, completions


def foretold(machine: Machine, completions: Sequence[Completion]) -> float:
    """The seconds that the time model gives for the same work in the same order."""
    meter = Meter()

    async def all_of_it() -> None:
        server, free = Turns(machine), asyncio.Semaphore(machine.slots)

        async def one(completion: Completion) -> None:
            async with free:
                await server.work(
                    completion.prompt_tokens - completion.cached_tokens, completion.reply_tokens
                )

        await asyncio.gather(*map(one, completions))

    with asyncio.Runner(loop_factory=lambda: Loop(meter)) as runner:
        runner.run(all_of_it())
    return meter.now


def measured(alone: Sequence[Completion], again: Sequence[Completion], slots: int) -> Machine:
    """The machine that read requests one at a time, and wrote replies to the same ones on all its
    slots at once, by its own clock.
    """
    read = (
        sum(each.prompt_tokens - each.cached_tokens for each in alone)
        / sum(each.read_ms for each in alone)
        * 1000
    )
    return Machine(
        slots,
        read,
        sum(each.reply_tokens for each in again) / sum(each.write_ms for each in again) * 1000,
    )


async def checked() -> tuple[float, list[Completion], Machine]:
    """What llama.cpp took for requests on all its slots, what it replied, and the speeds that were
    measured before and after.
    """
    settings = combine([TINY])
    model, requests = make_model("gguf:smollm2-135m", settings), await recorded()
    assert isinstance(model, Loading)
    await model.load("en", print)
    slots, alone, again = settings.machine.slots, list[Completion](), list[Completion]()

    async def measure_speeds(some: Sequence[Request]) -> None:
        alone.extend((await answered(model, some, 1))[1])
        # There is nothing left to read, so that all slots write.
        again.extend((await answered(model, some, slots))[1])

    await measure_speeds(requests[: ALONE // 2])
    seconds, together = await answered(model, requests[ALONE:], slots)
    await measure_speeds(requests[ALONE // 2 : ALONE])
    return seconds, together, measured(alone, again, slots)


def check() -> dict[str, float]:
    """The speeds measured, and seconds measured and foretold for the same requests on all slots;
    their ratio should be within 0.8 and 1.2.
    """
    seconds, completions, machine = asyncio.run(checked())
    expected = foretold(machine, completions)
    return {
        "machine_read_per_s": machine.read,
        "machine_written_per_s": machine.written,
        "machine_measured_s": seconds,
        "machine_foretold_s": expected,
        "machine_foretold_ratio": expected / seconds,
    }


PEER = {"calls": 775, "prompt_tokens": 208_000, "reply_tokens": 8_300}
"""What a resident's day costs in GenerativeAgentsCN, which makes one call at a time, on comparable
work.
"""

RESIDENTS = 25


def measure() -> dict[str, float]:
    """Minutes of the Ville's day from six in the morning to midnight on each kind of machine, by
    both time models, here and with one call at a time as in the peer. Prints them, and what a
    resident's day costs, as tables.
    """
    world, figures, card = load_world("ville", "en"), dict[str, float](), dict[str, float]()
    row(
        "minutes of the Ville's day",
        *(f"{whose}, {model}" for model in MODELS for whose in ("Hometown", "GenerativeAgentsCN")),
    )
    row("---", *["---"] * 2 * len(MODELS))
    for name, machine in MACHINES.items():
        ahead = 0 if name.startswith("CPU") else USUAL_STEPS  # as Hometown does by default
        minutes = list[float]()
        for model, work_on in MODELS.items():
            day = lived_day(
                world,
                {"machine": {"slots": machine.slots, "ahead": ahead}},
                server=CachingServer(machine.slots, work_on(machine), CACHED_TOKENS),
            )
            card = day if machine is CARD_12_GB else card
            minutes += [day["seconds"] / 60, one_at_a_time(machine, model) / 60]
            figures |= {f"day_{model}_{name}": minutes[-2], f"day_{model}_{name}_peer": minutes[-1]}
        row(name, *(f"{each:.0f}" for each in minutes))
    print()
    row("a resident's day on the 12 GB card", "Hometown", "GenerativeAgentsCN")
    row("---", "---", "---")
    for what, peer in PEER.items():
        row(what.replace("_", " "), f"{card[what]:,.0f}", f"{peer:,}")
    row("tokens read", f"{card['read_tokens']:,.0f}", "not known")
    return figures


def row(*cells: str) -> None:
    """Prints a row of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def one_at_a_time(machine: Machine, model: str) -> float:
    """Seconds of the peer's day: where slots share their machine, of each call one turn that reads,
    and one for each token written.
    """
    turns, tokens = (
        PEER["calls"] + PEER["reply_tokens"],
        PEER["prompt_tokens"] + PEER["reply_tokens"],
    )
    alone = PEER["prompt_tokens"] / machine.read + PEER["reply_tokens"] / machine.written
    return RESIDENTS * (
        alone if model == "apart" else turns * machine.of_turn + tokens * machine.of_token
    )


def main(what: str = "") -> None:
    for figure, value in (check() if what == "check" else measure()).items():
        print(f"{figure:46} {value:.4g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
