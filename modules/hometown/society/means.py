"""A planner: backward-chaining search, over recipes and stocks, for the cheapest plan that
satisfies a need or a duty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from hometown.frozen import frozen
from hometown.society.deals import may_spend
from hometown.society.esteem import MOST, regard_for
from hometown.society.reach import Reach
from hometown.society.refusals import (
    refuse_gift,
    refuse_means,
    refuse_move,
    refuse_purchase,
    refuse_recipe,
)
from hometown.world.book.book import Recipe
from hometown.world.book.parts import DutyPart
from hometown.world.labour import Errand
from hometown.world.matter import MARK

DEPTH = 5
"""The largest number of recipes in a chain."""

NODES = 200
"""The number of goals after which the search stops."""

HOARD = 500
"""The value of all coins of a house, in minutes: residents with few coins walk far to save them."""

STALE, UNSURE = timedelta(hours=24), timedelta(hours=3)
"""The age of a sight from which a resident checks a duty again, and in need an empty store again.
"""

SHAME = 120
"""The cost of asking for a gift, in minutes."""

SOME = 4
"""The number of goods to buy, fetch or put away where an errand names none."""

Apart = Callable[[str, str], int]
"""Returns the walking time between two addresses or arenas, in minutes."""


@frozen
class Plan:
    """A sequence of errands.

    Attributes:
        errands: The errands, in order.
        place: The address at which they end.
        cost: The cost in minutes. Coins are converted to minutes.
    """

    errands: tuple[Errand, ...]
    place: str
    cost: int

    def then(self, errand: Errand, place: str, cost: int) -> Plan:
        return Plan((*self.errands, errand), place, self.cost + cost)


@dataclass
class Search(Reach):
    """A search on behalf of a resident, in a society as they believe it to be."""

    apart: Apart
    nodes: int = field(default=0, init=False)
    for_itself: bool = field(default=False, init=False)
    _resold: tuple[str, int] = field(default=("", 0), init=False)
    _at_most: int | None = field(default=None, init=False)
    _found: dict[tuple[str, int, Plan, int], Plan | None] = field(default_factory=dict, init=False)

    def meet(self, need: str, place: str) -> Plan | None:
        """Return the plan with the least cost for each point of a need; None if there is none.

        If the need cannot be satisfied now, the plan makes room in the bag, starts a process, or
        goes to look for goods.
        """
        self._begin(for_itself=True)
        recipes = self.affairs.book.meeting(need)
        start = Plan((), place, 0)
        ways = [
            (plan.cost / dict(recipe.body)[need], at, plan)
            for at, recipe in enumerate(recipes)
            for plan in self._done(recipe, start, 0)
        ]
        if ways:
            return min(ways, key=lambda way: way[:2])[2]
        if any(
            self.able_to_carry(kind) < count for recipe in recipes for kind, count in recipe.inputs
        ) and (freed := self._put_away(start)):
            return freed
        begun = _best(
            plan
            for recipe in recipes
            for kind, _ in recipe.inputs
            for plan in self._started(kind, start, 0)
        )
        return begun or (
            _best(self._looks(start)) if any(recipe.inputs for recipe in recipes) else None
        )

    def keep(self, duty: DutyPart, place: str) -> Plan | None:
        """Return the cheapest plan for a duty; None if it is fulfilled, or cannot be."""
        self._begin()
        book, start = self.affairs.book, Plan((), place, 0)
        self._at_most = (
            may_spend(self.affairs, self.who)
            if duty.do and self.affairs.is_pastime(duty.do)
            else None
        )
        self._resold = self._asked(duty)
        if duty.do:
            return _best(
                plan for recipe in book.families[duty.do] for plan in self._done(recipe, start, 0)
            )
        missing = duty.count - self.affairs.state.stock(duty.at).count(duty.keep)
        if not self.affairs.owns(self.who, duty.at):
            return None
        fitting = (
            min(missing, self.affairs.room(duty.at) // book.kinds[duty.keep].grams)
            if missing > 0
            else 0
        )
        if fitting <= 0:
            return self._look(start, duty.at) if self._unseen_for(duty.at, STALE) else None
        own = self.keeps(duty.keep)
        ways = _best(
            self._put(plan, duty, fitting)
            for plan in self._had(duty.keep, 1 + own, fitting + own, start, 0, duty.at)
        )
        return ways or _best(self._started(duty.keep, start, 0))

    def unburden(self, place: str) -> Plan | None:
        """Return the plan to put goods away; None while half of the bag is free, or without a place
        for them.
        """
        return (
            self._put_away(Plan((), place, 0))
            if 2 * self.room < self.affairs.book.start.bag
            else None
        )

    def _begin(self, for_itself: bool = False) -> None:
        """Reset the search. One for a resident's own needs leaves their employer's goods alone."""
        self.nodes, self.for_itself, self._at_most, self._resold, self._found = (
            0,
            for_itself,
            None,
            ("", 0),
            {},
        )

    def _asked(self, duty: DutyPart) -> tuple[str, int]:
        """Return the kind that a duty keeps for sale, with its price; a price of 0 if it is not for
        sale.
        """
        shop = self.affairs.state.shop(duty.at)
        price = dict(shop.prices).get(duty.keep, 0) if shop else 0
        return (duty.keep, price) if price else ("", 0)

    def fulfil(self, verb: str, what: str, at: str, place: str) -> Plan | None:
        """Return the cheapest plan for a wish; None if there is none.

        Args:
            verb: To do a recipe, or to buy, take, put or look.
            what: A family of recipes, or a kind.
            at: The fixture or item; "" for any.
            place: The address at which the resident is.
        """
        self._begin()
        start = Plan((), place, 0)
        if verb not in ("do", "look") and (
            what not in self.affairs.book.kinds
            or (at and MARK not in at and at not in self.affairs.book.fixtures)
        ):
            return None
        if verb == "do":
            return _best(
                plan
                for recipe in self.affairs.book.families.get(what, ())
                for plan in self._done(recipe, start, 0)
            )
        if verb == "look":
            return self._look(start, at)
        if verb == "put":
            return self.keep(
                DutyPart(keep=what, count=self.affairs.state.stock(at).count(what) + SOME, at=at),
                place,
            )
        most = SOME - self.in_bag(what)  # whoever has enough of it in the bag gets no more
        bought = (
            self._bought(what, 1, most, start)
            if verb == "buy"
            else self._taken(what, 1, most, start, "")
        )
        return _best(plan for plan in bought if at in ("", plan.errands[-1].at))

    def tend(self, recipe: Recipe, other: str, place: str) -> Plan | None:
        """Return the cheapest plan to do a recipe for another resident; None if there is none."""
        self._begin()
        start, refusal = Plan((), place, 0), refuse_means(self.affairs, self.who, recipe, "")
        if self.barred("tend", other, recipe.id) or (refusal and refusal.code != "LACKS"):
            return None
        ready = self._ready(recipe, "", start, 0) if refusal else start
        return (
            self._then(ready, Errand("tend", other, recipe.id), recipe.minutes) if ready else None
        )

    def _looks(self, plan: Plan) -> Iterator[Plan]:
        """Yield the plans to look for goods in stores and open shops whose contents are unknown."""
        own = [
            holder
            for holder in self.stores
            if self.affairs.book.part_of(holder).holds and self._hidden(holder)
        ]
        for address in (*own, *filter(self.affairs.is_open, self.affairs.book.shops)):
            if self._unseen_for(address, UNSURE):
                yield self._look(plan, address)

    def _hidden(self, holder: str) -> bool:
        """Return whether a holder can be inspected only by going there or by opening it."""
        return bool(self.affairs.site(holder)) or self.affairs.book.part_of(holder).closed

    def _look(self, plan: Plan, address: str) -> Plan:
        return self._then(plan, Errand("look", address, ""))

    def _then(self, plan: Plan, errand: Errand, more: int = 0) -> Plan:
        """Return a plan with one errand more. Its cost is the walk there and the `more` minutes it
        takes.
        """
        place = self.affairs.site(errand.at) or plan.place
        return plan.then(
            errand, place, (self.apart(plan.place, place) if place != plan.place else 0) + more
        )

    def _unseen_for(self, address: str, hours: timedelta) -> bool:
        seen = self.affairs.state.seen(self.who, address)
        return seen is None or self.affairs.now - seen.since >= hours

    def _put(self, plan: Plan, duty: DutyPart, fitting: int) -> Plan:
        """Return a plan with the errand to put goods away for a duty, as many as are in the bag and
        fit.
        """
        count = (
            self.in_bag(duty.keep)
            - self.keeps(duty.keep)
            + sum(self._gained(errand, duty.keep) for errand in plan.errands)
        )
        return self._then(plan, Errand("put", duty.at, duty.keep, min(count, fitting)))

    def _put_away(self, plan: Plan) -> Plan | None:
        """Return a plan with the errand to put away the kind that weighs most in the bag; None if
        none fits.

        Fixtures without a tag and with much room are preferred, since goods in a bed keep it from
        being planted.
        """
        book, kinds = self.affairs.book, self.affairs.book.kinds
        spare = {kind: count - self.keeps(kind) for kind, count in self._bag.items()}
        own = [address for address in book.fixtures if self.affairs.is_its_own(self.who, address)]
        own.sort(
            key=lambda address: (bool(book.fixtures[address].tags), -self.affairs.room(address))
        )  # what lies in a bed keeps it from being planted
        for kind in sorted(spare, key=lambda kind: -spare[kind] * kinds[kind].grams):
            for address in own:
                count = min(spare[kind], self.affairs.room(address) // kinds[kind].grams)
                goods = ((kind, count),)
                if (
                    count > 0
                    and not self.barred("put", address, kind)
                    and refuse_move(self.affairs, self.who, self.who, address, goods) is None
                ):
                    return self._then(plan, Errand("put", address, kind, count))
        return None

    def _gained(self, errand: Errand, kind: str) -> int:
        """Return the number of goods of a kind that an errand adds to the bag, inputs of recipes
        ignored.
        """
        if errand.verb == "do":
            return dict(self.affairs.book.recipes[errand.what].make).get(kind, 0)
        return errand.count if errand.what == kind else 0

    def _started(self, kind: str, plan: Plan, depth: int) -> Iterator[Plan]:
        """Yield the plans that start a process which makes a kind, or one of its inputs."""
        self.nodes += 1
        for recipe in (
            self.affairs.book.makers[kind] if self.nodes <= NODES and depth <= DEPTH else ()
        ):
            if recipe.after:
                yield from self._done(recipe, plan, depth + 1)
            else:
                yield from (
                    way for made, _ in recipe.inputs for way in self._started(made, plan, depth + 1)
                )

    def _got(self, kind: str, count: int, plan: Plan, depth: int) -> Plan | None:
        """Return the cheapest plan after which the bag has `count` of a kind; None if there is
        none.

        Results are cached, since a recipe takes the same inputs at each of several fixtures.
        """
        want = kind, count, plan, depth
        if want not in self._found:
            self._found[want] = _best(self._had(kind, count, count, plan, depth))
        return self._found[want]

    def _had(
        self, kind: str, least: int, most: int, plan: Plan, depth: int, but: str = ""
    ) -> Iterator[Plan]:
        """Yield the plans after which the bag has at least `least` of a kind, and up to `most` for
        the same effort. No goods come from the fixture `but`.
        """
        self.nodes += 1
        if self.in_bag(kind) >= least:
            yield plan
            return
        if self.nodes > NODES or depth > DEPTH:
            return
        lacking = least - self.in_bag(kind)
        yield from self._taken(kind, lacking, most, plan, but)
        yield from self._bought(kind, lacking, most, plan)
        if lacking == 1:
            yield from self._given(kind, plan)
        for recipe in self.affairs.book.makers[kind]:
            if not recipe.after and dict(recipe.make)[kind] >= lacking:
                yield from self._done(recipe, plan, depth + 1)

    def _taken(self, kind: str, least: int, most: int, plan: Plan, but: str) -> Iterator[Plan]:
        """Yield the plans to take goods from fixtures and containers that the resident may use."""
        able = self.able_to_carry(kind)
        for address, there in self.stored.get(kind, ()):
            count = min(most, there, able)
            if (
                count < least
                or address == but
                or not self._may_use(address)
                or self.barred("take", address, kind)
            ):
                continue
            if refuse_move(self.affairs, self.who, address, self.who, ((kind, count),)) is None:
                yield self._then(plan, Errand("take", address, kind, count))

    def _may_use(self, address: str) -> bool:
        """Return whether goods in a fixture may be taken: an employer's only for duties."""
        return (
            self.affairs.is_its_own(self.who, address)
            if self.for_itself
            else self.affairs.owns(self.who, address)
        )

    def _bought(self, kind: str, least: int, most: int, plan: Plan) -> Iterator[Plan]:
        """Yield the plans to buy goods in others' shops, as many as the resident can pay and carry.

        For pastimes only part of the coins is spent, and goods for resale must cost less than they
        bring.
        """
        able, coins = (
            self.able_to_carry(kind),
            self.coins if self._at_most is None else self._at_most,
        )
        for address, price in self.sold.get(kind, ()):
            dear = kind == self._resold[0] and price >= self._resold[1]
            if not price or dear or self._may_use(address) or self.barred("buy", address, kind):
                continue
            count = min(most, able, coins // price, self.affairs.state.stock(address).count(kind))
            if (
                count >= least
                and refuse_purchase(self.affairs, self.who, address, kind, count) is None
            ):
                yield self._then(
                    plan, Errand("buy", address, kind, count), HOARD * price * count // self.coins
                )

    def _given(self, kind: str, plan: Plan) -> Iterator[Plan]:
        """Yield the plans to ask a shop for one of a kind as a gift."""
        for address, _ in self.sold.get(kind, ()):
            if (
                not self.barred("ask", address, kind)
                and refuse_gift(self.affairs, self.who, address, kind) is None
            ):
                yield self._then(plan, Errand("ask", address, kind), self._shame(address))

    def _shame(self, address: str) -> int:
        """Return the cost of asking for a gift at a shop: the less, the better the resident thinks
        of a keeper.
        """
        liked = max(
            (
                regard_for(self.affairs.state, self.who, keeper)
                for keeper in self.affairs.book.keepers(address)
            ),
            default=0,
        )
        return SHAME - SHAME * liked // (2 * MOST)

    def _done(self, recipe: Recipe, plan: Plan, depth: int) -> Iterator[Plan]:
        """Yield the plans after which a recipe is done, with each input got at the least cost."""
        for at in () if refuse_recipe(self.affairs, recipe) else self.workplaces(recipe.at):
            if self.barred("do", at, recipe.id):
                continue
            refusal = refuse_means(self.affairs, self.who, recipe, at)
            if refusal is None or refusal.code == "LACKS":
                ready = self._ready(recipe, at, plan, depth) if refusal else plan
                if ready is not None:
                    minutes = recipe.minutes - min(0, dict(recipe.body).get("energy", 0))
                    yield self._then(ready, Errand("do", at, recipe.id), minutes)

    def _ready(self, recipe: Recipe, at: str, plan: Plan, depth: int) -> Plan | None:
        """Return the plan after which the tool and all inputs are in the bag or at the fixture;
        None if there is none.
        """
        if self.affairs.lacks_tool(self.who, recipe, at):
            tools = self.affairs.book.tools_for(recipe.tool)
            equipped = _best(way for kind in tools if (way := self._got(kind, 1, plan, depth + 1)))
            if equipped is None:
                return None
            plan = equipped
        for kind, count in recipe.inputs:
            lacking = count - (self.affairs.state.stock(at).count(kind) if at else 0)
            found = self._got(kind, lacking, plan, depth + 1) if lacking > 0 else plan
            if found is None:
                return None
            plan = found
        return plan


def _best(plans: Iterator[Plan]) -> Plan | None:
    """Return the plan with the least cost, the first of equals."""
    return min(plans, key=lambda plan: plan.cost, default=None)
