"""How a town with a society lives in its steps, with minds: `python -m benchmarks.society town
[DAYS] [WORLD] [LANG] [SEEDS]`.

The stand-in speaks for the residents. For each run: who collapsed; the share of waking time with
hunger below 150; hours at 0; how often a resident turns to another need in a day; how many people
do the recipe that fewest do; refusals by code; conversations, model calls and tokens for a resident
and day, by kind of prompt; milliseconds of processor time a resident and step; and of all steps
that speak of work, the share that became no errand, by what they speak of. Grams and coins are
added up after each step. For comparison, the conversations of minitown, which has no society, in as
many days.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from benchmarks.towns import STRIDE, new_run
from hometown.clock import DAY
from hometown.config import combine
from hometown.game import Game
from hometown.history.hardship import hardship
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.language import LANGS
from hometown.society.bodies import need_levels
from hometown.storage.run import RunFile
from hometown.world.book.book import COIN, Book
from hometown.world.labour import AimSet, Barred, WorkBegun
from hometown.world.load import load_world
from hometown.world.matter import Stock

URGENT = 150

FED_BY_RULES = {"faculties": {"autopilot": "full"}}
"""Settings with which rules find the means for all needs and duties."""


@dataclass
class Watched:
    """What a town's steps came to. Raises AssertionError where a gram or a coin is gained or lost."""

    totals: set[tuple[int, int]] = field(default_factory=set)
    awake: int = 0
    hungry: int = 0
    empty: int = 0
    free: int = 0

    def look(self, game: Game) -> None:
        """Counts one step."""
        state, book = game.state, game.world.book
        assert book is not None
        stocks = [row for row in state.rows.values() if isinstance(row, Stock)]
        self.totals.add(
            (
                sum(book.grams(stock.goods) for stock in stocks),
                sum(stock.count(COIN) for stock in stocks),
            )
        )
        assert len(self.totals) == 1
        for who in game.world.personas:
            felt = need_levels(book, state.needs(who), state.clock.now)
            awake = not state.is_asleep(who)
            self.awake += awake
            self.free += awake and state.job(who) is None
            self.hungry += awake and felt["hunger"] < URGENT
            self.empty += felt["hunger"] == 0


async def town(days: int, which: str, lang: str, seed: int = 1) -> None:
    """Lives a world for some days, and prints the figures."""
    world = load_world(
        Path(which) if "/" in which else which, next(each for each in LANGS if each == lang)
    )
    watched, steps = Watched(), days * DAY // STRIDE
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(
            Path(folder),
            world,
            steps=steps,
            seed=seed,
            settings=combine([FED_BY_RULES], world.settings),
        )
        with run:
            began = process_time()
            for _ in range(steps):
                await game.step()
                watched.look(game)
            spent = process_time() - began
            print(f"{world.id} {lang}, seed {seed}, {days} days")
            assert world.book is not None
            report(run, watched, world.book, days, spent)
            print(steps_grounded(run, world.book), flush=True)


async def talks_in_minitown(days: int, lang: str, seed: int) -> float:
    """Its conversations for a resident and day."""
    world = load_world("minitown", next(each for each in LANGS if each == lang))
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(Path(folder), world, steps=days * DAY // STRIDE, seed=seed)
        with run:
            for _ in range(days * DAY // STRIDE):
                await game.step()
            return sum(1 for _ in run.conversations()) / (len(world.personas) * days)


def steps_grounded(run: RunFile, book: Book) -> str:
    """How many of the steps that minds thought of became errands, and of which work the others
    speak.
    """
    work = spoken_work(RunReader(run), book, run.last.step)
    return f"steps: {work.errands} errands; {work.share:.1%} of those that speak of work are ungrounded: {dict(work.missed)}"


def report(run: RunFile, watched: Watched, book: Book, days: float, spent: float) -> None:
    """Prints the figures, those of a resident and day as such."""
    fared, each = hardship(RunReader(run), book, run.last.step), len(book.start.people) * days
    logged = [logged for _, logged in run.effects()]
    refused = Counter(
        one.effect.bar.outcome.code for one in logged if isinstance(one.effect, Barred)
    )
    begun = [
        (one.effect.deed.recipe.partition("/")[0], one.effect.who)
        for one in logged
        if isinstance(one.effect, WorkBegun)
    ]
    done = Counter(recipe for recipe, _ in begun)
    fewest = sorted(
        (len({who for each, who in begun if each == recipe}), recipe) for recipe in done
    )[:4]
    switches = sum(isinstance(one.effect, AimSet) for one in logged) / each
    calls = run.database.execute(
        "SELECT kind, count(*), sum(prompt_tokens + reply_tokens) FROM calls GROUP BY kind ORDER BY kind"
    ).fetchall()
    hungry, free = watched.hungry / watched.awake, watched.free / watched.awake
    print(
        f"{len(fared.collapsed)} collapsed; {hungry:.2%} of waking time hungry, {watched.empty * STRIDE / 60:.0f} h at 0; lowest {dict(fared.lowest)}"
    )
    print(f"{free:.0%} of waking time at no recipe; {switches:.1f} switches a day")
    print(f"done {dict(done.most_common())}, by fewest people {fewest}; refused {dict(refused)}")
    talks, asked, tokens = (
        sum(1 for _ in run.conversations()) / each,
        sum(call[1] for call in calls) / each,
        sum(call[2] for call in calls) / each,
    )
    speed = 1000 * spent / (each * DAY // STRIDE)
    print(
        f"{talks:.1f} conversations, {asked:.1f} calls, {tokens:,.0f} tokens a resident and day; {speed:.2f} ms a resident and step"
    )
    print("; ".join(f"{kind} {count / each:.1f}" for kind, count, _ in calls))


def main(days: str = "2", which: str = "farmstead", lang: str = "en", seeds: str = "1") -> None:
    for seed in range(1, int(seeds) + 1):
        asyncio.run(town(int(days), which, lang, seed))
        print(
            f"minitown {lang}, seed {seed}: {asyncio.run(talks_in_minitown(int(days), lang, seed)):.1f} conversations a resident and day",
            flush=True,
        )
