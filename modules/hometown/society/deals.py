"""What people hand to each other as they talk: gifts, sales and swaps, each checked against what
really lies where, and carried out whole or not at all.

One hands over what is in its bag, or in fixtures of its house in the room where the two talked;
coins go from the purse of its house into the other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hometown.society.affairs import Affairs
from hometown.society.refusals import Refusal
from hometown.world.book.book import COIN
from hometown.world.dealing import Deal, DealsSettled, Handover
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Errand, Outcome
from hometown.world.matter import Move, Traded
from hometown.world.world import arena_of

SHARE = 5
"""Of the coins of its house, one may hand over one part in so many in a talk, without asking the
others.
"""


def settle_deals(affairs: Affairs) -> Iterator[Effect]:
    """All that was agreed on in this step changes hands, or is refused. Who is there sees it if
    somebody is given what it needs.

    Apply each effect before taking the next.
    """
    if deals := affairs.state.deals:
        for deal in deals:
            yield from _carried_out(affairs, deal)
        yield DealsSettled()


def at_hand(affairs: Affairs, who: str, place: str) -> list[str]:
    """The holders out of which somebody hands over goods at an arena: its bag, then what its house
    has there.
    """
    own = affairs.purse(who)
    return [
        who,
        *(
            address
            for address, fixture in affairs.book.fixtures.items()
            if fixture.owner in (who, own) and arena_of(address) == place
        ),
    ]


def may_spend(affairs: Affairs, who: str) -> int:
    """The coins that somebody may hand over in a talk."""
    return -(-affairs.coins(who) // SHARE)


def _carried_out(affairs: Affairs, deal: Deal) -> Iterator[Effect]:
    refusal = refuse_deal(affairs, deal)
    if refusal is None:
        yield Traded(tuple(_moves(affairs, deal)))
    goods = [hand for hand in deal.handovers if hand.kind != COIN]
    paid = (
        sum(
            hand.count
            for hand in deal.handovers
            if hand.kind == COIN and affairs.purse(hand.giver) != affairs.purse(hand.taker)
        )
        if goods
        else 0
    )
    for hand in goods or deal.handovers:
        needed = not (refusal or paid) and _needs(affairs, hand)
        terms = (("coins", paid or deal.asked), *((("needed", hand.taker),) if needed else ()))
        code, facts = (refusal.code, refusal.facts) if refusal else ("", ())
        yield CameOf(
            hand.giver,
            Outcome(Errand("give", hand.taker, hand.kind, hand.count), code, (*facts, *terms)),
        )
        yield CameOf(
            hand.taker,
            Outcome(Errand("get", hand.giver, hand.kind, hand.count), code, (*facts, *terms)),
        )
        for witness in affairs.present(deal.place) if needed else ():
            if witness not in (hand.giver, hand.taker):
                yield CameOf(
                    witness, Outcome(Errand("see", hand.giver, hand.kind, hand.count), "", terms)
                )


def _needs(affairs: Affairs, hand: Handover) -> bool:
    """Whether somebody gets what meets a need of its that is low."""
    felt = affairs.levels(hand.taker)
    low = [
        need for need, part in affairs.book.needs.items() if part.met_by and felt[need] < part.low
    ]
    return any(need in affairs.book.kinds[hand.kind].gives for need in low)


def refuse_deal(affairs: Affairs, deal: Deal) -> Refusal | None:
    """Why what two have agreed on cannot be handed over; None if it can."""
    if deal.asked:
        return Refusal("NOT_AGREED", (("price", deal.asked),))
    for hand in _totals(deal):
        held = [
            affairs.state.stock(holder).count(hand.kind)
            for holder in at_hand(affairs, hand.giver, deal.place)
        ]
        has = may_spend(affairs, hand.giver) if hand.kind == COIN else sum(held)
        if has < hand.count and hand.kind == COIN:
            return Refusal("TOO_POOR", (("has", has), ("price", hand.count)))
        if has < hand.count:
            return Refusal("LACKS", (("kind", hand.kind), ("has", has), ("needs", hand.count)))
    weights = Counter[str]()
    for move in _moves(affairs, deal):
        weights[move.taker] += (
            affairs.grams(move.giver, move.goods) if move.taker in affairs.book.start.people else 0
        )
    for taker, grams in weights.items():
        if grams and (room := affairs.room(taker)) < grams:
            return Refusal("FULL", (("holder", taker), ("room", room), ("grams", grams)))
    return None


def _totals(deal: Deal) -> list[Handover]:
    """What each hands over of each kind, all in all."""
    totals = Counter[tuple[str, str, str]]()
    for hand in deal.handovers:
        totals[hand.giver, hand.taker, hand.kind] += hand.count
    return [Handover(*who_what, count) for who_what, count in totals.items()]


def _moves(affairs: Affairs, deal: Deal) -> Iterator[Move]:
    """From which holder to which so many of each kind go, where there are enough."""
    for hand in _totals(deal):
        if hand.kind == COIN:
            if affairs.purse(hand.giver) != affairs.purse(hand.taker):
                yield Move(
                    affairs.purse(hand.giver), affairs.purse(hand.taker), ((COIN, hand.count),)
                )
            continue
        missing = hand.count
        for holder in at_hand(affairs, hand.giver, deal.place):
            if count := min(missing, affairs.state.stock(holder).count(hand.kind)):
                missing -= count
                yield Move(holder, hand.taker, ((hand.kind, count),))
