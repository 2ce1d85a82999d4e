"""What became of the agreements of scripted days: kept at the place and hour said, called off, or
missed, each with both sides knowing, or lost.

`python -m benchmarks.agreements` prints the counts for Minitown and the Ville, in both languages.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Literal

from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE
from hometown.frozen import frozen
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.world import keys
from hometown.world.effects import Promised, Remembered
from hometown.world.load import load_world
from hometown.world.occasion import ON_TIME
from hometown.world.rows import Promise

SEEDS = (1, 2, 3)

Fate = Literal["kept", "called off", "missed", "replaced", "open", "lost"]
"""Kept: all who had agreed came to the place, at the time said. Called off, missed: one did not, and
both remember it. Replaced: they agreed on something else with each other. Open: the run ended
before. Lost: none of these.
"""


@frozen
class Agreement:
    """An agreement as it was made in a step."""

    promise: Promise
    made: datetime


def follow(world: str, lang: Lang, seed: int, steps: int) -> Counter[Fate]:
    """Live a day of a world on the scripted model and return the fates of its agreements."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), world, lang, seed, steps))


async def _live(folder: Path, name: str, lang: Lang, seed: int, steps: int) -> Counter[Fate]:
    run, game = await new_run(folder, load_world(name, lang), steps=steps, seed=seed)
    made: dict[tuple[str, datetime, str], Agreement] = {}
    remembered: dict[str, list[tuple[str, str, str]]] = {}
    with run:
        for _ in range(steps):
            await game.step()
            for logged in game.log:
                effect = logged.effect
                if isinstance(effect, Promised):
                    for promise in effect.promises.items:
                        if promise.talk:
                            key = (promise.address, promise.start, promise.talk)
                            made.setdefault(key, Agreement(promise, game.state.clock.now))
                elif isinstance(effect, Remembered):
                    concept = effect.concept
                    remembered.setdefault(effect.who, []).append(
                        (concept.predicate, concept.talk, concept.text)
                    )
        return Counter(fate_of(each.promise, game, remembered) for each in made.values())


def fate_of(
    promise: Promise, game: Game, remembered: dict[str, list[tuple[str, str, str]]]
) -> Fate:
    """Return what became of an agreement."""
    now = game.state.clock.now
    if all(
        any(
            predicate == CALLED_OFF_PREDICATE and talk == promise.talk
            for predicate, talk, _ in remembered.get(who, ())
        )
        for who in promise.people
    ):
        return "called off"
    if promise.end > now:
        return "open"
    guests = {
        guest.who: guest
        for _, occasion in keys.OCCASION.select(game.state.rows)
        if occasion.address == promise.address and occasion.at_once_with(promise.start, promise.end)
        for guest in occasion.guests
    }
    came = {
        who
        for who in promise.people
        if who in guests and (arrived := guests[who].came) and arrived <= promise.start + ON_TIME
    }
    if came == set(promise.people):
        return "kept"
    late = [who for who in promise.people if who in guests and guests[who].came]
    if len(late) == len(promise.people):
        return "missed"
    knowing = ("missed", "stayed away")
    if all(
        any(
            predicate in knowing and promise.part_of(who) in text
            for predicate, _, text in remembered.get(who, ())
        )
        for who in promise.people
    ):
        return "missed"
    held = any(
        item.is_same_meeting(promise)
        for who in promise.people
        for item in game.state.promises(who).items
    )
    return "lost" if held else "replaced"


def main() -> None:
    """Print the fates of the agreements of days of each world."""
    worlds = sys.argv[1:] or ["minitown", "ville"]
    for world in worlds:
        for lang in LANGS:
            for seed in SEEDS:
                fates = follow(world, lang, seed, STEPS_A_DAY)
                print(world, lang, seed, dict(sorted(fates.items())), flush=True)


if __name__ == "__main__":
    main()
