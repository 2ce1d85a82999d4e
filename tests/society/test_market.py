"""Prices: they follow how long the stock will last, and nothing else that happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from hometown.clock import DAY
from hometown.society.errands import post_closing_prices
from hometown.society.market import post_prices
from hometown.society.rule_life import RuleLife
from hometown.world.book.book import COIN
from hometown.world.labour import Errand, Priced, Shop, Verb
from hometown.world.load import load_world
from hometown.world.matter import Granted, Shifted, Transfer
from hometown.world.regard import Regard, Regarded

WORLD = load_world("farmstead", "en")
COUNTER, LARDER = "bakery/main/counter", "bakery/main/larder"
SOLD = 48
"""What the bakery remembers to have sold, so that it wants the 24 loaves with which the farmstead
begins.
"""

USUAL = 40


def evenings(life: RuleLife, stocks: Sequence[int]) -> Iterator[int]:
    """The price of bread after each evening, at which so many loaves are left and as many have been
    sold as ever.
    """
    for loaves in stocks:
        less = life.state.stock(COUNTER).count("loaf") - loaves
        if less:
            life.carry_out(
                [
                    Shifted(
                        Transfer(COUNTER, LARDER, (("loaf", less),))
                        if less > 0
                        else Transfer(LARDER, COUNTER, (("loaf", -less),))
                    )
                ]
            )
        life.carry_out([Priced(COUNTER, Shop(life.state.shop(COUNTER).prices, (("loaf", SOLD),)))])  # type: ignore[union-attr]
        life.carry_out(post_prices(life.book, life.state, COUNTER))
        yield dict(life.state.shop(COUNTER).prices)["loaf"]  # type: ignore[union-attr]


def begun() -> RuleLife:
    assert WORLD.book is not None
    life = RuleLife(WORLD.book, datetime(2025, 4, 1, 6), 1, lambda one, other: 0)
    life.carry_out([Granted(LARDER, (("loaf", 10),))])
    return life


def test_a_shortage_that_is_over_leaves_no_trace() -> None:
    life = begun()
    dearer = list(evenings(life, [0] * 7))
    assert dearer == sorted(set(dearer))
    assert dearer[-1] > USUAL * 3 // 2
    cheaper = list(evenings(life, [24] * 7))
    assert cheaper == sorted(cheaper, reverse=True)
    assert cheaper[-1] == USUAL


def test_noise_in_the_sales_adds_up_to_nothing() -> None:
    prices = list(evenings(begun(), [20, 24, 28, 22, 26] * 20))
    assert max(abs(price - USUAL) for price in prices) < USUAL // 5
    assert prices[5:10] == prices[-5:]


def opened(**changes: Any) -> RuleLife:
    """A life in which these are other hours and prices of the bakery's counter."""
    book = WORLD.book
    assert book
    counter = book.fixtures[COUNTER]
    assert counter.shop
    shop = counter.shop.model_copy(update=changes)
    fixtures = {**book.fixtures, COUNTER: counter.model_copy(update={"shop": shop})}
    return RuleLife(replace(book, fixtures=fixtures), WORLD.start, 1, lambda one, other: 0)


def test_nothing_becomes_so_cheap_that_it_is_free() -> None:
    life = opened(sells={"honey_cake": 1})
    life.carry_out([Granted(COUNTER, (("honey_cake", 400),))])
    for _ in range(3):
        life.carry_out(post_prices(life.book, life.state, COUNTER))
    shop = life.state.shop(COUNTER)
    assert shop
    assert shop.prices == (("honey_cake", 1),)


@pytest.mark.parametrize("closes", [18 * 60, DAY - 10, DAY - 1, DAY])
def test_a_shop_posts_its_prices_once_a_day_whenever_it_closes(closes: int) -> None:
    life, posted = opened(closes=closes), 0
    for _ in range(3 * DAY // 10):
        life.pass_time(10)
        prices = post_closing_prices(life.society, 10)
        posted += sum(isinstance(each, Priced) and each.address == COUNTER for each in prices)
    assert posted == 3


def test_who_gets_a_discount_needs_no_more_coins_than_they_pay() -> None:
    life = begun()
    life.carry_out(
        [
            *(
                Regarded(keeper, "ada", Regard(60, 0, WORLD.start))
                for keeper in life.book.keepers(COUNTER)
            ),
            Shifted(Transfer("house:farm", "house:mill", ((COIN, 2000 - 36),))),
        ]
    )
    buying = Errand(Verb.BUY, COUNTER, "loaf")
    assert life.attempt("kate", buying) is None
    assert life.attempt("ada", buying) is None
    assert life.society.coins("ada") == 0
