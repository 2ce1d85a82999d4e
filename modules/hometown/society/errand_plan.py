"""Plans of errands, and the choice among them by their cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hometown.frozen import frozen
from hometown.world.labour import Errand
from hometown.world.world import arena_of

DEFAULT_QUANTITY = 4
"""The number of goods to buy, fetch or put away where an errand names none."""

TravelTime = Callable[[str, str], int]
"""Returns the walking time between two addresses or arenas, in minutes."""


@frozen
class ErrandPlan:
    """A sequence of errands.

    Attributes:
        errands: The errands, in order.
        place: The address at which they end.
        cost: The cost in minutes. Coins are converted to minutes.
    """

    errands: tuple[Errand, ...]
    place: str
    cost: int

    def append(self, errand: Errand, place: str, cost: int) -> ErrandPlan:
        return ErrandPlan((*self.errands, errand), place, self.cost + cost)


def find_cheapest(plans: Iterator[ErrandPlan]) -> ErrandPlan | None:
    """Return the plan with the least cost, the first of equals; None if there is none."""
    return min(plans, key=lambda plan: plan.cost, default=None)


def find_cheapest_at(at: str, plans: Iterator[ErrandPlan]) -> ErrandPlan | None:
    """Return the cheapest plan whose last errand is at an address or in an arena, or any plan for
    ""; None for none.
    """
    places = ((plan, plan.errands[-1].at) for plan in plans)
    return find_cheapest(plan for plan, last in places if at in ("", last, arena_of(last)))
