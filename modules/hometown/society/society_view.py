"""A read-only view of a society: its rules and its present state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hometown.clock import minute_of_day
from hometown.society.bodies import need_levels
from hometown.world.authored import WEEKDAYS
from hometown.world.book.book import COIN, Book, Recipe
from hometown.world.book.parts import DutyPart
from hometown.world.book.references import SLEEP
from hometown.world.labour import BlockedErrand, Errand, Job
from hometown.world.matter import MARK, Goods, Transfer, kind_of
from hometown.world.state import State
from hometown.world.world import OUTDOORS, arena_of


def work_holder(who: str) -> str:
    """Return the holder id of the goods that a resident's work has reserved."""
    return f"work:{who}"


def growth_holder(address: str) -> str:
    """Return the holder id of the goods that a fixture's process has reserved."""
    return f"growth:{address}"


def number_items(book: Book, goods: Goods, last: int) -> Goods:
    """Return the goods with each new item as an entry of its own, named "kind#number" and numbered
    from `last` + 1. Items are the goods of kinds that the rules count singly; those that have a
    number already, and all other goods, are unchanged.
    """
    named: list[tuple[str, int]] = []
    for kind, count in goods:
        ids = (
            [f"{kind}{MARK}{last + at}" for at in range(1, count + 1)]
            if MARK not in kind and book.kinds[kind].item
            else []
        )
        last += len(ids)
        named += [(each, 1) for each in ids] or [(kind, count)]
    return tuple(named)


def room_of(address: str) -> str:
    """Return the arena of an address; "" for the streets, where residents can be far apart."""
    arena = arena_of(address)
    return "" if arena == OUTDOORS else arena


@dataclass(frozen=True)
class SocietyView:
    """A society at one time: its rules and the town's state. It changes nothing.

    Attributes:
        book: The rules.
        state: The town's rows.
        start: The time at which the world begins.
        seed: The run's seed.
        pleasure_of: Returns a resident's pleasure, -100 to 100; 0 in a town without feelings.
        place_of: Returns the arena in which a resident is; "" outdoors and out of town.
    """

    book: Book
    state: State
    start: datetime
    seed: int = 0
    pleasure_of: Callable[[str], int] = lambda who: 0
    place_of: Callable[[str], str] = lambda who: ""

    @property
    def now(self) -> datetime:
        return self.state.clock.now

    @property
    def season(self) -> str:
        return self.book.season_on(self.day)

    @property
    def day(self) -> int:
        """The days since the day on which the world begins."""
        return (self.now.date() - self.start.date()).days

    @property
    def sleep_needs(self) -> list[str]:
        """The needs that sleep satisfies."""
        return [need for need, part in self.book.needs.items() if SLEEP in part.met_by]

    def is_pastime(self, family: str) -> bool:
        """Return True if a family of recipes makes nothing and is done for its effect on needs
        alone.
        """
        if family not in self.book.families:
            return False
        return all(not recipe.products for recipe in self.book.families[family])

    def is_member(self, who: str) -> bool:
        """Return True if a person has needs, goods and work here, as all but visitors have."""
        return who in self.book.start.people

    def purse(self, who: str) -> str:
        """Return the holder of a resident's coins."""
        return self.book.purse(who)

    def goods_in(self, holders: Iterable[str]) -> Counter[str]:
        """Return the number of goods and items of each kind in all these holders together."""
        found = Counter[str]()
        for holder in holders:
            found.update(self.state.stock(holder).counts)
        return found

    def levels(self, who: str) -> dict[str, int]:
        """Return the present level of each of a resident's needs, 0 to 1000 points."""
        return need_levels(self.book, self.state.needs(who), self.now)

    def needs_below(self, who: str, level: Literal["low", "urgent"]) -> list[str]:
        """Return a resident's needs below their low or urgent level that a recipe or sleep can
        satisfy, the lowest first.
        """
        felt = self.levels(who)
        below = [
            need
            for need, part in self.book.needs.items()
            if part.met_by and felt[need] < getattr(part, level)
        ]
        return sorted(below, key=lambda need: felt[need])

    def refused_errands(self, who: str) -> list[Errand]:
        """Return the errands that a resident does not repeat yet, since they were refused."""
        return [bar.outcome.errand for bar in self.blocks_of(who)]

    def blocks_of(self, who: str) -> list[BlockedErrand]:
        """Return the blocks of errands that are not over, the latest last."""
        return [bar for bar in self.state.blocked_errands(who) if bar.until > self.now]

    def coins(self, who: str) -> int:
        """Return the coins in a resident's purse."""
        return self.state.stock(self.purse(who)).count(COIN)

    def may_use(self, who: str, address: str) -> bool:
        """Return True if a resident may use a fixture or an item at work.

        They may use a fixture of their own, of their house, of the house that employs them, and one
        without an owner; and an item in such a fixture or in their own bag.
        """
        return self._is_owned_by(address, who, self.accessible_owners(who))

    def may_consume(self, who: str, address: str) -> bool:
        """Return True if a resident may take goods for their own needs from a fixture or an item:
        an employer's are excluded.
        """
        return self._is_owned_by(address, who, ("", who, self.purse(who)))

    def accessible_owners(self, who: str) -> tuple[str, ...]:
        """Return the owners whose fixtures a resident may use."""
        return "", who, self.purse(who), f"house:{self.employer(who)}"

    def _is_owned_by(self, address: str, who: str, owners: tuple[str, ...]) -> bool:
        """Return True if a fixture, or the one that contains an item, has one of these owners, or
        the item is in the resident's bag.
        """
        last = self._outermost_holder(address)
        fixture = self.book.fixtures.get(last)
        return fixture.owner in owners if fixture else last == who

    def _outermost_holder(self, address: str) -> str:
        """Return the fixture or the bag that contains an item."""
        return address if address in self.book.fixtures else self.state.holders(address)[-1]

    def site_of(self, at: str) -> str:
        """Return the address at which a resident reaches `at`.

        Args:
            at: A fixture, an item or a resident.

        Returns:
            The fixture itself, the fixture that contains the item, or the arena of the resident; "" for
            an item in a bag.
        """
        if at in self.book.start.people:
            return self.place_of(at)
        if MARK not in at:
            return at
        last = self._outermost_holder(at)
        return last if last in self.book.fixtures else ""

    def awake_in(self, place: str) -> list[str]:
        """Return the residents who are awake in an arena and can help or witness something there;
        none for "".
        """
        return [
            who
            for who in self.book.start.people
            if place and self.place_of(who) == place and not self.state.needs(who).asleep
        ]

    def containers(self, holder: str) -> Iterator[str]:
        """Yield the containers in a fixture or a bag, nested ones included."""
        for item in self.state.stock(holder).items:
            if self.book.kinds[kind_of(item)].holds:
                yield item
                yield from self.containers(item)

    def stores_of(self, who: str) -> Iterator[str]:
        """Yield the fixtures and containers that a resident may put goods into and take them from,
        those in their bag included, without the bag itself.
        """
        yield from self.containers(who)
        owners = self.accessible_owners(who)
        for address, fixture in self.book.fixtures.items():
            if fixture.owner in owners:
                yield address
                yield from self.containers(address)

    def employer(self, who: str) -> str:
        """Return the house for which a resident works beside their own; "" for none."""
        hired = self.state.employment(who)
        return hired.house if hired else ""

    def duties(self, who: str) -> tuple[DutyPart, ...]:
        """Return a resident's duties: their own, or all of the house that employs them."""
        if house := self.employer(who):
            return tuple(self.book.duties_of(house))
        return self.book.start.people[who].duties

    def is_open(self, address: str) -> bool:
        """Return True if a fixture is a shop that is open now."""
        fixture = self.book.fixtures.get(address)
        shop = fixture and fixture.shop
        return bool(
            shop
            and shop.opens <= minute_of_day(self.now) < shop.closes
            and not self.is_closed_today(address)
        )

    def is_closed_today(self, address: str) -> bool:
        """Return True if a fixture is closed on this day of the week."""
        return WEEKDAYS[self.now.weekday()] in self.book.fixtures[address].closed_on

    def is_occupied(self, address: str) -> bool:
        """Return True if a fixture is occupied by a process or by as many workers as it serves."""
        return (
            self.state.process(address) is not None
            or sum(job.at == address for _, job in self.jobs) >= self.book.fixtures[address].serves
        )

    def free_grams(self, holder: str) -> int:
        """Return the free capacity of a resident, a fixture or an item, in grams.

        Space for reserved goods that may come back, and for products under way, counts as used.
        """
        limit = (
            self.book.start.bag
            if holder in self.book.start.people
            else self.book.part_of(holder).holds
        )
        return limit - self.used_grams(holder)

    def used_grams(self, holder: str) -> int:
        """Return the used capacity of a holder, in grams: its goods, the contents of its items, and
        reserved space.
        """
        stock = self.state.stock(holder)
        return (
            self.book.grams(stock.goods)
            + self._reserved_grams(holder)
            + sum(map(self.used_grams, stock.items))
        )

    def weigh(self, holder: str, goods: Goods) -> int:
        """Return the weight of goods of a holder, in grams, with the contents of the items among
        them.
        """
        names = [
            name for kind, count in goods for name, _ in self.state.stock(holder).pick(kind, count)
        ]
        return self.book.grams(goods) + sum(self.used_grams(name) for name in names if MARK in name)

    def _reserved_grams(self, holder: str) -> int:
        """Return the grams to keep free in a holder for a process and for each job: the products or
        the inputs that would come back, whichever weigh more.
        """
        process = self.state.process(holder)
        grams = self.product_grams(self.book.recipes[process.recipe]) if process else 0
        for who, job in self.jobs:
            back = sum(
                self.book.grams(move.goods) for move in job.reserved_moves if move.giver == holder
            )
            grams += max(
                back,
                self.product_grams(self.book.recipes[job.recipe])
                if holder == self.receiver_of(who, job.recipe, job.at)
                else 0,
            )
        return grams

    def receiver_of(self, who: str, recipe: str, at: str) -> str:
        """Return the holder of a recipe's products: the fixture for a recipe with a process, else
        the worker.
        """
        return at if self.book.recipes[recipe].after else who

    def product_grams(self, recipe: Recipe) -> int:
        """Return the weight of a recipe's products, in grams: the heavier of success and failure."""
        return max(
            self.book.grams(recipe.products),
            self.book.grams(tuple(recipe.part.failure.make.items())),
        )

    def find_tool(self, who: str, recipe: Recipe, at: str) -> Transfer | None:
        """Return the move that takes a tool for a recipe to hand, or None without one.

        The bag is preferred to the fixture, and of several tools the most worn.
        """
        for holder in (who, at):
            if fit := self._tools_in(holder, recipe.tool):
                return Transfer(holder, work_holder(who), ((max(fit, key=self._uses), 1),))
        return None

    def lacks_tool(self, who: str, recipe: Recipe, at: str) -> bool:
        """Return True if a recipe needs a tool that is neither in the bag nor at the fixture."""
        return (
            bool(recipe.tool)
            and not self._tools_in(who, recipe.tool)
            and not self._tools_in(at, recipe.tool)
        )

    def _tools_in(self, holder: str, tag: str) -> list[str]:
        """Return the tools with a tag in a holder, items first."""
        stock = self.state.stock(holder)
        return [
            name
            for name in (*stock.items, *dict(stock.goods))
            if tag in self.book.kinds[kind_of(name)].tags
        ]

    def _uses(self, name: str) -> int:
        """Return the number of uses of a tool; 0 for one that is no item."""
        item = self.state.item(name)
        return item.worn if item else 0

    def number_new_items(self, goods: Goods) -> Goods:
        """Return the goods with the ids that new items among them will get."""
        return number_items(self.book, goods, self.state.last_item_number)

    @property
    def jobs(self) -> list[tuple[str, Job]]:
        """The residents at work, each with their present job."""
        return [
            (who, job) for who in self.book.start.people if (job := self.state.job(who)) is not None
        ]

    def input_sources(self, who: str, recipe: Recipe, at: str) -> list[tuple[str, Goods]]:
        """Return, as (holder, goods), the goods that each holder contributes to a recipe, the
        fixture before the bag.

        Where both together have too little, the result is less than the recipe needs.
        """
        left, given = dict(recipe.inputs), []
        for holder in (at, who) if at else (who,):
            goods = tuple(
                (kind, min(count, self.state.stock(holder).count(kind)))
                for kind, count in left.items()
            )
            left = {kind: left[kind] - count for kind, count in goods}
            given.append((holder, tuple((kind, count) for kind, count in goods if count)))
        return [(holder, goods) for holder, goods in given if goods]
