"""What people hand to each other as they talk: gifts, sales and swaps, each checked against what really lies where, and carried out whole or not at all.

One hands over what is in its bag, or in fixtures of its house in the room where the two talked; coins go from the purse of its house into the other's.
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
"""Of the coins of its house, one may hand over one part in so many in a talk, without asking the others."""


def settle_deals(affairs: Affairs) -> Iterator[Effect]:
    """All that was agreed on in this step changes hands, or is refused. Apply each effect before taking the next."""
    if deals := affairs.state.deals:
        for deal in deals:
            yield from _carried_out(affairs, deal)
        yield DealsSettled()


def at_hand(affairs: Affairs, who: str, place: str) -> list[str]:
    """The holders out of which somebody hands over goods at an arena: its bag, then what its house has there."""
    own = affairs.purse(who)
    return [who, *(address for address, fixture in affairs.book.fixtures.items() if fixture.owner in (who, own) and arena_of(address) == place)]


def may_spend(affairs: Affairs, who: str) -> int:
    """The coins that somebody may hand over in a talk."""
    return -(-affairs.coins(who) // SHARE)


def _carried_out(affairs: Affairs, deal: Deal) -> Iterator[Effect]:
    refusal = refuse_deal(affairs, deal)
    if refusal is None:
        yield Traded(tuple(_moves(affairs, deal)))
    goods = [hand for hand in deal.handovers if hand.kind != COIN]
    paid = sum(hand.count for hand in deal.handovers if hand.kind == COIN and affairs.purse(hand.giver) != affairs.purse(hand.taker)) if goods else 0
    for hand in goods or deal.handovers:
        terms = (("coins", paid or deal.asked), ("talk", deal.talk))
        code, facts = (refusal.code, refusal.facts) if refusal else ("", ())
        yield CameOf(hand.giver, Outcome(Errand("give", hand.taker, hand.kind, hand.count), code, (*facts, *terms)))
        yield CameOf(hand.taker, Outcome(Errand("get", hand.giver, hand.kind, hand.count), code, (*facts, *terms)))


def refuse_deal(affairs: Affairs, deal: Deal) -> Refusal | None:
    """Why what two have agreed on cannot be handed over; None if it can."""
    if deal.asked:
        return Refusal("NOT_AGREED", (("price", deal.asked),))
    given, weights = Counter[tuple[str, str]](), Counter[str]()
    for hand in deal.handovers:
        given[hand.giver, hand.kind] += hand.count
        if hand.kind != COIN:
            weights[hand.taker] += affairs.book.kinds[hand.kind].grams * hand.count
    for (giver, kind), count in given.items():
        has = may_spend(affairs, giver) if kind == COIN else _held(affairs, giver, deal.place, kind)
        if has < count:
            return Refusal("TOO_POOR", (("has", has), ("price", count))) if kind == COIN else Refusal("LACKS", (("kind", kind), ("has", has), ("needs", count)))
    for taker, grams in weights.items():
        if (room := affairs.room(taker)) < grams:
            return Refusal("FULL", (("holder", taker), ("room", room), ("grams", grams)))
    return None


def _held(affairs: Affairs, who: str, place: str, kind: str) -> int:
    return sum(affairs.state.stock(holder).count(kind) for holder in at_hand(affairs, who, place))


def _moves(affairs: Affairs, deal: Deal) -> Iterator[Move]:
    """From which holder to which so many of each kind go; nothing has refused it."""
    left: dict[tuple[str, str], int] = {}
    for hand in deal.handovers:
        yield from _handed(affairs, deal.place, hand, left)


def _handed(affairs: Affairs, place: str, hand: Handover, left: dict[tuple[str, str], int]) -> Iterator[Move]:
    """What one hands over; `left` is what holders have by kind, beside what the deal has taken from them so far."""
    if hand.kind == COIN:
        if affairs.purse(hand.giver) != affairs.purse(hand.taker):
            yield Move(affairs.purse(hand.giver), affairs.purse(hand.taker), ((COIN, hand.count),))
        return
    missing = hand.count
    for holder in at_hand(affairs, hand.giver, place):
        has = left.setdefault((holder, hand.kind), affairs.state.stock(holder).count(hand.kind))
        if count := min(missing, has):
            left[holder, hand.kind] -= count
            missing -= count
            yield Move(holder, hand.taker, ((hand.kind, count),))
