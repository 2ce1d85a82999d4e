"""Matter: what lies where and who has what. Rows of the state, and the four effects that move
goods.

Goods of a kind are alike and are counted. Their holder is a text: a resident's id, a fixture's
address, `house:ID` (a purse), `work:WHO` and `growth:ADDRESS` (what work, and what goes on by
itself, have bound), or `nature:`, where the goods of the kind `nature` come from and go back to.

An item is of a kind of which no two are alike: it wears, and may hold goods itself. Its id is its
kind and a number, `sickle#3`. Among the goods of its holder it counts as one of that name, so that
whatever moves goods moves items too, and it is the holder of what is in it.
"""

from __future__ import annotations

from hometown.frozen import frozen

NATURE = "nature"
"""The kind of goods, of one gram each, that is taken from soil, water and air and goes back there.
"""

NATURE_HOLDER = "nature:"

Goods = tuple[tuple[str, int], ...]
"""How many of each kind, more than 0 of each, in the order of kinds."""

MARK = "#"
"""Stands between an item's kind and its number."""


def kind_of(name: str) -> str:
    """The kind of goods, be they counted or an item.

    >>> kind_of("loaf"), kind_of("sickle#3")
    ('loaf', 'sickle')
    """
    return name.partition(MARK)[0]


@frozen
class Stock:
    """`stock/<holder>`: the goods that it holds."""

    goods: Goods = ()

    def count(self, kind: str) -> int:
        """How many there are of a kind, items too."""
        found = 0
        for name, count in self.goods:
            if name == kind or (MARK in name and kind_of(name) == kind):
                found += count
        return found

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind, items too."""
        found: dict[str, int] = {}
        for name, count in self.goods:
            kind = kind_of(name)
            found[kind] = found.get(kind, 0) + count
        return found

    @property
    def items(self) -> tuple[str, ...]:
        """The items among them, the oldest of each kind first."""
        names = [name for name, _ in self.goods if MARK in name]
        return tuple(sorted(names, key=_age) if len(names) > 1 else names)

    def pick(self, kind: str, count: int) -> Goods:
        """So many of a kind as they are called here: what is counted before items, the oldest of
        which go first; what is lacking is of the kind's own name.
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
    """`item/<id>`: who or what holds it, and how often it has been used."""

    holder: str
    worn: int = 0


@frozen
class Counter:
    """`counter/town`: the highest number that an item has had."""

    items: int


@frozen
class Move:
    """Goods that go from one holder to another."""

    giver: str
    taker: str
    goods: Goods


@frozen
class Shifted:
    """Goods are taken, put or bound: the same ones, elsewhere."""

    move: Move


@frozen
class Transformed:
    """Goods of a holder become others, which weigh as much; the kind `nature` among them comes from
    nature and goes there.
    """

    holder: str
    take: Goods
    make: Goods


@frozen
class Traded:
    """Goods change hands: all of these moves, or none."""

    moves: tuple[Move, ...]


@frozen
class Granted:
    """Goods come into the town, when a run begins or because the user says so. Nothing else makes
    any out of nothing.
    """

    holder: str
    goods: Goods


@frozen
class Worn:
    """An item has been used so often by now."""

    item: str
    worn: int


MatterEffect = Shifted | Transformed | Traded | Granted | Worn
