"""A town with a society lives by it in its steps: it works, trades and eats, whatever a model says,
and nothing is lost or made up.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from hometown.cli.start import main
from hometown.game import Game
from hometown.history.blocks import Blocks
from hometown.history.day_story import DayStories
from hometown.history.diaries import diary
from hometown.history.diary import days_of
from hometown.history.economy import economy
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.workday import Workdays
from hometown.language import LANGS, Lang
from hometown.society.bodies import need_levels
from hometown.world import keys
from hometown.world.book.book import COIN
from hometown.world.effects import Began, Logged, Remembered
from hometown.world.interventions import Intervention
from hometown.world.labour import Needs, WorkBegun, WorkEnded
from hometown.world.matter import Stock, Traded, Transformed
from tests.support.laws import laws
from tests.support.once import made_once
from tests.support.society import HUNGRY, societal
from tests.support.town import live, opened
from tests.torture.mad import Mad

STEPS = 90
"""From six in the morning to nine in the evening."""

MORNING_STEPS = 24
"""From six to ten in the morning."""

REFUSED = " got nowhere "
"""What a memory says of work that could not be done."""


FED_BY_RULES = {"llm": {"max_fallback_share": 1.0}, "faculties": {"autopilot": "full"}}


class Matter:
    """All grams and coins there are, the same after every step; and the lowest that anybody's
    hunger was.
    """

    def __init__(self) -> None:
        self.totals: set[tuple[int, int]] = set()
        self.lowest = 1000

    def __call__(self, game: Game) -> None:
        laws(game)
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
            self.lowest = min(
                self.lowest, need_levels(book, state.needs(who), state.clock.now)["hunger"]
            )
            assert state.needs(who).asleep == state.is_asleep(who)
            deed, action = state.job(who), state.action(who)
            assert deed is None or action.kind == "act", f"{who} is at {deed}, but {action}"
            assert state.stock(f"work:{who}").goods == tuple(
                sorted(
                    (kind, count)
                    for move in (deed.bound if deed else ())
                    for kind, count in move.goods
                )
            )


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day, after each step of which the laws hold, of matter too."""
    return made_once(
        tmp_path_factory,
        "society",
        lambda folder: live(folder, STEPS, world=societal(folder), after_each=Matter()),
    )


def test_people_work_trade_and_remember_it(day: Path) -> None:
    with opened(day) as run:
        effects = [logged for _, logged in run.effects()]
    done = Counter(
        logged.effect.deed.recipe for logged in effects if isinstance(logged.effect, WorkBegun)
    )
    assert {"grind", "bake", "plant", "play"} <= done.keys()
    assert any(isinstance(logged.effect, Traded) for logged in effects)
    told = [
        logged.effect.concept
        for logged in effects
        if isinstance(logged.effect, Remembered) and logged.cause == "rule:work"
    ]
    assert ("Zhao Gang has finished baking bread at the pastry oven", 2) in [
        (concept.text, concept.poignancy) for concept in told
    ]
    assert "grinding at the 3D printer" in [
        logged.effect.action.activity for logged in effects if isinstance(logged.effect, Began)
    ]


def test_its_economy_is_told_over_time(day: Path) -> None:
    with RunReader.open(day, "town") as run:
        told = economy(run, Names.of(run))
        held = [
            stock
            for holder in {
                keys.STOCK.owner(key) for key, *_ in run.rows_below(keys.STOCK.root, STEPS)
            }
            if (stock := run.row(keys.STOCK.of(holder), STEPS))
        ]
    assert {sum(line["values"][at] for line in told["purses"]) for at in range(told["bins"])} == {
        5 * 600
    }, "coins only change hands"
    assert {line["name"]: line["values"][-1] for line in told["stocks"]} == {
        name: sum(stock.count(kind) for stock in held)
        for kind, name in (("flour", "flour"), ("loaf", "bread"))
    }, "herbs still grow"
    assert [line["name"] for line in told["prices"]] == ["flour", "herbs", "bread"]
    for line in told["needs"]:
        assert all(
            0 <= low <= mean <= 1000
            for low, mean in zip(line["lowest"], line["values"], strict=True)
        )
    assert any(line["lowest"][-1] < 1000 for line in told["needs"])


def test_the_cards_tell_of_bodies_and_goods(day: Path) -> None:
    with RunReader.open(day, "town") as run:
        blocks, last = Blocks(run, Names.of(run)), run.last_step()
        book = blocks.names.world.book if blocks.names.world else None
        assert book is not None
        for who in run.residents:
            told = blocks.range("resident", 61, last, who)["living"]
            bag = run.row(keys.STOCK.of(who), last) or Stock()
            assert sum(held["count"] for held in told["bag"][-1][1]) == sum(
                count for _, count in bag.goods
            )
            met = need_levels(
                book, cast(Needs, run.row(keys.NEEDS.of(who), last)), run.moment(last)
            )
            assert told["bodily"][-1] == (
                last,
                {
                    "levels": list(met.values()),
                    "asleep": cast(Needs, run.row(keys.NEEDS.of(who), last)).asleep,
                },
            )
            purse = run.row(keys.STOCK.of(f"house:{book.start.people[who].house}"), last) or Stock()
            assert told["coins"][-1][1] == purse.count(COIN)
        works = [
            work
            for who in run.residents
            for _, work in blocks.range("resident", 1, last, who)["living"]["work"]
            if work
        ]
        assert {"grinding at the 3D printer", "baking bread at the pastry oven"} <= {
            work["text"] for work in works
        }
        assert all(work["begun"] < work["due"] for work in works)


def test_the_cards_tell_why_a_price_is_what_it_is(day: Path) -> None:
    with RunReader.open(day, "town") as run:
        blocks, last = Blocks(run, Names.of(run)), run.last_step()
        fixtures = blocks.range("stores", 1, last)["fixtures"]
        shop = fixtures["studio/pantry/coffee_corner"]
        assert (shop["opens"], shop["closes"], shop["people"]) == (6 * 60, 21 * 60, ["chen_siyuan"])
        (_, (first,)), (since, (price,)) = shop["prices"]
        assert (first["why"], first["price"], since) == ("opening", 20, last)
        assert price["stock"] == cast(
            Stock, run.row(keys.STOCK.of("studio/pantry/coffee_corner"), last)
        ).count("flour")
        assert price["why"] == ("short" if price["stock"] < price["wanted"] else "plenty")
        assert (price["price"] > price["before"]) == (price["why"] == "short")
        assert fixtures["flower_shop/garden/herb_bed"]["used_for"] == ["planting"]
        growing = [work for _, work in fixtures["flower_shop/garden/herb_bed"]["going_on"] if work]
        assert growing[0]["due"] - growing[0]["begun"] == 20 * 60 * 6


def test_the_diary_tells_of_who_eats_what_it_has_fetched(day: Path) -> None:
    with RunReader.open(day, "town") as run:
        names, (first, *_) = Names.of(run), days_of(run, run.last_step())
        workdays, stories = Workdays(run, names), DayStories(run, names, run.last_step())
        told = {
            who: [
                doing
                for stay in diary(run, workdays, stories, who, first)["stays"]
                for doing in stay["doings"]
                if not doing["conversation"]
            ]
            for who in run.residents
        }
        eaten = [
            (logged.who, run.tick(logged.effect.deed.since))
            for _, logged in run.run.effects()
            if _eats(logged)
        ]
    assert eaten
    for who, tick in eaten:
        assert [doing for doing in told[who] if doing["tick"] <= tick][-1]["label"].startswith(
            "🍽️ eating"
        ), f"{who} eats at {tick}"


def _eats(logged: Logged) -> bool:
    return isinstance(logged.effect, WorkBegun) and logged.effect.deed.recipe.startswith("eat")


@pytest.fixture(scope="module")
def contended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A morning on which somebody finds an oven, a mill or a bed in use: the first such of ten."""

    def make(folder: Path) -> None:
        for seed in range(10):
            shutil.rmtree(folder / "checkpoints", ignore_errors=True)
            live(folder, MORNING_STEPS, world=societal(folder), seed=seed)
            with opened(folder) as run:
                if any(
                    isinstance(each.effect, Remembered) and REFUSED in each.effect.concept.text
                    for _, each in run.effects()
                ):
                    return

    return made_once(tmp_path_factory, "contended", make)


def test_why_something_could_not_be_done_is_told_with_what_stood_in_the_way(
    contended: Path,
) -> None:
    with RunReader.open(contended, "town") as run:
        blocks = Blocks(run, Names.of(run))
        told = {
            who: blocks.range("causes", 1, run.last_step(), who)["refusals"]
            for who in run.residents
        }
        failed = {
            (memory.who, str(memory.concept.id))
            for memory in run.memories(1, run.last_step())
            if REFUSED in memory.concept.text
        }
    assert failed == {(who, memory) for who, of in told.items() for memory in of}
    assert failed
    facts = [
        refusal["facts"]
        for of in told.values()
        for refusal in of.values()
        if refusal["code"] == "BUSY"
    ]
    assert all(each.keys() >= {"thing", "doing", "until"} for each in facts)


def test_interrupted_it_goes_on_as_it_would_have_and_is_what_it_says_it_is(
    day: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = societal(tmp_path)
    for steps in (11, 1, 15):
        parts = live(tmp_path, steps, world=world)
    with opened(day) as run:
        assert parts == run.digests()[:28]
    assert (
        main(["--fork", "town@14", "--name", "again", "--results", str(tmp_path), "--step", "4"])
        == 0
    )
    with opened(tmp_path, "again") as run:
        assert run.digests() == parts[:19]
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0
    assert "27 steps are thought as recorded" in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGS)
def test_who_is_led_by_nonsense_does_not_starve(tmp_path: Path, lang: Lang) -> None:
    watch = Matter()
    model = Mad(5, share=1.0)
    live(
        tmp_path,
        72,
        stride=30,
        world=societal(tmp_path, lang, HUNGRY),
        model=model,
        settings=FED_BY_RULES,
        after_each=watch,
    )
    assert watch.lowest > 0


def test_a_small_model_chooses_its_steps_and_is_asked_nothing_more(tmp_path: Path) -> None:
    live(
        tmp_path,
        20,
        world=societal(tmp_path),
        settings={"llm": {"freedom": "plain"}},
        after_each=Matter(),
    )
    with opened(tmp_path) as run:
        asked = {kind for (kind,) in run.database.execute("SELECT DISTINCT kind FROM calls")}
    assert "steps" in asked
    assert not asked & {"ground", "schedule_decompose", "place"}


def test_work_at_what_is_removed_is_left_and_what_it_had_bound_lies_where_it_was(
    tmp_path: Path,
) -> None:
    watch, removed = Matter(), dict[tuple[str, str], int]()

    def remove(game: Game) -> None:
        watch(game)
        at_work = {
            deed.at: who
            for who in game.world.personas
            if (deed := game.state.job(who)) and deed.bound
        }
        if at_work and not removed:
            address = min(at_work)
            removed[address, at_work[address]] = game.state.clock.step
            game.run.ask([Intervention("remove", address)])  # type: ignore[attr-defined]

    live(tmp_path, 18, world=societal(tmp_path), after_each=remove)
    (((address, worker), step),) = removed.items()
    with opened(tmp_path) as run:
        ended = [
            (at, logged.effect)
            for at, logged in run.effects()
            if isinstance(logged.effect, WorkEnded) and at == step + 1 and logged.who == worker
        ]
        begun = [
            at
            for at, logged in run.effects()
            if isinstance(logged.effect, WorkBegun) and logged.effect.deed.at == address
        ]
    assert [effect.done for _, effect in ended] == [False]
    assert max(begun) <= step


def test_the_diary_tells_the_days_work_and_the_paper_its_market(day: Path) -> None:
    with RunReader.open(day, "town") as run:
        blocks, today = Blocks(run, Names.of(run)), run.manifest.start.date()
        work = {
            who: " ".join(blocks.of_run(f"residents/{who}/diary/{today}")["work"])
            for who in run.residents
        }
        baked = sum(
            dict(logged.effect.make).get("loaf", 0)
            for _, logged in opened_effects(day)
            if isinstance(logged.effect, Transformed)
        )
        paper = blocks.of_run(f"gazette/zh/{today}")
    assert baked > 0, "or there is nothing to tell"
    assert work["zhao_gang"].startswith("I ")
    assert "baking bread" in work["zhao_gang"] + work["xiao_mei"]
    assert "took in" in work["chen_siyuan"], "who keeps the shop is told what it sold"
    assert "eating" not in " ".join(work.values()), "meals are no work"
    assert any("卖出" in line for line in paper["market"])
    assert not re.search(r"[{}]|\bsome \w+ loaf", " ".join([*work.values(), *paper["market"]]))


def opened_effects(folder: Path) -> list[tuple[int, Logged]]:
    with opened(folder) as run:
        return list(run.effects())
