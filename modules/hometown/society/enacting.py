"""A law comes into force: what it leaves no room for is brought to an end, no gram is lost, people
move in, and everybody is told.

Generators read the state as it is: apply each effect before taking the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from datetime import datetime, timedelta

from hometown.memory.concept import Concept
from hometown.society.affairs import Affairs, growing
from hometown.society.bodies import MOST, changed
from hometown.society.market import opening
from hometown.society.settling import settle_in
from hometown.society.work import leave_work
from hometown.world.book.amend import Entries
from hometown.world.book.book import Book
from hometown.world.effects import Effect, Remembered
from hometown.world.faults import Faults
from hometown.world.furnish import furnished
from hometown.world.incidents import Law, LawChanged
from hometown.world.interventions import Intervention, carry_out
from hometown.world.labour import (
    AimSet,
    CourseSet,
    Needs,
    NeedsSet,
    Priced,
    Process,
    ProcessEnded,
    Shop,
)
from hometown.world.laws import proposed
from hometown.world.learning import parse_passages
from hometown.world.matter import NATURE, Move, Shifted, Transformed, kind_of
from hometown.world.moving_in import moved_in
from hometown.world.state import State
from hometown.world.world import World, sector_of

NEWS, CONCERNED = 4, 5
"""Poignancy of hearing of a law, and of one that changes one's own work or house."""

PREDICATE = "is the law"


def enacted(
    founded: World, world: World, state: State, law: Intervention, now: datetime, expire_days: int
) -> Iterator[Effect]:
    """The effects of a law. `founded` is the world as it began, `world` as it is now. What no
    longer fits, since something else has changed, has none.
    """
    yield from carry_out(world, state, law, now, expire_days)
    faults = Faults(world.id)
    entries = proposed(world, law.text, faults)
    if faults.lines:
        return
    after = furnished(
        founded, state.rows | {f"law/{key}": Law(entry) for key, entry in entries.items()}
    )
    if world.book and after.book:
        yield from changeover(Affairs(world.book, state, world.start), after.book, entries)
    else:
        yield LawChanged(tuple(sorted(entries.items())))
    for who in moved_in(world, entries):
        yield from settle_in(after, state, who, entries, expire_days)
    touched = concerned(after.book, entries) if after.book else frozenset()
    if law.memory:
        for who in world.personas:
            if not state.away(who):
                yield _heard(
                    state,
                    who,
                    law.memory,
                    world,
                    CONCERNED if who in touched else NEWS,
                    now,
                    expire_days,
                )


def texts_remembered(world: World, intervention: Intervention) -> list[str]:
    """The texts of the memories that an intervention leaves, which have to be embedded before it is
    carried out.
    """
    if intervention.kind == "learn":
        return list(parse_passages(intervention).values())
    said = [intervention.remembered] if intervention.kind == "tell" or intervention.memory else []
    entries = (
        proposed(world, intervention.text, Faults(world.id)) if intervention.kind == "law" else {}
    )
    return said + [
        seed.text for persona in moved_in(world, entries).values() for seed in persona.seeds
    ]


def concerned(book: Book, entries: Entries) -> frozenset[str]:
    """Whose work or house a law changes: who is named, who owns or works at a fixture, and who does
    a recipe, or sees to what it makes.
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
            if book.fixtures.get(address) and _belongs(book, who, address)
        }
        if part.house in names["houses"] or made & names["kinds"] or by & names["recipes"] or owned:
            found.add(who)
    return frozenset(found)


def _belongs(book: Book, who: str, address: str) -> bool:
    return book.fixtures[address].owner in (who, book.purse(who))


def changeover(affairs: Affairs, after: Book, entries: Entries) -> Iterator[Effect]:
    """From one book to another: work and growth that it has no place for end, kinds that are gone
    go back to nature, and bodies and shops begin anew.
    """
    yield from _work_ended(affairs, after)
    yield from _growth_ended(affairs, after)
    yield from _given_back(affairs, after)
    bodies = (
        [NeedsSet(who, _body(affairs, after, who)) for who in affairs.book.start.people]
        if after.needs != affairs.book.needs
        else []
    )
    yield LawChanged(tuple(sorted(entries.items())))
    yield from bodies
    for who in after.start.people:
        if affairs.state.aim(who) not in ("", *after.needs):
            yield AimSet(who, "")
        if affairs.state.course(who):
            yield CourseSet(who, ())
    yield from _priced(affairs, after)


def _work_ended(affairs: Affairs, after: Book) -> Iterator[Effect]:
    for who in affairs.book.start.people:
        deed = affairs.state.deed(who)
        if deed and not (
            _as_before(affairs.book, after, deed.recipe)
            and (not deed.at or deed.at in after.places_for(after.recipes[deed.recipe].at))
        ):
            yield from leave_work(affairs, who, deed)


def _growth_ended(affairs: Affairs, after: Book) -> Iterator[Effect]:
    """What was put in comes back, as far as there is room for it; the rest goes back to nature."""
    for address in affairs.book.fixtures:
        process = affairs.state.process(address)
        if process and not (
            address in after.fixtures and _as_before(affairs.book, after, process.recipe)
        ):
            yield from _uprooted(affairs, address, process)


def _uprooted(affairs: Affairs, address: str, process: Process) -> Iterator[Effect]:
    yield ProcessEnded(address)
    for kind, count in affairs.book.recipes[process.recipe].inputs:
        back = max(0, min(count, affairs.room(address) // affairs.book.kinds[kind].grams))
        if back:
            yield Shifted(Move(growing(address), address, ((kind, back),)))
        if back < count:
            yield _decayed(affairs.book, growing(address), kind, count - back)


def _as_before(before: Book, after: Book, recipe_id: str) -> bool:
    """Whether what is under way by a recipe can go on: it takes and makes the same, and goes on by
    itself if it did.
    """
    was, now = before.recipes.get(recipe_id), after.recipes.get(recipe_id)
    return bool(
        was
        and now
        and (was.inputs, was.products, was.after > 0) == (now.inputs, now.products, now.after > 0)
    )


def _given_back(affairs: Affairs, after: Book) -> Iterator[Effect]:
    """Goods of a kind that is gone become soil, water and air, wherever they are."""
    gone = affairs.book.kinds.keys() - after.kinds.keys()
    yield from _emptied(affairs, gone)
    for key in sorted(key for key in affairs.state.rows if gone and key.startswith("stock/")):
        holder = key.removeprefix("stock/")
        for kind, count in affairs.state.stock(holder).goods:
            if kind_of(kind) in gone:
                yield _decayed(affairs.book, holder, kind, count)


def _emptied(affairs: Affairs, gone: Set[str]) -> Iterator[Effect]:
    """What is in items of a kind that is gone is put where they are, the innermost first."""
    items = [
        key.removeprefix("item/") for key in sorted(affairs.state.rows) if key.startswith("item/")
    ]
    ways = [affairs.state.holders(item) for item in items if kind_of(item) in gone]
    for item, holder, *_ in sorted(ways, key=len, reverse=True):
        if inside := affairs.state.stock(item).goods:
            yield Shifted(Move(item, holder, inside))


def _decayed(book: Book, holder: str, kind: str, count: int) -> Effect:
    return Transformed(
        holder, ((kind, count),), ((NATURE, count * book.kinds[kind_of(kind)].grams),)
    )


def _body(affairs: Affairs, after: Book, who: str) -> Needs:
    """Levels as they are now, from which they go on at other rates; a need that is new is
    satisfied.
    """
    needs = affairs.state.needs(who)
    now = dict(changed(affairs.book, needs, affairs.now, {}, needs.asleep).levels)
    return Needs(
        tuple((need, now.get(need, MOST)) for need in after.needs), affairs.now, needs.asleep
    )


def _priced(affairs: Affairs, after: Book) -> Iterator[Effect]:
    """Shops post what is said anew; other prices stay as they are."""
    for address in sorted({*affairs.book.fixtures, *after.fixtures}):
        was, now = (
            book.fixtures[address].shop if address in book.fixtures else None
            for book in (affairs.book, after)
        )
        if (was and was.sells) == (now and now.sells):
            continue
        posted = affairs.state.shop(address) or Shop(())
        begun = opening(now, dict(affairs.state.stock(address).goods)) if now else Shop(())
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


def _heard(
    state: State, who: str, text: str, world: World, poignancy: int, now: datetime, expire_days: int
) -> Effect:
    number, home = state.mind(who).memories + 1, world.personas[who].home
    return Remembered(
        who,
        Concept(
            number,
            "event",
            text,
            sector_of(home),
            PREDICATE,
            "",
            home,
            poignancy,
            now,
            now + timedelta(days=expire_days),
        ),
    )
