"""Deals struck in conversations: what one has in mind of goods as it talks, and what two have
agreed on, by what each says it has handed over.

Each says so for itself: nobody gives anything away for another, and what is to be paid must be
given by whoever pays. The rules of the town check the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from hometown.agent.mind import Mind
from hometown.agent.telling import Telling
from hometown.prompt.dealing import Dealings, Given, Ware
from hometown.prompt.outcome import ConversationOutcomeReply
from hometown.society.deals import handover_sources, spendable_coins
from hometown.society.esteem import regard_for
from hometown.society.hire import read_notices
from hometown.society.knowledge import view_as
from hometown.society.society_view import SocietyView
from hometown.world.book.book import COIN
from hometown.world.conversation import Conversation
from hometown.world.dealing import Deal, Handover
from hometown.world.world import sector_of

HUNGER = "hunger"
"""The need that all societies share."""

SHOWN, PRICES = 8, 4
"""Wares at hand, and prices elsewhere or notices, that a prompt names, at most: of what there is
most, and of what was seen last.
"""


def dealings_of(mind: Mind, others: Sequence[str]) -> Dealings | None:
    """What a resident has in mind of goods, and of those it talks with, as a conversation begins;
    None in a town without a society.
    """
    society = mind.society
    if society is None:
        return None
    known = view_as(society, mind.who, mind.arena)
    shops = [
        (address, shop.prices)
        for address in society.book.shops
        if (shop := known.state.shop(address))
    ]
    wares, telling = (
        _wares(mind, society, [each for _, prices in shops for each in prices]),
        Telling(mind.world),
    )
    regards = (
        (
            other,
            regard_for(mind.state, mind.who, other),
            telling.opinion(mind.state, mind.who, other),
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
        _market(mind, known, shops),
        tuple(regards),
        notices=_notices(mind, society),
        lessons=_lessons(telling, mind.who, others[0]) if len(others) == 1 else (),
        bouts=_bouts(telling, mind.who, others[0]) if len(others) == 1 else (),
        hungry=low and not any(ware.feeds for ware in wares),
        housemates=tuple(
            other for other in others if society.purse(other) == society.purse(mind.who)
        ),
    )


def _lessons(telling: Telling, who: str, other: str) -> tuple[str, ...]:
    """What another could teach somebody: the crafts that it is known for, and the one who would
    learn is not.
    """
    crafts = telling.book.known_for[other] - telling.book.known_for[who]
    return tuple(telling.say("lesson", craft=telling.craft(craft)) for craft in sorted(crafts))


def _bouts(telling: Telling, who: str, other: str) -> tuple[str, ...]:
    """What two who are both known for a craft could do together, each the same."""
    known = telling.book.known_for[who] & telling.book.known_for[other]
    return tuple(
        telling.recipe(recipe)
        for recipe in telling.book.recipes.values()
        if recipe.part.partner == recipe.family and recipe.skill in known
    )


def _market(
    mind: Mind, known: SocietyView, shops: Iterable[tuple[str, tuple[tuple[str, int], ...]]]
) -> tuple[tuple[str, str, int], ...]:
    """What others sell that is in stock, as far as the resident knows: of these shops, with their
    prices, those that it has seen last.
    """
    telling, sold = Telling(mind.world), []
    for address, prices in shops:
        seen = mind.state.last_sight(mind.who, address)
        if seen and not known.may_use(mind.who, address):
            name = mind.world.sectors[sector_of(address)].name
            sold += [
                (seen.since, name, telling.some(kind), price)
                for kind, price in prices
                if known.state.stock(address).count(kind)
            ]
    return tuple(
        each[1:]
        for each in sorted(sold, key=lambda each: (each[0], each[1:]), reverse=True)[:PRICES]
    )


def _notices(mind: Mind, society: SocietyView) -> tuple[str, ...]:
    """What the resident has read at the boards that still hangs there, latest first."""
    latest, telling = (
        sorted(read_notices(society, mind.who), key=lambda notice: notice.since, reverse=True)[
            :PRICES
        ],
        Telling(mind.world),
    )
    return tuple(telling.notice(notice) for notice in latest)


def _wares(mind: Mind, society: SocietyView, posted: Iterable[tuple[str, int]]) -> tuple[Ware, ...]:
    """What could be handed over here: of the bag, and of fixtures of one's own in this room; and
    the lowest of the `posted` prices for it.
    """
    lowest = dict(sorted(posted, key=lambda each: -each[1]))
    counts = society.goods_in(handover_sources(society, mind.who, mind.arena))
    most = sorted(
        (kind for kind in society.book.kinds if counts[kind] and kind != COIN),
        key=lambda kind: -counts[kind],
    )[:SHOWN]
    return tuple(_ware(mind, kind, counts[kind], lowest.get(kind, 0)) for kind in sorted(most))


def _ware(mind: Mind, kind: str, count: int, price: int) -> Ware:
    telling = Telling(mind.world)
    part = telling.book.kinds[kind]
    words = part.name[mind.world.lang], telling.some(kind), telling.several(kind)
    return Ware(kind, *words, count, price, feeds=HUNGER in part.gives, treat=bool(part.gives))


# what was agreed on ------------------------------------------------------------------------


def deals(
    talk: Conversation,
    sums: Mapping[str, tuple[ConversationOutcomeReply, Sequence[tuple[str, str]], Dealings]],
) -> Iterator[Deal]:
    """What each two of those who talked have agreed on: by resident, its reply, the people in it as
    they are numbered, and what it could hand over.
    """
    hands = {who: list(_hands(who, *said)) for who, said in sums.items()}
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
    return sum(hand.count for hand, _ in between if hand.giver == giver and hand.kind == COIN)


def _hands(
    who: str, reply: ConversationOutcomeReply, people: Sequence[tuple[str, str]], dealings: Dealings
) -> Iterator[tuple[Handover, int]]:
    """What one says that it hands to whom, and for how much; what names nobody else, or nothing
    that it has, is left out.
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
    if given.to == 0:
        return others[0] if len(others) == 1 else ""
    return (
        people[given.to - 1][0]
        if given.to <= len(people) and people[given.to - 1][0] != who
        else ""
    )
