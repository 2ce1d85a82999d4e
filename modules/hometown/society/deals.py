"""Handovers agreed in talks: gifts, sales and swaps. Each is checked against the actual stocks, and
happens as a whole or not at all.

A resident hands over goods from their bag or from fixtures of their house in the arena of the talk.
Coins go from the giver's purse to the taker's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from hometown.society.refusals import Refusal, build_refusal
from hometown.society.society_view import SocietyView
from hometown.world.book.book import COIN
from hometown.world.deal_records import Deal, DealsSettled, Handover
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Errand, Facts, Outcome, Verb
from hometown.world.matter import Traded, Transfer
from hometown.world.world import arena_of

SPENDABLE_DIVISOR = 5
"""A resident may spend 1/`SPENDABLE_DIVISOR` of the coins of their house in a talk."""


def carry_out_deals(society: SocietyView) -> Iterator[Effect]:
    """Yield the effects of the deals agreed in this step. Each is carried out or refused.

    Residents who are present witness a gift that satisfies a low need. Apply each effect before
    taking the next.
    """
    if deals := society.state.deals:
        for deal in deals:
            if _is_among_members(society, deal):
                yield from _carry_out(society, deal)
        yield DealsSettled()


def _is_among_members(society: SocietyView, deal: Deal) -> bool:
    """Return True if no visitor has a part in a deal: they carry none of the town's goods."""
    return all(
        society.is_member(hand.giver) and society.is_member(hand.taker) for hand in deal.handovers
    )


def handover_sources(society: SocietyView, who: str, place: str) -> list[str]:
    """Return the holders from which a resident can hand over goods in an arena: their bag, then
    fixtures of their own or their house.
    """
    own = society.purse(who)
    return [
        who,
        *(
            address
            for address, fixture in society.book.fixtures.items()
            if fixture.owner in (who, own) and arena_of(address) == place
        ),
    ]


def spendable_coins(society: SocietyView, who: str) -> int:
    """Return the coins that a resident may hand over in a talk."""
    return -(-society.coins(who) // SPENDABLE_DIVISOR)


def _carry_out(society: SocietyView, deal: Deal) -> Iterator[Effect]:
    """Yield the trade of a deal unless it is refused. Then yield, for each of its goods, or for the
    coins of a deal without goods, the outcome or refusal for the giver, for the taker, and for the
    witnesses of a needed gift. Coins that stay in one purse are no part of it.
    """
    deal = replace(
        deal, handovers=tuple(each for each in deal.handovers if _moves_on(society, each))
    )
    refusal = refuse_deal(society, deal)
    if refusal is None:
        yield Traded(tuple(_moves(society, deal)))
    for hand, paid in _price(society, deal.handovers):
        house = society.purse(hand.giver)
        is_within = house == society.purse(hand.taker)
        needed = not (refusal or paid or is_within) and _is_needed(society, hand)
        terms: Facts = (
            ("coins", paid or deal.asked),
            *((("needed", hand.taker),) if needed else ()),
            *((("within", house),) if is_within else ()),
        )
        code, facts = (refusal.code, refusal.facts) if refusal else ("", ())
        for who, verb, other in (
            (hand.giver, Verb.GIVE, hand.taker),
            (hand.taker, Verb.GET, hand.giver),
        ):
            errand = Errand(verb, other, hand.kind, hand.count)
            yield CameOf(who, Outcome(errand, code, (*facts, *terms)))
        for witness in society.awake_in(deal.place) if needed else ():
            if witness not in (hand.giver, hand.taker):
                yield CameOf(
                    witness, Outcome(Errand(Verb.SEE, hand.giver, hand.kind, hand.count), "", terms)
                )


def _moves_on(society: SocietyView, hand: Handover) -> bool:
    """Return True unless a handover is of coins within one purse."""
    return hand.kind != COIN or society.purse(hand.giver) != society.purse(hand.taker)


def _price(society: SocietyView, handovers: Sequence[Handover]) -> Iterator[tuple[Handover, int]]:
    """Yield the handovers of goods, each with its part of the coins paid for those of its giver: in
    proportion to what shops ask, or to the number where some are not for sale. Without goods, yield
    the coins.
    """
    goods = [hand for hand in handovers if hand.kind != COIN]
    paid = sum(hand.count for hand in handovers if hand.kind == COIN) if goods else 0
    for giver in dict.fromkeys(hand.giver for hand in goods or handovers):
        given = [hand for hand in goods or handovers if hand.giver == giver]
        worth = [hand.count * _lowest_price(society, hand.kind) for hand in given]
        sums = list(accumulate(worth if all(worth) else [hand.count for hand in given], initial=0))
        for hand, (before, after) in zip(given, pairwise(sums), strict=True):
            yield hand, paid * after // sums[-1] - paid * before // sums[-1]


def _lowest_price(society: SocietyView, kind: str) -> int:
    """Return the lowest price of a kind in the town's shops; 0 for none."""
    shops = (society.state.shop(address) for address in society.book.shops)
    prices = (price for shop in shops if shop for sold, price in shop.prices if sold == kind)
    return min(prices, default=0)


def _is_needed(society: SocietyView, hand: Handover) -> bool:
    """Return True if the goods satisfy a need of the taker's that is low."""
    low = society.needs_below(hand.taker, "low")
    return any(need in society.book.kinds[hand.kind].gives for need in low)


def refuse_deal(society: SocietyView, deal: Deal) -> Refusal | None:
    """Return the reason why a deal cannot be carried out: the two disagree on the price, a giver
    has too few coins or goods, or a taker's bag no room. None if it can.
    """
    if deal.asked:
        return build_refusal("NOT_AGREED", price=deal.asked)
    for hand in _totals(deal):
        held = [
            society.state.stock(holder).count(hand.kind)
            for holder in handover_sources(society, hand.giver, deal.place)
        ]
        has = spendable_coins(society, hand.giver) if hand.kind == COIN else sum(held)
        if has < hand.count and hand.kind == COIN:
            return build_refusal("TOO_POOR", has=has, price=hand.count)
        if has < hand.count:
            return build_refusal("LACKS", kind=hand.kind, has=has, needs=hand.count)
    weights = Counter[str]()
    for move in _moves(society, deal):
        weights[move.taker] += (
            society.weigh(move.giver, move.goods) if move.taker in society.book.start.people else 0
        )
    for taker, grams in weights.items():
        if grams and (room := society.free_grams(taker)) < grams:
            return build_refusal("FULL", holder=taker, room=room, grams=grams)
    return None


def _totals(deal: Deal) -> list[Handover]:
    """Return the sum of the handovers of each kind from each giver to each taker."""
    totals = Counter[tuple[str, str, str]]()
    for hand in deal.handovers:
        totals[hand.giver, hand.taker, hand.kind] += hand.count
    return [Handover(*who_what, count) for who_what, count in totals.items()]


def _moves(society: SocietyView, deal: Deal) -> Iterator[Transfer]:
    """Yield the moves between holders that carry out a deal for which the goods suffice."""
    for hand in _totals(deal):
        if hand.kind == COIN:
            yield Transfer(
                society.purse(hand.giver), society.purse(hand.taker), ((COIN, hand.count),)
            )
            continue
        missing = hand.count
        for holder in handover_sources(society, hand.giver, deal.place):
            if count := min(missing, society.state.stock(holder).count(hand.kind)):
                missing -= count
                yield Transfer(holder, hand.taker, ((hand.kind, count),))
