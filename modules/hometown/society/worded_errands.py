"""Errands as a mind words them, without a search for means: what is lacking is not fetched, and the
errand is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hometown.memory.schedule import MeantTask, Tasks
from hometown.society.arbiter import has_no_need_for
from hometown.society.errand_plan import DEFAULT_QUANTITY
from hometown.society.errands import attempt_errand
from hometown.society.goods_words import count_named
from hometown.society.planner import Planner
from hometown.society.refusals import refuse_work
from hometown.society.society_view import SocietyView
from hometown.world.book.book import Book, Recipe
from hometown.world.labour import Errand, Verb
from hometown.world.world import arena_of


def follow_words(
    search: Planner, tasks: Sequence[MeantTask], place: str, room: str = ""
) -> Iterator[Errand]:
    """Yield the errands that tasks word, from `place` on, up to the first that was refused lately
    and may not be tried again.

    Left out are purchases that are done, goods to fetch that the bag has already, goods to put away
    that it will not have, and eating and pastimes of those who have enough.

    Args:
        search: The resident's search for means.
        tasks: The tasks, in order.
        place: The address at which the resident is.
        room: The arena in which they mean to work where several would do; "" for the nearest.
    """
    coming, here = Counter[str](), arena_of(place)
    for task in tasks:
        errand = _find_errand(search, task, place, coming, room)
        if errand is None:
            continue
        if search.is_blocked(errand.verb, errand.at, errand.what) and not (
            arena_of(errand.at) == here and _is_free_again(search, errand)
        ):
            return
        yield errand
        place = search.society.site_of(errand.at) or place
        coming.update(_gain(search.society, errand))


def _is_free_again(search: Planner, errand: Errand) -> bool:
    """Return True if an errand was refused only since its fixture was in use, which it is no more."""
    codes = {
        bar.outcome.code
        for bar in search.society.blocks_of(search.who)
        if bar.outcome.errand == errand
    }
    return codes == {"BUSY"} and not search.society.is_occupied(errand.at)


def _gain(society: SocietyView, errand: Errand) -> Mapping[str, int]:
    """Return the goods by which an errand makes the bag fuller or, below 0, emptier."""
    recipe = society.book.recipes.get(errand.what)
    if recipe is None:
        return {errand.what: -errand.count if errand.verb == Verb.PUT else errand.count}
    there = society.state.stock(errand.at)
    used = {kind: max(count - there.count(kind), 0) for kind, count in recipe.inputs}
    made = {} if recipe.after else dict(recipe.products)
    return {kind: made.get(kind, 0) - used.get(kind, 0) for kind in (*used, *made)}


def lacks_goods(search: Planner, task: MeantTask) -> bool:
    """Return True if the bag has fewer goods than a task to fetch them names."""
    return search.count_in_bag(task.what) < _count_meant(search.society.book, task)


def _count_meant(book: Book, task: MeantTask) -> int:
    """Return the number of goods that a task names, or the usual one."""
    return count_named(book, task.what, task.activity) or DEFAULT_QUANTITY


def seems_possible(search: Planner, errand: Errand) -> bool:
    """Return True if a resident knows no reason why an errand would be refused."""
    if errand.verb in (Verb.TEND, Verb.HIRE):
        return True
    return attempt_errand(search.society, search.who, errand)[0] is None


def count_minutes(search: Planner, errands: Sequence[Errand], place: str) -> int:
    """Return the minutes that errands take from `place` on, ways and work together."""
    minutes = 0
    for errand in errands:
        site = search.society.site_of(errand.at) or place
        minutes += search.travel_minutes(place, site) if site != place else 0
        recipe = search.society.book.recipes.get(errand.what)
        minutes += recipe.minutes if recipe else 0
        place = site
    return minutes


def tick_off(book: Book, tasks: Tasks, errands: Sequence[Errand]) -> Tasks:
    """Return the tasks with those that errands have carried out marked as done, one for each."""
    for errand in errands:
        recipe = book.recipes.get(errand.what)
        meant = (errand.what, recipe.family if recipe else errand.what)
        items = list(tasks.items)
        for at, task in enumerate(items):
            if (
                isinstance(task, MeantTask)
                and task.status != "done"
                and (task.verb == errand.verb and task.what in meant)
            ):
                items[at] = replace(task, status="done")
                tasks = replace(tasks, items=tuple(items))
                break
    return tasks


def _find_errand(
    search: Planner, task: MeantTask, place: str, coming: Mapping[str, int], room: str
) -> Errand | None:
    """Return the errand that a task words, at the place named or else the nearest known; None if
    it is needless.

    Args:
        search: The resident's search for means.
        task: The task.
        place: The address at which the resident is by then.
        coming: The goods that the errands before it bring or, below 0, use up.
        room: The arena in which they mean to work; "" for any.
    """
    verb, what = Verb(task.verb), task.what
    match verb:
        case Verb.DO:
            return _find_work(search, task, place, coming, room)
        case Verb.BUY if count := count_named(search.society.book, what, task.activity):
            wanted = count if task.status != "done" else 0
            return _find_source(search, verb, what, task.at, wanted, place) if wanted else None
        case Verb.TAKE | Verb.BUY:
            wanted = _count_meant(search.society.book, task) - search.count_in_bag(what)
            return _find_source(search, verb, what, task.at, wanted, place) if wanted > 0 else None
        case Verb.PUT:
            at = task.at or _nearest(search, _shelves(search, what), place)
            there = search.count_in_bag(what) + coming.get(what, 0)
            count = min(_count_meant(search.society.book, task), there)
            return Errand(verb, at, what, count) if at and count > 0 else None
    return Errand(verb, task.at, what)


def _find_work(
    search: Planner, task: MeantTask, place: str, coming: Mapping[str, int], room: str
) -> Errand | None:
    """Return the work that a task words: of several recipes or places one without an obstacle, or
    whose inputs are coming, one in `room` first, then the nearest. None if the resident has no need
    of it.
    """
    society, book = search.society, search.society.book
    recipe = book.recipes.get(task.what)
    family = book.families.get(recipe.family if recipe else task.what, ())

    def rank(option: tuple[Recipe, str]) -> tuple[bool, bool, bool, int]:
        each, at = option
        is_refused = refuse_work(society, search.who, each.id, at) is not None
        has_inputs = bool(coming) and all(
            coming.get(kind, 0) > 0 or search.count_in_bag(kind) for kind, _ in each.inputs
        )
        return (
            bool(at) and not society.may_use(search.who, at),
            is_refused and not has_inputs,
            bool(at) and arena_of(at) != room,
            search.travel_minutes(place, at) if at else 0,
        )

    options = [
        (each, at)
        for each in ((recipe,) if recipe else family)
        if not each.part.partner
        for at in ((task.at,) if task.at else book.places_for(each.at) if each.at else ("",))
    ]
    if not options:
        return None
    best, at = min(options, key=rank)
    is_pastime = (
        any(change > 0 for _, change in best.body) and not best.products and not best.part.breaks
    )
    is_needless = is_pastime and has_no_need_for(society, search.who, [best])
    return None if is_needless else Errand(Verb.DO, at, best.id)


def _find_source(
    search: Planner, verb: Verb, kind: str, at: str, wanted: int, place: str
) -> Errand | None:
    """Return the errand to fetch or buy goods at a holder, for "" the nearest known to have them, as
    many as seem to be there and can be paid. Without any, they are looked for in the nearest store
    or in a shop that sells such goods; None if there is none.
    """
    book = search.society.book
    if verb == Verb.BUY:
        prices = dict(search.shops_by_kind.get(kind, ()))
        shops = [at for at in book.shops if (shop := book.fixtures[at].shop) and kind in shop.sells]
        at = at or _nearest(search, list(prices) or shops, place)
        able = search.coins // prices[at] if prices.get(at) else wanted
    else:
        able = wanted
        known = [holder for holder, _ in search.stores_by_kind.get(kind, ())]
        at = at or _nearest(search, known or _shelves(search, kind), place)
    there = search.society.state.stock(at).count(kind) if at else 0
    return Errand(verb, at, kind, min(wanted, there or wanted, able or wanted)) if at else None


def _shelves(search: Planner, kind: str) -> list[str]:
    """Return the fixtures in which a resident keeps a kind by duty, or else all they may use."""
    kept = [duty.at for duty in search.society.duties(search.who) if duty.keep == kind]
    return kept or [at for at in search.stores if at in search.society.book.fixtures]


def _nearest(search: Planner, addresses: Sequence[str], place: str) -> str:
    """Return the address with the shortest way, that of its site for an item; "" for none."""
    return min(
        addresses,
        key=lambda at: search.travel_minutes(place, search.society.site_of(at) or place),
        default="",
    )
