"""A day's work is told as a native would say it."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from hometown.history.daybook import Day, Sales, WorkRecord
from hometown.history.workday import _Prose
from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.society.work_phrasing import format_goods
from hometown.world.labour import Errand, Outcome, Verb
from hometown.world.load import load_world


@pytest.mark.parametrize(
    ("lang", "name", "told", "goods"),
    [
        ("en", "I", "I meant to start milling grain, but found the millstone taken.", "2 baskets"),
        ("zh", "我", "我想磨面，可磨盘有人在用。", "2个柳条篮"),
    ],
)
def test_work_at_a_place_that_is_taken_and_goods_are_told_in_plain_words(
    lang: Lang, name: str, told: str, goods: str
) -> None:
    world = load_world(WORLDS / "farmstead", lang)
    assert world.book
    prose = _Prose(world, world.book, Day.__new__(Day))
    taken = Outcome(Errand(Verb.DO, "mill/main/millstone", "mill"), "BUSY")
    assert prose._describe_refusal(taken, name) == told
    assert format_goods(world.book, "basket", 2, lang) == goods


def test_work_that_was_done_in_the_end_is_not_told_as_refused() -> None:
    world = load_world(WORLDS / "farmstead", "en")
    assert world.book
    taken = Outcome(Errand(Verb.DO, "mill/main/millstone", "mill"), "BUSY")
    family = world.book.recipes["mill"].family
    day = Day.__new__(Day)
    day.sales = defaultdict(Sales)
    for did, is_told in ((Counter({family: 1}), False), (Counter[str](), True)):
        day.works = defaultdict(
            WorkRecord, {"ada": WorkRecord(did=did, refused=Counter({taken: 1}))}
        )
        told = " ".join(_Prose(world, world.book, day).of("ada", "I"))
        assert ("taken" in told) == is_told
