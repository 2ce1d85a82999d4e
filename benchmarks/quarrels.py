"""Whether residents differ, and make up: `python -m benchmarks.quarrels [WORLD] [LANG] [DAYS] [SEEDS]`,
10 days of one seed by default.

How many of the conversations that matter (poignancy 6 or more to a participant) were not agreeable:
the tone between two of them was that of a refusal or a quarrel. How many quarrels were made up
again before the end, which without a language model takes an apology and its acceptance. Shares are
given with their 95 % intervals, over the conversations, or the pairs, of all seeds.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.befalling import Tally
from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.history.causes import CALL_PREFIX
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.world.load import load_world
from hometown.world.social import BondMoved
from hometown.world.world import World

WEIGHTY = 6
"""Poignancy from which a conversation matters."""

SUMMED_UP = 4
"""Steps after the beginning of a conversation within which its tone moves bonds."""

Pair = tuple[str, str]


async def live(folder: Path, world: World, days: int, seed: int) -> None:
    """Lives some days."""
    run, game = await new_run(folder, world, steps=days * STEPS_A_DAY, seed=seed)
    with run:
        for _ in range(days * STEPS_A_DAY):
            await game.step()


def list_moves(run: RunReader) -> dict[Pair, list[tuple[int, str]]]:
    """Returns the moves of bonds by the tone of conversations, as (step, cause) by pair."""
    moves: dict[Pair, list[tuple[int, str]]] = defaultdict(list)
    for step, logged in run.run.effects():
        effect = logged.effect
        if isinstance(effect, BondMoved) and logged.cause.startswith(CALL_PREFIX):
            first, second = sorted((effect.who, effect.other))
            moves[first, second].append((step, effect.why))
    return moves


def count(run: RunReader, tally: Tally) -> None:
    """Adds the conversations and the quarrels of a run."""
    last, moves = run.last_step(), list_moves(run)
    weights: dict[str, int] = {}
    for memory in run.memories(1, last, ("chat",)):
        talk = memory.concept.talk
        weights[talk] = max(weights.get(talk, 0), memory.concept.poignancy)
    for talked in run.conversations(1, last):
        tones = {
            why
            for pair, moved in moves.items()
            if set(pair) <= set(talked.people)
            for step, why in moved
            if talked.step < step <= talked.step + SUMMED_UP
        }
        if weights.get(talked.id, 0) >= WEIGHTY:
            tally.add(
                "weighty talks not agreeable", not tones.isdisjoint(("let_down", "quarrel")), 1
            )
    for moved in moves.values():
        quarrels = [step for step, why in moved if why == "quarrel"]
        mended = [step for step, why in moved if why == "made_up"]
        if quarrels:
            tally.add("pairs that quarrel and make up", any(at > quarrels[0] for at in mended), 1)


def main(name: str = "ville", lang: Lang = "en", days: str = "10", seeds: str = "1") -> None:
    world, tally = load_world(name, lang), Tally()
    for seed in range(1, int(seeds) + 1):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(live(Path(folder), world, int(days), seed))
            with RunReader.open(Path(folder), "bench") as run:
                count(run, tally)
        counted = f"{name} {lang}, {days} days: {seed} of {seeds} seeds"
        print(counted, *tally.lines(), sep="\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
