"""Notice boards: residents post their house's shortages and surpluses, remove outdated notices, and
read the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from hometown.society.hire import BOARD_TAG, HIRE_HOURS, can_hire
from hometown.society.society_view import SocietyView
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Errand, Inspected, Outcome, Verb
from hometown.world.matter import Stock
from hometown.world.notices import BoardSet, Notice

POSTED_FOR = timedelta(days=3)
"""The time for which a notice stays posted."""

MAX_READ = 4
"""The largest number of notices that a resident reads in a step. More would be forgotten
(`RECENT_OUTCOMES` in `modules/hometown/world/labour.py`).
"""

SHORTAGE_PERCENT, SURPLUS_PERCENT = 50, 150
"""Per cent of the stock that a house keeps for sale, below which it has a shortage, and above which
a surplus.
"""

BUYING_DISCOUNT_PERCENT = 20
"""Per cent below its own price that a shop with a shortage pays."""


def visit_boards(
    society: SocietyView, who: str, is_here: Callable[[str], bool]
) -> Iterator[Effect]:
    """Yield the effects of a resident's visit to the boards within reach."""
    for address in society.book.places_for(BOARD_TAG):
        if is_here(address):
            yield from _visit_board(society, who, address)


def _visit_board(society: SocietyView, who: str, board: str) -> Iterator[Effect]:
    """Yield a board after a resident has removed old notices, read up to `MAX_READ` and posted
    those of their house, if that changes it; then the memories of the notices read.
    """
    hung = society.state.notices(board)
    kept = [
        notice
        for notice in hung
        if society.now - notice.since < POSTED_FOR and not _is_outdated(society, who, notice)
    ]
    there = {notice.about for notice in kept}
    own = {
        notice.about: notice for notice in _house_notices(society, who) if notice.about not in there
    }
    read = [notice for notice in kept if who not in notice.readers][:MAX_READ]
    notices = (
        *(replace(each, readers=(*each.readers, who)) if each in read else each for each in kept),
        *own.values(),
    )
    if notices != hung:
        yield BoardSet(board, notices)
    for notice in read:
        yield from _learn_notice(society, who, board, notice)


def _is_outdated(society: SocietyView, who: str, notice: Notice) -> bool:
    """Return True if a resident removes a notice: they got the job, or know that their house's
    shortage or surplus has ended.
    """
    is_own = society.book.start.people[who].house == notice.house
    if notice.call == "hands":
        is_hired = society.employer(who) == notice.house
        return is_hired or (is_own and _has_employee(society, notice.house))
    seen = society.state.last_sight(who, notice.at)
    if not is_own or seen is None or seen.since <= notice.since:
        return False
    has = Stock(seen.goods).count(notice.kind)
    wanted = _target_stock(society, notice.house).get((notice.at, notice.kind))
    if wanted is None:
        return True
    return has >= wanted if notice.call == "buys" else has <= wanted


def _house_notices(society: SocietyView, who: str) -> Iterator[Notice]:
    """Yield the notices of a resident's house, by its shops' stocks as they last saw them: to buy,
    at a lower price than the shop's, goods of which it has less than `SHORTAGE_PERCENT` of its
    target; to hire for that, if it can and has no employee; and to offer a surplus above
    `SURPLUS_PERCENT`.
    """
    start = society.book.start
    house = start.people[who].house
    for (at, kind), count in _target_stock(society, house).items():
        seen = society.state.last_sight(who, at)
        has, price = (
            (Stock(seen.goods).count(kind), dict(seen.prices).get(kind, 0)) if seen else (0, 0)
        )
        if price and has * 100 < count * SHORTAGE_PERCENT:
            yield Notice(
                house,
                "buys",
                at,
                kind,
                count - has,
                max(1, price * (100 - BUYING_DISCOUNT_PERCENT) // 100),
                society.now,
                (who,),
            )
            if can_hire(society, house) and not _has_employee(society, house):
                yield Notice(
                    house,
                    "hands",
                    start.houses[house].home,
                    "",
                    HIRE_HOURS,
                    start.wage,
                    society.now,
                    (who,),
                )
        elif price and has * 100 > count * SURPLUS_PERCENT:
            yield Notice(house, "offers", at, kind, has - count, price, society.now, (who,))


def _target_stock(society: SocietyView, house: str) -> dict[tuple[str, str], int]:
    """Return the stock that a house keeps, by fixture and kind."""
    duties = society.book.duties_of(house)
    return {(duty.at, duty.keep): duty.count for duty in duties if duty.keep}


def _has_employee(society: SocietyView, house: str) -> bool:
    """Return True if a house has an employee."""
    return any(society.employer(who) == house for who in society.book.start.people)


def _learn_notice(society: SocietyView, who: str, board: str, notice: Notice) -> Iterator[Effect]:
    """Yield the memory of a notice, and the stock and price that an offer reveals to others: its own
    house, which knows what it has, would take the surplus for the stock.
    """
    facts = (("house", notice.house), ("call", notice.call), ("coins", notice.coins))
    yield CameOf(who, Outcome(Errand(Verb.READ, board, notice.kind, notice.count), "", facts))
    seen = society.state.last_sight(who, notice.at)
    is_own = society.book.start.people[who].house == notice.house
    if notice.call == "offers" and not is_own and seen and seen.since < notice.since:
        goods = dict(seen.goods) | {notice.kind: notice.count}
        prices = dict(seen.prices) | {notice.kind: notice.coins}
        yield Inspected(
            who,
            notice.at,
            replace(
                seen,
                goods=tuple(sorted(goods.items())),
                prices=tuple(sorted(prices.items())),
                since=notice.since,
            ),
        )
