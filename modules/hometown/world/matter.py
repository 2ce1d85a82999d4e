"""Goods and their holders: rows of the state, and the effects that move goods.

Goods of a kind are alike and are counted. A holder is a text: a resident's id, a fixture's address,
`house:ID` (a purse), `work:RESIDENT` and `growth:ADDRESS` (goods reserved by work and by a
process), or `nature:`, the source and sink of the kind `nature`.

An item is an individual thing: it wears, and may contain goods. Its id is its kind with a number,
`sickle#3`. It counts as one of that name among the goods of its holder, so that all moves apply to
items, too, and it is itself the holder of its contents.
"""

from __future__ import annotations

from hometown.frozen import frozen

NATURE = "nature"
"""The kind of goods, of one gram each, that comes from soil, water and air and returns there."""

NATURE_HOLDER = "nature:"

Goods = tuple[tuple[str, int], ...]
"""Positive counts by kind, ordered by kind."""

MARK = "#"
"""Separates an item's kind from its number."""


def kind_of(name: str) -> str:
    """Return the kind of goods or of an item.

    >>> kind_of("loaf"), kind_of("sickle#3")
    ('loaf', 'sickle')
    """
    return name.partition(MARK)[0]


@frozen
class Stock:
    """`stock/<holder>`: the goods of a holder."""

    goods: Goods = ()

    def count(self, kind: str) -> int:
        """Return the number of goods of a kind, items included."""
        found = 0
        for name, count in self.goods:
            if name == kind or (MARK in name and kind_of(name) == kind):
                found += count
        return found

    @property
    def counts(self) -> dict[str, int]:
        """The number of goods of each kind, items included."""
        found: dict[str, int] = {}
        for name, count in self.goods:
            kind = kind_of(name)
            found[kind] = found.get(kind, 0) + count
        return found

    @property
    def items(self) -> tuple[str, ...]:
        """The items, the oldest of each kind first."""
        names = [name for name, _ in self.goods if MARK in name]
        return tuple(sorted(names, key=_age) if len(names) > 1 else names)

    def pick(self, kind: str, count: int) -> Goods:
        """Return goods of a kind by their names here: counted goods before items, the oldest items
        first. A shortage is filled up with the kind's own name.
        """
        lacking = count - dict(self.goods).get(kind, 0)
        items = (
            [(name, 1) for name in self.items if kind_of(name) == kind][:lacking]
            if lacking > 0
            else []
        )
        counted = count - len(items)
        return (*([(kind, counted)] if counted else []), *items)


def _age(item: str) -> tuple[str, int]:
    kind, _, number = item.partition(MARK)
    return kind, int(number)


@frozen
class Item:
    """`item/<id>`: the holder of an item, and the number of its uses."""

    holder: str
    worn: int = 0


@frozen
class Counter:
    """`counter/town`: the highest number of an item so far."""

    items: int


@frozen
class Transfer:
    """Goods that move from one holder to another."""

    giver: str
    taker: str
    goods: Goods


@frozen
class Shifted:
    """Goods move from one holder to another: a resident takes, puts or reserves them."""

    move: Transfer


@frozen
class Transformed:
    """A holder's goods become others of the same weight. Goods of the kind `nature` stand for what is
    taken from nature or goes back to it, so that the weights are equal.
    """

    holder: str
    take: Goods
    make: Goods


@frozen
class Traded:
    """Goods change hands in several moves at once. It is made only where all of them are possible."""

    moves: tuple[Transfer, ...]


@frozen
class Granted:
    """Goods enter the town, at the start of a run or by the user's order. Nothing else creates
    goods.
    """

    holder: str
    goods: Goods


@frozen
class Worn:
    """An item's number of uses changes."""

    item: str
    worn: int


MatterEffect = Shifted | Transformed | Traded | Granted | Worn
