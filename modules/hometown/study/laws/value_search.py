"""The most that one day of work can be worth under a town's rules, by a linear programme over all
recipes at once. A law under which it leaps creates value from nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import fsum

import numpy as np

from hometown.frozen import frozen
from hometown.society.chains import WORKDAY_MINUTES, max_daily_runs, open_share
from hometown.system import is_installed
from hometown.world.book.book import COIN, Book, Recipe

LEAP = 3
"""The factor from which on the worth of a day's work has leapt."""


@frozen
class BestDay:
    """The most valuable day of work of one resident who has the town's fixtures to themselves.

    Attributes:
        coins: The worth of the products less that of the inputs, at the shops' usual prices.
        runs: How often each recipe is done, by id, those done most valuably first.
    """

    coins: float
    runs: Mapping[str, float]


def find_best_day(book: Book) -> BestDay:
    """Return the most valuable day of work: of all numbers of runs of recipes, with goods bought at
    the shops' usual prices, the most valuable that a working day and the fixtures allow.
    """
    from scipy.optimize import linprog

    recipes = [each for each in book.recipes.values() if _can_be_done(book, each)]
    prices = usual_prices(book)
    made = [net_products(book, recipe) for recipe in recipes]
    worth = [fsum(prices.get(kind, 0) * count for kind, count in net.items()) for net in made]
    kinds, tags = [kind for kind in book.kinds if kind != COIN], sorted({r.at for r in recipes})
    if not recipes:
        return BestDay(0.0, {})
    # The unknowns are the runs of each recipe, then the goods of each kind that are bought.
    rows = [
        [*(-net.get(kind, 0) for net in made), *(-float(k == kind) for k in kinds)]
        for kind in kinds
    ]
    rows.append([*(recipe.minutes for recipe in recipes), *(0 for _ in kinds)])
    limits = [*(0.0 for _ in kinds), float(WORKDAY_MINUTES)]
    for tag in filter(None, tags):
        rows.append(
            [*(_share(book, each) * (each.at == tag) for each in recipes), *(0 for _ in kinds)]
        )
        limits.append(1.0)
    bounds = [*((0, None) for _ in recipes), *((0, None if k in prices else 0) for k in kinds)]
    solved = linprog(
        [*(-each for each in worth), *(0 for _ in kinds)], np.array(rows), limits, bounds=bounds
    )
    runs = {each.id: float(x) for each, x in zip(recipes, solved.x, strict=False) if x > 1e-9}
    gains = {each.id: value for each, value in zip(recipes, worth, strict=True)}
    ranked = sorted(runs, key=lambda each: -gains[each] * runs[each])
    return BestDay(-float(solved.fun), {each: runs[each] for each in ranked})


def find_value_leap(before: Book, after: Book) -> tuple[BestDay, BestDay] | None:
    """Return the most valuable days before and after a law under which a day's work can be worth
    `LEAP` times as much, and more than the wages of a day; None if it cannot, or if scipy is not
    installed.
    """
    if not is_installed("scipy"):
        return None
    was, now = find_best_day(before), find_best_day(after)
    wages = after.start.wage * WORKDAY_MINUTES / 60
    return (was, now) if now.coins > LEAP * max(was.coins, wages) else None


def usual_prices(book: Book) -> dict[str, int]:
    """Return the lowest usual price of each kind that a shop sells, in coins."""
    prices: dict[str, int] = {}
    for fixture in book.fixtures.values():
        for kind, price in fixture.shop.sells.items() if fixture.shop else ():
            prices[kind] = min(price, prices.get(kind, price))
    return prices


def _can_be_done(book: Book, recipe: Recipe) -> bool:
    return not recipe.part.partner and (not recipe.at or bool(book.places_for(recipe.at)))


def net_products(book: Book, recipe: Recipe) -> dict[str, float]:
    """Return what one run makes less what it takes, by kind, with average luck."""
    net = defaultdict[str, float](float)
    for kind, count in recipe.products:
        net[kind] += count * book.likely_share(recipe)
    for kind, count in recipe.inputs:
        net[kind] -= count
    return net


def _share(book: Book, recipe: Recipe) -> float:
    """Return the share of all fixtures for a recipe that one run takes for a day."""
    places = fsum(open_share(book, at, recipe) for at in book.places_for(recipe.at))
    return 1 / (max_daily_runs(book, recipe) * max(places, 1e-6))
