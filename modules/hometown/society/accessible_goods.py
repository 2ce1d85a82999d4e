"""The goods, stores and shops that a resident can use during a search for plans. Each is computed
once a search, during which nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from hometown.society.refusals import refuse_place
from hometown.society.society_view import SocietyView
from hometown.world.labour import Verb


@dataclass
class AccessibleGoods:
    """The goods that a resident can use, as far as they know."""

    society: SocietyView
    who: str
    _open_workplaces: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def count_in_bag(self, kind: str) -> int:
        """Return the number of goods of a kind in the bag."""
        return self._bag.get(kind, 0)

    def count_kept_tools(self, kind: str) -> int:
        """Return the number of goods in the bag to keep: one tool of a kind that wears."""
        return min(self.count_in_bag(kind), 1) if self.society.book.kinds[kind].wears else 0

    def carry_capacity(self, kind: str) -> int:
        """Return the number of further goods of a kind for which the bag has room."""
        return self.free_grams // self.society.book.kinds[kind].grams

    def workplaces(self, tag: str) -> tuple[str, ...]:
        """Return the fixtures with a tag that are free for the resident's work; ("",) for no tag."""
        if tag not in self._open_workplaces:
            places = self.society.book.places_for(tag) if tag else ("",)
            self._open_workplaces[tag] = tuple(
                at for at in places if refuse_place(self.society, self.who, at) is None
            )
        return self._open_workplaces[tag]

    def is_blocked(self, verb: Verb, at: str, what: str) -> bool:
        """Return True if such an errand has recently been refused."""
        return (verb, at, what) in self._refused_errands

    @cached_property
    def _bag(self) -> dict[str, int]:
        return self.society.state.stock(self.who).counts

    @cached_property
    def coins(self) -> int:
        """The coins of the resident's house."""
        return self.society.coins(self.who)

    @cached_property
    def free_grams(self) -> int:
        """The free capacity of the bag, in grams."""
        return self.society.free_grams(self.who)

    @cached_property
    def stores(self) -> list[str]:
        """The fixtures and containers from which the resident may take goods, containers in the bag
        included, without the bag itself.
        """
        return list(self.society.stores_of(self.who))

    @cached_property
    def stores_by_kind(self) -> dict[str, list[tuple[str, int]]]:
        """The stores that contain each kind, with the number of goods."""
        found: dict[str, list[tuple[str, int]]] = {}
        for holder in self.stores:
            for kind, count in self.society.state.stock(holder).counts.items():
                found.setdefault(kind, []).append((holder, count))
        return found

    @cached_property
    def shops_by_kind(self) -> dict[str, list[tuple[str, int]]]:
        """The shops that sell each kind, with the price."""
        found: dict[str, list[tuple[str, int]]] = {}
        for address in self.society.book.shops:
            shop = self.society.state.shop(address)
            for kind, price in shop.prices if shop else ():
                found.setdefault(kind, []).append((address, price))
        return found

    @cached_property
    def _refused_errands(self) -> frozenset[tuple[Verb, str, str]]:
        """The errands refused lately, each as verb, address and object."""
        errands = self.society.refused_errands(self.who)
        return frozenset((errand.verb, errand.at, errand.what) for errand in errands)
