"""A resident's beliefs about goods, prices and work: their own bag and purse, and for fixtures the
latest sight or report, extrapolated to the present.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar

from hometown.agent.mind.esteem import BAD_REGARD, trust_in
from hometown.society.society_view import SocietyView
from hometown.world.book.book import NOBODYS, Book
from hometown.world.conversation import Conversation
from hometown.world.effects import Effect
from hometown.world.keys import Key
from hometown.world.labour import FixtureSight, Inspected, Job, Process, Shop
from hometown.world.matter import MARK, Item, Stock, kind_of
from hometown.world.regard import Regard
from hometown.world.state import State
from hometown.world.world import World, arena_of

R = TypeVar("R")

RESTOCK_TIME = timedelta(hours=6)
"""The age of a sight from which a resident expects a shop to have `EXPECTED_STOCK` of its goods again."""

EXPECTED_STOCK = 8

RECORD_AFTER = timedelta(hours=1)
"""The age from which an unchanged sight is recorded again."""


def view_as(society: SocietyView, who: str, place: str) -> SocietyView:
    """Return the society as a resident at `place` believes it to be."""
    believed = BelievedState(society.state, society.book, who, place)
    return BelievedSociety(
        society.book,
        believed,
        society.start,
        pleasure_of=society.pleasure_of,
        place_of=society.place_of,
    )


def look_around(society: SocietyView, who: str, here: Iterable[str]) -> Iterator[Effect]:
    """Yield a resident's new sights of the fixtures `here`: shops, and those that they may use.

    A sight is recorded if it has changed or is an hour old. Closed containers stay unseen.
    """
    for address in here:
        if society.book.fixtures[address].shop or society.may_use(who, address):
            for holder in _visible_holders(society, address):
                yield from inspect(society, who, holder)


def inspect(society: SocietyView, who: str, holder: str) -> Iterator[Effect]:
    """Yield a resident's sight of a fixture or an item, if it has changed or is an hour old."""
    seen, there = society.state.last_sight(who, holder), present_sight(society, holder)
    if (
        seen is None
        or society.now - seen.since >= RECORD_AFTER
        or (seen.goods, seen.prices, seen.process) != (there.goods, there.prices, there.process)
    ):
        yield Inspected(who, holder, there)


def _visible_holders(society: SocietyView, holder: str) -> Iterator[str]:
    """Yield a holder and the open containers within it; nothing for a closed holder."""
    if not society.book.part_of(holder).closed:
        yield holder
        for item in society.state.stock(holder).items:
            if society.book.part_of(item).holds:
                yield from _visible_holders(society, item)


def initial_knowledge(society: SocietyView, who: str) -> Iterator[Effect]:
    """Yield a resident's initial knowledge: the town's shops, and the stores of their house, closed
    ones included.
    """
    yield from look_around(society, who, society.book.fixtures)
    for holder in society.stores_of(who):
        if society.book.fixtures.get(society.site_of(holder), NOBODYS).owner or not society.site_of(
            holder
        ):
            yield from inspect(society, who, holder)


def learn_from_conversation(
    world: World, society: SocietyView, talk: Conversation
) -> Iterator[Effect]:
    """Yield the knowledge of stocks that listeners gain from a conversation.

    A line conveys it if it names goods of a fixture together with the fixture or its house, and the
    speaker's knowledge is newer. Listeners ignore speakers whom they distrust; visitors learn none.
    """
    members = [one for one in talk.presences if society.is_member(one.who)]
    for number, line in enumerate(talk.lines):
        there = [one.who for one in members if one.came <= number < one.left]
        text = line.text.casefold()
        named = [
            kind
            for kind, part in society.book.kinds.items()
            if part.name[world.lang].casefold() in text
        ]
        for address in _mentioned_fixtures(world, society, text) if named else ():
            seen = society.state.last_sight(line.speaker, address)
            if seen and any(
                Stock(seen.goods).count(kind) or kind in dict(seen.prices) for kind in named
            ):
                yield from (
                    Inspected(who, address, seen)
                    for who in there
                    if _learns(society, who, line.speaker, address, seen)
                )


def _mentioned_fixtures(world: World, society: SocietyView, text: str) -> list[str]:
    """Return the fixtures that a text names, directly or by their house."""
    things = [world.things[address] for address in society.book.fixtures if address in world.things]
    houses = {
        thing.address: world.sectors[world.arenas[thing.arena].sector].name.casefold()
        for thing in things
    }
    return [
        thing.address
        for thing in things
        if thing.name.casefold() in text or houses[thing.address] in text
    ]


def _learns(society: SocietyView, who: str, teller: str, address: str, news: FixtureSight) -> bool:
    """Return True if a listener takes over a speaker's sight of a fixture: they trust the speaker,
    may use the fixture or it is a shop, and their own sight is older.
    """
    if trust_in(society.state, who, teller) <= BAD_REGARD:
        return False
    known = society.state.last_sight(who, address)
    is_concerned = bool(society.book.fixtures[address].shop) or society.may_use(who, address)
    return is_concerned and (known is None or known.since < news.since)


def present_sight(society: SocietyView, address: str) -> FixtureSight:
    """Return the present sight of a fixture or an item, as it truly is."""
    shop = society.state.shop(address)
    return FixtureSight(
        society.state.stock(address).goods,
        shop.prices if shop else (),
        society.state.process(address),
        society.now,
    )


class BelievedState(State):
    """The state as a resident believes it to be at one time: what they have last seen of fixtures
    and of others' containers, with the yield and deliveries expected since; the truth for the
    rest. Others' regard is hidden, and their jobs out of sight.

    It is for reading only, and each stock is computed once.
    """

    def __init__(self, truth: State, book: Book, who: str, place: str) -> None:
        super().__init__({}, truth.memories, truth.vector)
        self.truth, self.book, self.who, self.place = truth, book, who, place
        self._stocks: dict[str, Stock] = {}

    def row(self, key: Key[R]) -> R | None:
        return self.truth.row(key)

    def stock(self, holder: str) -> Stock:
        """Return the stock that the resident expects of a holder; the true one where they need not
        have seen it.
        """
        if holder not in self._stocks:  # a search looks at the same ones hundreds of times
            self._stocks[holder] = (
                self._expected_stock(holder)
                if self._is_known_by_sight(holder)
                else self.truth.stock(holder)
            )
        return self._stocks[holder]

    def shop(self, address: str) -> Shop | None:
        """Return the prices last seen in a shop; None if the resident has seen none."""
        seen = self._last_sight(address)
        prices = (
            tuple([(kind, price) for kind, price in seen.prices if kind in self.book.kinds])
            if seen
            else ()
        )
        return Shop(prices) if prices else None

    def process(self, address: str) -> Process | None:
        """Return the process last seen at a fixture, or None if it should be finished by now or
        there was none.
        """
        seen = self._last_sight(address)
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

    def job(self, who: str) -> Job | None:
        """Return a resident's present job, or None if it cannot be seen from the place; one's own
        always can.
        """
        job = self.truth.job(who)
        is_visible = job and job.at and arena_of(job.at) == arena_of(self.place)
        return job if who == self.who or is_visible else None

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

    def _last_sight(self, address: str) -> FixtureSight | None:
        return self.truth.last_sight(self.who, address)

    def _is_known_by_sight(self, holder: str) -> bool:
        """Return True if a holder is known by sight alone: a fixture, or an item outside the open
        part of their own bag.
        """
        if holder in self.book.fixtures:
            return True
        if MARK not in holder:
            return False
        *items, last = self.truth.holders(holder)
        return last != self.who or any(self.book.part_of(item).closed for item in items)

    def _is_ripe(self, seen: FixtureSight) -> bool:
        return seen.process is not None and seen.process.due <= self._now

    def _expected_stock(self, holder: str) -> Stock:
        """Return the last known stock of a holder, with the yield and the deliveries expected
        since.
        """
        seen = self._last_sight(holder)
        if seen is None:
            return Stock()
        goods, kinds = seen.goods, self.book.kinds
        if seen.process and self._is_ripe(seen) and seen.process.recipe in self.book.recipes:
            made = Counter(dict(self.book.recipes[seen.process.recipe].products))
            goods = tuple(sorted((made + Counter(dict(goods))).items()))
        if seen.prices and self._now - seen.since >= RESTOCK_TIME:
            goods = tuple(
                sorted(
                    (
                        Counter(dict(goods))
                        | Counter({kind: EXPECTED_STOCK for kind, _ in seen.prices})
                    ).items()
                )
            )
        return Stock(tuple([each for each in goods if kind_of(each[0]) in kinds]))


class BelievedSociety(SocietyView):
    """A society as a resident believes it to be. Since it does not change, costly values are cached
    for the search for plans.
    """

    @cached_property
    def now(self) -> datetime:
        return super().now

    @cached_property
    def jobs(self) -> list[tuple[str, Job]]:
        return super().jobs

    @cached_property
    def season(self) -> str:
        return super().season

    @cached_property
    def _owners_cache(self) -> dict[str, tuple[str, ...]]:
        return {}

    def accessible_owners(self, who: str) -> tuple[str, ...]:
        if who not in self._owners_cache:
            self._owners_cache[who] = super().accessible_owners(who)
        return self._owners_cache[who]

    @cached_property
    def _free_grams_cache(self) -> dict[str, int]:
        return {}

    def free_grams(self, holder: str) -> int:
        if holder not in self._free_grams_cache:
            self._free_grams_cache[holder] = super().free_grams(holder)
        return self._free_grams_cache[holder]
