"""How many calls and tokens residents cost, hour by hour and by kind of prompt, how much of each
prompt the one before began with, and how well that is estimated.

`python -m benchmarks.calls` writes data/estimates.json, from which runs on real models are
estimated: run it whenever prompts have changed.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
from pathlib import Path

import orjson

from benchmarks.towns import STEPS_A_DAY, STRIDE, new_run
from hometown.clock import DAY
from hometown.doctor.estimate import TABLE, Load, estimate_load
from hometown.language import LANGS, Lang
from hometown.records import Call
from hometown.world.load import load_world
from hometown.world.world import World

DAYS = {"minitown": 2, "ville": 1}
"""The worlds that are measured, and how many days of each; the second day of a resident costs a
fifth more than the first.
"""

SEED, OTHER_SEED = 5, 2
"""Of the days from which estimates are made, and of those with which they are compared."""

Steps = Sequence[Sequence[Call]]
"""The calls of each step of a run."""


def measure() -> dict[str, float]:
    """Calls and tokens of a whole day by world and language, what the estimate for it is, and
    Minitown's kinds of prompt and shared prefix.
    """
    figures: dict[str, float] = {}
    for name in DAYS:
        for lang in LANGS:
            world, steps = lived(name, lang, STEPS_A_DAY, OTHER_SEED)
            calls = [call for step in steps for call in step]
            estimate = estimate_load(name, lang, len(world.personas), world.start, DAY)
            measured = load_of(calls)
            for what in ("calls", "tokens"):
                figures[f"{what}_{name}_{lang}"] = getattr(measured, what)
                figures[f"estimate_{what}_{name}_{lang}"] = getattr(estimate, what)
                figures[f"estimate_ratio_{what}_{name}_{lang}"] = getattr(estimate, what) / getattr(
                    measured, what
                )
            figures |= {
                f"calls_{name}_{lang}_{kind}": count for kind, count in by_kind(calls).items()
            }
            figures[f"shared_prefix_{name}_{lang}"] = shared_prefix(calls)
    return figures


def load_of(calls: Sequence[Call]) -> Load:
    """The sums over calls, each with all its attempts."""
    return Load(
        float(sum(len(call.attempts) for call in calls)),
        float(sum(call.prompt_tokens for call in calls)),
        float(sum(call.reply_tokens for call in calls)),
    )


def by_kind(calls: Sequence[Call]) -> dict[str, float]:
    """How many calls there were of each kind of prompt."""
    counts: dict[str, float] = defaultdict(float)
    for call in calls:
        counts[call.kind] += len(call.attempts)
    return dict(sorted(counts.items()))


def by_hour(world: World, steps: Steps) -> list[list[float]]:
    """For each hour of the day: calls, tokens of prompts and of replies of one resident, averaged
    over the days.
    """
    hours: list[list[Call]] = [[] for _ in range(24)]
    for number, calls in enumerate(steps):
        hours[(world.start + timedelta(minutes=number * STRIDE)).hour] += calls
    people = len(world.personas) * len(steps) / STEPS_A_DAY
    return [
        [round(value / people, 2) for value in (load.calls, load.prompt_tokens, load.reply_tokens)]
        for load in map(load_of, hours)
    ]


def shared_prefix(calls: list[Call]) -> float:
    """The share of characters, 0 to 1, in which prompts begin like the previous one of the same
    resident, and which a server need not read again.
    """
    before: dict[str, str] = {}
    shared = total = 0
    for call in calls:
        text = "\0".join(message.content for message in call.messages)
        if call.who in before:
            shared += sum(
                1
                for _ in takewhile(
                    lambda pair: pair[0] == pair[1], zip(before[call.who], text, strict=False)
                )
            )
            total += len(text)
        before[call.who] = text
    return shared / total if total else 0.0


def lived(name: str, lang: Lang, steps: int, seed: int) -> tuple[World, Steps]:
    """A world that ships, and the calls of each of so many steps on the scripted model."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), name, lang, steps, seed))


async def _live(folder: Path, name: str, lang: Lang, steps: int, seed: int) -> tuple[World, Steps]:
    world = load_world(name, lang)
    run, game = await new_run(folder, world, steps=steps, seed=seed)
    calls: list[list[Call]] = []
    with run:
        for _ in range(steps):
            await game.step()
            calls.append(list(game.calls))
    return world, calls


def main() -> None:
    """Measures and writes the table."""
    worlds = []
    for name, days in DAYS.items():
        hours: dict[Lang, list[list[float]]] = {}
        for lang in LANGS:
            world, steps = lived(name, lang, days * STEPS_A_DAY, SEED)
            hours[lang] = by_hour(world, steps)
        parts = [f'"residents": {len(world.personas)}']
        parts += [
            f'"{lang}": [\n  ' + ",\n  ".join(orjson.dumps(row).decode() for row in rows) + "\n ]"
            for lang, rows in hours.items()
        ]
        worlds.append(f'"{name}": {{\n ' + ",\n ".join(parts) + "\n}")
    TABLE.write_text("{" + ",\n".join(worlds) + "}\n", "utf-8")


if __name__ == "__main__":
    main()
