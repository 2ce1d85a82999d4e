"""How things stand: the book and the state, read together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from hometown.clock import minute_of_day
from hometown.society.bodies import levels
from hometown.world.authored import WEEKDAYS
from hometown.world.book.book import COIN, Book, Recipe
from hometown.world.book.parts import DutyPart
from hometown.world.book.references import SLEEP
from hometown.world.labour import Deed
from hometown.world.matter import MARK, Goods, Move, kind_of
from hometown.world.state import State


def at_work(who: str) -> str:
    """The holder of what somebody's work has bound."""
    return f"work:{who}"


def growing(address: str) -> str:
    """The holder of what a fixture's process has bound."""
    return f"growth:{address}"


def numbered(book: Book, goods: Goods, last: int) -> Goods:
    """Goods with new items by their ids, which go on after the number `last`."""
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


@dataclass(frozen=True)
class Affairs:
    """A society at a moment; `start` is the moment at which its world begins, and `seed` the run's.
    Nothing here changes anything.

    `pleasures` says how well somebody feels, -100 to 100, where the town has feelings, and `places`
    in which arena somebody is, "" outdoors and out of town.
    """

    book: Book
    state: State
    start: datetime
    seed: int = 0
    pleasures: Callable[[str], int] = lambda who: 0
    places: Callable[[str], str] = lambda who: ""

    @property
    def now(self) -> datetime:
        return self.state.clock.now

    @property
    def season(self) -> str:
        return self.book.season_on(self.day)

    @property
    def day(self) -> int:
        """Days since the one on which the world begins."""
        return (self.now.date() - self.start.date()).days

    @property
    def slept_off(self) -> list[str]:
        """The needs that sleep meets."""
        return [need for need, part in self.book.needs.items() if SLEEP in part.met_by]

    def is_pastime(self, family: str) -> bool:
        """Whether a recipe makes nothing, and is done only for the good that it does."""
        return (
            all(not recipe.products for recipe in self.book.families.get(family, ()))
            and family in self.book.families
        )

    def purse(self, who: str) -> str:
        """The holder of somebody's coins."""
        return self.book.purse(who)

    def goods_in(self, holders: Iterable[str]) -> Counter[str]:
        """How many there are of each kind in all of these, items too."""
        found = Counter[str]()
        for holder in holders:
            found.update(self.state.stock(holder).counts)
        return found

    def levels(self, who: str) -> dict[str, int]:
        """The level of each need of somebody now, 0 to 1000 points."""
        return levels(self.book, self.state.needs(who), self.now)

    def coins(self, who: str) -> int:
        return self.state.stock(self.purse(who)).count(COIN)

    def owns(self, who: str, address: str) -> bool:
        """Whether somebody may use a fixture, the house's, that of the house for which it works, or
        everybody's; and an item in one, or in its own bag.
        """
        return self._belongs(address, who, self.owners(who))

    def is_its_own(self, who: str, address: str) -> bool:
        """Whether somebody may take what it needs for itself from a fixture or an item: not from
        that of a house for which it only works.
        """
        return self._belongs(address, who, ("", who, self.purse(who)))

    def owners(self, who: str) -> tuple[str, ...]:
        """Whose fixtures somebody may use."""
        return "", who, self.purse(who), f"house:{self.employer(who)}"

    def _belongs(self, address: str, who: str, owners: tuple[str, ...]) -> bool:
        last = self._last(address)
        fixture = self.book.fixtures.get(last)
        return fixture.owner in owners if fixture else last == who

    def _last(self, address: str) -> str:
        """The fixture or the bag in which something is."""
        return address if address in self.book.fixtures else self.state.holders(address)[-1]

    def site(self, at: str) -> str:
        """Where one has to be for what is at `at`: the fixture itself, or the one in which an item
        is, or where somebody is; "" for what is in a bag.
        """
        if at in self.book.start.people:
            return self.places(at)
        if MARK not in at:
            return at
        last = self._last(at)
        return last if last in self.book.fixtures else ""

    def present(self, place: str) -> list[str]:
        """Who is awake in an arena, of whom to be helped or to see something."""
        return [
            who
            for who in self.book.start.people
            if self.places(who) == place and not self.state.needs(who).asleep
        ]

    def containers(self, holder: str) -> Iterator[str]:
        """The items in which something can lie that are in a fixture or a bag, and those in them."""
        for item in self.state.stock(holder).items:
            if self.book.kinds[kind_of(item)].holds:
                yield item
                yield from self.containers(item)

    def stores(self, who: str) -> Iterator[str]:
        """All that somebody may put things into and take them out of, beside its bag."""
        yield from self.containers(who)
        owners = self.owners(who)
        for address, fixture in self.book.fixtures.items():
            if fixture.owner in owners:
                yield address
                yield from self.containers(address)

    def employer(self, who: str) -> str:
        """The house for which somebody works beside its own, "" for none."""
        hired = self.state.hired(who)
        return hired.house if hired else ""

    def duties(self, who: str) -> tuple[DutyPart, ...]:
        """What somebody sees to: for whom it works, what all of that house see to."""
        if house := self.employer(who):
            return tuple(
                dict.fromkeys(
                    duty
                    for each in self.book.people_of(house)
                    for duty in self.book.start.people[each].duties
                )
            )
        return self.book.start.people[who].duties

    def is_open(self, address: str) -> bool:
        fixture = self.book.fixtures.get(address)
        shop = fixture and fixture.shop
        return bool(
            shop and shop.opens <= minute_of_day(self.now) < shop.closes and not self.rests(address)
        )

    def rests(self, address: str) -> bool:
        """Whether nobody works at a fixture today."""
        return WEEKDAYS[self.now.weekday()] in self.book.fixtures[address].closed_on

    def busy(self, address: str) -> bool:
        """Whether something goes on at a fixture by itself, or as many are at work there as it
        serves.
        """
        return (
            self.state.process(address) is not None
            or sum(deed.at == address for _, deed in self.deeds)
            >= self.book.fixtures[address].serves
        )

    def room(self, holder: str) -> int:
        """Grams that a resident, a fixture or an item can still take in, beside what is bound and
        may come back, and what will be made there.
        """
        limit = (
            self.book.start.bag
            if holder in self.book.start.people
            else self.book.part_of(holder).holds
        )
        return limit - self.load(holder)

    def load(self, holder: str) -> int:
        """Grams of all that is in a holder, also within the items in it, and of that for which room
        is kept.
        """
        stock = self.state.stock(holder)
        return (
            self.book.grams(stock.goods) + self._reserved(holder) + sum(map(self.load, stock.items))
        )

    def grams(self, holder: str, goods: Goods) -> int:
        """What goods of a holder weigh, with all that is in items among them."""
        names = [
            name for kind, count in goods for name, _ in self.state.stock(holder).pick(kind, count)
        ]
        return self.book.grams(goods) + sum(self.load(name) for name in names if MARK in name)

    def _reserved(self, holder: str) -> int:
        process = self.state.process(holder)
        grams = self.grams_made(self.book.recipes[process.recipe]) if process else 0
        for who, deed in self.deeds:
            back = sum(self.book.grams(move.goods) for move in deed.held if move.giver == holder)
            grams += max(
                back,
                self.grams_made(self.book.recipes[deed.recipe])
                if holder == self.receiver(who, deed.recipe, deed.at)
                else 0,
            )
        return grams

    def receiver(self, who: str, recipe: str, at: str) -> str:
        """Who gets what a recipe makes: the fixture where it goes on by itself, else whoever does
        it.
        """
        return at if self.book.recipes[recipe].after else who

    def grams_made(self, recipe: Recipe) -> int:
        """Whether it succeeds or not."""
        return max(
            self.book.grams(recipe.products),
            self.book.grams(tuple(recipe.part.failure.make.items())),
        )

    def tool(self, who: str, recipe: Recipe, at: str) -> Move | None:
        """The tool that somebody would use for a recipe, as it is taken to hand: out of the bag,
        else the fixture; of several the most worn.
        """
        for holder in (who, at):
            if fit := self._tools_in(holder, recipe.tool):
                return Move(holder, at_work(who), ((max(fit, key=self._worn), 1),))
        return None

    def lacks_tool(self, who: str, recipe: Recipe, at: str) -> bool:
        """Whether a recipe takes a tool that is neither in the bag nor at the fixture."""
        return (
            bool(recipe.tool)
            and not self._tools_in(who, recipe.tool)
            and not self._tools_in(at, recipe.tool)
        )

    def _tools_in(self, holder: str, tag: str) -> list[str]:
        """The items and goods of a holder that are tools with a tag, items first."""
        stock = self.state.stock(holder)
        return [
            name
            for name in (*stock.items, *dict(stock.goods))
            if tag in self.book.kinds[kind_of(name)].tags
        ]

    def _worn(self, name: str) -> int:
        item = self.state.item(name)
        return item.worn if item else 0

    def new(self, goods: Goods) -> Goods:
        """Goods that are about to be made: items by the ids that they will have."""
        return numbered(self.book, goods, self.state.numbered)

    @property
    def deeds(self) -> list[tuple[str, Deed]]:
        """Who is at what work."""
        return [
            (who, deed)
            for who in self.book.start.people
            if (deed := self.state.deed(who)) is not None
        ]

    def sources(self, who: str, recipe: Recipe, at: str) -> list[tuple[str, Goods]]:
        """What each holder at hand, the fixture before the bag, would give to a recipe; less than
        it needs where they have less.
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
