"""Whether a society feeds itself by its rules alone, without a model: `python -m benchmarks.society
[plain|mill|quern|nonsense] [DAYS] [SEEDS]`.

The farmstead (`data/worlds/farmstead`) has twelve people in four houses: they sow, reap, thresh,
mill, knead and bake, grow vegetables, press cider, and sell to each other. `plain`: nothing
happens. `mill`: the mill is gone from the tenth day on. `quern`: so it is, and a quern is placed on
the fifteenth. `nonsense`: whoever is free wishes for something at random in each step, as a model
that talks nonsense might, and gets it where nothing refuses it.

For each seed: how many have collapsed; the share of waking time that is spent on no recipe; how
many people do the recipe that fewest do; the share of waking time with hunger below 150, and hours
at 0; on which day the first stomach was empty, and which day the proof of livelihood foretold when
the mill went; the price of bread on some days; how often something was refused that had been
planned, and how much nonsense was wished for; milliseconds a resident and step. Grams and coins are
added up after each step.

`python -m benchmarks.society town` lives a world in the steps of a run, with minds
(`benchmarks/society_town.py`), and `python -m benchmarks.society vale` Cloud Vale
(`benchmarks/society_vale.py`); `python -m benchmarks.society famine` takes the mill from a
farmstead (`benchmarks/society_famine.py`), and `python -m benchmarks.society babble` one whose
model talks nonsense (`benchmarks/society_babble.py`); `python -m benchmarks.society engine` is what
a society costs (`benchmarks/society_engine.py`), and `python -m benchmarks.society laws` has hostile
laws judged (`benchmarks/society_laws.py`).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from pathlib import Path
from time import perf_counter

import orjson

from benchmarks import (
    society_babble,
    society_engine,
    society_famine,
    society_laws,
    society_town,
    society_vale,
)
from hometown.clock import DAY
from hometown.paths import WORLDS
from hometown.rng import stream
from hometown.society.livelihood import analyse_livelihoods
from hometown.society.rule_life import STEP_MINUTES, RuleLife
from hometown.world.book.book import COIN, Book
from hometown.world.book.parts import FixturePart
from hometown.world.book.read import read_book
from hometown.world.faults import Faults
from hometown.world.labour import Errand, Verb, WorkBegun

SOCIETY = WORLDS / "farmstead" / "society"
START = datetime(2025, 4, 1, 6)
STEPS_A_DAY = DAY // STEP_MINUTES
BAKERY = "bakery/main/counter"
VERBS: tuple[Verb, ...] = (Verb.DO, Verb.TAKE, Verb.PUT, Verb.BUY, Verb.ASK)

SHOWN = (9, 13, 18, 22, 30)
"""Days whose price of bread is shown."""

URGENT = 150
"""Points of hunger."""

QUERN = {"green/well/quern": FixturePart(tags=("quern",))}


def farmstead(folder: Path = SOCIETY) -> Book:
    """Its book, with all places that it names."""
    files = {
        name: orjson.loads((folder / f"{name}.json").read_bytes()) for name in ("fixtures", "start")
    }
    places = {*files["fixtures"], *(house["home"] for house in files["start"]["houses"].values())}
    faults = Faults("farmstead")
    book = read_book(folder, ("en", "zh"), places, files["start"]["people"], faults)
    faults.stop()
    assert book is not None
    return book


def apart(one: str, other: str) -> int:
    """Minutes of a way: none within a room, two within a house, six between houses."""
    if one.split("/")[:2] == other.split("/")[:2]:
        return 0
    return 2 if one.split("/")[0] == other.split("/")[0] else 6


def milling(book: Book) -> Book:
    """The book without the mill."""
    return replace(
        book,
        fixtures={
            address: fixture
            for address, fixture in book.fixtures.items()
            if "mill" not in fixture.tags
        },
    )


@dataclass
class Measures:
    """What a life came to."""

    collapsed: dict[str, int] = field(default_factory=dict)
    hungry: int = 0
    awake: int = 0
    empty: int = 0
    free: int = 0
    fewest: tuple[int, str] = (0, "")
    prices: list[int] = field(default_factory=list)
    refused: int = 0
    wishes: int = 0
    first_empty: float = inf
    foretold: float = inf

    def look(self, life: RuleLife) -> None:
        """Counts one step."""
        for who in life.people:
            hunger = life.level(who, "hunger")
            awake = not life.state.needs(who).asleep
            self.awake += awake
            self.hungry += awake and hunger < URGENT
            self.empty += hunger == 0
            if hunger == 0:
                self.first_empty = min(
                    self.first_empty, (life.state.clock.now - START).total_seconds() / 86400
                )
            self.free += awake and life.state.job(who) is None
            if life.level(who, "health") == 0:
                self.collapsed.setdefault(who, (life.state.clock.now - START).days + 1)

    def line(self, minutes: float) -> str:
        share = self.hungry / max(1, self.awake)
        prices = ", ".join(
            f"{self.prices[day - 1]} on day {day}" for day in SHOWN if day <= len(self.prices)
        )
        fallen = sorted(self.collapsed.values())
        half = f"half of all on day {fallen[5]}" if len(fallen) > 5 else "not half of all"
        return (
            f"{len(self.collapsed):2} collapsed, {half}, {self.free / max(1, self.awake):.0%} of waking time free, "
            f"fewest people at a recipe {self.fewest[0]} ({self.fewest[1]}), {share:.2%} of waking time hungry, {self.empty * STEP_MINUTES / 60:.0f} h at 0, "
            f"first on day {self.first_empty:.1f} (foretold {self.foretold:.1f}); bread {prices}; {self.refused} refused, "
            f"{self.wishes} nonsense; {minutes:.3f} ms"
        )


def live(
    book: Book, seed: int, days: int, changes: dict[int, Book], nonsense: bool = False
) -> Measures:
    """A life in which other rules hold from some days on. Raises AssertionError where a gram or a
    coin is gained or lost.
    """
    life, measures = RuleLife(book, START, seed, apart), Measures()
    matter = totals(life)
    for day in range(days):
        if day in changes:
            life.replace_book(changes[day])
            measures.foretold = min(measures.foretold, day + foretold(life))
        for _ in range(STEPS_A_DAY):
            if nonsense:
                measures.wishes += talk_nonsense(life)
            life.step()
            measures.look(life)
            assert totals(life) == matter
        shop = life.state.shop(BAKERY)
        measures.prices.append(dict(shop.prices)["loaf"] if shop else 0)
    workers: dict[str, set[str]] = {}
    for effect in life.log:
        if isinstance(effect, WorkBegun):
            workers.setdefault(life.book.recipes[effect.deed.recipe].family, set()).add(effect.who)
    measures.fewest = min((len(people), recipe) for recipe, people in workers.items())
    measures.refused = sum(life.refusals.values())
    return measures


def talk_nonsense(life: RuleLife) -> int:
    """Everybody who is free tries anything anywhere; returns how many did."""
    chance = stream(life.seed, "nonsense", life.state.clock.step)
    free = [
        who
        for who in sorted(life.people)
        if life.state.job(who) is None and not life.state.needs(who).asleep
    ]
    for who in free:
        verb, at = chance.choice(VERBS), chance.choice(["", *life.book.fixtures])
        what = chance.choice(sorted(life.book.recipes if verb == "do" else life.book.kinds))
        life.attempt(who, Errand(verb, at, what, chance.randint(1, 20)))
    return len(free)


def totals(life: RuleLife) -> tuple[int, int]:
    """All grams and all coins there are."""
    stocks = [
        life.state.stock(key.removeprefix("stock/"))
        for key in life.state.rows
        if key.startswith("stock/")
    ]
    return sum(life.book.grams(stock.goods) for stock in stocks), sum(
        stock.count(COIN) for stock in stocks
    )


def foretold(life: RuleLife) -> float:
    """Days until somebody has nothing in its stomach, by the proof, with what lies in store now."""
    stored = sum(
        (
            Counter(dict(life.state.stock(holder).goods))
            for holder in (*life.people, *life.book.fixtures)
        ),
        Counter(),
    )
    return next(
        proof.until_empty
        for proof in analyse_livelihoods(life.book, stored)
        if proof.need == "hunger"
    )


def main(which: str = "plain", *given: str) -> None:
    lived: dict[str, Callable[..., None]] = {
        "town": society_town.main,
        "vale": society_vale.main,
        "famine": society_famine.main,
        "babble": society_babble.main,
        "engine": society_engine.main,
        "laws": society_laws.main,
    }
    if which in lived:
        lived[which](*given)
    else:
        by_rules(which, *given)


def by_rules(which: str, days: str = "30", seeds: str = "5") -> None:
    """Lives a farmstead by its rules from each seed, and prints what it came to."""
    book = farmstead()
    without = milling(book)
    quern = replace(without, fixtures={**without.fixtures, **QUERN})
    changes = {"plain": {}, "mill": {9: without}, "quern": {9: without, 14: quern}, "nonsense": {}}[
        which
    ]
    for seed in range(1, int(seeds) + 1):
        began = perf_counter()
        measures = live(book, seed, int(days), changes, which == "nonsense")
        spent = 1000 * (perf_counter() - began) / (int(days) * STEPS_A_DAY * len(book.start.people))
        print(f"{which} seed {seed}: {measures.line(spent)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
