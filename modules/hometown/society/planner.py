"""A planner: searches recipes and stocks backwards for the cheapest plan for a need or a duty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from hometown.agent.mind.esteem import MAX_REGARD, regard_for
from hometown.society.accessible_goods import AccessibleGoods
from hometown.society.deals import spendable_coins
from hometown.society.errand_plan import (
    DEFAULT_QUANTITY,
    ErrandPlan,
    TravelTime,
    find_cheapest,
    find_cheapest_at,
)
from hometown.society.refusals import (
    refuse_gift,
    refuse_means,
    refuse_move,
    refuse_purchase,
    refuse_recipe,
)
from hometown.world.book.book import Recipe
from hometown.world.book.parts import DutyPart
from hometown.world.labour import Errand, Verb

MAX_PLAN_DEPTH = 5
"""The largest number of recipes in a chain."""

MAX_SEARCH_NODES = 200
"""The number of goals after which the search stops."""

HOUSEHOLD_COINS_VALUE_MINUTES = 500
"""The value of all coins of a house, in minutes: residents with few coins walk far to save them."""

DUTY_CHECK_AFTER, STORE_CHECK_AFTER = timedelta(hours=24), timedelta(hours=3)
"""The age of a sight from which a resident checks a duty again, and in need an empty store."""

ASKING_COST_MINUTES = 120
"""The cost of asking for a gift, in minutes."""


@dataclass
class Planner(AccessibleGoods):
    """A search for plans on behalf of a resident, in a society as they believe it to be.

    Attributes:
        travel_minutes: Returns the walking time between two addresses.
        nodes: The goals of the present search so far.
        is_for_own_needs: Whether the present search leaves the employer's goods alone.
    """

    travel_minutes: TravelTime
    nodes: int = field(default=0, init=False)
    is_for_own_needs: bool = field(default=False, init=False)
    _resale: tuple[str, int] = field(default=("", 0), init=False)
    _budget: int | None = field(default=None, init=False)
    _cache: dict[tuple[str, int, ErrandPlan, int], ErrandPlan | None] = field(
        default_factory=dict, init=False
    )

    def plan_need(self, need: str, place: str) -> ErrandPlan | None:
        """Return the plan with the least cost for each point of a need; None if there is none.

        If the need cannot be satisfied now, the plan makes room in the bag, starts a process, or
        goes to look for goods.
        """
        recipes = self.society.book.meeting(need)
        start = self._begin(place, is_for_own_needs=True)
        ways = [
            (plan.cost / dict(recipe.body)[need], at, plan)
            for at, recipe in enumerate(recipes)
            for plan in self._plan_recipe(recipe, start, 0)
        ]
        if ways:
            return min(ways, key=lambda way: way[:2])[2]
        if any(
            self.carry_capacity(kind) < count for recipe in recipes for kind, count in recipe.inputs
        ) and (freed := self._plan_put_away(start)):
            return freed
        if started := find_cheapest(
            plan
            for recipe in recipes
            for kind, _ in recipe.inputs
            for plan in self._plan_starts(kind, start, 0)
        ):
            return started
        takes_goods = any(recipe.inputs for recipe in recipes)
        return find_cheapest(self._plan_looks(start)) if takes_goods else None

    def plan_duty(self, duty: DutyPart, place: str) -> ErrandPlan | None:
        """Return the cheapest plan for a duty: to do a recipe, or to put missing goods into a
        fixture, or else to start a process that makes them. A stock that seems complete is
        inspected after `DUTY_CHECK_AFTER`. None if the duty is fulfilled, or cannot be.
        """
        book = self.society.book
        start = self._begin(place)
        self._budget = (
            spendable_coins(self.society, self.who)
            if duty.do and self.society.is_pastime(duty.do)
            else None
        )
        self._resale = self._resale_price(duty)
        if duty.do:
            return find_cheapest(self._plan_each(book.families[duty.do], start))
        missing = duty.count - self.society.state.stock(duty.at).count(duty.keep)
        if not self.society.may_use(self.who, duty.at):
            return None
        fitting = 0
        if missing > 0:
            fitting = min(missing, self.society.free_grams(duty.at) // book.kinds[duty.keep].grams)
        if fitting <= 0:
            is_due = self._is_unseen_for(duty.at, DUTY_CHECK_AFTER)
            return self._append_look(start, duty.at) if is_due else None
        own = self.count_kept_tools(duty.keep)
        ways = find_cheapest(
            self._append_put(plan, duty, fitting)
            for plan in self._plan_supplies(duty.keep, 1 + own, fitting + own, start, 0, duty.at)
        )
        return ways or find_cheapest(self._plan_starts(duty.keep, start, 0))

    def plan_unloading(self, place: str) -> ErrandPlan | None:
        """Return the plan for a resident at `place` to put goods from the bag away; None while at
        least half of the bag's grams are free, or if there is no fixture for them with room.
        """
        return (
            self._plan_put_away(ErrandPlan((), place, 0))
            if 2 * self.free_grams < self.society.book.start.bag
            else None
        )

    def _begin(self, place: str, is_for_own_needs: bool = False) -> ErrandPlan:
        """Reset the search and return an empty plan at a place. A search for a resident's own needs
        leaves their employer's goods alone.
        """
        self.nodes = 0
        self.is_for_own_needs = is_for_own_needs
        self._budget = None
        self._resale = ("", 0)
        self._cache = {}
        return ErrandPlan((), place, 0)

    def _resale_price(self, duty: DutyPart) -> tuple[str, int]:
        """Return the kind that a duty keeps for sale, with its price; "" and 0 if it is not for
        sale.
        """
        shop = self.society.state.shop(duty.at)
        price = dict(shop.prices).get(duty.keep, 0) if shop else 0
        return (duty.keep, price) if price else ("", 0)

    def plan_family(self, family: str, place: str, at: str = "") -> ErrandPlan | None:
        """Return the cheapest plan to do a recipe of a family, at `at` or "" for any place."""
        recipes = self.society.book.families.get(family, ())
        return find_cheapest_at(at, self._plan_each(recipes, self._begin(place)))

    def _plan_each(self, recipes: Iterable[Recipe], start: ErrandPlan) -> Iterator[ErrandPlan]:
        """Yield the plans to do one of some recipes."""
        for recipe in recipes:
            yield from self._plan_recipe(recipe, start, 0)

    def plan_look(self, at: str, place: str) -> ErrandPlan:
        """Return the plan to inspect a fixture or an item."""
        return self._append_look(self._begin(place), at)

    def plan_storing(self, kind: str, at: str, place: str) -> ErrandPlan | None:
        """Return the cheapest plan to put up to `DEFAULT_QUANTITY` goods of a kind into a holder;
        None if there is none.
        """
        count = self.society.state.stock(at).count(kind) + DEFAULT_QUANTITY
        return self.plan_duty(DutyPart(keep=kind, count=count, at=at), place)

    def plan_purchase(self, kind: str, at: str, place: str) -> ErrandPlan | None:
        """Return the cheapest plan to buy goods of a kind, up to `DEFAULT_QUANTITY` in the bag, at
        a shop or "" for any; None if there is none.
        """
        start = self._begin(place)
        return find_cheapest_at(at, self._plan_buying(kind, 1, self._missing_in_bag(kind), start))

    def plan_fetching(self, kind: str, at: str, place: str) -> ErrandPlan | None:
        """Return the cheapest plan to take goods of a kind, up to `DEFAULT_QUANTITY` in the bag,
        from a holder or "" for any; None if there is none.
        """
        start = self._begin(place)
        return find_cheapest_at(
            at, self._plan_taking(kind, 1, self._missing_in_bag(kind), start, "")
        )

    def _missing_in_bag(self, kind: str) -> int:
        """Return the goods of a kind that the bag lacks of the default quantity."""
        return DEFAULT_QUANTITY - self.count_in_bag(kind)

    def plan_care(self, recipe: Recipe, other: str, place: str) -> ErrandPlan | None:
        """Return the cheapest plan to do a recipe for another resident; None if there is none."""
        start = self._begin(place)
        refusal = refuse_means(self.society, self.who, recipe, "")
        if self.is_blocked(Verb.TEND, other, recipe.id) or (refusal and refusal.code != "LACKS"):
            return None
        ready = self._plan_inputs(recipe, "", start, 0) if refusal else start
        return (
            self._append(ready, Errand(Verb.TEND, other, recipe.id), recipe.minutes)
            if ready
            else None
        )

    def _plan_looks(self, plan: ErrandPlan) -> Iterator[ErrandPlan]:
        """Yield the plans to look for goods in stores and open shops whose contents are unknown."""
        own = [
            holder
            for holder in self.stores
            if self.society.book.part_of(holder).holds and self._is_hidden(holder)
        ]
        for address in (*own, *filter(self.society.is_open, self.society.book.shops)):
            if self._is_unseen_for(address, STORE_CHECK_AFTER):
                yield self._append_look(plan, address)

    def _is_hidden(self, holder: str) -> bool:
        """Return True if a holder can be inspected only by going there or by opening it."""
        return bool(self.society.site_of(holder)) or self.society.book.part_of(holder).closed

    def _append_look(self, plan: ErrandPlan, address: str) -> ErrandPlan:
        return self._append(plan, Errand(Verb.LOOK, address, ""))

    def _append(self, plan: ErrandPlan, errand: Errand, more: int = 0) -> ErrandPlan:
        """Return a plan with one errand more, at the cost of the walk there and `more` minutes."""
        place = self.society.site_of(errand.at) or plan.place
        return plan.append(
            errand,
            place,
            (self.travel_minutes(plan.place, place) if place != plan.place else 0) + more,
        )

    def _is_unseen_for(self, address: str, hours: timedelta) -> bool:
        """Return True if the resident has not seen a holder's contents for some time, or ever."""
        seen = self.society.state.last_sight(self.who, address)
        return seen is None or self.society.now - seen.since >= hours

    def _append_put(self, plan: ErrandPlan, duty: DutyPart, fitting: int) -> ErrandPlan:
        """Return a plan that puts as many goods away for a duty as are in the bag and fit."""
        count = (
            self.count_in_bag(duty.keep)
            - self.count_kept_tools(duty.keep)
            + sum(self._gain(errand, duty.keep) for errand in plan.errands)
        )
        return self._append(plan, Errand(Verb.PUT, duty.at, duty.keep, min(count, fitting)))

    def _plan_put_away(self, plan: ErrandPlan) -> ErrandPlan | None:
        """Return a plan with the errand to put away the kind that weighs most in the bag of those
        for which a fixture has room; None if there is none.

        Fixtures without a tag and with much room are preferred, since goods in a bed keep it from
        being planted.
        """
        book, kinds = self.society.book, self.society.book.kinds
        spare = {kind: count - self.count_kept_tools(kind) for kind, count in self._bag.items()}
        own = [address for address in book.fixtures if self.society.may_consume(self.who, address)]
        # What lies in a bed keeps it from being planted.
        own.sort(
            key=lambda address: (
                bool(book.fixtures[address].tags),
                -self.society.free_grams(address),
            )
        )
        for kind in sorted(spare, key=lambda kind: -spare[kind] * kinds[kind].grams):
            for address in own:
                count = min(spare[kind], self.society.free_grams(address) // kinds[kind].grams)
                goods = ((kind, count),)
                if (
                    count > 0
                    and not self.is_blocked(Verb.PUT, address, kind)
                    and refuse_move(self.society, self.who, self.who, address, goods) is None
                ):
                    return self._append(plan, Errand(Verb.PUT, address, kind, count))
        return None

    def _gain(self, errand: Errand, kind: str) -> int:
        """Return the number of goods of a kind that an errand adds to the bag, inputs of recipes
        ignored.
        """
        if errand.verb == Verb.DO:
            return dict(self.society.book.recipes[errand.what].make).get(kind, 0)
        return errand.count if errand.what == kind else 0

    def _plan_starts(self, kind: str, plan: ErrandPlan, depth: int) -> Iterator[ErrandPlan]:
        """Yield the plans that start a process which makes a kind, or one of its inputs, within the
        limits of the search.
        """
        self.nodes += 1
        for recipe in (
            self.society.book.makers[kind]
            if self.nodes <= MAX_SEARCH_NODES and depth <= MAX_PLAN_DEPTH
            else ()
        ):
            if recipe.after:
                yield from self._plan_recipe(recipe, plan, depth + 1)
            else:
                yield from (
                    way
                    for made, _ in recipe.inputs
                    for way in self._plan_starts(made, plan, depth + 1)
                )

    def _plan_supply(
        self, kind: str, count: int, plan: ErrandPlan, depth: int
    ) -> ErrandPlan | None:
        """Return the cheapest plan after which the bag has `count` of a kind; None if there is
        none.

        Results are cached, since a recipe takes the same inputs at each of several fixtures.
        """
        want = kind, count, plan, depth
        if want not in self._cache:
            self._cache[want] = find_cheapest(self._plan_supplies(kind, count, count, plan, depth))
        return self._cache[want]

    def _plan_supplies(
        self, kind: str, least: int, most: int, plan: ErrandPlan, depth: int, but: str = ""
    ) -> Iterator[ErrandPlan]:
        """Yield the plans after which the bag has at least `least` of a kind, and up to `most` for
        the same effort: to take, buy, ask for or make them. No goods come from the fixture `but`.
        """
        self.nodes += 1
        if self.count_in_bag(kind) >= least:
            yield plan
            return
        if self.nodes > MAX_SEARCH_NODES or depth > MAX_PLAN_DEPTH:
            return
        lacking = least - self.count_in_bag(kind)
        yield from self._plan_taking(kind, lacking, most, plan, but)
        yield from self._plan_buying(kind, lacking, most, plan)
        if lacking == 1:
            yield from self._plan_asking(kind, plan)
        for recipe in self.society.book.makers[kind]:
            if not recipe.after and dict(recipe.make)[kind] >= lacking:
                yield from self._plan_recipe(recipe, plan, depth + 1)

    def _plan_taking(
        self, kind: str, least: int, most: int, plan: ErrandPlan, but: str
    ) -> Iterator[ErrandPlan]:
        """Yield the plans to take goods from fixtures and containers that the resident may use."""
        able = self.carry_capacity(kind)
        for address, there in self.stores_by_kind.get(kind, ()):
            count = min(most, there, able)
            if (
                count < least
                or address == but
                or not self._may_use(address)
                or self.is_blocked(Verb.TAKE, address, kind)
            ):
                continue
            if refuse_move(self.society, self.who, address, self.who, ((kind, count),)) is None:
                yield self._append(plan, Errand(Verb.TAKE, address, kind, count))

    def _may_use(self, address: str) -> bool:
        """Return True if goods in a fixture may be taken: an employer's only for duties."""
        return (
            self.society.may_consume(self.who, address)
            if self.is_for_own_needs
            else self.society.may_use(self.who, address)
        )

    def _plan_buying(
        self, kind: str, least: int, most: int, plan: ErrandPlan
    ) -> Iterator[ErrandPlan]:
        """Yield the plans to buy goods in others' shops, as many as the resident can pay and carry.

        For pastimes only part of the coins is spent, and goods for resale must cost less than they
        bring.
        """
        able = self.carry_capacity(kind)
        coins = self.coins if self._budget is None else self._budget
        for address, price in self.shops_by_kind.get(kind, ()):
            is_too_dear = kind == self._resale[0] and price >= self._resale[1]
            if (
                not price
                or is_too_dear
                or self._may_use(address)
                or self.is_blocked(Verb.BUY, address, kind)
            ):
                continue
            count = min(most, able, coins // price, self.society.state.stock(address).count(kind))
            if (
                count >= least
                and refuse_purchase(self.society, self.who, address, kind, count) is None
            ):
                yield self._append(
                    plan,
                    Errand(Verb.BUY, address, kind, count),
                    HOUSEHOLD_COINS_VALUE_MINUTES * price * count // self.coins,
                )

    def _plan_asking(self, kind: str, plan: ErrandPlan) -> Iterator[ErrandPlan]:
        """Yield the plans to ask a shop for one of a kind as a gift."""
        for address, _ in self.shops_by_kind.get(kind, ()):
            if (
                not self.is_blocked(Verb.ASK, address, kind)
                and refuse_gift(self.society, self.who, address, kind) is None
            ):
                yield self._append(
                    plan, Errand(Verb.ASK, address, kind), self._asking_cost(address)
                )

    def _asking_cost(self, address: str) -> int:
        """Return the cost of asking for a gift at a shop: the less, the better the resident thinks
        of a keeper.
        """
        liked = max(
            (
                regard_for(self.society.state, self.who, keeper)
                for keeper in self.society.book.keepers(address)
            ),
            default=0,
        )
        return ASKING_COST_MINUTES - ASKING_COST_MINUTES * liked // (2 * MAX_REGARD)

    def _plan_recipe(self, recipe: Recipe, plan: ErrandPlan, depth: int) -> Iterator[ErrandPlan]:
        """Yield the plans after which a recipe is done, with each input got at the least cost."""
        for at in () if refuse_recipe(self.society, recipe) else self.workplaces(recipe.at):
            if self.is_blocked(Verb.DO, at, recipe.id):
                continue
            refusal = refuse_means(self.society, self.who, recipe, at)
            if refusal is None or refusal.code == "LACKS":
                ready = self._plan_inputs(recipe, at, plan, depth) if refusal else plan
                if ready is not None:
                    minutes = recipe.minutes - min(0, dict(recipe.body).get("energy", 0))
                    yield self._append(ready, Errand(Verb.DO, at, recipe.id), minutes)

    def _plan_inputs(
        self, recipe: Recipe, at: str, plan: ErrandPlan, depth: int
    ) -> ErrandPlan | None:
        """Return the plan after which the tool and all inputs are in the bag or at the fixture;
        None if there is none.
        """
        if self.society.lacks_tool(self.who, recipe, at):
            tools = self.society.book.tools_for(recipe.tool)
            equipped = find_cheapest(
                way for kind in tools if (way := self._plan_supply(kind, 1, plan, depth + 1))
            )
            if equipped is None:
                return None
            plan = equipped
        for kind, count in recipe.inputs:
            lacking = count - (self.society.state.stock(at).count(kind) if at else 0)
            found = self._plan_supply(kind, lacking, plan, depth + 1) if lacking > 0 else plan
            if found is None:
                return None
            plan = found
        return plan
