"""Effects of work: begin, leave and finish a job, and ripen a process. Their preconditions are
checked elsewhere (`modules/hometown/society/refusals.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from hometown.agent.mind.mood import adjust_minutes
from hometown.society.bodies import change_needs
from hometown.society.chance import draw_chill, harvest_share
from hometown.society.market import price_for
from hometown.society.realms import grown_level, realm_ahead
from hometown.society.society_view import SocietyView, growth_holder, work_holder
from hometown.world.book.book import COIN, Recipe
from hometown.world.book.parts import FULL
from hometown.world.effects import Effect
from hometown.world.labour import (
    CameOf,
    Errand,
    Job,
    Learned,
    NeedsSet,
    Outcome,
    Priced,
    Process,
    ProcessBegun,
    ProcessEnded,
    Shop,
    Verb,
    WorkBegun,
    WorkEnded,
)
from hometown.world.matter import Goods, Shifted, Traded, Transfer, Transformed, Worn, kind_of

DEFAULT_SKILL_GAIN = 4
"""The points of skill from doing a recipe that specifies none."""

FULL_SKILL_TIME_DIVISOR = 4
"""A full skill shortens a recipe by 1/`FULL_SKILL_TIME_DIVISOR`."""

TOOL_BROKE, CAUGHT_CHILL = "BROKE", "CHILLED"
"""The outcome codes for a tool that broke and for a chill caught at work. They are no refusals: the
work itself is done.
"""

MISHAPS = (TOOL_BROKE, CAUGHT_CHILL)


def begin_work(
    society: SocietyView,
    who: str,
    recipe_id: str,
    at: str,
    partner: str = "",
    until: datetime | None = None,
) -> list[Effect]:
    """Return the effects that begin a job: inputs are reserved, from the fixture before the bag,
    and the tool is taken. It ends at `until`, or by default after the time that the resident takes.
    """
    recipe = society.book.recipes[recipe_id]
    bound = tuple(
        Transfer(holder, work_holder(who), goods)
        for holder, goods in society.input_sources(who, recipe, at)
    )
    tool = society.find_tool(who, recipe, at) if recipe.tool else None
    end = until or society.now + _work_time(society, who, recipe)
    job = Job(recipe_id, at, society.now, end, bound, tool, partner)
    return [*map(Shifted, job.reserved_moves), WorkBegun(who, job)]


def _work_time(society: SocietyView, who: str, recipe: Recipe) -> timedelta:
    """Return the time that a resident takes for a recipe. Skill shortens it, by up to
    1/`FULL_SKILL_TIME_DIVISOR`, and pleasure changes it; it takes a minute at least.
    """
    skill = society.state.skill(who, recipe.skill)
    minutes = max(1, recipe.minutes - recipe.minutes * skill // (FULL * FULL_SKILL_TIME_DIVISOR))
    return timedelta(minutes=adjust_minutes(minutes, society.pleasure_of(who)))


def leave_work(society: SocietyView, who: str, job: Job) -> list[Effect]:
    """Return the effects of leaving a job: inputs and tool go back, and the needs that it lowers are
    lowered by the share of time spent. A partner's job ends too.
    """
    spent = max(0, (society.now - job.since).total_seconds())
    whole = (job.until - job.since).total_seconds()
    cost = {
        need: int(change * spent / whole)
        for need, change in society.book.recipes[job.recipe].body
        if change < 0
    }
    theirs = society.state.job(job.partner) if job.partner else None
    together = _abandon(job.partner, theirs) if theirs and theirs.partner == who else []
    return [*_abandon(who, job), *together, *_change_needs(society, who, cost)]


def _abandon(who: str, job: Job) -> list[Effect]:
    """Return the effects by which a job ends undone and gives its goods back."""
    return [*map(_give_back, job.reserved_moves), WorkEnded(who, False)]


def finish_work(society: SocietyView, who: str, job: Job, succeeds: bool = True) -> list[Effect]:
    """Return the effects of finished work: the tool is put back; success makes the products or
    begins a process, and skills grow; failure makes its own products. Needs change, also from a
    chill that the resident may catch.
    """
    recipe = society.book.recipes[job.recipe]
    tool_back = _put_tool_back(society, who, job)
    caught = draw_chill(society, who, job)
    by = Counter(_effects_on_needs(society, who, recipe, succeeds))
    by.update(caught)
    body = [
        *_change_needs(society, who, by),
        *(
            [CameOf(who, Outcome(Errand(Verb.DO, job.at, job.recipe), CAUGHT_CHILL))]
            if caught
            else []
        ),
    ]
    if not succeeds:
        left = _produce(
            society,
            recipe.inputs,
            tuple(sorted(recipe.part.failure.make.items())),
            work_holder(who),
            who,
        )
        return [*tool_back, *left, WorkEnded(who, True), *body]
    ended: list[Effect] = [WorkEnded(who, True), *body, *_gain_skills(society, who, recipe)]
    if recipe.after:
        bound = (
            [Shifted(Transfer(work_holder(who), growth_holder(job.at), recipe.inputs))]
            if recipe.inputs
            else []
        )
        return [
            *tool_back,
            *bound,
            ProcessBegun(job.at, Process(recipe.id, job.until + timedelta(minutes=recipe.after))),
            *ended,
        ]
    return [
        *tool_back,
        *_produce(society, recipe.inputs, recipe.products, work_holder(who), who),
        *ended,
    ]


def _effects_on_needs(
    society: SocietyView, who: str, recipe: Recipe, succeeds: bool
) -> Mapping[str, int]:
    """Return the changes of needs by a recipe; by a failure also those of the realm ahead."""
    if succeeds:
        return dict(recipe.body)
    changes = Counter(recipe.part.failure.body)
    if ahead := realm_ahead(society, who, recipe):
        changes.update(ahead.failure)
    return changes


def ripen(society: SocietyView, address: str, process: Process) -> list[Effect]:
    """Return the effects that end a process, with its weather-adjusted yield at the fixture."""
    recipe = society.book.recipes[process.recipe]
    share = harvest_share(society, process)
    products = tuple(
        (kind, left) for kind, count in recipe.products if (left := count * share // FULL)
    )
    return [
        *_produce(society, recipe.inputs, products, growth_holder(address), address),
        ProcessEnded(address),
    ]


def buy_goods(society: SocietyView, who: str, address: str, kind: str, count: int) -> list[Effect]:
    """Return the effects of a purchase: goods are traded for coins at the price for this resident,
    and the shop's sales are counted.
    """
    shop = society.state.shop(address)
    assert shop is not None, "what has no shop is refused"
    price = price_for(society, who, address, kind) * count
    sold = dict(shop.sold) | {kind: dict(shop.sold).get(kind, 0) + count}
    moves = (
        Transfer(address, who, ((kind, count),)),
        Transfer(society.purse(who), society.book.seller(address), ((COIN, price),)),
    )
    return [Traded(moves), Priced(address, Shop(shop.prices, tuple(sorted(sold.items()))))]


def set_asleep(society: SocietyView, who: str, asleep: bool) -> list[Effect]:
    """Return the effect by which a resident falls asleep, or wakes."""
    return [
        NeedsSet(who, change_needs(society.book, society.state.needs(who), society.now, {}, asleep))
    ]


def _produce(
    society: SocietyView, inputs: Goods, products: Goods, holder: str, receiver: str
) -> list[Effect]:
    """Return the effects that turn reserved inputs into products and hand these over."""
    products = society.number_new_items(products)
    take, make = society.book.balanced(inputs, products)
    made: list[Effect] = [Transformed(holder, take, make)] if take or make else []
    return [*made, Shifted(Transfer(holder, receiver, products))] if products else made


def _give_back(move: Transfer) -> Effect:
    """Return the effect that moves goods back from taker to giver."""
    return Shifted(Transfer(move.taker, move.giver, move.goods))


def _put_tool_back(society: SocietyView, who: str, job: Job) -> list[Effect]:
    """Return the effects of putting a tool back, used once more; none without a tool.

    A worn-out tool breaks, and its contents stay in its place.
    """
    if job.tool is None:
        return []
    (name, _), *_ = job.tool.goods
    part = society.book.kinds[kind_of(name)]
    item = society.state.item(name)
    holder = job.tool.giver
    tool_back = [_give_back(job.tool)]
    if item is None or not part.wears:
        return tool_back
    if item.worn + 1 < part.wears:
        return [*tool_back, Worn(name, item.worn + 1)]
    inside = society.state.stock(name).goods
    left = society.number_new_items(tuple(sorted(part.leaves.items())))
    spilt: list[Effect] = [Shifted(Transfer(name, holder, inside))] if inside else []
    broke = Outcome(Errand(Verb.DO, job.at, job.recipe), TOOL_BROKE, (("kind", kind_of(name)),))
    return [
        *tool_back,
        *spilt,
        Transformed(holder, *society.book.balanced(((name, 1),), left)),
        CameOf(who, broke),
    ]


def _change_needs(society: SocietyView, who: str, by: Mapping[str, int]) -> list[Effect]:
    """Return the effect by which needs change by some points; none for no change."""
    if not by:
        return []
    needs = society.state.needs(who)
    return [NeedsSet(who, change_needs(society.book, needs, society.now, by, needs.asleep))]


def _gain_skills(society: SocietyView, who: str, recipe: Recipe) -> list[Effect]:
    """Return the effects by which skills grow, up to `FULL`: by the recipe's gains, or else its own
    skill by `DEFAULT_SKILL_GAIN`.
    """
    default = {recipe.skill: DEFAULT_SKILL_GAIN} if recipe.skill else {}
    gains = default if recipe.part.gains is None else recipe.part.gains
    had = dict(society.state.skills(who))
    grown = {
        skill: min(FULL, grown_level(society.book, recipe, skill, had.get(skill, 0), more))
        for skill, more in gains.items()
        if more
    }
    return [
        Learned(who, skill, level) for skill, level in grown.items() if level != had.get(skill, 0)
    ]
