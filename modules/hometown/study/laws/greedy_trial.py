"""A trial of greed: one resident does nothing all day but the work that is worth most under a law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hometown.society.chains import WORKDAY_MINUTES
from hometown.society.enactment import replace_rules
from hometown.society.rule_life import RuleLife
from hometown.study.laws.value_search import net_products, usual_prices
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book, Recipe
from hometown.world.labour import Errand, Verb
from hometown.world.rows import Row
from hometown.world.world import World


@dataclass(frozen=True)
class GreedyDay:
    """The day of the resident who earns most: their id, and the worth of what they made in coins."""

    who: str = ""
    coins: float = 0.0


def find_greediest(
    world: World,
    after: Book,
    entries: Entries,
    rows: Mapping[str, Row],
    places: Mapping[str, str],
    recipes: Iterable[str],
) -> GreedyDay:
    """Return the best of a day for each resident, each in a copy of the present town in which nobody
    else acts.

    Args:
        world: The town, with its rules before the law.
        after: The rules under the law.
        entries: The entries of the law.
        rows: The rows of the town's society.
        places: The arenas of the residents.
        recipes: The ids of recipes to do, the most valuable first.
    """
    assert world.book is not None
    wanted, best = list(recipes), GreedyDay()
    for who in places:
        life = RuleLife(world.book, world.start, 0, world.walk_minutes, rows, places)
        life.carry_out(replace_rules(life.society, after, entries))
        life.book = after
        coins = _work_all_day(life, who, [after.recipes[each] for each in wanted])
        best = max(best, GreedyDay(who, coins), key=lambda day: day.coins)
    return best


def _work_all_day(life: RuleLife, who: str, recipes: list[Recipe]) -> float:
    """Return the worth in coins of what a resident makes in a working day."""
    prices, left, earned = usual_prices(life.book), WORKDAY_MINUTES, 0.0
    while left > 0:
        done = next((recipe for recipe in recipes if _do_work(life, who, recipe)), None)
        if done is None:
            break
        life.pass_time(done.minutes)
        left -= done.minutes
        net = net_products(life.book, done)
        earned += sum(prices.get(kind, 0) * count for kind, count in net.items())
        _put_away(life, who)
    return earned


def _do_work(life: RuleLife, who: str, recipe: Recipe) -> bool:
    """Begin a recipe at the first place that allows it, with inputs fetched or bought; return True
    if it began.
    """
    for kind, count in recipe.inputs:
        _get(life, who, kind, count)
    if recipe.tool and not any(life.state.stock(who).count(k) for k in _tools(life, recipe)):
        for kind in _tools(life, recipe):
            _get(life, who, kind, 1)
    sites = life.book.places_for(recipe.at) if recipe.at else ("",)
    return any(life.attempt(who, Errand(Verb.DO, at, recipe.id)) is None for at in sites)


def _tools(life: RuleLife, recipe: Recipe) -> list[str]:
    return life.book.tools_for(recipe.tool)


def _get(life: RuleLife, who: str, kind: str, count: int) -> None:
    """Fetch or buy goods until the bag holds `count` of a kind, as far as possible."""
    sources = [(Verb.TAKE, at) for at in life.society.stores_of(who)]
    sources += [(Verb.BUY, at) for at in life.book.shops]
    for verb, at in sources:
        lacking = count - life.state.stock(who).count(kind)
        able = min(lacking, life.state.stock(at).count(kind))
        if able > 0:
            life.attempt(who, Errand(verb, at, kind, able))


def _put_away(life: RuleLife, who: str) -> None:
    """Put what is in the bag into the first store that takes it, so that there is room for more."""
    for kind, count in life.state.stock(who).goods:
        for at in list(life.society.stores_of(who)) if count > 1 else ():
            if life.attempt(who, Errand(Verb.PUT, at, kind, count)) is None:
                break
