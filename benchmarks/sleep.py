"""What sleep does to memory: `python -m benchmarks.sleep [DAYS] [LANG] [WORLD]`, for a month, in
English and in minitown by default.

The town lives for so many days twice, with sleep that consolidates and without. On the first
morning each resident is told something that matters. For each day the live memories are counted,
and the milliseconds a search takes are measured, as a median. In the end, each resident is asked
for what it was told: at which place it comes to mind. And for each of a hundred retired memories,
which nobody asked for, its own words are searched among those that are retired.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.config import combine
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.arithmetic import Vector, quantise
from hometown.memory.tiers import retrieve
from hometown.model.hashing import hash_vector
from hometown.world.effects import Recalled
from hometown.world.interventions import Intervention
from hometown.world.load import load_world

FACT = {
    "en": "The deed of the old mill lies under the third step of the library stairs",
    "zh": "老磨坊的地契压在图书馆楼梯第三级台阶下面",
}
QUESTION = {"en": "Where does the deed of the old mill lie?", "zh": "老磨坊的地契在哪里？"}
SAMPLE = 100
SEARCHES = 20


@dataclass
class Month:
    """Of each day, the live memories of all residents and the milliseconds of a search; at which
    places the fact came to mind, 0 for nowhere; how many memories were recalled, and of how many
    sampled retired ones their own words found them.
    """

    live: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    recalled: int = 0
    sampled: int = 0
    found: int = 0


async def live(folder: Path, which: str, lang: Lang, days: int, consolidate: bool) -> Month:
    world, month = load_world(which, lang), Month()
    settings = combine([world.settings, {"faculties": {"consolidate": consolidate}}])
    run, game = await new_run(folder, world, steps=days * STEPS_A_DAY, settings=settings)
    with run:
        run.ask([Intervention("tell", who, FACT[lang], 6) for who in world.personas])
        question = quantise(hash_vector(QUESTION[lang], settings.embedding.dimension))
        for _ in range(days):
            for _ in range(STEPS_A_DAY):
                await game.step()
                month.recalled += sum(
                    len(logged.effect.ids)
                    for logged in game.log
                    if isinstance(logged.effect, Recalled)
                )
            month.live.append(sum(len(memory) for memory in game.state.memories.values()))
            month.milliseconds.append(timed(game, question))
        month.places = [place_of(game, who, question, FACT[lang]) for who in world.personas]
        for who in world.personas:
            await reach(game, who, month)
    return month


def timed(game: Game, question: Vector) -> float:
    """Milliseconds of a search for one resident, the quickest of some; a median over all."""
    taken: dict[str, list[float]] = defaultdict(list)
    for who in [*game.state.memories] * SEARCHES:
        began = time.perf_counter()
        search(game, who, [question])
        taken[who].append((time.perf_counter() - began) * 1000)
    return median(map(min, taken.values()))


def search(game: Game, who: str, queries: Sequence[Vector]) -> list[int]:
    """The ids of what comes to mind."""
    found = retrieve(
        game.state.store,
        who,
        queries,
        game.state.clock.now,
        game.settings.associate,
        game.settings.associate.retrieve_max,
    )
    return [scored.concept.id for scored in (*found.live, *found.retired)]


def place_of(game: Game, who: str, question: Vector, fact: str) -> int:
    """At which place, from 1, a fact comes to mind; 0 if it does not."""
    memory = game.state.memory(who)
    ids = [number for number in search(game, who, [question]) if number in memory]
    return next(
        (place for place, number in enumerate(ids, 1) if fact in memory.concept(number).text), 0
    )


async def reach(game: Game, who: str, month: Month) -> None:
    """Looks for retired memories by their own words, among the retired."""
    cold = game.state.memory(who).cold
    texts = (
        {concept.text: number for number, concept in cold.concepts.items()}
        if cold is not None
        else {}
    )
    for text in list(texts)[:: max(1, len(texts) // (SAMPLE // len(game.state.memories)))]:
        vector = quantise(hash_vector(text, game.settings.embedding.dimension))
        assert cold is not None, "there is nothing to sample where nothing is kept"
        best = cold.concept(int(cold.partition.columns().ids[cold.partition.dot(vector).argmax()]))
        month.sampled, month.found = month.sampled + 1, month.found + (best.text == text)


def main(days: str = "30", lang: Lang = "en", which: str = "minitown") -> None:
    months = {}
    for consolidate in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            months[consolidate] = asyncio.run(
                live(Path(folder), which, lang, int(days), consolidate)
            )
    off, on = months[False], months[True]
    print(
        f"{which} {lang}, {days} days: live memories and milliseconds of a search, without sleep and with it"
    )
    for day in range(int(days)):
        print(
            f"day {day + 1:2}  {off.live[day]:6} {on.live[day]:6} {on.live[day] / off.live[day]:6.0%}   {off.milliseconds[day]:.3f} {on.milliseconds[day]:.3f}"
        )
    print(
        f"the fact of the first day comes to mind at place {off.places} without, {on.places} with"
    )
    print(
        f"{on.recalled} memories were recalled; {on.found} of {on.sampled} retired ones are found by their own words"
    )
    slower = [
        fmean(month.milliseconds[-7:]) / fmean(month.milliseconds[7:14] or month.milliseconds)
        for month in (off, on)
    ]
    print(
        f"a search in the last week takes {slower[1]:.2f} times as long as in the second, without sleep {slower[0]:.2f}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
