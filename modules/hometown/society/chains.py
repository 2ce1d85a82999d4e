"""Supply chains: the recipes, working time and fixtures that a daily supply of goods takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from hometown.clock import DAY
from hometown.world.authored import WEEKDAYS
from hometown.world.book.book import Book, Recipe
from hometown.world.matter import NATURE

WORKDAY_MINUTES = 600
"""The minutes a day that a person works, and that a fixture which needs a worker is in use."""

MAX_ITERATIONS = 200
"""The iterations after which a chain that needs ever more of its own product is given up. Seed of a
hundredth of the harvest converges in four.
"""


@dataclass(frozen=True)
class Chain:
    """A recipe done `runs` times a day, with all the recipes that supply it.

    Attributes:
        minutes: The work of all workers together, a day.
        loads: The used share of the capacity of fixtures, by tag. Above 1 it is insufficient.
        missing: A kind that no recipe makes or a tag that no fixture has; "" for none.
    """

    recipe: Recipe
    minutes: float
    loads: Mapping[str, float]
    missing: str = ""

    @property
    def load(self) -> float:
        """The highest load; 0 for a chain without fixtures."""
        return max(self.loads.values(), default=0.0)

    @property
    def weakest(self) -> str:
        """The missing kind or tag, or else the tag with the highest load; "" if there is
        neither.
        """
        return self.missing or max(self.loads, key=lambda tag: self.loads[tag], default="")


def build_chain(book: Book, recipe: Recipe, runs: float) -> Chain:
    """Return the supply chain for a recipe that is done `runs` times a day indefinitely. It
    replaces the tools that are worn out; goods that a worn-out tool leaves need no maker.
    """
    done = {recipe.id: runs}
    for _ in range(MAX_ITERATIONS):
        wanted, left = defaultdict[str, float](float), set[str]()
        for name, times in done.items():
            for kind, count in book.recipes[name].inputs:
                wanted[kind] += times * count
            if worn := _worn_tool(book, book.recipes[name]):
                wanted[worn] += times / book.kinds[worn].wears
                left |= book.kinds[worn].leaves.keys()
        makers = {kind: _cheapest_maker(book, kind) for kind in wanted if kind not in left}
        if lacking := next((kind for kind, maker in makers.items() if maker is None), ""):
            return Chain(recipe, 0.0, {}, lacking)
        again: dict[str, float] = defaultdict(float, {recipe.id: runs})
        for kind, maker in makers.items():
            if maker is not None:
                again[maker.id] = max(
                    again[maker.id], wanted[kind] / _mean_yield(book, maker, kind)
                )
        settled = again.keys() == done.keys() and all(
            abs(again[name] - done[name]) < 1e-9 for name in done
        )
        done = dict(again)
        if settled:
            break
    return _measure(book, recipe, done)


def _worn_tool(book: Book, recipe: Recipe) -> str:
    """Return the kind of tool that a recipe wears out and that can be remade; "" for none, and if a
    tool that does not wear serves as well.
    """
    tools = book.tools_for(recipe.tool) if recipe.tool else []
    if any(not book.kinds[kind].wears for kind in tools):
        return ""
    return next((kind for kind in tools if _cheapest_maker(book, kind)), "")


def _cheapest_maker(book: Book, kind: str) -> Recipe | None:
    """Return the recipe that makes a kind with the least work for each of it, without a fixture or
    at one that exists; None if there is none.
    """
    able = [maker for maker in book.makers[kind] if not maker.at or book.places_for(maker.at)]
    return min(
        able,
        key=lambda maker: (maker.minutes / _mean_yield(book, maker, kind), maker.id),
        default=None,
    )


def _mean_yield(book: Book, maker: Recipe, kind: str) -> float:
    """Return the average number of goods of a kind from one run of a recipe, at least a millionth,
    since it divides.
    """
    return max(dict(maker.make)[kind] * book.likely_share(maker), 1e-6)


def _measure(book: Book, recipe: Recipe, done: Mapping[str, float]) -> Chain:
    """Return the chain for a recipe, with its minutes and loads, or the tag that no fixture
    has.

    Args:
        done: The runs a day of each recipe in the chain, by id.
    """
    loads: dict[str, float] = defaultdict(float)
    for name, times in done.items():
        at = book.recipes[name].at
        if at and not book.places_for(at):
            return Chain(recipe, 0.0, {}, at)
        if at:
            places = fsum(
                open_share(book, address, book.recipes[name]) for address in book.places_for(at)
            )
            loads[at] += times / (max_daily_runs(book, book.recipes[name]) * places)
    return Chain(
        recipe,
        fsum(times * book.recipes[name].minutes for name, times in done.items()),
        dict(loads),
    )


def open_share(book: Book, address: str, recipe: Recipe) -> float:
    """Return the average number of places that a fixture offers a recipe, closing days deducted.

    A recipe with a process occupies the whole fixture.
    """
    fixture = book.fixtures[address]
    places = 1 if recipe.after else fixture.serves
    closed_share = len(set(fixture.closed_on)) / len(WEEKDAYS)
    return places * (1 - closed_share)


def max_daily_runs(book: Book, recipe: Recipe) -> float:
    """Return the largest number of runs of a recipe a day at one place of a fixture (see
    `open_share`), averaged over a year. Its season counts only if nature works on it afterwards.
    """
    if not recipe.after:
        return WORKDAY_MINUTES / recipe.minutes
    cycle = (recipe.minutes + recipe.after) / DAY
    if not recipe.season:
        return 1 / cycle
    window = sum(book.calendar.seasons[season].days for season in recipe.season)
    return (window // cycle + 1) / book.year


def need_values(book: Book, need: str) -> dict[str, float]:
    """Return the points by which one of each kind can raise a need, directly or after processing.

    Only recipes with one kind of input count; those in which nature adds more than the inputs weigh
    are excluded.
    """
    points: dict[str, float] = defaultdict(float)
    usable = [
        recipe
        for recipe in book.recipes.values()
        if len(recipe.inputs) == 1
        and (not recipe.at or book.places_for(recipe.at))
        and not _is_grown(book, recipe)
    ]
    for _ in book.recipes:
        for recipe in usable:
            kind, count = recipe.inputs[0]
            gained = max(0, dict(recipe.body).get(need, 0)) + fsum(
                points[made] * each for made, each in recipe.products
            )
            points[kind] = max(points[kind], gained / count)
    return dict(points)


def _is_grown(book: Book, recipe: Recipe) -> bool:
    """Return True if nature contributes more weight to a recipe than its inputs do."""
    return dict(recipe.take).get(NATURE, 0) > book.grams(recipe.inputs)
