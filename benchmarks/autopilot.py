"""How residents fare on their own words: `python -m benchmarks.autopilot [MODES] [DAYS] [SEEDS]
[LANGS] [MODELS] [WORLD]`, lists with commas.

For each mode of `faculties.autopilot`, language, model and seed: residents who collapsed, the share
of waking time with hunger below 150 and hours at 0, products made, the share of begun courses that
follow the model's words, refusals, and calls and prompt tokens a resident and day. The models are
the stand-in (`scripted`), the stand-in with replies to `steps` that it gave to others before
(`shuffled`), and random replies (`nonsense`).
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.society_town import Watched
from benchmarks.towns import STEPS_A_DAY, STRIDE, new_run
from hometown.config import combine
from hometown.history.hardship import hardship
from hometown.history.reader import RunReader
from hometown.language import LANGS
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world.book.book import Book
from hometown.world.labour import Barred, CourseSet, WorkBegun
from hometown.world.load import load_world
from tests.support.any_json import AnyJson

KEPT_REPLIES = 200
"""The replies among which a shuffled one is drawn."""

WORDS = "rule:schedule"
"""The cause of courses that follow the model's words."""


class ShuffledSteps:
    """The stand-in, whose replies to `steps` are ones that it gave before, to anyone."""

    name = "scripted"

    def __init__(self) -> None:
        self._model = ScriptedModel()
        self._given: list[Completion] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        reply = await self._model.complete(request, seed=seed, priority=priority)
        if request.kind != "steps":
            return reply
        self._given = [*self._given[-KEPT_REPLIES:], reply]
        return Random(seed).choice(self._given)


MODELS: dict[str, Callable[[], LanguageModel]] = {
    "scripted": ScriptedModel,
    "shuffled": ShuffledSteps,
    "nonsense": AnyJson,
}


async def live(mode: str, days: int, seed: int, lang: str, model: str, which: str) -> str:
    """Live a world for some days and return its figures, with tabs between."""
    world = load_world(which, next(each for each in LANGS if each == lang))
    settings = combine([world.settings, {"faculties": {"autopilot": mode}}])
    watched, steps = Watched(), days * STEPS_A_DAY
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(
            Path(folder), world, steps=steps, settings=settings, model=MODELS[model](), seed=seed
        )
        with run:
            for _ in range(steps):
                await game.step()
                watched.look(game)
            assert world.book is not None
            return "\t".join(
                (mode, lang, model, str(seed), *figures(run, watched, world.book, days))
            )


def figures(run: RunFile, watched: Watched, book: Book, days: int) -> list[str]:
    """Return the figures of a run in words."""
    each = len(book.start.people) * days
    fared = hardship(RunReader(run), book, run.last.step)
    logged = [one for _, one in run.effects()]
    causes = Counter(
        one.cause
        for one in logged
        if isinstance(one.effect, CourseSet) and one.effect.errands and one.cause != "rule:work"
    )
    refused = Counter(
        one.effect.bar.outcome.code for one in logged if isinstance(one.effect, Barred)
    )
    made = Counter[str]()
    for one in logged:
        if isinstance(one.effect, WorkBegun):
            made.update(dict(book.recipes[one.effect.deed.recipe].products))
    calls, tokens = run.database.execute(
        "SELECT count(*), sum(prompt_tokens) FROM calls"
    ).fetchone()
    return [
        f"{len(fared.collapsed)} collapsed",
        f"{watched.hungry / watched.awake:.2%} hungry",
        f"{watched.empty * STRIDE / 60:.0f} h at 0",
        f"{causes[WORDS] / max(1, causes.total()):.0%} of {causes.total()} courses by words",
        f"made {dict(made.most_common(6))}",
        f"refused {dict(refused)}",
        f"{calls / each:.1f} calls, {(tokens or 0) / each:,.0f} prompt tokens",
    ]


def main(
    modes: str = "full,reflexes,none",
    days: str = "3",
    seeds: str = "1",
    langs: str = "en,zh",
    models: str = "scripted,shuffled,nonsense",
    which: str = "farmstead",
) -> None:
    for mode in modes.split(","):
        for lang in langs.split(","):
            for model in models.split(","):
                for seed in range(1, int(seeds) + 1):
                    print(asyncio.run(live(mode, int(days), seed, lang, model, which)), flush=True)


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
