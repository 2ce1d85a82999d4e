"""A famine that is foretold: `python -m benchmarks.society famine [SEEDS] [LANG] [DAYS]`.

The drawn farmstead lives with minds, for which the stand-in speaks. The user removes its mill on
the tenth day. At that moment the guard is asked what will come of it: the proof of livelihood, and
a trial of the town's present state by rules alone. Then the town is forked as the fifteenth day
begins, and in the fork the user places a quern.

For each seed, and each of the two: when the first stomach is empty, and when trial and proof
foretell that; the price of bread on some days; how many have collapsed. Each day is a line, too:
the price of bread, loaves, flour and vegetables there are, the lowest hunger, who collapsed so far,
and what was eaten.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from benchmarks.society_town import FED_BY_RULES
from benchmarks.towns import STRIDE
from hometown import session
from hometown.clock import DAY
from hometown.config import combine
from hometown.game import Game
from hometown.language import LANGS
from hometown.session import Session
from hometown.society.bodies import need_levels
from hometown.society.forecast import count_stocks, forecast_days, snapshot_society
from hometown.society.law_impact import assess_law
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.furnish import furnish_world
from hometown.world.incidents import Removed
from hometown.world.interventions import Intervention
from hometown.world.labour import WorkBegun
from hometown.world.load import load_world

STEPS = DAY // STRIDE
MILL, WELL, QUERN = "mill/main/millstone", "green/well", "a quern"
GONE, PLACED = 9, 14
"""Days after which the mill is gone and the quern is there."""

BAKERY = "bakery/main/counter"
AHEAD = 14
SHOWN = (9, 13, 18, 22, 26)


@dataclass
class Famine:
    """What came of it: days since the start, `inf` for never."""

    by_trial: float = inf
    by_proof: float = inf
    empty: float = inf
    hours: float = 0.0
    lowest: int = 1000
    eaten: Counter[str] = field(default_factory=Counter)
    collapsed: dict[str, int] = field(default_factory=dict)
    prices: dict[int, int] = field(default_factory=dict)

    def foretell(self, game: Game) -> None:
        """What the guard says as the mill goes."""
        world, rows = game.world, {keys.REMOVED.of(MILL): Removed(game.state.clock.now)}
        after = furnish_world(game.founded, game.state.rows | rows).book
        assert after is not None
        *_, outlook = forecast_days(
            world, after, {}, *snapshot_society(world, game.state), AHEAD, game.manifest.seed
        )
        for breach in assess_law(game.state, outlook).breaches:
            when = GONE + outlook.days_until(breach.when) if breach.when else inf
            if breach.what == "hunger" and breach.kind == "empty":
                self.by_trial = when
            elif breach.what == "hunger" and breach.kind == "unmet":
                self.by_proof = when

    def look(self, game: Game) -> None:
        """Counts a step, and tells a day that has ended."""
        book, state = game.world.book, game.state
        assert book is not None
        day = (state.clock.step - 1) / STEPS
        for who in game.world.personas:
            felt = need_levels(book, state.needs(who), state.clock.now)
            self.lowest = min(self.lowest, felt["hunger"])
            if not felt["hunger"]:
                self.empty, self.hours = min(self.empty, day), self.hours + STRIDE / 60
            if not felt["health"]:
                self.collapsed.setdefault(who, int(day) + 1)
        self.eaten.update(
            one.effect.deed.recipe
            for one in game.log
            if isinstance(one.effect, WorkBegun) and one.effect.deed.recipe.startswith("eat")
        )
        if state.clock.step % STEPS == 0:
            self.tell(game, state.clock.step // STEPS)

    def tell(self, game: Game, day: int) -> None:
        shop, there = game.state.shop(BAKERY), count_stocks(game.state)
        self.prices[day] = dict(shop.prices).get("loaf", 0) if shop else 0
        held = ", ".join(f"{there[kind]} {kind}" for kind in ("loaf", "flour", "vegetable"))
        print(
            f"  day {day}: bread {self.prices[day]}; {held}; hunger down to {self.lowest}; {len(self.collapsed)} collapsed; {dict(self.eaten)}",
            flush=True,
        )
        self.lowest, self.eaten = 1000, Counter()

    def line(self) -> str:
        prices = ", ".join(
            f"{self.prices[day]} on day {day}" for day in SHOWN if day in self.prices
        )
        fallen = sorted(self.collapsed.values())
        half = f"half of all by day {fallen[5]}" if len(fallen) > 5 else "not half of all"
        empty = f"first empty stomach on day {self.empty:.1f} (trial {self.by_trial:.1f}, proof {self.by_proof:.1f}), {self.hours:.0f} h at 0"
        return f"{empty}; {len(fallen)} collapsed, {half}; bread {prices}"


async def lived(town: Session, last: int) -> Famine:
    """Lives a town up to a step."""
    found, game = Famine(), Game(town.run, town.world, town.model, town.embedder)
    with town.run:
        while game.state.clock.step < last:
            if game.state.clock.step == GONE * STEPS:
                found.foretell(game)
            await game.step()
            found.look(game)
    return found


async def famine(seed: int, lang: str, days: int) -> None:
    """Lives it with the mill gone, and again from the fifteenth day on with a quern."""
    world = load_world("farmstead", next(each for each in LANGS if each == lang))
    settings, last = combine([FED_BY_RULES], world.settings), days * STEPS
    asked = [Intervention("remove", MILL, step=GONE * STEPS + 1)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        without = await session.create_session(
            folder,
            world,
            settings,
            name="mill",
            start=world.start,
            stride=STRIDE,
            seed=seed,
            steps=last,
            llm="scripted",
            embedding="hash",
        )
        without.run.ask(asked)
        found = await lived(without, last)
        print(f"mill seed {seed}: {found.line()}", flush=True)
        placed = [Intervention("place", WELL, QUERN, step=PLACED * STEPS + 1)]
        with RunFile.open(folder, "mill") as parent:
            quern = await session.fork_session(
                folder,
                parent,
                PLACED * STEPS,
                world,
                settings,
                name="quern",
                end=last,
                interventions=placed,
            )
        print(f"quern seed {seed}: {(await lived(quern, last)).line()}", flush=True)


def main(seeds: str = "1", lang: str = "en", days: str = "26") -> None:
    for seed in range(1, int(seeds) + 1):
        asyncio.run(famine(seed, lang, int(days)))
