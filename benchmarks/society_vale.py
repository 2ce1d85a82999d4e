"""Cloud Vale's own measures: `python -m benchmarks.society vale [DAYS] [LANG] [SEEDS]`.

By rules, so many days from each of five seeds, with every second resident in a bright mood and the
others in a low one, and again without a furnace: how many tried a breakthrough, and how many
succeeded in either mood; the lowest odds at which anybody tried; how often somebody was refused
because it takes more skill. With minds, for which the stand-in speaks, with feelings: what became
of the threads of stories; on how many days something was let happen for one, and on how many more
than once; how many think well of whom they think of at all; and the coins of each house.

Rescues: three times, as soon as four are together, one of them is made to collapse, and it is seen
what becomes of that: who comes to the rescue, and how many of those who saw it think well of the
rescuer two days later, because of a memory of it, and have an impression of the rescuer that rests
on it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.society_town import FED_BY_RULES
from hometown.agent.mind.context import Moment
from hometown.agent.mind.esteem import GOOD_REGARD, current_regard, regard_for
from hometown.clock import DAY
from hometown.config import combine
from hometown.game import Game
from hometown.language import LANGS
from hometown.model.embedding import make_embedder
from hometown.new_run import create_run
from hometown.scripted.model import ScriptedModel
from hometown.society.bodies import change_needs
from hometown.society.chance import success_odds
from hometown.society.rule_life import STEP_MINUTES, RuleLife
from hometown.society.society_view import SocietyView
from hometown.society.work_step import view_society
from hometown.storage.run import RunFile
from hometown.world.book.book import COIN
from hometown.world.book.parts import FULL
from hometown.world.effects import Effect, Logged
from hometown.world.labour import CameOf, NeedsSet, Verb, WorkEnded
from hometown.world.load import load_world
from hometown.world.regard import Regard
from hometown.world.threads import OmenCame, ThreadMoved
from hometown.world.world import World

WORLD, TRIED, FEELING = (
    "cloudvale",
    "break_through",
    {"faculties": {"feel": True, "consolidate": True}},
)
STRIDE = 10

RESCUES, COMPANY = 3, 4
"""How many are made to collapse, and how many must be together for it."""

BRIGHT = 60
"""Points of pleasure of every second resident, and of the others below zero."""


@dataclass
class Vale(RuleLife):
    """A life by rules that counts who tried a breakthrough, in which mood and at which odds, and
    who succeeded.
    """

    tried: list[tuple[str, int]] = field(default_factory=list)
    came: Counter[tuple[bool, bool]] = field(default_factory=Counter)

    @property
    def society(self) -> SocietyView:
        return SocietyView(self.book, self.state, self.start, self.seed, self.pleasure)

    def pleasure(self, who: str) -> int:
        return BRIGHT if (sorted(self.book.start.people).index(who) + self.seed) % 2 else -BRIGHT

    def carry_out(self, effects: Iterable[Effect]) -> None:
        super().carry_out(self._watched(effects))

    def _watched(self, effects: Iterable[Effect]) -> Iterable[Effect]:
        for effect in effects:
            match effect:
                case WorkEnded(who, True) if (deed := self.state.job(who)) and deed.recipe == TRIED:
                    self.tried.append((who, success_odds(self.society, who, TRIED)))
                case CameOf(who, outcome) if outcome.errand.what == TRIED and outcome.code in (
                    "",
                    "FAILED",
                ):
                    self.came[self.pleasure(who) > 0, not outcome.code] += 1
            yield effect


def by_rules(world: World, days: int, seeds: int, pills: bool) -> str:
    """What breakthroughs came to."""
    book = world.book
    assert book is not None
    if not pills:
        fixtures = {
            address: part for address, part in book.fixtures.items() if "furnace" not in part.tags
        }
        start = book.start.model_copy(
            update={
                "stocks": {
                    at: {kind: n for kind, n in stock.items() if kind != "pill"}
                    for at, stock in book.start.stocks.items()
                }
            }
        )
        book = replace(book, fixtures=fixtures, start=start)
    came, lowest, unskilled = Counter[tuple[bool, bool]](), 1000, 0
    for seed in range(1, seeds + 1):
        life = Vale(book, world.start, seed, world.walk_minutes)
        for _ in range(days * DAY // STEP_MINUTES):
            life.step()
        came += life.came
        lowest = min([lowest, *(chance for _, chance in life.tried)])
        unskilled += life.refusals.get("UNSKILLED", 0)
    moods = ", ".join(
        f"{came[bright, True]} of {came[bright, True] + came[bright, False]} in a {name} mood"
        for bright, name in ((True, "bright"), (False, "low"))
    )
    return f"{'with' if pills else 'without'} pills: {moods}; lowest odds {lowest / 10:.0f} %; {unskilled} refused for want of skill"


@asynccontextmanager
async def lived(kind: type[Game], world: World, days: int) -> AsyncIterator[tuple[RunFile, Game]]:
    """A vale with minds after so many days."""
    settings, model = combine([FEELING, FED_BY_RULES], world.settings), ScriptedModel()
    embedder, steps = make_embedder("hash", settings), days * DAY // STRIDE
    with tempfile.TemporaryDirectory() as folder:
        run = await create_run(
            Path(folder),
            world,
            settings,
            model,
            embedder,
            name="vale",
            start=world.start,
            stride=STRIDE,
            seed=1,
            steps=steps,
        )
        with run:
            game = kind(run, world, model, embedder)
            for _ in range(steps):
                await game.step()
            yield run, game


async def by_minds(world: World, days: int) -> None:
    """Lives the vale with minds, and prints the figures."""
    async with lived(Game, world, days) as (run, game):
        report(run, game)


def report(run: RunFile, game: Game) -> None:
    """What became of threads, regards and coins."""
    effects = [logged.effect for _, logged in run.effects()]
    last = {
        effect.thread.number: effect.thread for effect in effects if isinstance(effect, ThreadMoved)
    }
    stages = Counter(thread.stage for thread in last.values())
    omens = Counter(effect.day for effect in effects if isinstance(effect, OmenCame))
    paid, over = stages["paid_off"], stages["paid_off"] + stages["dropped"]
    print(
        f"threads: {dict(stages)}; of all {len(last)}, {paid / max(1, len(last)):.0%} paid off, of those that are over {paid / max(1, over):.0%}"
    )
    print(f"by pattern: {dict(Counter((thread.plot, thread.stage) for thread in last.values()))}")
    print(
        f"omens on {len(omens)} days, {sum(count > 1 for count in omens.values())} with more than one"
    )
    regards = [
        current_regard(row, game.state.clock.now)[0]
        for row in game.state.rows.values()
        if isinstance(row, Regard)
    ]
    positive, negative = (sum(points * sign > 0 for points in regards) for sign in (1, -1))
    print(
        f"regards: {len(regards)}, {positive / max(1, len(regards)):.0%} positive, {negative} negative"
    )
    book = game.world.book
    assert book is not None
    purses = {
        house: (part.coins, game.state.stock(f"house:{house}").count(COIN))
        for house, part in book.start.houses.items()
    }
    print(
        "coins: "
        + ", ".join(f"{house} {before} → {now}" for house, (before, now) in purses.items())
    )


class Staged(Game):
    """A vale in which somebody collapses in company, once a day from the second day on, until that
    has happened RESCUES times.
    """

    fallen: tuple[str, ...] = ()

    def run_economy(self, order: Sequence[str], moment: Moment) -> None:
        super().run_economy(order, moment)
        society = view_society(self.world, self.state)
        rooms = {
            who: society.place_of(who) for who in self.world.personas if who not in self.fallen
        }
        awake = {room: society.awake_in(room) for room in {*rooms.values()} - {""}}
        company = [
            who
            for who, room in rooms.items()
            if who in awake.get(room, ()) and len(awake[room]) >= COMPANY
        ]
        if len(self.fallen) < min(RESCUES, society.day) and moment.now.hour >= 9 and company:
            self.fallen = (*self.fallen, company[0])
            hurt = change_needs(
                society.book,
                self.state.needs(company[0]),
                society.now,
                {"health": -FULL},
                asleep=False,
            )
            self.carry_out(Logged(NeedsSet(company[0], hurt), company[0], "benchmark"))


async def rescues(world: World) -> None:
    """Stages rescues, and prints what those who saw them think of the rescuers."""
    async with lived(Staged, world, RESCUES + 3) as (run, game):
        state = game.state
        seen = {
            (who, outcome.errand.at, str(dict(outcome.facts)["needed"]))
            for _, logged in run.effects()
            if isinstance(logged.effect, CameOf)
            for who, outcome in [(logged.effect.who, logged.effect.outcome)]
            if outcome.errand.verb == Verb.SEE and "helpless" in dict(outcome.facts)
        }
        well = cited = 0
        for who, rescuer, _ in seen:
            grounds = [
                ground.memory
                for ground in state.regard(who, rescuer).grounds
                if ground.why == "saw_rescue"
            ]
            impression = state.impression(who, rescuer)
            well += (
                bool(grounds and all(grounds)) and regard_for(state, who, rescuer) >= GOOD_REGARD
            )
            cited += bool(impression and set(grounds) & set(impression.evidence))
        saved = {(rescuer, fallen) for _, rescuer, fallen in seen}
        print(
            f"rescues: {len(saved)}, of {len({fallen for _, fallen in saved})} people; {len(seen)} saw one"
        )
        print(
            f"of them {well / max(1, len(seen)):.0%} think well of the rescuer for it, {cited / max(1, len(seen)):.0%} have an impression that rests on it"
        )


def main(days: str = "20", lang: str = "en", seeds: str = "5") -> None:
    world = load_world(WORLD, next(each for each in LANGS if each == lang))
    for pills in (True, False):
        print(by_rules(world, int(days), int(seeds), pills), flush=True)
    asyncio.run(rescues(world))
    asyncio.run(by_minds(world, int(days)))
