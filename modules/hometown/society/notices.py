"""Notice boards: residents post their house's shortages and surpluses, remove outdated notices, and
read the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from hometown.society.affairs import Affairs
from hometown.society.hire import BOARD, HOURS, can_hire
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Errand, Inspected, Outcome
from hometown.world.matter import Stock
from hometown.world.notices import BoardSet, Notice

HANGS = timedelta(days=3)
"""The time for which a notice stays posted."""

GLANCE = 4
"""The largest number of notices that a resident reads in a step. More would be forgotten
(`RECENT_OUTCOMES` in `modules/hometown/world/labour.py`).
"""

SHORT, PLENTY = 50, 150
"""Per cent of the stock that a house keeps for sale, below which it has a shortage, and above which
a surplus.
"""

DISCOUNT = 20
"""Per cent below its own price that a shop with a shortage pays."""


def at_boards(affairs: Affairs, who: str, is_here: Callable[[str], bool]) -> Iterator[Effect]:
    """Yield the effects of a resident's visit to the boards within reach."""
    for address in affairs.book.places_for(BOARD):
        if is_here(address):
            yield from _at_board(affairs, who, address)


def _at_board(affairs: Affairs, who: str, board: str) -> Iterator[Effect]:
    hung = affairs.state.notices(board)
    kept = [
        notice
        for notice in hung
        if affairs.now - notice.since < HANGS and not _is_met(affairs, who, notice)
    ]
    there = {notice.about for notice in kept}
    own = {notice.about: notice for notice in _calls(affairs, who) if notice.about not in there}
    read = [notice for notice in kept if who not in notice.readers][:GLANCE]
    notices = (
        *(replace(each, readers=(*each.readers, who)) if each in read else each for each in kept),
        *own.values(),
    )
    if notices != hung:
        yield BoardSet(board, notices)
    for notice in read:
        yield from _learnt(affairs, who, board, notice)


def _is_met(affairs: Affairs, who: str, notice: Notice) -> bool:
    """Return whether a resident removes a notice: they got the job, or know that their house's
    shortage or surplus has ended.
    """
    own, seen = (
        affairs.book.start.people[who].house == notice.house,
        affairs.state.seen(who, notice.at),
    )
    if notice.call == "hands":
        return affairs.employer(who) == notice.house or (own and _helped(affairs, notice.house))
    if not own or seen is None or seen.since <= notice.since:
        return False
    has, wanted = (
        Stock(seen.goods).count(notice.kind),
        _wanted(affairs, notice.house).get((notice.at, notice.kind)),
    )
    return wanted is None or (has >= wanted if notice.call == "buys" else has <= wanted)


def _calls(affairs: Affairs, who: str) -> Iterator[Notice]:
    """Yield the notices of a resident's house, by its shops' stocks as they last saw them."""
    start = affairs.book.start
    house = start.people[who].house
    for (at, kind), count in _wanted(affairs, house).items():
        seen = affairs.state.seen(who, at)
        has, price = (
            (Stock(seen.goods).count(kind), dict(seen.prices).get(kind, 0)) if seen else (0, 0)
        )
        if price and has * 100 < count * SHORT:
            yield Notice(
                house,
                "buys",
                at,
                kind,
                count - has,
                max(1, price * (100 - DISCOUNT) // 100),
                affairs.now,
                (who,),
            )
            if can_hire(affairs, house) and not _helped(affairs, house):
                yield Notice(
                    house,
                    "hands",
                    start.houses[house].home,
                    "",
                    HOURS,
                    start.wage,
                    affairs.now,
                    (who,),
                )
        elif price and has * 100 > count * PLENTY:
            yield Notice(house, "offers", at, kind, has - count, price, affairs.now, (who,))


def _wanted(affairs: Affairs, house: str) -> dict[tuple[str, str], int]:
    """Return the stock that a house keeps, by fixture and kind."""
    duties = (
        duty
        for who in affairs.book.people_of(house)
        for duty in affairs.book.start.people[who].duties
    )
    return {(duty.at, duty.keep): duty.count for duty in duties if duty.keep}


def _helped(affairs: Affairs, house: str) -> bool:
    """Return whether a house has an employee."""
    return any(affairs.employer(who) == house for who in affairs.book.start.people)


def _learnt(affairs: Affairs, who: str, board: str, notice: Notice) -> Iterator[Effect]:
    """Yield the memory of a notice, and the stock and price that an offer reveals."""
    facts = (("house", notice.house), ("call", notice.call), ("coins", notice.coins))
    yield CameOf(who, Outcome(Errand("read", board, notice.kind, notice.count), "", facts))
    seen = affairs.state.seen(who, notice.at)
    if notice.call == "offers" and seen and seen.since < notice.since:
        goods, prices = (
            dict(seen.goods) | {notice.kind: notice.count},
            dict(seen.prices) | {notice.kind: notice.coins},
        )
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
