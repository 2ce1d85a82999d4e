"""Deals made in conversations: goods and prices that speakers have in mind, and what they agreed
on.

Both sides of a deal report their own part: goods are given away by their owner only, and money is
paid only if the payer reports it. The rules of the town check the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from hometown.agent.mind import Mind
from hometown.agent.mind.esteem import regard_for
from hometown.agent.working.society_plugin import Reports
from hometown.prompt.outcome import ConversationOutcomeReply
from hometown.prompt.trade import Dealings, Given, Ware
from hometown.society.deals import handover_sources, spendable_coins
from hometown.society.hire import read_notices
from hometown.society.knowledge import view_as
from hometown.society.society_view import SocietyView
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.book.book import COIN
from hometown.world.conversation import Conversation
from hometown.world.deal_records import Deal, Handover
from hometown.world.labour import Counts
from hometown.world.world import sector_of

HUNGER = "hunger"
"""The need that all societies share."""

MAX_WARES, MAX_PRICES = 8, 4
"""Maximum number of wares at hand in a prompt, and of prices elsewhere or notices: the largest
stocks, and those seen last.
"""


def recall_dealings(mind: Mind, others: Sequence[str]) -> Dealings:
    """Return goods, prices, notices and opinions that a resident has in mind as a conversation
    begins.
    """
    society = society_of(mind)
    others = [other for other in others if society.is_member(other)]
    believed = view_as(society, mind.who, mind.arena)
    shops = [
        (address, shop.prices)
        for address in society.book.shops
        if (shop := believed.state.shop(address))
    ]
    wares = _wares(mind, society, [each for _, prices in shops for each in prices])
    phrases = WorkPhrases(mind.world)
    regards = (
        (
            other,
            regard_for(mind.state, mind.who, other),
            phrases.opinion(mind.state, mind.who, other),
        )
        for other in others
    )
    low = (
        HUNGER in society.book.needs
        and society.levels(mind.who).get(HUNGER, 0) < society.book.needs[HUNGER].low
    )
    return Dealings(
        wares,
        spendable_coins(society, mind.who),
        _wares_for_sale(mind, believed, shops),
        tuple(regards),
        notices=_notices(mind, society),
        lessons=_lessons(phrases, mind.who, others[0]) if len(others) == 1 else (),
        bouts=_bouts(phrases, mind.who, others[0]) if len(others) == 1 else (),
        hungry=low and not any(ware.feeds for ware in wares),
        housemates=tuple(
            other for other in others if society.purse(other) == society.purse(mind.who)
        ),
    )


def _lessons(phrases: WorkPhrases, who: str, other: str) -> tuple[str, ...]:
    """Return the crafts that another is known for and could teach a resident."""
    crafts = phrases.book.known_for[other] - phrases.book.known_for[who]
    return tuple(phrases.say("lesson", craft=phrases.craft(craft)) for craft in sorted(crafts))


def _bouts(phrases: WorkPhrases, who: str, other: str) -> tuple[str, ...]:
    """Return the activities that two residents known for the same craft can do together."""
    known = phrases.book.known_for[who] & phrases.book.known_for[other]
    return tuple(
        phrases.recipe(recipe)
        for recipe in phrases.book.recipes.values()
        if recipe.part.partner == recipe.family and recipe.skill in known
    )


def _wares_for_sale(
    mind: Mind, believed: SocietyView, shops: Iterable[tuple[str, Counts]]
) -> tuple[tuple[str, str, int], ...]:
    """Return the wares that a resident believes to be in stock in the shops of others, as (shop,
    goods, price): at most `MAX_PRICES`, those of the shops seen last first.
    """
    phrases = WorkPhrases(mind.world)
    wares = []
    for address, prices in shops:
        seen = mind.state.last_sight(mind.who, address)
        is_own = believed.may_use(mind.who, address)
        if seen and not is_own:
            shop = mind.world.sectors[sector_of(address)].name
            wares += [
                (seen.since, shop, phrases.some(kind), price)
                for kind, price in prices
                if believed.state.stock(address).count(kind)
            ]
    latest = sorted(wares, reverse=True)[:MAX_PRICES]
    return tuple((shop, goods, price) for _, shop, goods, price in latest)


def _notices(mind: Mind, society: SocietyView) -> tuple[str, ...]:
    """Return up to `MAX_PRICES` notices that the resident has read and that are still posted,
    latest first.
    """
    phrases = WorkPhrases(mind.world)
    read = read_notices(society, mind.who)
    latest = sorted(read, key=lambda notice: notice.since, reverse=True)[:MAX_PRICES]
    return tuple(phrases.notice(notice) for notice in latest)


def _wares(mind: Mind, society: SocietyView, posted: Iterable[tuple[str, int]]) -> tuple[Ware, ...]:
    """Return the `MAX_WARES` largest stocks at hand here, with the lowest of the `posted` prices, 0
    for none.

    At hand are goods in one's bag and in one's own fixtures in this room.
    """
    lowest = dict(sorted(posted, key=lambda each: -each[1]))
    counts = society.goods_in(handover_sources(society, mind.who, mind.arena))
    most = sorted(
        (kind for kind in society.book.kinds if counts[kind] and kind != COIN),
        key=lambda kind: -counts[kind],
    )[:MAX_WARES]
    return tuple(_ware(mind, kind, counts[kind], lowest.get(kind, 0)) for kind in sorted(most))


def _ware(mind: Mind, kind: str, count: int, price: int) -> Ware:
    """Return a ware in the form in which prompts list it."""
    phrases = WorkPhrases(mind.world)
    part = phrases.book.kinds[kind]
    words = part.name[mind.world.lang], phrases.some(kind), phrases.several(kind)
    return Ware(kind, *words, count, price, feeds=HUNGER in part.gives, treat=bool(part.gives))


# what was agreed on ------------------------------------------------------------------------


def match_deals(talk: Conversation, reports: Reports) -> Iterator[Deal]:
    """Yield one deal for each two participants of a conversation who report handovers between them,
    with the highest price asked that the other does not pay exactly; 0 if all agree.

    Args:
        talk: The conversation.
        reports: The reports of its participants.
    """
    hands = {who: list(_hands(who, *said)) for who, said in reports.items()}
    for one, another in combinations(talk.people, 2):
        between = [
            (hand, price)
            for who, other in ((one, another), (another, one))
            for hand, price in hands.get(who, ())
            if hand.taker == other
        ]
        if not between:
            continue
        asked = {
            who: sum(price for hand, price in between if hand.giver == who)
            for who in (one, another)
        }
        unpaid = [
            asked[seller]
            for seller, buyer in ((one, another), (another, one))
            if asked[seller] and asked[seller] != _coins(between, buyer)
        ]
        yield Deal(
            talk.id, talk.address, tuple(hand for hand, _ in between), max(unpaid, default=0)
        )


def _coins(between: Sequence[tuple[Handover, int]], giver: str) -> int:
    """Return the coins that a resident hands over."""
    return sum(hand.count for hand, _ in between if hand.giver == giver and hand.kind == COIN)


def _hands(
    who: str, reply: ConversationOutcomeReply, people: Sequence[tuple[str, str]], dealings: Dealings
) -> Iterator[tuple[Handover, int]]:
    """Yield the handovers that a participant reports, each with the price asked for it.

    Those without another participant as taker, and those of goods that are not at hand, are
    dropped.
    """
    others = [other for other, _ in people if other != who]
    for given in reply.given:
        taker = _taker(given, who, others, people)
        kind = (
            COIN
            if given.what == 0
            else dealings.wares[given.what - 1].kind
            if given.what <= len(dealings.wares)
            else ""
        )
        if taker and kind:
            yield Handover(who, taker, kind, given.count), 0 if kind == COIN else given.price


def _taker(given: Given, who: str, others: Sequence[str], people: Sequence[tuple[str, str]]) -> str:
    """Return the id of a handover's taker; "" if the reply does not name another participant."""
    if given.to == 0:
        return others[0] if len(others) == 1 else ""
    return (
        people[given.to - 1][0]
        if given.to <= len(people) and people[given.to - 1][0] != who
        else ""
    )
