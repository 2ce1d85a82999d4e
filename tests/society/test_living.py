"""A life by rules alone: the farmstead feeds itself, the same way each time."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.society import START, STEPS_A_DAY, apart, farmstead, foretold, milling
from hometown.paths import ROOT
from hometown.society.arbiter import is_supplied_by
from hometown.society.knowledge import view_as
from hometown.society.planner import Planner
from hometown.society.rule_life import RuleLife
from hometown.society.verb_rules import plan_errand
from hometown.world.book.book import Book
from hometown.world.labour import AimSet, Errand, Verb, WorkBegun
from hometown.world.load import load_world
from hometown.world.matter import Granted, Traded
from tests.support.farmstead import farmstead as farmstead_files
from tests.support.farmstead import read

BOOK = farmstead()
MORNING = STEPS_A_DAY // 4


def lived(seed: int, steps: int, book: Book = BOOK) -> RuleLife:
    life = RuleLife(book, START, seed, apart)
    for _ in range(steps):
        life.step()
    return life


def test_people_work_trade_and_eat() -> None:
    life = lived(1, 2 * STEPS_A_DAY)
    done = Counter(effect.deed.recipe for effect in life.log if isinstance(effect, WorkBegun))
    assert {
        "sow",
        "mill",
        "knead",
        "bake",
        "press",
        "plant",
        "eat/loaf",
        "wash",
        "drink/cider",
    } <= done.keys()
    assert min(life.level(who, "hunger") for who in life.people) > 150
    assert sum(isinstance(effect, Traded) for effect in life.log) > 20
    switches = sum(isinstance(effect, AimSet) for effect in life.log) / len(life.people) / 2
    assert switches < 25, "what is begun is finished"


def test_a_life_is_its_seed() -> None:
    assert lived(2, MORNING).log == lived(2, MORNING).log != lived(3, MORNING).log


def test_the_bees_of_the_documentation(tmp_path: Path) -> None:
    text = (
        (ROOT / "docs" / "extending.md").read_text("utf-8").split("## A trade")[1].split("\n## ")[0]
    )
    files = farmstead_files()
    for name, block in re.findall(r"^`society/(\w+).json`.*?```json\n(.*?)```", text, re.M | re.S):
        added = json.loads(block)
        if name == "start":
            added["people"]["kate"] = files["start"]["people"]["kate"] | added["people"]["kate"]
            files["start"]["people"] |= added["people"]
        else:
            files[name] |= added
    book, lines = read(files, tmp_path, {"garden/beds/hive", "garden/gate/shelf"})
    assert lines == []
    life = lived(1, 3 * STEPS_A_DAY, book)
    done = Counter(effect.deed.recipe for effect in life.log if isinstance(effect, WorkBegun))
    assert done["keep_bees"] >= 2
    assert done["eat/honey"] > 0 or life.state.stock("garden/gate/shelf").count("honey") > 0


@pytest.mark.parametrize("world", ["cloudvale", "farmstead"])
def test_the_worlds_that_ship_feed_themselves_on_their_own_maps(world: str) -> None:
    town = load_world(world, "zh")
    assert town.book is not None
    life = RuleLife(town.book, town.start, 1, town.walk_minutes)
    for _ in range(2 * STEPS_A_DAY):
        life.step()
        assert min(life.level(who, "hunger") for who in life.people) > 0
    workers: dict[str, set[str]] = {}
    for effect in life.log:
        if isinstance(effect, WorkBegun):
            workers.setdefault(town.book.recipes[effect.deed.recipe].family, set()).add(effect.who)
    made = {
        "cloudvale": {"gather_qi", "meditate", "plant_herbs", "refine", "cook_rice"},
        "farmstead": {"sow", "mill", "knead", "bake"},
    }
    assert all(len(workers[recipe]) > 1 for recipe in made[world]), workers


def test_nobody_bakes_or_buys_more_than_there_is_a_use_for() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    assert not is_supplied_by(life.society, "hugo", "bake"), "there are 24 loaves of 40"
    life.carry_out([Granted("hugo", (("loaf", 14),))])
    assert is_supplied_by(life.society, "hugo", "bake")
    assert not is_supplied_by(life.society, "hugo", "wash"), "which makes nothing"
    assert not is_supplied_by(life.society, "hugo", "plant"), "which is none of his duties"

    def bought(who: str) -> int:
        planner = Planner(view_as(life.society, who, "green/well"), who, apart)
        plan = plan_errand(planner, Verb.BUY, "loaf", "", "green/well")
        return plan.errands[-1].count if plan else 0

    assert bought("finn") == 2, "two more, as he has two"
    life.carry_out([Granted("finn", (("loaf", 2),))])
    assert bought("finn") == 0


def test_work_at_what_is_gone_is_left() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    assert life.attempt("finn", Errand(Verb.TAKE, "mill/main/sacks", "grain", 10)) is None
    assert life.attempt("finn", Errand(Verb.DO, "mill/main/millstone", "mill")) is None
    life.replace_book(milling(BOOK))
    assert life.state.job("finn") is None
    assert life.state.stock("finn").count("grain") == 10
    assert 6 < foretold(life) < 7, "days until there is no bread"
