"""Effects of work: begin, leave and finish a job, and ripen a process. Their preconditions are
checked elsewhere (`modules/hometown/society/refusals.py`).
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
"""The points of skill from doing a recipe that specifies none."""

QUICKER = 4
"""A full skill shortens a recipe by 1/QUICKER."""

BROKE, CHILLED = "BROKE", "CHILLED"
"""The outcome codes for a tool that broke and for a chill caught at work. They are no refusals: the
work itself is done.
"""

MISHAPS = (BROKE, CHILLED)


def begin_work(
    affairs: Affairs, who: str, recipe_id: str, at: str, partner: str = ""
) -> list[Effect]:
    """Return the effects that begin a job: inputs are reserved, from the fixture before the bag,
    and the tool is taken.
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
    """Return the effects of leaving a job: inputs go back, and needs lose the share spent so far.

    A partner's job ends too.
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
    """Return the effects of finished work: products, a process or a failure, and changes of needs
    and skills.
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
    """Return the effects that end a process, with its weather-adjusted yield at the fixture."""
    recipe, share = affairs.book.recipes[process.recipe], harvest(affairs, process)
    products = tuple(
        (kind, left) for kind, count in recipe.products if (left := count * share // FULL)
    )
    return [
        *_made(affairs, recipe.inputs, products, growing(address), address),
        ProcessEnded(address),
    ]


def buy(affairs: Affairs, who: str, address: str, kind: str, count: int) -> list[Effect]:
    """Return the trade of goods for coins at the price for this resident."""
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
    """Return the effect by which a resident falls asleep, or wakes."""
    return [NeedsSet(who, changed(affairs.book, affairs.state.needs(who), affairs.now, {}, asleep))]


def _made(
    affairs: Affairs, inputs: Goods, products: Goods, holder: str, receiver: str
) -> list[Effect]:
    """Return the effects that turn reserved inputs into products and hand these over."""
    products = affairs.new(products)
    take, make = affairs.book.balanced(inputs, products)
    made: list[Effect] = [Transformed(holder, take, make)] if take or make else []
    return [*made, Shifted(Move(holder, receiver, products))] if products else made


def _back(move: Move) -> Effect:
    return Shifted(Move(move.taker, move.giver, move.goods))


def _laid_by(affairs: Affairs, who: str, deed: Deed) -> list[Effect]:
    """Return the effects of putting a tool back, used once more.

    A worn-out tool breaks, and its contents stay in its place.
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
