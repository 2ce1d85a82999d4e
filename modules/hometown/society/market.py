"""Prices: posted when a shop closes, by how many days what it has would last at what it sells."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from hometown.society.affairs import Affairs
from hometown.society.esteem import favour
from hometown.world.book.book import Book
from hometown.world.book.parts import ShopPart
from hometown.world.effects import Effect
from hometown.world.labour import Priced, Shop
from hometown.world.state import State

PLENTY = 125
"""Per cent of the days of cover that the owner wants, above which a price falls."""

MEMORY = 4
"""Days for which an owner remembers sales: of each day's, a quarter is forgotten the next."""

STEP = 8
"""Per cent by which a price rises or falls, at least one coin: as fast in one direction as in the other, or it would drift with nothing but the noise of sales.

Without beliefs about what others pay, which only add noise."""

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
        least = max(sells.sells[kind] * LOWEST // 100, int(_cost(book, state, kind, address) * (100 + MARGIN)) // 100)
        prices.append((kind, _price(price, stock.count(kind), sold.get(kind, 0) * sells.cover, least)))
    return [Priced(address, Shop(tuple(prices), tuple((kind, count - count // MEMORY) for kind, count in shop.sold)))]


def opening(sells: ShopPart, stock: Mapping[str, int]) -> Shop:
    """A shop when a run begins: as if it had sold so far what makes its prices right."""
    return Shop(tuple(sorted(sells.sells.items())), tuple((kind, MEMORY * stock.get(kind, 0) // sells.cover) for kind in sorted(sells.sells)))


def asked(affairs: Affairs, who: str, address: str, kind: str) -> int:
    """What one of a kind costs somebody: the posted price, less a concession to whom the owners think well of."""
    shop = affairs.state.shop(address)
    assert shop is not None, "what has no shop is refused"
    price = dict(shop.prices)[kind]
    return price - price * max(0, min(CONCESSION, favour(affairs, who, address) // FAVOUR)) // 100


def _cost(book: Book, state: State, kind: str, but: str) -> Fraction:
    """Coins for what one of a kind is made of, at the lowest prices posted elsewhere; for what cannot be made, the lowest price of the kind itself.

    Those who sell the same do not reckon with each other's prices, which would rise by turns for ever.
    """
    return _made(book, state, kind, but, frozenset()) if book.makers[kind] else _got(book, state, kind, but, frozenset())


def _got(book: Book, state: State, kind: str, but: str, seen: frozenset[str]) -> Fraction:
    """Coins for one of a kind that is needed: bought if anybody sells it, else made; nothing for what nobody sells."""
    if kind in seen:
        return Fraction(0)
    shops = [shop for address in book.fixtures if address != but and (shop := state.shop(address))]
    posted_elsewhere = [price for shop in shops for name, price in shop.prices if name == kind]
    return Fraction(min(posted_elsewhere)) if posted_elsewhere else _made(book, state, kind, but, seen)


def _made(book: Book, state: State, kind: str, but: str, seen: frozenset[str]) -> Fraction:
    costs = [
        sum((count * _got(book, state, name, but, seen | {kind}) for name, count in recipe.inputs), Fraction(0)) / dict(recipe.make)[kind]
        for recipe in book.makers[kind]
    ]
    return min(costs, default=Fraction(0))


def judged(stock: int, wanted: int) -> Literal["short", "plenty", "even"]:
    """How a stock looks to its owner, where `wanted` is MEMORY times what it wants to have."""
    if MEMORY * stock < wanted or not stock:
        return "short"
    return "plenty" if MEMORY * stock * 100 > PLENTY * wanted else "even"


def _price(price: int, stock: int, wanted: int, least: int) -> int:
    """The next price, where `wanted` is MEMORY times what the owner wants in stock.

    >>> _price(40, 30, 160, 24), _price(40, 60, 160, 24), _price(40, 45, 160, 24), _price(24, 100, 0, 24), _price(24, 100, 0, 30)
    (43, 37, 40, 24, 30)
    """
    said = judged(stock, wanted)
    if said == "short":
        return max(least, price + max(1, price * STEP // 100))
    if said == "plenty":
        return max(least, price - max(1, price * STEP // 100))
    return max(least, price)
