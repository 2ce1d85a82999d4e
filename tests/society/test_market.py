"""Prices: they follow how long the stock will last, and nothing else that happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from hometown.society.market import post_prices
from hometown.society.rule_life import RuleLife
from hometown.world.labour import Priced, Shop
from hometown.world.load import load_world
from hometown.world.matter import Granted, Shifted, Transfer

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
