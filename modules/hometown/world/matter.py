"""Matter: what lies where and who has what. Rows of the state, and the four effects that move goods.

Goods of a kind are alike and are counted. Their holder is a text: a resident's id, a fixture's address, `house:ID` (a purse), `work:WHO` and
`growth:ADDRESS` (what work, and what goes on by itself, have bound), or `nature:`, where the goods of the kind `nature` come from and go back to.
"""

from __future__ import annotations

from dataclasses import dataclass

NATURE = "nature"
"""The kind of goods, of one gram each, that is taken from soil, water and air and goes back there."""

NATURE_HOLDER = "nature:"

Goods = tuple[tuple[str, int], ...]
"""How many of each kind, more than 0 of each, in the order of kinds."""


@dataclass(frozen=True, slots=True)
class Stock:
    """`stock/<holder>`: the goods that it holds."""

    goods: Goods = ()

    def count(self, kind: str) -> int:
        return next((count for name, count in self.goods if name == kind), 0)


@dataclass(frozen=True, slots=True)
class Move:
    """Goods that go from one holder to another."""

    giver: str
    taker: str
    goods: Goods


@dataclass(frozen=True, slots=True)
class Shifted:
    """Goods are taken, put or bound: the same ones, elsewhere."""

    move: Move


@dataclass(frozen=True, slots=True)
class Transformed:
    """Goods of a holder become others, which weigh as much; the kind `nature` among them comes from nature and goes there."""

    holder: str
    take: Goods
    make: Goods


@dataclass(frozen=True, slots=True)
class Traded:
    """Goods change hands: all of these moves, or none."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Granted:
    """Goods come into the town, when a run begins or because the user says so. Nothing else makes any out of nothing."""

    holder: str
    goods: Goods


MatterEffect = Shifted | Transformed | Traded | Granted
