"""A trial of a world's society: some days by its rules alone, on the world's own map, to find
shortages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hometown.clock import DAY
from hometown.society.rule_life import STEP_MINUTES, RuleLife
from hometown.world.world import World

TRIAL_SEED = 1


@dataclass(frozen=True)
class TrialDay:
    """A day of a trial; `number` counts from 1.

    Attributes:
        lowest: The lowest level of each need that can be met, as (points, resident).
        prices: The prices at the end of the day.
    """

    number: int
    lowest: dict[str, tuple[int, str]]
    prices: dict[str, int]


def run_trial(world: World, days: int) -> Iterator[TrialDay]:
    """Yield each of `days` days as it is simulated, with its lowest levels and its prices. The
    world must have a society.
    """
    assert world.book is not None
    life = RuleLife(world.book, world.start, TRIAL_SEED, world.walk_minutes)
    needs = [need for need, part in world.book.needs.items() if part.met_by]
    for number in range(1, days + 1):
        lowest: dict[str, tuple[int, str]] = {}
        for _ in range(DAY // STEP_MINUTES):
            life.step()
            for need in needs:
                lowest[need] = min(
                    (
                        lowest.get(need, (1000, "")),
                        *((life.level(who, need), who) for who in life.people),
                    )
                )
        shops = [shop for address in world.book.fixtures if (shop := life.state.shop(address))]
        yield TrialDay(
            number, lowest, {kind: price for shop in shops for kind, price in shop.prices}
        )
