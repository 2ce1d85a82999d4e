"""Prices: posted when a shop closes, by how many days what it has would last at what it sells.

A price goes towards the usual one times the days that the owner wants to cover, divided by those
that what there is will last. So it falls as fast as it rises, and a shortage that is over leaves no
trace, where the sum of daily changes would drift with the noise of sales.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from hometown.society.affairs import Affairs
from hometown.society.esteem import favour
from hometown.world.book.book import Book
from hometown.world.book.parts import ShopPart
from hometown.world.effects import Effect
from hometown.world.labour import Priced, Shop
from hometown.world.state import State

MEMORY = 4
"""Days for which an owner remembers sales: of each day's, a quarter is forgotten the next."""

STEP = 8
"""Per cent, at least one coin, by which a price rises or falls in a day at most: owners do not
believe what a single day tells them.
"""

LOWEST = 60
"""Per cent of the price with which a run began, below which nobody sells."""

CONCESSION, FAVOUR = 10, 4
"""Per cent by which owners let go for less at most, one for so many points of regard."""

MARGIN = 20
"""Per cent that a price is above what the goods cost whoever makes them, at least."""


def posted(book: Book, state: State, address: str) -> list[Effect]:
    """The prices of a shop that has just closed."""
    shop, sells = state.shop(address), book.fixtures[address].shop
    assert shop is not None
    assert sells is not None
    stock, sold, prices = state.stock(address), dict(shop.sold), []
    for kind, price in shop.prices:
        usual, least = (
            sells.sells[kind],
            int(_cost(book, state, kind, address) * (100 + MARGIN)) // 100,
        )
        right = fair(price, usual, stock.count(kind), sold.get(kind, 0) * sells.cover)
        prices.append((kind, _price(price, right, max(least, usual * LOWEST // 100))))
    return [
        Priced(
            address,
            Shop(
                tuple(prices), tuple((kind, count - count // MEMORY) for kind, count in shop.sold)
            ),
        )
    ]


def opening(sells: ShopPart, stock: Mapping[str, int]) -> Shop:
    """A shop when a run begins: as if it had sold so far what makes its prices right."""
    return Shop(
        tuple(sorted(sells.sells.items())),
        tuple((kind, MEMORY * stock.get(kind, 0) // sells.cover) for kind in sorted(sells.sells)),
    )


def asked(affairs: Affairs, who: str, address: str, kind: str) -> int:
    """What one of a kind costs somebody: the posted price, less a concession to whom the owners
    think well of.
    """
    shop = affairs.state.shop(address)
    assert shop is not None, "what has no shop is refused"
    price = dict(shop.prices)[kind]
    return price - price * max(0, min(CONCESSION, favour(affairs, who, address) // FAVOUR)) // 100


def _cost(book: Book, state: State, kind: str, but: str) -> Fraction:
    """Coins for what one of a kind is made of, at the lowest prices posted elsewhere; for what
    cannot be made, the lowest price of the kind itself.

    Those who sell the same do not reckon with each other's prices, which would rise by turns for
    ever.
    """
    return (
        _made(book, state, kind, but, frozenset())
        if book.makers[kind]
        else _got(book, state, kind, but, frozenset())
    )


def _got(book: Book, state: State, kind: str, but: str, seen: frozenset[str]) -> Fraction:
    """Coins for one of a kind that is needed: bought if anybody sells it, else made; nothing for
    what nobody sells.
    """
    if kind in seen:
        return Fraction(0)
    shops = [shop for address in book.fixtures if address != but and (shop := state.shop(address))]
    posted_elsewhere = [price for shop in shops for name, price in shop.prices if name == kind]
    return (
        Fraction(min(posted_elsewhere)) if posted_elsewhere else _made(book, state, kind, but, seen)
    )


def _made(book: Book, state: State, kind: str, but: str, seen: frozenset[str]) -> Fraction:
    costs = [
        sum(
            (count * _got(book, state, name, but, seen | {kind}) for name, count in recipe.inputs),
            Fraction(0),
        )
        / dict(recipe.make)[kind]
        for recipe in book.makers[kind]
    ]
    return min(costs, default=Fraction(0))


def fair(price: int, usual: int, stock: int, wanted: int) -> int:
    """What the price should be, where `wanted` is MEMORY times what the owner wants to have in
    stock; where nothing is left, ever more.

    >>> fair(40, 36, 20, 160), fair(40, 36, 40, 160), fair(40, 36, 80, 160), fair(40, 36, 0, 160)
    (72, 36, 18, 80)
    """
    return usual * wanted // (MEMORY * stock) if stock else 2 * price


def _price(price: int, right: int, least: int) -> int:
    """The next price on the way to the right one.

    >>> _price(40, 72, 24), _price(40, 41, 24), _price(40, 18, 24), _price(40, 40, 24), _price(25, 18, 24), _price(24, 18, 30)
    (43, 41, 37, 40, 24, 30)
    """
    step = max(1, price * STEP // 100)
    return max(least, price - step, min(price + step, right))
