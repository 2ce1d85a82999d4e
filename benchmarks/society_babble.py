"""Whether a society feeds itself when its model talks nonsense: `python -m benchmarks.society
babble [REPLIES] [WORLD] [LANG] [SEEDS]`.

Every reply fits its schema and means nothing: people plan, say, promise, give and choose at random,
until so many replies have been given, from each seed. The laws of the town are checked after each
day, and grams and coins are added up after each step. Then: the day on which the first stomach was
empty, and what `benchmarks.society town` prints.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import process_time

from tqdm import tqdm

from benchmarks.society_town import FED_BY_RULES, Watched, report
from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.config import combine
from hometown.garbage import tune_collector
from hometown.language import LANGS
from hometown.model.llm import Completion, Request
from hometown.world.load import load_world
from tests.support.any_json import AnyJson
from tests.support.laws import laws

MOST_DAYS = 365


class Babbling(AnyJson):
    """Counts its replies."""

    def __init__(self) -> None:
        self.replies = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.replies += 1
        return await super().complete(request, seed=seed, priority=priority)


async def babble(replies: int, which: str, lang: str, seed: int) -> None:
    """Lives the world until the model has given so many replies, and prints the figures."""
    world, model, watched = (
        load_world(which, next(each for each in LANGS if each == lang)),
        Babbling(),
        Watched(),
    )
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(
            Path(folder),
            world,
            steps=MOST_DAYS * STEPS_A_DAY,
            settings=combine([FED_BY_RULES], world.settings),
            model=model,
            seed=seed,
        )
        with (
            run,
            tune_collector() as between_steps,
            tqdm(total=replies, unit="reply") as progress,
        ):
            began, hungry = process_time(), -1.0
            while model.replies < replies:
                before = model.replies
                await game.step()
                between_steps()
                watched.look(game)
                hungry = run.last.step / STEPS_A_DAY if watched.empty and hungry < 0 else hungry
                if game.state.clock.step % STEPS_A_DAY == 0:
                    laws(game)  # it reads all that anybody remembers
                progress.update(model.replies - before)
            days = run.last.step / STEPS_A_DAY
            print(
                f"{world.id} {lang}, seed {seed}, {model.replies:,} replies, {days:.1f} days; first empty stomach on day {hungry:.1f} (-1: none)"
            )
            assert world.book is not None
            report(run, watched, world.book, days, process_time() - began)


def main(
    replies: str = "10000", which: str = "farmstead", lang: str = "en", seeds: str = "5"
) -> None:
    for seed in range(1, int(seeds) + 1):
        asyncio.run(babble(int(replies), which, lang, seed))
