"""Work: what somebody begins, leaves and finishes, and what goes on by itself. Each function gives
the effects, for what nothing refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from hometown.society.affairs import Affairs, at_work, growing
from hometown.society.bodies import changed
from hometown.society.chance import chill, harvest
from hometown.society.market import asked
from hometown.society.mood import paced
from hometown.world.book.book import COIN, Recipe
from hometown.world.book.parts import FULL
from hometown.world.effects import Effect
from hometown.world.labour import (
    CameOf,
    Deed,
    Errand,
    Learned,
    NeedsSet,
    Outcome,
    Priced,
    Process,
    ProcessBegun,
    ProcessEnded,
    Shop,
    WorkBegun,
    WorkEnded,
)
from hometown.world.matter import Goods, Move, Shifted, Traded, Transformed, Worn, kind_of

LEARNT = 4
"""Points of skill from doing something once, where its recipe does not say."""

QUICKER = 4
"""One FULL skill takes the time of a recipe down by one part in so many."""

BROKE, CHILLED = "BROKE", "CHILLED"
"""The outcomes for a tool that was worn out, and for a chill caught at work. No refusals: the work
itself was done.
"""

MISHAPS = (BROKE, CHILLED)


def begin_work(
    affairs: Affairs, who: str, recipe_id: str, at: str, partner: str = ""
) -> list[Effect]:
    """What it takes is bound, from the fixture and then from the bag, a tool is taken to hand, and
    the work begins, with a `partner` if it takes one.
    """
    recipe = affairs.book.recipes[recipe_id]
    bound = tuple(
        Move(holder, at_work(who), goods) for holder, goods in affairs.sources(who, recipe, at)
    )
    skill = dict(affairs.state.skills(who)).get(recipe.skill, 0)
    minutes = max(1, recipe.minutes - recipe.minutes * skill // (FULL * QUICKER))
    minutes = paced(minutes, affairs.pleasures(who))
    tool = affairs.tool(who, recipe, at) if recipe.tool else None
    deed = Deed(
        recipe_id, at, affairs.now, affairs.now + timedelta(minutes=minutes), bound, tool, partner
    )
    return [*map(Shifted, deed.held), WorkBegun(who, deed)]


def leave_work(affairs: Affairs, who: str, deed: Deed) -> list[Effect]:
    """What was bound goes back to where it was; what the work has cost so far is not given back. A
    partner cannot go on alone.
    """
    spent, whole = (
        max(0, (affairs.now - deed.since).total_seconds()),
        (deed.until - deed.since).total_seconds(),
    )
    cost = {
        need: int(change * spent / whole)
        for need, change in affairs.book.recipes[deed.recipe].body
        if change < 0
    }
    theirs = affairs.state.deed(deed.partner) if deed.partner else None
    together = [WorkEnded(deed.partner, False)] if theirs and theirs.partner == who else []
    return [*map(_back, deed.held), WorkEnded(who, False), *together, *_felt(affairs, who, cost)]


def finish_work(affairs: Affairs, who: str, deed: Deed, succeeds: bool = True) -> list[Effect]:
    """Something is made, or goes on by itself from now on, or has failed; the body and the skills
    have changed.
    """
    recipe, laid_by, caught = (
        affairs.book.recipes[deed.recipe],
        _laid_by(affairs, who, deed),
        chill(affairs, who, deed),
    )
    by = Counter(dict(recipe.body) if succeeds else recipe.part.failure.body)
    by.update(caught)
    body = [
        *_felt(affairs, who, by),
        *([CameOf(who, Outcome(Errand("do", deed.at, deed.recipe), CHILLED))] if caught else []),
    ]
    if not succeeds:
        left = _made(
            affairs,
            recipe.inputs,
            tuple(sorted(recipe.part.failure.make.items())),
            at_work(who),
            who,
        )
        return [*laid_by, *left, WorkEnded(who, True), *body]
    ended: list[Effect] = [WorkEnded(who, True), *body, *_learnt(affairs, who, recipe)]
    if recipe.after:
        bound = (
            [Shifted(Move(at_work(who), growing(deed.at), recipe.inputs))] if recipe.inputs else []
        )
        return [
            *laid_by,
            *bound,
            ProcessBegun(deed.at, Process(recipe.id, deed.until + timedelta(minutes=recipe.after))),
            *ended,
        ]
    return [*laid_by, *_made(affairs, recipe.inputs, recipe.products, at_work(who), who), *ended]


def ripen(affairs: Affairs, address: str, process: Process) -> list[Effect]:
    """What went on by itself is done, and lies there, as much as the weather has left of it."""
    recipe, share = affairs.book.recipes[process.recipe], harvest(affairs, process)
    products = tuple(
        (kind, left) for kind, count in recipe.products if (left := count * share // FULL)
    )
    return [
        *_made(affairs, recipe.inputs, products, growing(address), address),
        ProcessEnded(address),
    ]


def buy(affairs: Affairs, who: str, address: str, kind: str, count: int) -> list[Effect]:
    """Goods against coins at the price that is asked of somebody."""
    shop = affairs.state.shop(address)
    assert shop is not None, "what has no shop is refused"
    price = asked(affairs, who, address, kind) * count
    sold = dict(shop.sold) | {kind: dict(shop.sold).get(kind, 0) + count}
    moves = (
        Move(address, who, ((kind, count),)),
        Move(affairs.purse(who), affairs.book.seller(address), ((COIN, price),)),
    )
    return [Traded(moves), Priced(address, Shop(shop.prices, tuple(sorted(sold.items()))))]


def fall_asleep(affairs: Affairs, who: str, asleep: bool) -> list[Effect]:
    """Somebody falls asleep, or wakes."""
    return [NeedsSet(who, changed(affairs.book, affairs.state.needs(who), affairs.now, {}, asleep))]


def _made(
    affairs: Affairs, inputs: Goods, products: Goods, holder: str, receiver: str
) -> list[Effect]:
    """What is bound becomes what is made, and that goes to whom it belongs."""
    products = affairs.new(products)
    take, make = affairs.book.balanced(inputs, products)
    made: list[Effect] = [Transformed(holder, take, make)] if take or make else []
    return [*made, Shifted(Move(holder, receiver, products))] if products else made


def _back(move: Move) -> Effect:
    return Shifted(Move(move.taker, move.giver, move.goods))


def _laid_by(affairs: Affairs, who: str, deed: Deed) -> list[Effect]:
    """The tool is laid where it was, once more used; what is worn out breaks, and what lay in it
    lies beside it.
    """
    if deed.tool is None:
        return []
    (name, _), *_ = deed.tool.goods
    part, item, holder = (
        affairs.book.kinds[kind_of(name)],
        affairs.state.item(name),
        deed.tool.giver,
    )
    laid_by = [_back(deed.tool)]
    if item is None or not part.wears:
        return laid_by
    if item.worn + 1 < part.wears:
        return [*laid_by, Worn(name, item.worn + 1)]
    inside, left = affairs.state.stock(name).goods, affairs.new(tuple(sorted(part.leaves.items())))
    spilt: list[Effect] = [Shifted(Move(name, holder, inside))] if inside else []
    broke = Outcome(Errand("do", deed.at, deed.recipe), BROKE, (("kind", kind_of(name)),))
    return [
        *laid_by,
        *spilt,
        Transformed(holder, *affairs.book.balanced(((name, 1),), left)),
        CameOf(who, broke),
    ]


def _felt(affairs: Affairs, who: str, by: Mapping[str, int]) -> list[Effect]:
    needs = affairs.state.needs(who)
    return (
        [NeedsSet(who, changed(affairs.book, needs, affairs.now, by, needs.asleep))] if by else []
    )


def _learnt(affairs: Affairs, who: str, recipe: Recipe) -> list[Effect]:
    gains = (
        recipe.part.gains
        if recipe.part.gains is not None
        else {recipe.skill: LEARNT}
        if recipe.skill
        else {}
    )
    had = dict(affairs.state.skills(who))
    return [
        Learned(who, skill, min(FULL, had.get(skill, 0) + more))
        for skill, more in gains.items()
        if more and had.get(skill, 0) < FULL
    ]
