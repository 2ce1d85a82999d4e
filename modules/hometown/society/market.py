"""Prices. A shop posts them when it closes, by the number of days that its stock will last.

A price moves towards the usual one times the days that the owner wants to cover, divided by the
days that the stock will last. It thus falls as fast as it rises, and a past shortage leaves no
trace, whereas a sum of daily changes would drift with random sales.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from hometown.agent.mind.esteem import regard_for
from hometown.society.society_view import SocietyView
from hometown.world.book.book import Book
from hometown.world.book.parts import ShopPart
from hometown.world.effects import Effect
from hometown.world.labour import Priced, Shop
from hometown.world.state import State

SALES_MEMORY_DAYS = 4
"""The days over which an owner averages sales: a quarter of the total is dropped each day."""

MAX_STEP_PERCENT = 8
"""The largest change of a price in a day, in per cent, at least one coin. Owners do not overreact
to a single day.
"""

MIN_PRICE_PERCENT = 60
"""The lowest price, in per cent of the initial one; nothing is sold for less than a coin."""

MAX_DISCOUNT_PERCENT, REGARD_PER_PERCENT = 10, 4
"""The largest discount, in per cent, and the points of regard for each per cent of it."""

MIN_MARGIN_PERCENT = 20
"""The smallest margin over the cost of production, in per cent."""


def post_prices(book: Book, state: State, address: str) -> list[Effect]:
    """Return the effect that sets the new prices of a shop that has just closed: each a step
    towards the fair price, but not below its least one. Past sales fade.
    """
    shop, sells = state.shop(address), book.fixtures[address].shop
    assert shop is not None
    assert sells is not None
    stock, sold, prices = state.stock(address), dict(shop.sold), []
    for kind, price in shop.prices:
        usual = sells.sells[kind]
        cost = _production_cost(book, state, kind, address)
        with_margin = int(cost * (100 + MIN_MARGIN_PERCENT)) // 100
        least = max(1, with_margin, usual * MIN_PRICE_PERCENT // 100)
        right = fair_price(price, usual, stock.count(kind), sold.get(kind, 0) * sells.cover)
        prices.append((kind, _next_price(price, right, least)))
    return [
        Priced(
            address,
            Shop(
                tuple(prices),
                tuple((kind, count - count // SALES_MEMORY_DAYS) for kind, count in shop.sold),
            ),
        )
    ]


def open_shop(sells: ShopPart, stock: Mapping[str, int]) -> Shop:
    """Return a shop at the start of a run, with past sales at which its usual prices are fair."""
    return Shop(
        tuple(sorted(sells.sells.items())),
        tuple(
            (kind, SALES_MEMORY_DAYS * stock.get(kind, 0) // sells.cover)
            for kind in sorted(sells.sells)
        ),
    )


def price_for(society: SocietyView, who: str, address: str, kind: str) -> int:
    """Return the price of one of a kind, in coins, to a resident: the posted one, less a discount
    of up to `MAX_DISCOUNT_PERCENT` for the mean regard of the owners for them, rounded in the
    shop's favour.
    """
    shop = society.state.shop(address)
    assert shop is not None, "what has no shop is refused"
    price = dict(shop.prices)[kind]
    earned_percent = mean_regard(society, who, address) // REGARD_PER_PERCENT
    discount_percent = max(0, min(MAX_DISCOUNT_PERCENT, earned_percent))
    return price - price * discount_percent // 100


def _production_cost(book: Book, state: State, kind: str, but: str) -> Fraction:
    """Return the production cost of one of a kind, in coins, at the lowest prices of other shops;
    for a kind that no recipe makes, the lowest of those prices.

    Shops that sell the same kind ignore each other's prices, which would otherwise drive each other
    up.
    """
    return (
        _cheapest_recipe_cost(book, state, kind, but, frozenset())
        if book.makers[kind]
        else _input_cost(book, state, kind, but, frozenset())
    )


def _input_cost(book: Book, state: State, kind: str, but: str, seen: frozenset[str]) -> Fraction:
    """Return the cost of an input: the lowest price of other shops, else the production cost, else
    0.
    """
    if kind in seen:
        return Fraction(0)
    shops = [shop for address in book.fixtures if address != but and (shop := state.shop(address))]
    posted_elsewhere = [price for shop in shops for name, price in shop.prices if name == kind]
    return (
        Fraction(min(posted_elsewhere))
        if posted_elsewhere
        else _cheapest_recipe_cost(book, state, kind, but, seen)
    )


def _cheapest_recipe_cost(
    book: Book, state: State, kind: str, but: str, seen: frozenset[str]
) -> Fraction:
    """Return the cost of the inputs for one of a kind by its cheapest recipe; 0 for a kind without
    one. A kind in `seen`, which takes itself, costs 0.
    """
    costs = [
        sum(
            (
                count * _input_cost(book, state, name, but, seen | {kind})
                for name, count in recipe.inputs
            ),
            Fraction(0),
        )
        / dict(recipe.make)[kind]
        for recipe in book.makers[kind]
    ]
    return min(costs, default=Fraction(0))


def fair_price(price: int, usual: int, stock: int, wanted: int) -> int:
    """Return the price at which a stock lasts as long as its owner wants; double the price if it is
    empty.

    Args:
        price: The posted price.
        usual: The usual price.
        wanted: `SALES_MEMORY_DAYS` times the stock that the owner wants.

    >>> fair_price(40, 36, 20, 160), fair_price(40, 36, 40, 160), fair_price(40, 36, 80, 160), fair_price(40, 36, 0, 160)
    (72, 36, 18, 80)
    """
    return usual * wanted // (SALES_MEMORY_DAYS * stock) if stock else 2 * price


def _next_price(price: int, right: int, least: int) -> int:
    """Return the next price on the way from `price` to the fair one, `right`: a step of at most
    `MAX_STEP_PERCENT` per cent, or one coin; never below `least`.

    >>> _next_price(40, 72, 24), _next_price(40, 41, 24), _next_price(40, 18, 24), _next_price(40, 40, 24), _next_price(25, 18, 24), _next_price(24, 18, 30)
    (43, 41, 37, 40, 24, 30)
    """
    step = max(1, price * MAX_STEP_PERCENT // 100)
    return max(least, price - step, min(price + step, right))


def mean_regard(society: SocietyView, who: str, address: str) -> int:
    """Return the average regard of a fixture's keepers for a resident, rounded towards 0."""
    points = [
        regard_for(society.state, keeper, who)
        for keeper in society.book.keepers(address)
        if keeper != who
    ]
    return int(sum(points) / len(points)) if points else 0
