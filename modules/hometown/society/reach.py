"""What somebody has and can get at, as it looks for means: worked out once a search, since nothing
changes meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from hometown.society.affairs import Affairs
from hometown.society.refusals import refuse_place
from hometown.world.labour import Verb


@dataclass
class Reach:
    """What is within somebody's reach, as far as it knows how `affairs` stand."""

    affairs: Affairs
    who: str
    _open: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def in_bag(self, kind: str) -> int:
        """How many of a kind are in the bag."""
        return self._bag.get(kind, 0)

    def keeps(self, kind: str) -> int:
        """How many of those in the bag somebody keeps for itself: the tool that it works with."""
        return min(self.in_bag(kind), 1) if self.affairs.book.kinds[kind].wears else 0

    def able_to_carry(self, kind: str) -> int:
        """How many more of a kind fit into the bag."""
        return self.room // self.affairs.book.kinds[kind].grams

    def workplaces(self, tag: str) -> tuple[str, ...]:
        """The fixtures with a tag at which somebody can work now; "" alone where it takes none."""
        if tag not in self._open:
            places = self.affairs.book.places_for(tag) if tag else ("",)
            self._open[tag] = tuple(
                at for at in places if refuse_place(self.affairs, self.who, at) is None
            )
        return self._open[tag]

    def barred(self, verb: Verb, at: str, what: str) -> bool:
        """Whether that has been refused a short while ago."""
        return (verb, at, what) in self._bars

    @cached_property
    def _bag(self) -> dict[str, int]:
        return self.affairs.state.stock(self.who).counts

    @cached_property
    def coins(self) -> int:
        """What the house has."""
        return self.affairs.coins(self.who)

    @cached_property
    def room(self) -> int:
        """Grams that fit into the bag."""
        return self.affairs.room(self.who)

    @cached_property
    def stores(self) -> list[str]:
        """All that somebody may put things into and take them out of, beside its bag."""
        return list(self.affairs.stores(self.who))

    @cached_property
    def stored(self) -> dict[str, list[tuple[str, int]]]:
        """In which of these there is some of a kind, and how much, by kind."""
        found: dict[str, list[tuple[str, int]]] = {}
        for holder in self.stores:
            for kind, count in self.affairs.state.stock(holder).counts.items():
                found.setdefault(kind, []).append((holder, count))
        return found

    @cached_property
    def sold(self) -> dict[str, list[tuple[str, int]]]:
        """In which shops, and at which price, a kind is sold, by kind."""
        found: dict[str, list[tuple[str, int]]] = {}
        for address in self.affairs.book.shops:
            shop = self.affairs.state.shop(address)
            for kind, price in shop.prices if shop else ():
                found.setdefault(kind, []).append((address, price))
        return found

    @cached_property
    def _bars(self) -> frozenset[tuple[Verb, str, str]]:
        """What has been refused a short while ago: verb, where and what."""
        errands = [
            bar.outcome.errand
            for bar in self.affairs.state.barred(self.who)
            if bar.until > self.affairs.now
        ]
        return frozenset((errand.verb, errand.at, errand.what) for errand in errands)
