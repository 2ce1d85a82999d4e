"""The change of a society's rules: work and processes without a place in the new rules end, goods
of removed kinds return to nature, and residents of removed houses take the coins along. Mass is
conserved.

Apply each effect that a generator yields before taking the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from hometown.society.bodies import MAX_LEVEL, change_needs
from hometown.society.jobs import leave_work
from hometown.society.market import open_shop
from hometown.society.society_view import SocietyView, growth_holder
from hometown.world import keys
from hometown.world.book.amend import Entries
from hometown.world.book.book import COIN, Book
from hometown.world.effects import Effect
from hometown.world.incidents import LawChanged
from hometown.world.labour import (
    AimSet,
    CourseSet,
    Hired,
    Job,
    Needs,
    NeedsSet,
    Priced,
    Process,
    ProcessEnded,
    Shop,
)
from hometown.world.matter import NATURE, Shifted, Transfer, Transformed, kind_of


def affected_residents(book: Book, entries: Entries) -> frozenset[str]:
    """Return the residents whose work or house a law changes.

    They or their house are named in it, or they own a fixture that it changes, do a recipe that it
    changes, or supply a kind that it changes.
    """
    names = {
        name: {key.partition("/")[2] for key in entries if key.startswith(f"{name}/")}
        for name in ("people", "houses", "recipes", "kinds", "fixtures")
    }
    found = set(names["people"])
    for who, part in book.start.people.items():
        made = {
            kind
            for duty in part.duties
            for kind, _ in (
                product for recipe in book.families.get(duty.do, ()) for product in recipe.products
            )
        }
        made |= {duty.keep for duty in part.duties if duty.keep}
        by = {recipe.family for kind in made for recipe in book.makers.get(kind, ())} | {
            duty.do for duty in part.duties
        }
        owned = {
            address
            for address in names["fixtures"]
            if book.fixtures.get(address) and _is_owner(book, who, address)
        }
        if part.house in names["houses"] or made & names["kinds"] or by & names["recipes"] or owned:
            found.add(who)
    return frozenset(found)


def _is_owner(book: Book, who: str, address: str) -> bool:
    """Return True if a fixture belongs to a resident or to their house."""
    return book.fixtures[address].owner in (who, book.purse(who))


def replace_rules(society: SocietyView, after: Book, entries: Entries) -> Iterator[Effect]:
    """Yield the effects of replacing the rules `society.book` by `after`.

    Unsupported work and processes end, goods of removed kinds return to nature, removed houses
    dissolve, errands are dropped, and needs and shops are reset where their rules changed.
    """
    yield from _end_work(society, after)
    yield from _end_processes(society, after)
    yield from _return_removed_goods(society, after)
    yield from _dissolve_houses(society, after)
    bodies = (
        [NeedsSet(who, _carry_over_needs(society, after, who)) for who in society.book.start.people]
        if after.needs != society.book.needs
        else []
    )
    yield LawChanged(tuple(sorted(entries.items())))
    yield from bodies
    met = [need for need, part in after.needs.items() if part.met_by]
    for who in after.start.people:
        if society.state.active_need(who) not in ("", *met):
            yield AimSet(who, "")
        if society.state.errand_queue(who):
            yield CourseSet(who, ())
    yield from _post_prices(society, after)


def _end_work(society: SocietyView, after: Book) -> Iterator[Effect]:
    """Yield the end of work that cannot go on under new rules."""
    for who in society.book.start.people:
        job = society.state.job(who)
        if job and not _can_go_on(society.book, after, job):
            yield from leave_work(society, who, job)


def _can_go_on(before: Book, after: Book, job: Job) -> bool:
    """Return True if a job can go on: its recipe is unchanged, its fixture still allows it, and the
    kind of its tool is still there.
    """
    return (
        _is_unchanged(before, after, job.recipe)
        and (not job.at or job.at in after.places_for(after.recipes[job.recipe].at))
        and (job.tool is None or all(kind_of(name) in after.kinds for name, _ in job.tool.goods))
    )


def _end_processes(society: SocietyView, after: Book) -> Iterator[Effect]:
    """Yield the end of unsupported processes. Inputs come back as far as there is room; the rest
    returns to nature.
    """
    for address in society.book.fixtures:
        process = society.state.process(address)
        if process and not (
            address in after.fixtures and _is_unchanged(society.book, after, process.recipe)
        ):
            yield from _end_process(society, address, process)


def _end_process(society: SocietyView, address: str, process: Process) -> Iterator[Effect]:
    """Yield the end of one process: its inputs come back to the fixture as far as there is room,
    and the rest returns to nature.
    """
    yield ProcessEnded(address)
    for kind, count in society.book.recipes[process.recipe].inputs:
        back = max(0, min(count, society.free_grams(address) // society.book.kinds[kind].grams))
        if back:
            yield Shifted(Transfer(growth_holder(address), address, ((kind, back),)))
        if back < count:
            yield _return_to_nature(society.book, growth_holder(address), kind, count - back)


def _is_unchanged(before: Book, after: Book, recipe_id: str) -> bool:
    """Return True if work by a recipe can continue: inputs, products and kind of process are
    unchanged.
    """
    was, now = before.recipes.get(recipe_id), after.recipes.get(recipe_id)
    return bool(
        was
        and now
        and (was.inputs, was.products, was.after > 0) == (now.inputs, now.products, now.after > 0)
    )


def _return_removed_goods(society: SocietyView, after: Book) -> Iterator[Effect]:
    """Yield the return to nature of all goods of removed kinds."""
    gone = society.book.kinds.keys() - after.kinds.keys()
    yield from _empty_removed_items(society, gone)
    holders = sorted(holder for holder, _ in keys.STOCK.select(society.state.rows)) if gone else ()
    for holder in holders:
        for kind, count in society.state.stock(holder).goods:
            if kind_of(kind) in gone:
                yield _return_to_nature(society.book, holder, kind, count)


def _empty_removed_items(society: SocietyView, gone: Set[str]) -> Iterator[Effect]:
    """Yield the moves of the contents of removed containers to the place around them, innermost
    first.
    """
    items = sorted(item for item, _ in keys.ITEM.select(society.state.rows))
    ways = [society.state.holders(item) for item in items if kind_of(item) in gone]
    for item, holder, *_ in sorted(ways, key=len, reverse=True):
        if inside := society.state.stock(item).goods:
            yield Shifted(Transfer(item, holder, inside))


def _dissolve_houses(society: SocietyView, after: Book) -> Iterator[Effect]:
    """Yield the end of all employment by removed houses, and the moves of their coins to the new
    houses of their residents, in equal shares.
    """
    gone = society.book.start.houses.keys() - after.start.houses.keys()
    for who in society.book.start.people:
        if society.employer(who) in gone:
            yield Hired(who, None)
    for house in sorted(gone):
        people = society.book.people_of(house)
        for left, who in zip(range(len(people), 0, -1), people, strict=True):
            purse = f"house:{house}"
            if share := society.state.stock(purse).count(COIN) // left:
                yield Shifted(Transfer(purse, after.purse(who), ((COIN, share),)))


def _return_to_nature(book: Book, holder: str, kind: str, count: int) -> Effect:
    """Return the effect that turns goods, or an item, into nature of the same weight."""
    return Transformed(
        holder, ((kind, count),), ((NATURE, count * book.kinds[kind_of(kind)].grams),)
    )


def _carry_over_needs(society: SocietyView, after: Book, who: str) -> Needs:
    """Return a resident's needs under new rules: present levels, with new needs satisfied."""
    needs = society.state.needs(who)
    now = dict(change_needs(society.book, needs, society.now, {}, needs.asleep).levels)
    return Needs(
        tuple((need, now.get(need, MAX_LEVEL)) for need in after.needs), society.now, needs.asleep
    )


def _post_prices(society: SocietyView, after: Book) -> Iterator[Effect]:
    """Yield the prices and past sales of shops whose offers the law changes. Kinds with the same
    usual price keep their prices, and all kinds that remain their sales.
    """
    for address in sorted({*society.book.fixtures, *after.fixtures}):
        was, now = (
            book.fixtures[address].shop if address in book.fixtures else None
            for book in (society.book, after)
        )
        if (was and was.sells) == (now and now.sells):
            continue
        posted = society.state.shop(address) or Shop(())
        begun = open_shop(now, dict(society.state.stock(address).goods)) if now else Shop(())
        kept = {kind for kind, price in begun.prices if was and was.sells.get(kind) == price}
        prices = tuple(
            (kind, dict(posted.prices).get(kind, price) if kind in kept else price)
            for kind, price in begun.prices
        )
        yield Priced(
            address,
            Shop(
                prices,
                tuple((kind, dict(posted.sold).get(kind, count)) for kind, count in begun.sold),
            ),
        )
