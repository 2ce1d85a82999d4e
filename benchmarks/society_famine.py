"""A famine that is foretold: `python -m benchmarks.society famine [SEEDS] [LANG]`.

The drawn farmstead lives with minds, for which the stand-in speaks. The user removes its mill on the tenth day. At that moment the guard is asked what will
come of it: the proof of livelihood, and a trial of the town's present state by rules alone. For each seed: when both foretell the first empty stomach, and
when it comes; the price of bread on some days; how many have collapsed. Then the same with a quern, which the user places on the fifteenth day.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from benchmarks.society_town import STRIDE
from hometown.clock import DAY
from hometown.config import combine
from hometown.game import Game
from hometown.language import LANGS
from hometown.model.embedding import make_embedder
from hometown.new_run import create_run
from hometown.scripted.model import ScriptedModel
from hometown.society.bodies import levels
from hometown.society.guard import judged
from hometown.society.outlook import look_ahead, present
from hometown.storage.run import Run
from hometown.world.furnish import furnished
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.rows import Removed

STEPS = DAY // STRIDE
MILL, WELL, QUERN = "mill/main/millstone", "green/well", "a quern"
GONE, PLACED = 9, 14
"""Days after which the mill is gone and the quern is there."""

BAKERY = "bakery/main/counter"
AHEAD, DAYS = 14, 26
SHOWN = (9, 13, 18, 22, 26)


@dataclass
class Famine:
    """What came of it: days since the start, `inf` for never."""

    by_trial: float = inf
    by_proof: float = inf
    empty: float = inf
    hours: float = 0.0
    collapsed: dict[str, int] = field(default_factory=dict)
    prices: list[int] = field(default_factory=list)

    def foretell(self, game: Game) -> None:
        """What the guard says as the mill goes."""
        world, rows = game.world, {f"removed/{MILL}": Removed(game.state.clock.now)}
        after = furnished(game.founded, game.state.rows | rows).book
        assert after is not None
        *_, outlook = look_ahead(world, after, {}, *present(world, game.state), AHEAD, game.manifest.seed)
        for breach in judged(game.state, outlook).breaches:
            when = GONE + outlook.days_until(breach.when) if breach.when else inf
            if breach.what == "hunger" and breach.kind == "empty":
                self.by_trial = when
            elif breach.what == "hunger" and breach.kind == "unmet":
                self.by_proof = when

    def look(self, game: Game) -> None:
        book, state = game.world.book, game.state
        assert book is not None
        day = (state.clock.step - 1) / STEPS
        for who in game.world.personas:
            felt = levels(book, state.needs(who), state.clock.now)
            if not felt["hunger"]:
                self.empty, self.hours = min(self.empty, day), self.hours + STRIDE / 60
            if not felt["health"]:
                self.collapsed.setdefault(who, int(day) + 1)
        if state.clock.step % STEPS == 0:
            shop = state.shop(BAKERY)
            self.prices.append(dict(shop.prices).get("loaf", 0) if shop else 0)

    def line(self) -> str:
        prices = ", ".join(f"{self.prices[day - 1]} on day {day}" for day in SHOWN)
        fallen = sorted(self.collapsed.values())
        half = f"half of all by day {fallen[5]}" if len(fallen) > 5 else "not half of all"
        empty = f"first empty stomach on day {self.empty:.1f} (trial {self.by_trial:.1f}, proof {self.by_proof:.1f}), {self.hours:.0f} h at 0"
        return f"{empty}; {len(fallen)} collapsed, {half}; bread {prices}"


async def famine(seed: int, lang: str, quern: bool) -> Famine:
    """Lives it once."""
    world = load_world("farmstead", next(each for each in LANGS if each == lang))
    settings, model, found = combine([], world.settings), ScriptedModel(), Famine()
    embedder, steps = make_embedder("hash", settings), DAYS * STEPS
    asked = [Intervention("remove", MILL, step=GONE * STEPS + 1)]
    asked += [Intervention("place", WELL, QUERN, step=PLACED * STEPS + 1)] if quern else []
    with tempfile.TemporaryDirectory() as folder:
        run: Run = await create_run(Path(folder), world, settings, model, embedder, name="town", start=world.start, stride=STRIDE, seed=seed, steps=steps)
        with run:
            run.ask(asked)
            game = Game(run, world, model, embedder)
            for step in range(steps):
                if step == GONE * STEPS:
                    found.foretell(game)
                await game.step()
                found.look(game)
    return found


def main(seeds: str = "3", lang: str = "en", *which: str) -> None:
    for seed in range(1, int(seeds) + 1):
        for name in which or ("mill", "quern"):
            print(f"{name} seed {seed}: {asyncio.run(famine(seed, lang, name == 'quern')).line()}", flush=True)
