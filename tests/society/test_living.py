"""A life by rules alone: the farmstead feeds itself, the same way each time."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.society import START, STEPS_A_DAY, apart, farmstead, foretold, milling
from hometown.paths import ROOT
from hometown.society.living import Life
from hometown.world.book.book import Book
from hometown.world.labour import AimSet, Errand, WorkBegun
from hometown.world.load import load_world
from hometown.world.matter import Traded
from tests.support.farmstead import farmstead as farmstead_files
from tests.support.farmstead import read

BOOK = farmstead()


def lived(seed: int, days: int, book: Book = BOOK) -> Life:
    life = Life(book, START, seed, apart)
    for _ in range(days * STEPS_A_DAY):
        life.step()
    return life


def test_people_work_trade_and_eat() -> None:
    life = lived(1, 3)
    done = Counter(effect.deed.recipe for effect in life.log if isinstance(effect, WorkBegun))
    assert {"sow", "mill", "knead", "bake", "press", "plant", "eat/loaf", "wash", "drink/cider"} <= done.keys()
    assert min(life.level(who, "hunger") for who in life.people) > 150
    assert sum(isinstance(effect, Traded) for effect in life.log) > 30
    switches = sum(isinstance(effect, AimSet) for effect in life.log) / len(life.people) / 3
    assert switches < 25, "what is begun is finished"


def test_a_life_is_its_seed() -> None:
    assert lived(2, 1).log == lived(2, 1).log != lived(3, 1).log


def test_the_bees_of_the_documentation(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "society.md").read_text("utf-8").split("### An example: bees")[1].split("\n### ")[0]
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
    life = lived(1, 4, book)
    done = Counter(effect.deed.recipe for effect in life.log if isinstance(effect, WorkBegun))
    assert done["keep_bees"] >= 2
    assert done["eat/honey"] > 0 or life.state.stock("garden/gate/shelf").count("honey") > 0


@pytest.mark.parametrize("world", ["cloudvale", "farmstead"])
def test_the_worlds_that_ship_feed_themselves_on_their_own_maps(world: str) -> None:
    town = load_world(world, "zh")
    assert town.book is not None
    life = Life(town.book, town.start, 1, town.walk_minutes)
    for _ in range(2 * STEPS_A_DAY):
        life.step()
        assert min(life.level(who, "hunger") for who in life.people) > 0
    workers: dict[str, set[str]] = {}
    for effect in life.log:
        if isinstance(effect, WorkBegun):
            workers.setdefault(town.book.recipes[effect.deed.recipe].family, set()).add(effect.who)
    made = {"cloudvale": {"gather_qi", "meditate", "plant_herbs", "refine", "cook_rice"}, "farmstead": {"sow", "mill", "knead", "bake"}}
    assert all(len(workers[recipe]) > 1 for recipe in made[world]), workers


def test_work_at_what_is_gone_is_left() -> None:
    life = Life(BOOK, START, 1, apart)
    assert life.attempt("finn", Errand("take", "mill/main/sacks", "grain", 10)) is None
    assert life.attempt("finn", Errand("do", "mill/main/millstone", "mill")) is None
    life.replace_book(milling(BOOK))
    assert life.state.deed("finn") is None
    assert life.state.stock("finn").count("grain") == 10
    assert 6 < foretold(life) < 7, "days until there is no bread"
