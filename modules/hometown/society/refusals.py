"""Preconditions of errands. A refusal is a code with facts, which residents are told in words."""

from __future__ import annotations

from typing import Literal

from hometown.agent.mind.esteem import VERY_BAD_REGARD
from hometown.frozen import frozen
from hometown.society.chance import success_odds
from hometown.society.market import mean_regard, price_for
from hometown.society.realms import realm_ahead
from hometown.society.society_view import SocietyView
from hometown.world.book.book import Recipe
from hometown.world.book.parts import FULL
from hometown.world.labour import Facts
from hometown.world.matter import MARK, Goods

Code = Literal[
    "NO_TARGET",
    "NO_RECIPE",
    "LACKS",
    "BUSY",
    "CLOSED",
    "NOT_YOURS",
    "TOO_POOR",
    "UNSKILLED",
    "FULL",
    "NOT_AGREED",
]


MIN_ODDS = 150
"""The odds, in thousandths, below which residents do not attempt a recipe."""


@frozen
class Refusal:
    """The reason why an errand is impossible now. Its facts are ids and numbers, by name."""

    code: Code
    facts: Facts = ()


def build_refusal(code: Code, **facts: str | int) -> Refusal:
    """Return a refusal with its facts."""
    return Refusal(code, tuple(facts.items()))


def refuse_work(society: SocietyView, who: str, recipe_id: str, at: str) -> Refusal | None:
    """Return the reason why a resident cannot do a recipe at a fixture ("" for none); None if they
    can.
    """
    recipe = society.book.recipes.get(recipe_id)
    if recipe is None:
        return build_refusal("NO_RECIPE", recipe=recipe_id)
    if at not in (society.book.places_for(recipe.at) if recipe.at else ("",)):
        return build_refusal("NO_TARGET", at=at, tag=recipe.at)
    return (
        refuse_recipe(society, recipe)
        or refuse_place(society, who, at)
        or refuse_means(society, who, recipe, at)
    )


def refuse_recipe(society: SocietyView, recipe: Recipe) -> Refusal | None:
    """Return the reason why a recipe cannot be done alone now at any fixture; None if it can."""
    if recipe.part.partner:
        return build_refusal("NO_TARGET", partner=recipe.part.partner)
    is_out_of_season = recipe.season and society.season not in recipe.season
    return build_refusal("CLOSED", season=society.season) if is_out_of_season else None


def refuse_place(society: SocietyView, who: str, at: str) -> Refusal | None:
    """Return the reason why a resident cannot do any work at a fixture now; None if they can, or
    for no fixture ("").
    """
    if not at:
        return None
    if not society.may_use(who, at):
        return build_refusal("NOT_YOURS", at=at, owner=society.book.fixtures[at].owner)
    if society.is_closed_today(at):
        return build_refusal("CLOSED", at=at)
    return build_refusal("BUSY", at=at) if society.is_occupied(at) else None


def refuse_means(society: SocietyView, who: str, recipe: Recipe, at: str) -> Refusal | None:
    """Return the lack of skill, goods, tool or room that prevents a recipe; None if there is none."""
    return _refuse_skill(society, who, recipe) or _refuse_goods(society, who, recipe, at)


def _refuse_skill(society: SocietyView, who: str, recipe: Recipe) -> Refusal | None:
    """Return the lack of skill, or of odds of success, that prevents a recipe;
    None if there is none.
    """
    if recipe.least and (skill := society.state.skill(who, recipe.skill)) < recipe.least:
        return build_refusal("UNSKILLED", skill=recipe.skill, has=skill, needs=recipe.least)
    if recipe.part.breaks and society.book.realms:
        ahead, has = realm_ahead(society, who, recipe), society.state.skill(who, recipe.skill)
        needs = ahead.least - ahead.ready if ahead else FULL + 1
        if has < needs:
            return build_refusal("UNSKILLED", skill=recipe.skill, has=has, needs=needs)
    if recipe.part.chance and (likely := success_odds(society, who, recipe.id)) < MIN_ODDS:
        return build_refusal("UNSKILLED", odds=likely * 100 // FULL)
    return None


def _refuse_goods(society: SocietyView, who: str, recipe: Recipe, at: str) -> Refusal | None:
    """Return the lack of a tool, an input, or room for the products; None if there is none."""
    if society.lacks_tool(who, recipe, at):
        return build_refusal("LACKS", tool=recipe.tool)
    stocks = [society.state.stock(holder) for holder in ((at, who) if at else (who,))]
    for kind, count in recipe.inputs:
        there = sum([stock.count(kind) for stock in stocks])
        if there < count:
            return build_refusal("LACKS", kind=kind, has=there, needs=count)
    receiver = society.receiver_of(who, recipe.id, at)
    freed = sum(
        society.book.grams(goods)
        for holder, goods in society.input_sources(who, recipe, at)
        if holder == receiver
    )
    room, made = society.free_grams(receiver) + freed, society.product_grams(recipe)
    return build_refusal("FULL", holder=receiver, room=room, grams=made) if room < made else None


def refuse_move(
    society: SocietyView, who: str, giver: str, taker: str, goods: Goods
) -> Refusal | None:
    """Return the reason why a resident cannot move goods between their bag and a holder; None if
    they can.
    """
    address = taker if giver == who else giver
    return refuse_look(society, who, address) or _refuse_transfer(society, giver, taker, goods)


def refuse_look(society: SocietyView, who: str, address: str) -> Refusal | None:
    """Return the reason why a resident cannot reach into a fixture or an item; None if they can."""
    if address not in society.book.fixtures and society.state.item(address) is None:
        return build_refusal("NO_TARGET", at=address)
    if not society.may_use(who, address):
        last = society.state.holders(address)[-1]
        return build_refusal(
            "NOT_YOURS",
            at=address,
            owner=society.book.fixtures[last].owner if last in society.book.fixtures else last,
        )
    return None


def refuse_purchase(
    society: SocietyView, who: str, address: str, kind: str, count: int
) -> Refusal | None:
    """Return the reason why a resident cannot buy goods in a shop; None if they can."""
    shop = society.state.shop(address)
    if shop is None or kind not in dict(shop.prices):
        return build_refusal("NO_TARGET", at=address, kind=kind)
    if not society.is_open(address):
        return build_refusal("CLOSED", at=address)
    price = price_for(society, who, address, kind) * count
    if society.coins(who) < price:
        return build_refusal("TOO_POOR", has=society.coins(who), price=price)
    return _refuse_transfer(society, address, who, ((kind, count),))


def refuse_gift(society: SocietyView, who: str, address: str, kind: str) -> Refusal | None:
    """Return the reason why a shop gives a resident none of a kind; None if it does.

    Residents who can pay are refused. Those of whom the owners think very badly are, too, unless a
    need of theirs is urgent.
    """
    shop = society.state.shop(address)
    if shop is None or kind not in dict(shop.prices):
        return build_refusal("NO_TARGET", at=address, kind=kind)
    if not society.is_open(address):
        return build_refusal("CLOSED", at=address)
    if society.coins(who) >= dict(shop.prices)[kind]:
        return build_refusal("NOT_YOURS", at=address, price=dict(shop.prices)[kind])
    if mean_regard(society, who, address) <= VERY_BAD_REGARD and not society.needs_below(
        who, "urgent"
    ):
        return build_refusal("NOT_YOURS", at=address, favour=mean_regard(society, who, address))
    return _refuse_transfer(society, address, who, ((kind, 1),))


def _refuse_transfer(society: SocietyView, giver: str, taker: str, goods: Goods) -> Refusal | None:
    """Return the reason why goods cannot be moved: too few, no room, or an item within itself; None
    if they can.
    """
    stock, within = society.state.stock(giver), society.state.holders(taker)
    for kind, count in goods:
        if stock.count(kind) < count:
            return build_refusal("LACKS", kind=kind, has=stock.count(kind), needs=count)
        if any(MARK in name and name in within for name, _ in stock.pick(kind, count)):
            return build_refusal("NO_TARGET", at=taker)
    grams = society.weigh(giver, goods)
    for holder in within:
        room = society.free_grams(holder)
        if room < grams and holder not in society.state.holders(giver):
            return build_refusal("FULL", holder=holder, room=room, grams=grams)
    return None
