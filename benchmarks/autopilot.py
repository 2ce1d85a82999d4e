"""How residents fare on their own words: `python -m benchmarks.autopilot [MODES] [DAYS] [SEEDS]
[LANGS] [MODELS] [WORLD] [FIRST]`, lists with commas; FIRST is the first seed.

For each mode of `faculties.autopilot`, language, model and seed: residents who collapsed, the share
of waking time with hunger below 150 and hours at 0, products made, the share of begun courses that
follow the model's words, refusals, and calls and prompt tokens a resident and day. The models are
the stand-in (`scripted`), the stand-in with replies to `steps` that it gave to others before
(`shuffled`), and random replies (`nonsense`). Grams and coins are added up after each step.

Then, for each mode, language and model: the share of residents who survived, and the courses by
words of all seeds. Where the stand-in lived from the same seeds, its means are compared with those
of the others, each with p by swapping the two runs of a seed (Fisher 1935).
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.society_town import Watched
from benchmarks.towns import STEPS_A_DAY, STRIDE, new_run
from hometown.config import combine
from hometown.frozen import frozen
from hometown.history.hardship import hardship
from hometown.history.reader import RunReader
from hometown.language import LANGS
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.study.inference.paired_tests import compute_paired_p
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


@frozen
class Fared:
    """How a run fared.

    Attributes:
        hungry: The share of waking time with hunger below 150.
        hours_at_0: Hours of all residents with hunger at 0.
        made: The products made, by kind.
        by_words: The numbers of courses that follow the model's words, and of all.
        refused: The number of refusals by code.
        calls: The calls of a resident and day.
        tokens: The prompt tokens of a resident and day.
    """

    residents: int
    collapsed: int
    hungry: float
    hours_at_0: float
    made: Counter[str]
    by_words: tuple[int, int]
    refused: Counter[str]
    calls: float
    tokens: float

    def __str__(self) -> str:
        words, courses = self.by_words
        return "\t".join(
            (
                f"{self.collapsed} collapsed",
                f"{self.hungry:.2%} hungry",
                f"{self.hours_at_0:.0f} h at 0",
                f"{words / max(1, courses):.0%} of {courses} courses by words",
                f"made {dict(self.made.most_common(6))}",
                f"refused {dict(self.refused)}",
                f"{self.calls:.1f} calls, {self.tokens:,.0f} prompt tokens",
            )
        )

    @property
    def outcomes(self) -> dict[str, float]:
        """The outcomes by which runs are compared, each higher for a worse life."""
        return {
            "collapsed": self.collapsed / self.residents,
            "hunger": self.hungry,
            "hours at 0": self.hours_at_0,
            "loaves not made": -self.made["loaf"],
        }


async def live(mode: str, days: int, seed: int, lang: str, model: str, which: str) -> Fared:
    """Live a world for some days and return how it fared."""
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
            return measure_run(run, watched, world.book, days)


def measure_run(run: RunFile, watched: Watched, book: Book, days: int) -> Fared:
    """Return how a run fared."""
    each = len(book.start.people) * days
    effects = [(one.cause, one.effect) for _, one in run.effects()]
    causes = Counter(
        cause
        for cause, effect in effects
        if isinstance(effect, CourseSet) and effect.errands and cause != "rule:work"
    )
    made = Counter[str]()
    for _, effect in effects:
        if isinstance(effect, WorkBegun):
            made.update(dict(book.recipes[effect.deed.recipe].products))
    calls, tokens = run.database.execute(
        "SELECT count(*), sum(prompt_tokens) FROM calls"
    ).fetchone()
    return Fared(
        len(book.start.people),
        len(hardship(RunReader(run), book, run.last.step).collapsed),
        watched.hungry / watched.awake,
        watched.empty * STRIDE / 60,
        made,
        (causes[WORDS], causes.total()),
        Counter(effect.bar.outcome.code for _, effect in effects if isinstance(effect, Barred)),
        calls / each,
        (tokens or 0) / each,
    )


def summarize(name: str, fared: Sequence[Fared]) -> str:
    """Return what runs of one kind came to."""
    people, collapsed = (
        sum(getattr(run, of) for run in fared) for of in ("residents", "collapsed")
    )
    words, courses = (sum(run.by_words[at] for run in fared) for at in (0, 1))
    return (
        f"{name}: {people - collapsed} of {people} residents survived; {words / courses:.0%} of"
        f" {courses} courses by words; {fmean(run.calls for run in fared):.1f} calls,"
        f" {fmean(run.tokens for run in fared):,.0f} prompt tokens"
    )


def compare(fared: Sequence[Fared], others: Sequence[Fared]) -> str:
    """Return the means of two conditions with the same seeds by outcome, each with its p."""
    pairs = [(one.outcomes, other.outcomes) for one, other in zip(fared, others, strict=True)]
    return "; ".join(
        f"{of} {fmean(one[of] for one, _ in pairs):.3g} and {fmean(other[of] for _, other in pairs):.3g}"
        f" (p {compute_paired_p([other[of] - one[of] for one, other in pairs]):.2g})"
        for of in pairs[0][0]
    )


def main(
    modes: str = "full,reflexes,none",
    days: str = "3",
    seeds: str = "1",
    langs: str = "en,zh",
    models: str = "scripted,shuffled,nonsense",
    which: str = "farmstead",
    first: str = "1",
) -> None:
    for mode, lang in product(modes.split(","), langs.split(",")):
        lived = dict[str, list[Fared]]()
        for model in models.split(","):
            runs = lived.setdefault(model, [])
            for seed in range(int(first), int(first) + int(seeds)):
                runs.append(asyncio.run(live(mode, int(days), seed, lang, model, which)))
                print(mode, lang, model, seed, runs[-1], sep="\t", flush=True)
            print(summarize(f"{mode}, {lang}, {model}", runs), flush=True)
            if model != "scripted" and "scripted" in lived:
                print(f"scripted and {model}: {compare(lived['scripted'], runs)}", flush=True)


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
