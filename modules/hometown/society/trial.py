"""A trial of a world's society: some days by its rules alone, on the world's own map, to find
shortages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hometown.clock import DAY
from hometown.errors import BadInput
from hometown.society.rule_life import STEP_MINUTES, RuleLife
from hometown.world.book.book import Book
from hometown.world.world import World

TRIAL_SEED = 1


@dataclass(frozen=True)
class TrialDay:
    """A day of a trial; `number` counts from 1.

    Attributes:
        lowest: The lowest level of each need that can be met, as (points, resident).
        prices: The highest price of each kind at the end of the day.
    """

    number: int
    lowest: dict[str, tuple[int, str]]
    prices: dict[str, int]


def run_trial(world: World, days: int) -> Iterator[TrialDay]:
    """Return `days` days, which are simulated one by one, with their lowest levels and prices. Raises
    BadInput for a world without a society.
    """
    if world.book is None:
        raise BadInput(
            "world {name!r} has no society to be tried: leave out --trial, or add one (docs/society.md)",
            name=world.id,
        )
    return _live_days(world, world.book, days)


def _live_days(world: World, book: Book, days: int) -> Iterator[TrialDay]:
    """Yield each day as it is simulated."""
    life = RuleLife(book, world.start, TRIAL_SEED, world.walk_minutes)
    needs = [need for need, part in book.needs.items() if part.met_by]
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
        yield TrialDay(number, lowest, life.prices)
