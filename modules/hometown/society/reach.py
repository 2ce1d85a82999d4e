"""The goods, stores and shops that a resident can use during a search for plans. Each is computed
once a search, during which nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from hometown.society.affairs import Affairs
from hometown.society.refusals import refuse_place
from hometown.world.labour import Verb


@dataclass
class Reach:
    """The goods that a resident can use, as far as they know."""

    affairs: Affairs
    who: str
    _open: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def in_bag(self, kind: str) -> int:
        """Return the number of goods of a kind in the bag."""
        return self._bag.get(kind, 0)

    def keeps(self, kind: str) -> int:
        """Return the number of goods in the bag to keep: one tool of a kind that wears."""
        return min(self.in_bag(kind), 1) if self.affairs.book.kinds[kind].wears else 0

    def able_to_carry(self, kind: str) -> int:
        """Return the number of further goods of a kind for which the bag has room."""
        return self.room // self.affairs.book.kinds[kind].grams

    def workplaces(self, tag: str) -> tuple[str, ...]:
        """Return the fixtures with a tag that are free for the resident's work; ("",) for no tag."""
        if tag not in self._open:
            places = self.affairs.book.places_for(tag) if tag else ("",)
            self._open[tag] = tuple(
                at for at in places if refuse_place(self.affairs, self.who, at) is None
            )
        return self._open[tag]

    def barred(self, verb: Verb, at: str, what: str) -> bool:
        """Return whether such an errand has recently been refused."""
        return (verb, at, what) in self._bars

    @cached_property
    def _bag(self) -> dict[str, int]:
        return self.affairs.state.stock(self.who).counts

    @cached_property
    def coins(self) -> int:
        """The coins of the resident's house."""
        return self.affairs.coins(self.who)

    @cached_property
    def room(self) -> int:
        """The free capacity of the bag, in grams."""
        return self.affairs.room(self.who)

    @cached_property
    def stores(self) -> list[str]:
        """The fixtures and containers from which the resident may take goods, without the bag."""
        return list(self.affairs.stores(self.who))

    @cached_property
    def stored(self) -> dict[str, list[tuple[str, int]]]:
        """The stores that contain each kind, with the number of goods."""
        found: dict[str, list[tuple[str, int]]] = {}
        for holder in self.stores:
            for kind, count in self.affairs.state.stock(holder).counts.items():
                found.setdefault(kind, []).append((holder, count))
        return found

    @cached_property
    def sold(self) -> dict[str, list[tuple[str, int]]]:
        """The shops that sell each kind, with the price."""
        found: dict[str, list[tuple[str, int]]] = {}
        for address in self.affairs.book.shops:
            shop = self.affairs.state.shop(address)
            for kind, price in shop.prices if shop else ():
                found.setdefault(kind, []).append((address, price))
        return found

    @cached_property
    def _bars(self) -> frozenset[tuple[Verb, str, str]]:
        """The recently refused errands, each as verb, address and object."""
        errands = [
            bar.outcome.errand
            for bar in self.affairs.state.barred(self.who)
            if bar.until > self.affairs.now
        ]
        return frozenset((errand.verb, errand.at, errand.what) for errand in errands)
