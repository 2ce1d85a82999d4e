"""What a day's supply of goods takes: which recipes how often, for how long, and how much of each
kind of fixture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from hometown.clock import DAY
from hometown.world.authored import WEEKDAYS
from hometown.world.book.book import Book, Recipe
from hometown.world.matter import NATURE

WORKDAY = 600
"""Minutes a day for which one person works, and a fixture that needs a person is in use."""

ROUNDS = 200
"""After which a chain that needs ever more of its own product is given up; seed that is a hundredth
of the harvest settles in four.
"""


@dataclass(frozen=True)
class Chain:
    """A recipe done `runs` times a day and all that must be done for it.

    `minutes` are a day's work of all who take part. `loads` are how much of what there is is used,
    by tag of fixtures: above 1 it is not sufficient. `missing` names a kind that nothing makes, or
    a tag that no fixture has, "" if all is there.
    """

    recipe: Recipe
    minutes: float
    loads: Mapping[str, float]
    missing: str = ""

    @property
    def load(self) -> float:
        """The highest load; 0 for what needs no fixture."""
        return max(self.loads.values(), default=0.0)

    @property
    def weakest(self) -> str:
        """The tag of the fixtures with the highest load, or what is missing."""
        return self.missing or max(self.loads, key=lambda tag: self.loads[tag], default="")


def chain_for(book: Book, recipe: Recipe, runs: float) -> Chain:
    """What it takes to do a recipe so many times a day, for good."""
    done = {recipe.id: runs}
    for _ in range(ROUNDS):
        wanted, left = defaultdict[str, float](float), set[str]()
        for name, times in done.items():
            for kind, count in book.recipes[name].inputs:
                wanted[kind] += times * count
            if worn := _worn(book, book.recipes[name]):
                wanted[worn] += times / book.kinds[worn].wears
                left |= book.kinds[worn].leaves.keys()
        makers = {kind: _maker(book, kind) for kind in wanted if kind not in left}
        if lacking := next((kind for kind, maker in makers.items() if maker is None), ""):
            return Chain(recipe, 0.0, {}, lacking)
        again: dict[str, float] = defaultdict(float, {recipe.id: runs})
        for kind, maker in makers.items():
            if maker is not None:
                again[maker.id] = max(again[maker.id], wanted[kind] / _yield(book, maker, kind))
        settled = again.keys() == done.keys() and all(
            abs(again[name] - done[name]) < 1e-9 for name in done
        )
        done = dict(again)
        if settled:
            break
    return _measured(book, recipe, done)


def _worn(book: Book, recipe: Recipe) -> str:
    """The kind of tool that a recipe wears out and that can be made anew, of what is left of the
    old one and more; "" for none.
    """
    tools = book.tools_for(recipe.tool) if recipe.tool else []
    if any(not book.kinds[kind].wears for kind in tools):
        return ""
    return next((kind for kind in tools if _maker(book, kind)), "")


def _maker(book: Book, kind: str) -> Recipe | None:
    """The recipe that makes a kind with the least work, where it can be done at all."""
    able = [maker for maker in book.makers[kind] if not maker.at or book.places_for(maker.at)]
    return min(
        able, key=lambda maker: (maker.minutes / _yield(book, maker, kind), maker.id), default=None
    )


def _yield(book: Book, maker: Recipe, kind: str) -> float:
    """How many of a kind a recipe makes on average."""
    return max(dict(maker.make)[kind] * book.likely_share(maker), 1e-6)


def _measured(book: Book, recipe: Recipe, done: Mapping[str, float]) -> Chain:
    loads: dict[str, float] = defaultdict(float)
    for name, times in done.items():
        at = book.recipes[name].at
        if at and not book.places_for(at):
            return Chain(recipe, 0.0, {}, at)
        if at:
            places = fsum(
                _open_share(book, address, book.recipes[name]) for address in book.places_for(at)
            )
            loads[at] += times / (_most_runs(book, book.recipes[name]) * places)
    return Chain(
        recipe,
        fsum(times * book.recipes[name].minutes for name, times in done.items()),
        dict(loads),
    )


def _open_share(book: Book, address: str, recipe: Recipe) -> float:
    """On which share of days somebody may do a recipe at a fixture, as often as so many can at
    once: one alone where something goes on by itself.
    """
    fixture = book.fixtures[address]
    return (1 if recipe.after else fixture.serves) * (
        1 - len(set(fixture.closed_on)) / len(WEEKDAYS)
    )


def _most_runs(book: Book, recipe: Recipe) -> float:
    """How often a day, over a year, a recipe can be done at one fixture."""
    if not recipe.after:
        return WORKDAY / recipe.minutes
    cycle = (recipe.minutes + recipe.after) / DAY
    if not recipe.season:
        return 1 / cycle
    window = sum(book.calendar.seasons[season].days for season in recipe.season)
    return (window // cycle + 1) / book.year


def worth(book: Book, need: str) -> dict[str, float]:
    """By how much one of each kind can raise a need, once it is made into what is used up. Nothing
    grows in this reckoning.
    """
    points: dict[str, float] = defaultdict(float)
    usable = [
        recipe
        for recipe in book.recipes.values()
        if len(recipe.inputs) == 1
        and (not recipe.at or book.places_for(recipe.at))
        and not _grows(book, recipe)
    ]
    for _ in book.recipes:
        for recipe in usable:
            kind, count = recipe.inputs[0]
            gained = max(0, dict(recipe.body).get(need, 0)) + fsum(
                points[made] * each for made, each in recipe.products
            )
            points[kind] = max(points[kind], gained / count)
    return dict(points)


def _grows(book: Book, recipe: Recipe) -> bool:
    """Whether nature gives more to it than people do."""
    return dict(recipe.take).get(NATURE, 0) > book.grams(recipe.inputs)
