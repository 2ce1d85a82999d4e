"""Checks of the items in the files of a society: references to tools, wear, contents and weights of
containers.
"""

from __future__ import annotations

from hometown.text import Phrase
from hometown.world.book.book import Book
from hometown.world.book.known_names import KINDS, RECIPES, START, check_known
from hometown.world.book.parts import WITHIN, RecipePart
from hometown.world.faults import Faults
from hometown.world.matter import MARK


def check_kinds(book: Book, faults: Faults) -> None:
    """Add a fault for each kind with an item's properties that is no item, or whose remains are an
    item or weigh more than it.
    """
    for kind, part in book.kinds.items():
        if MARK in kind:
            faults.add(
                KINDS,
                kind,
                "has {mark!r} in its name, after which items are numbered; leave it out",
                mark=MARK,
            )
        check_known(faults, KINDS, kind, Phrase("need"), part.gives, book.needs)
        only = [name for name in ("wears", "leaves", "holds", "closed") if getattr(part, name)]
        if only and not part.item:
            faults.add(
                KINDS,
                kind,
                "has {names}, which only an item can have; add 'item': true",
                names=only,
            )
        if part.leaves and not part.wears:
            faults.add(
                KINDS, kind, "leaves something once it is worn out, but does not wear; add 'wears'"
            )
        if part.closed and not part.holds:
            faults.add(
                KINDS, kind, "is closed, but holds nothing; add 'holds', or leave out 'closed'"
            )
        check_known(faults, KINDS, kind, Phrase("kind"), part.leaves, book.kinds)
        goods = [name for name in part.leaves if name in book.kinds]
        for name in goods:
            if book.kinds[name].item:
                faults.add(
                    KINDS, kind, "leaves {name!r}, which is an item; let it leave goods", name=name
                )
        left = sum(book.kinds[name].grams * part.leaves[name] for name in goods)
        if left > part.grams:
            faults.add(
                KINDS,
                kind,
                "weighs {grams} g and leaves {left} g; let it leave less",
                grams=part.grams,
                left=left,
            )


def check_tools(book: Book, name: str, recipe: RecipePart, faults: Faults) -> None:
    """Add a fault for each variant of a recipe that uses up its tool or a container."""
    for variant in book.families.get(name, ()):
        for kind in (kind for kind, _ in variant.inputs if kind in book.kinds):
            if recipe.tool and recipe.tool in book.kinds[kind].tags:
                faults.add(
                    RECIPES,
                    variant.id,
                    "takes {kind!r}, which it needs as a tool; take another kind, or none",
                    kind=kind,
                )
            if book.kinds[kind].holds:
                faults.add(
                    RECIPES,
                    variant.id,
                    "takes {kind!r}, in which something might lie; take a kind that holds nothing",
                    kind=kind,
                )


def grams_at_start(book: Book, way: str) -> int:
    """Return the initial weight in a fixture, a bag or an item, with the contents of items, as far
    as the kinds are known.
    """
    person = book.start.people.get(way)
    stocks = [
        stock for at, stock in book.start.stocks.items() if at == way or at.startswith(way + WITHIN)
    ]
    return book.grams(
        tuple(
            (kind, count)
            for stock in (*stocks, person.has if person else {})
            for kind, count in stock.items()
            if kind in book.kinds
        )
    )


def check_items_at_start(book: Book, faults: Faults) -> None:
    """Add a fault for each item with initial contents that does not exist or is too small."""
    has = {**book.start.stocks, **{who: person.has for who, person in book.start.people.items()}}
    for way, stock in book.start.stocks.items():
        outer, within, kind = way.rpartition(WITHIN)
        if not within:
            continue
        check_known(faults, START, way, Phrase("kind"), [*stock, kind], book.kinds)
        if kind not in has.get(outer, {}):
            faults.add(
                START,
                way,
                "there is no {kind!r} in {outer!r} at the start; put one there, or correct the way",
                kind=kind,
                outer=outer,
            )
        elif kind in book.kinds and set(stock) <= set(book.kinds):
            grams = grams_at_start(book, way)
            if grams > book.kinds[kind].holds:
                faults.add(
                    START,
                    way,
                    "{grams} g lie there, but it holds {holds} g; store less",
                    grams=grams,
                    holds=book.kinds[kind].holds,
                )
