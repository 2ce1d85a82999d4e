"""A resident's beliefs about goods, prices and work: their own bag and purse, and for fixtures the
latest sight or report, extrapolated to the present.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property

from hometown.society.affairs import Affairs
from hometown.society.esteem import BADLY, trust_in
from hometown.world.book.book import NOBODYS, Book
from hometown.world.conversation import Conversation
from hometown.world.effects import Effect
from hometown.world.labour import Deed, Inspected, Process, Seen, Shop
from hometown.world.matter import MARK, Item, Stock, kind_of
from hometown.world.regard import Regard
from hometown.world.rows import Row
from hometown.world.state import State
from hometown.world.world import World, arena_of

RESTOCKED = timedelta(hours=6)
"""The age of a sight from which a resident expects a shop to have `SOME` of its goods again."""

SOME = 8

FRESH = timedelta(hours=1)
"""The age from which an unchanged sight is recorded again."""


def as_seen_by(affairs: Affairs, who: str, place: str) -> Affairs:
    """Return the society as a resident at `place` believes it to be."""
    believed = Believed(affairs.state, affairs.book, who, place)
    return BelievedAffairs(
        affairs.book, believed, affairs.start, pleasures=affairs.pleasures, places=affairs.places
    )


def looked(affairs: Affairs, who: str, here: Iterable[str]) -> Iterator[Effect]:
    """Yield a resident's new sights of the fixtures `here`: shops, and those that they may use.

    A sight is recorded if it has changed or is an hour old. Closed containers stay unseen.
    """
    for address in here:
        if affairs.book.fixtures[address].shop or affairs.owns(who, address):
            for holder in _in_sight(affairs, address):
                yield from noticed(affairs, who, holder)


def noticed(affairs: Affairs, who: str, holder: str) -> Iterator[Effect]:
    """Yield a resident's sight of a fixture or an item, if it has changed or is an hour old."""
    seen, there = affairs.state.seen(who, holder), as_it_is(affairs, holder)
    if (
        seen is None
        or affairs.now - seen.since >= FRESH
        or (seen.goods, seen.prices, seen.process) != (there.goods, there.prices, there.process)
    ):
        yield Inspected(who, holder, there)


def _in_sight(affairs: Affairs, holder: str) -> Iterator[str]:
    """Yield a holder and the open containers within it; nothing for a closed holder."""
    if not affairs.book.part_of(holder).closed:
        yield holder
        for item in affairs.state.stock(holder).items:
            if affairs.book.part_of(item).holds:
                yield from _in_sight(affairs, item)


def known_from_the_start(affairs: Affairs, who: str) -> Iterator[Effect]:
    """Yield a resident's initial knowledge: the town's shops, and the stores of their house, closed
    ones included.
    """
    yield from looked(affairs, who, affairs.book.fixtures)
    for holder in affairs.stores(who):
        if affairs.book.fixtures.get(affairs.site(holder), NOBODYS).owner or not affairs.site(
            holder
        ):
            yield from noticed(affairs, who, holder)


def news_from(world: World, affairs: Affairs, talk: Conversation) -> Iterator[Effect]:
    """Yield the knowledge of stocks that listeners gain from a conversation.

    A line conveys it if it names goods of a fixture together with the fixture or its house, and the
    speaker's knowledge is newer. Listeners ignore speakers whom they distrust.
    """
    for number, line in enumerate(talk.lines):
        there = [one.who for one in talk.presences if one.came <= number < one.left]
        text = line.text.casefold()
        named = [
            kind
            for kind, part in affairs.book.kinds.items()
            if part.name[world.lang].casefold() in text
        ]
        for address in _spoken_of(world, affairs, text) if named else ():
            seen = affairs.state.seen(line.speaker, address)
            if seen and any(
                Stock(seen.goods).count(kind) or kind in dict(seen.prices) for kind in named
            ):
                yield from (
                    Inspected(who, address, seen)
                    for who in there
                    if _learns(affairs, who, line.speaker, address, seen)
                )


def _spoken_of(world: World, affairs: Affairs, text: str) -> list[str]:
    """Return the fixtures that a text names, directly or by their house."""
    things = [world.things[address] for address in affairs.book.fixtures if address in world.things]
    houses = {
        thing.address: world.sectors[world.arenas[thing.arena].sector].name.casefold()
        for thing in things
    }
    return [
        thing.address
        for thing in things
        if thing.name.casefold() in text or houses[thing.address] in text
    ]


def _learns(affairs: Affairs, who: str, teller: str, address: str, news: Seen) -> bool:
    if trust_in(affairs.state, who, teller) <= BADLY:
        return False
    known = affairs.state.seen(who, address)
    concerned = bool(affairs.book.fixtures[address].shop) or affairs.owns(who, address)
    return concerned and (known is None or known.since < news.since)


def as_it_is(affairs: Affairs, address: str) -> Seen:
    """Return the present sight of a fixture."""
    shop = affairs.state.shop(address)
    return Seen(
        affairs.state.stock(address).goods,
        shop.prices if shop else (),
        affairs.state.process(address),
        affairs.now,
    )


class Believed(State):
    """The state as a resident believes it to be at one time.

    It is read-only, and a stock is computed once.
    """

    def __init__(self, truth: State, book: Book, who: str, place: str) -> None:
        super().__init__({}, truth.memories, truth.vector)
        self.truth, self.book, self.who, self.place = truth, book, who, place
        self._stocks: dict[str, Stock] = {}

    def row(self, key: str) -> Row | None:
        return self.truth.row(key)

    def stock(self, holder: str) -> Stock:
        if holder not in self._stocks:  # a search looks at the same ones hundreds of times
            self._stocks[holder] = (
                self._stock_seen(holder) if self._by_sight(holder) else self.truth.stock(holder)
            )
        return self._stocks[holder]

    def shop(self, address: str) -> Shop | None:
        seen = self._seen(address)
        prices = (
            tuple([(kind, price) for kind, price in seen.prices if kind in self.book.kinds])
            if seen
            else ()
        )
        return Shop(prices) if prices else None

    def process(self, address: str) -> Process | None:
        seen = self._seen(address)
        return (
            seen.process
            if seen
            and seen.process
            and seen.process.recipe in self.book.recipes
            and not self._is_ripe(seen)
            else None
        )

    def item(self, name: str) -> Item | None:
        """Return an item, where the resident holds it or has last seen it; None if they know of
        none.
        """
        there = self.truth.item(name)
        if there is None or there.holder == self.who:
            return there
        return Item(self._holders[name], there.worn) if name in self._holders else None

    def regard(self, who: str, other: str) -> Regard:
        """Return a regard of the resident's own; others' regard is unknown to them."""
        return self.truth.regard(who, other) if who == self.who else Regard()

    def deed(self, who: str) -> Deed | None:
        """Return a resident's present job, if it can be seen from the place."""
        deed = self.truth.deed(who)
        return (
            deed
            if who == self.who or (deed and deed.at and arena_of(deed.at) == arena_of(self.place))
            else None
        )

    @cached_property
    def _holders(self) -> dict[str, str]:
        """The last known holder of each item, fixtures before the containers in them."""
        found: dict[str, str] = {}
        known = [self.who, *self.book.fixtures]
        for holder in known:
            new = [item for item in self.stock(holder).items if item not in found]
            found.update(dict.fromkeys(new, holder))
            known += (item for item in new if self.book.part_of(item).holds)
        return found

    @cached_property
    def _now(self) -> datetime:
        return self.truth.clock.now

    def _seen(self, address: str) -> Seen | None:
        return self.truth.seen(self.who, address)

    def _by_sight(self, holder: str) -> bool:
        """Return whether a holder is known by sight alone: everything but the open part of their
        own bag.
        """
        if holder in self.book.fixtures:
            return True
        if MARK not in holder:
            return False
        *items, last = self.truth.holders(holder)
        return last != self.who or any(self.book.part_of(item).closed for item in items)

    def _is_ripe(self, seen: Seen) -> bool:
        return seen.process is not None and seen.process.due <= self._now

    def _stock_seen(self, holder: str) -> Stock:
        """Return the last known stock of a holder, with the yield and the deliveries expected
        since.
        """
        seen = self._seen(holder)
        if seen is None:
            return Stock()
        goods, kinds = seen.goods, self.book.kinds
        if seen.process and self._is_ripe(seen) and seen.process.recipe in self.book.recipes:
            made = Counter(dict(self.book.recipes[seen.process.recipe].products))
            goods = tuple(sorted((made + Counter(dict(goods))).items()))
        if seen.prices and self._now - seen.since >= RESTOCKED:
            goods = tuple(
                sorted(
                    (
                        Counter(dict(goods)) | Counter({kind: SOME for kind, _ in seen.prices})
                    ).items()
                )
            )
        return Stock(tuple([each for each in goods if kind_of(each[0]) in kinds]))


class BelievedAffairs(Affairs):
    """A society as a resident believes it to be. Since it does not change, costly values are cached
    for the search for plans.
    """

    @cached_property
    def now(self) -> datetime:
        return super().now

    @cached_property
    def deeds(self) -> list[tuple[str, Deed]]:
        return super().deeds

    @cached_property
    def season(self) -> str:
        return super().season

    @cached_property
    def _owning(self) -> dict[str, tuple[str, ...]]:
        return {}

    def owners(self, who: str) -> tuple[str, ...]:
        if who not in self._owning:
            self._owning[who] = super().owners(who)
        return self._owning[who]

    @cached_property
    def _rooms(self) -> dict[str, int]:
        return {}

    def room(self, holder: str) -> int:
        if holder not in self._rooms:
            self._rooms[holder] = super().room(holder)
        return self._rooms[holder]
