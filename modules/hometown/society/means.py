"""The search for means: from what is wanted back to what can be done now, over recipes and stock,
with the least effort.
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
"""Recipes in a row."""

NODES = 200
"""Wants looked into before the search gives up."""

HOARD = 500
"""Minutes that all coins of a house are worth to those who live there: whoever has few walks far to
save them, whoever has many spends them.
"""

STALE, UNSURE = timedelta(hours=24), timedelta(hours=3)
"""Time after which somebody looks again at what it sees to, though it should be in order; and, in
need, at what should be empty.
"""

SHAME = 120
"""Minutes that people would rather work than ask for a gift."""

SOME = 4
"""How many of a kind somebody buys, fetches or puts away who does not say how many."""

Apart = Callable[[str, str], int]
"""Minutes of the way between two addresses, or arenas."""


@frozen
class Plan:
    """Errands in order, where they end, and what they cost in minutes and in coins that are worth
    minutes.
    """

    errands: tuple[Errand, ...]
    place: str
    cost: int

    def then(self, errand: Errand, place: str, cost: int) -> Plan:
        return Plan((*self.errands, errand), place, self.cost + cost)


@dataclass
class Search(Reach):
    """Searches for somebody, as far as it knows how `affairs` stand."""

    apart: Apart
    nodes: int = field(default=0, init=False)
    for_itself: bool = field(default=False, init=False)
    _resold: tuple[str, int] = field(default=("", 0), init=False)
    _at_most: int | None = field(default=None, init=False)
    _found: dict[tuple[str, int, Plan, int], Plan | None] = field(default_factory=dict, init=False)

    def meet(self, need: str, place: str) -> Plan | None:
        """The least effort a point by which a need is higher afterwards; None if nothing can be
        done for it.
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
        """The least effort that sees to a duty; None if it is seen to, or nothing can be done."""
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
        """Puts something away; None while half the bag is free, or if there is nowhere to put
        anything.
        """
        return (
            self._put_away(Plan((), place, 0))
            if 2 * self.room < self.affairs.book.start.bag
            else None
        )

    def _begin(self, for_itself: bool = False) -> None:
        """A new search: for one's own needs, or else with what belongs to those for whom one works,
        too.
        """
        self.nodes, self.for_itself, self._at_most, self._resold, self._found = (
            0,
            for_itself,
            None,
            ("", 0),
            {},
        )

    def _asked(self, duty: DutyPart) -> tuple[str, int]:
        """The kind that somebody is to keep in a shop, if it is sold there, and for how much; else
        none.
        """
        shop = self.affairs.state.shop(duty.at)
        price = dict(shop.prices).get(duty.keep, 0) if shop else 0
        return (duty.keep, price) if price else ("", 0)

    def fulfil(self, verb: str, what: str, at: str, place: str) -> Plan | None:
        """The least effort that does a recipe of this family, or buys, fetches or puts somewhere
        some of a kind; None if nothing can be done.
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
        """The least effort that does a recipe for another, where that is; None if something is
        lacking that cannot be got.
        """
        self._begin()
        start, refusal = Plan((), place, 0), refuse_means(self.affairs, self.who, recipe, "")
        if self.barred("tend", other, recipe.id) or (refusal and refusal.code != "LACKS"):
            return None
        ready = self._ready(recipe, "", start, 0) if refusal else start
        return (
            self._then(ready, Errand("tend", other, recipe.id), recipe.minutes) if ready else None
        )

    def _looks(self, plan: Plan) -> Iterator[Plan]:
        """Where somebody goes to look who knows of nothing: what it may take things out of, and
        shops that are open.
        """
        own = [
            holder
            for holder in self.stores
            if self.affairs.book.part_of(holder).holds and self._hidden(holder)
        ]
        for address in (*own, *filter(self.affairs.is_open, self.affairs.book.shops)):
            if self._unseen_for(address, UNSURE):
                yield self._look(plan, address)

    def _hidden(self, holder: str) -> bool:
        """Whether somebody has to go somewhere, or to open something, to see what is there: not for
        what is open in its bag.
        """
        return bool(self.affairs.site(holder)) or self.affairs.book.part_of(holder).closed

    def _look(self, plan: Plan, address: str) -> Plan:
        return self._then(plan, Errand("look", address, ""))

    def _then(self, plan: Plan, errand: Errand, more: int = 0) -> Plan:
        """A plan and an errand after it, the cost of which is the way there and so much more."""
        place = self.affairs.site(errand.at) or plan.place
        return plan.then(
            errand, place, (self.apart(plan.place, place) if place != plan.place else 0) + more
        )

    def _unseen_for(self, address: str, hours: timedelta) -> bool:
        seen = self.affairs.state.seen(self.who, address)
        return seen is None or self.affairs.now - seen.since >= hours

    def _put(self, plan: Plan, duty: DutyPart, fitting: int) -> Plan:
        """All of it that will be in the bag and fits."""
        count = (
            self.in_bag(duty.keep)
            - self.keeps(duty.keep)
            + sum(self._gained(errand, duty.keep) for errand in plan.errands)
        )
        return self._then(plan, Errand("put", duty.at, duty.keep, min(count, fitting)))

    def _put_away(self, plan: Plan) -> Plan | None:
        """That of which the bag holds most by weight, where there is most room of one's own, at a
        workplace last: a full bag takes in no bread.
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
        """How many more of a kind an errand leaves in the bag; what it uses up was got for it."""
        if errand.verb == "do":
            return dict(self.affairs.book.recipes[errand.what].make).get(kind, 0)
        return errand.count if errand.what == kind else 0

    def _started(self, kind: str, plan: Plan, depth: int) -> Iterator[Plan]:
        """Ways to get something going that will make a kind by itself, or what it is made of."""
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
        """The least effort after which so many of a kind are in the bag: a recipe that can be done
        at several places takes the same at each.
        """
        want = kind, count, plan, depth
        if want not in self._found:
            self._found[want] = _best(self._had(kind, count, count, plan, depth))
        return self._found[want]

    def _had(
        self, kind: str, least: int, most: int, plan: Plan, depth: int, but: str = ""
    ) -> Iterator[Plan]:
        """Ways after which at least so many of a kind are in the bag, and more where that is no
        further effort; none comes from the fixture `but`.
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
        """Out of fixtures of one's own, and what is in them or in the bag."""
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
        """Whether what lies in a fixture may be taken: to do the duties of a house for which one
        works, but not for one's own needs, out of its.
        """
        return (
            self.affairs.is_its_own(self.who, address)
            if self.for_itself
            else self.affairs.owns(self.who, address)
        )

    def _bought(self, kind: str, least: int, most: int, plan: Plan) -> Iterator[Plan]:
        """In shops of others, as many as can be paid and carried: for what brings nothing in, with
        a part of the coins alone, and nothing to sell that costs as much as it would bring.
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
        """One, from whoever sells it to those who can pay."""
        for address, _ in self.sold.get(kind, ()):
            if (
                not self.barred("ask", address, kind)
                and refuse_gift(self.affairs, self.who, address, kind) is None
            ):
                yield self._then(plan, Errand("ask", address, kind), self._shame(address))

    def _shame(self, address: str) -> int:
        """People rather ask whom they think well of."""
        liked = max(
            (
                regard_for(self.affairs.state, self.who, keeper)
                for keeper in self.affairs.book.keepers(address)
            ),
            default=0,
        )
        return SHAME - SHAME * liked // (2 * MOST)

    def _done(self, recipe: Recipe, plan: Plan, depth: int) -> Iterator[Plan]:
        """Ways after which a recipe has been done, each input got by the least effort."""
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
        """With the tool, and all inputs that are neither at the fixture nor in the bag."""
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
    """The one with the least cost, the first of several."""
    return min(plans, key=lambda plan: plan.cost, default=None)
