"""Measure the outcomes of wishes: `python -m benchmarks.wishes [WORLD] [LANG] [SEED] [FILE]`, in
minitown and in English by default.

Residents hear the inner voices of a file (`benchmarks/whispers/WORLD_LANG.txt` by default, lines such as
"Klaus: Tell Maria how you feel"), a new one every half hour from eight, and live until two days after the last one. Prints
each wish with its course, its outcome and the reason, then the share of wishes with an outcome, and
the share of those fulfilled or refused in somebody's words.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.befalling import STEPS_AN_HOUR, Tally
from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.language import Lang
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.resolve import parse_intervention
from hometown.world.wish import Wish, WishStep
from hometown.world.world import World

WHISPERS = Path(__file__).parent / "whispers"

FIRST_HOUR, STEPS_APART = 8, STEPS_AN_HOUR // 2
"""The hour of the first inner voice, and the steps from one to the next."""

DAYS = 2
"""Days for which each wish is followed."""


def read_whispers(file: Path, world: World) -> list[Intervention]:
    """Return the inner voices of a file, each with the step in which it speaks."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    first = max(FIRST_HOUR - world.start.hour, 0) * STEPS_AN_HOUR + 1
    return [
        replace(parse_intervention("tell", line, world), step=first + STEPS_APART * number)
        for number, line in enumerate(lines)
    ]


async def live(folder: Path, world: World, seed: int, voices: Sequence[Intervention]) -> list[Wish]:
    """Return the wishes of a town, as they are two days after the last inner voice."""
    steps = voices[-1].step + DAYS * STEPS_A_DAY
    run, game = await new_run(folder, world, steps=steps, seed=seed)
    with run:
        run.ask(voices)
        for _ in range(steps):
            await game.step()
    return [wish for who in world.personas for wish in game.state.wishes(who)]


def describe(wish: Wish) -> Iterator[str]:
    """Yield the lines that tell a wish and its course."""
    yield f"{wish.text}  [{wish.steps[-1].event}]"
    yield from (_describe_step(step) for step in wish.steps[1:])


def _describe_step(step: WishStep) -> str:
    return f"    {step.when:%a %H:%M} {step.event:10} {step.why} (memory {step.memory})"


def count(wish: Wish, tally: Tally) -> None:
    """Add a wish to the shares."""
    last = wish.steps[-1]
    is_over = not wish.is_open
    tally.add("wishes with an outcome", is_over, 1)
    tally.add("outcomes with a reason and a memory", bool(last.why and last.memory), is_over)
    is_answered = last.event in ("done", "refused")
    tally.add("wishes fulfilled, or refused in words", is_answered, 1)
    for event in ("done", "refused", "forgotten", "overtaken"):
        tally.add(f"  {event}", last.event == event, 1)


def main(name: str = "minitown", lang: Lang = "en", seed: str = "1", file: str = "") -> None:
    world, tally = load_world(name, lang), Tally()
    voices = read_whispers(Path(file) if file else WHISPERS / f"{name}_{lang}.txt", world)
    with tempfile.TemporaryDirectory() as folder:
        wishes = asyncio.run(live(Path(folder), world, int(seed), voices))
    for wish in wishes:
        print(*describe(wish), sep="\n")
        count(wish, tally)
    print(*tally.lines(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
