"""Work for wages: who lives in a house that has few coins asks for work where there are many.

For some hours it does the duties of that house, as its people do, and then it is paid for its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hometown.clock import minute_of_day
from hometown.society.affairs import Affairs
from hometown.society.beliefs import as_it_is
from hometown.society.esteem import BADLY, regard_for, trust_in
from hometown.society.means import Apart, Plan
from hometown.society.refusals import Refusal
from hometown.world.book.book import COIN
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Errand, Hire, Hired, Inspected, Outcome
from hometown.world.matter import Move, Traded

HOURS = 4
"""For how long somebody is hired."""

POOR, RICH = 60, 110
"""Per cent of what houses have on average below which people ask for work, and above which a house gives it."""

LATEST = 15 * 60
"""Minute of the day after which nobody asks for work."""


def job(affairs: Affairs, who: str, place: str, apart: Apart) -> Plan | None:
    """The way to the nearest house where there is work to be had; None for whoever needs none, or is hired already."""
    if not affairs.book.start.wage or affairs.employer(who) or minute_of_day(affairs.now) > LATEST or affairs.coins(who) * 100 >= POOR * _average(affairs):
        return None
    offers = [Errand("hire", part.home, house, HOURS) for house, part in affairs.book.start.houses.items() if refuse_hire(affairs, who, house) is None]
    tried = {bar.outcome.errand.what for bar in affairs.state.barred(who) if bar.until > affairs.now and bar.outcome.errand.verb == "hire"}
    ways = [Plan((offer,), offer.at, apart(place, offer.at)) for offer in offers if offer.what not in tried]
    return min(ways, key=lambda plan: plan.cost, default=None)


def refuse_hire(affairs: Affairs, who: str, house: str) -> Refusal | None:
    """Why a house does not take somebody on; None if it does. Nobody works for people whom it does not trust."""
    people = [other for other, part in affairs.book.start.people.items() if part.house == house]
    if who in people or not any(affairs.book.start.people[other].duties for other in people):
        return Refusal("NO_TARGET", (("house", house),))
    coins = affairs.state.stock(f"house:{house}").count(COIN)
    if coins * 100 < RICH * _average(affairs) or coins < HOURS * affairs.book.start.wage:
        return Refusal("TOO_POOR", (("house", house), ("has", coins), ("price", HOURS * affairs.book.start.wage)))
    if any(trust_in(affairs.state, who, other) <= BADLY or regard_for(affairs.state, other, who) <= BADLY for other in people):
        return Refusal("NOT_YOURS", (("house", house), ("favour", BADLY)))
    return None


def hire(affairs: Affairs, who: str, house: str) -> list[Effect]:
    """Somebody is taken on, and told what there is in the house."""
    hired = Hired(who, Hire(house, affairs.now + timedelta(hours=HOURS)))
    own = [address for address, fixture in affairs.book.fixtures.items() if fixture.owner == f"house:{house}"]
    return [hired, *(Inspected(who, address, as_it_is(affairs, address)) for address in own)]


def pay_off(affairs: Affairs) -> Iterator[Effect]:
    """Those whose time is up, and who are at nothing for the house any more, are paid, as far as the house can."""
    for who in affairs.book.start.people:
        hired = affairs.state.hired(who)
        if hired is None or hired.until > affairs.now or affairs.state.deed(who) or affairs.state.course(who):
            continue
        purse, wages = f"house:{hired.house}", HOURS * affairs.book.start.wage
        coins = min(wages, affairs.state.stock(purse).count(COIN))
        if coins:
            yield Traded((Move(purse, affairs.purse(who), ((COIN, coins),)),))
        errand = Errand("hire", affairs.book.start.houses[hired.house].home, hired.house, coins)
        yield CameOf(who, Outcome(errand, "" if coins == wages else "TOO_POOR", (("house", hired.house), ("has", coins), ("price", wages))))
        yield Hired(who, None)


def _average(affairs: Affairs) -> int:
    houses = affairs.book.start.houses
    return sum(affairs.state.stock(f"house:{house}").count(COIN) for house in houses) // max(1, len(houses))
