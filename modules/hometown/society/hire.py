"""Paid work: residents of poor houses ask for work at rich ones.

For some hours an employee does the duties of the house, and then receives the wages.
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
from hometown.world.notices import Notice

BOARD = "board"
"""The tag of notice boards."""

HOURS = 4
"""The hours for which a resident is hired."""

POOR, RICH = 60, 100
"""Per cent of a house's initial coins below which its residents ask for work, and from which it
hires.
"""

CALLED = 80
"""The same for a resident who has read a notice that offers work."""

LATEST = 15 * 60
"""The minute of the day after which residents ask for no work."""


def job(affairs: Affairs, who: str, place: str, apart: Apart) -> Plan | None:
    """Return the plan to ask for work at the nearest house that a resident trusts.

    Houses with a notice that the resident has read come first. Returns None for a resident who
    needs no work or is employed.
    """
    own = affairs.book.start.people[who].house
    called = _called(affairs, who)
    if (
        not affairs.book.start.wage
        or affairs.employer(who)
        or minute_of_day(affairs.now) > LATEST
        or _wealth(affairs, own) >= (CALLED if called else POOR)
    ):
        return None
    refused = {
        bar.outcome.errand.what
        for bar in affairs.state.barred(who)
        if bar.until > affairs.now and bar.outcome.errand.verb == "hire"
    }
    houses = [
        house
        for house in affairs.book.start.houses
        if house not in (own, *refused) and _works(affairs, house) and _trusts(affairs, who, house)
    ]
    offers = [
        Errand("hire", affairs.book.start.houses[house].home, house, HOURS) for house in houses
    ]
    plans = (Plan((offer,), offer.at, apart(place, offer.at)) for offer in offers)
    return min(
        plans, key=lambda plan: (plan.errands[0].what not in called, plan.cost), default=None
    )


def refuse_hire(affairs: Affairs, who: str, house: str) -> Refusal | None:
    """Return the reason why a house does not hire a resident; None if it does."""
    if house in ("", affairs.book.start.people[who].house) or not _works(affairs, house):
        return Refusal("NO_TARGET", (("house", house),))
    coins, wages = (
        affairs.state.stock(f"house:{house}").count(COIN),
        HOURS * affairs.book.start.wage,
    )
    if not can_hire(affairs, house):
        return Refusal("TOO_POOR", (("house", house), ("has", coins), ("price", wages)))
    least = min(regard_for(affairs.state, other, who) for other in affairs.book.people_of(house))
    return Refusal("NOT_YOURS", (("house", house), ("favour", least))) if least <= BADLY else None


def can_hire(affairs: Affairs, house: str) -> bool:
    """Return whether a house can pay wages and is rich enough to hire."""
    wages = HOURS * affairs.book.start.wage
    return (
        0 < wages <= affairs.state.stock(f"house:{house}").count(COIN)
        and _wealth(affairs, house) >= RICH
    )


def hire(affairs: Affairs, who: str, house: str) -> list[Effect]:
    """Return the effects of hiring a resident, who learns the stocks of the house."""
    hired = Hired(who, Hire(house, affairs.now + timedelta(hours=HOURS)))
    own = [
        address
        for address, fixture in affairs.book.fixtures.items()
        if fixture.owner == f"house:{house}"
    ]
    return [hired, *(Inspected(who, address, as_it_is(affairs, address)) for address in own)]


def pay_off(affairs: Affairs) -> Iterator[Effect]:
    """Yield the payment and the end of employments that are over, as far as the house has coins."""
    for who in affairs.book.start.people:
        hired = affairs.state.hired(who)
        if (
            hired is None
            or hired.until > affairs.now
            or affairs.state.deed(who)
            or affairs.state.course(who)
        ):
            continue
        purse, wages = f"house:{hired.house}", HOURS * affairs.book.start.wage
        coins = min(wages, affairs.state.stock(purse).count(COIN))
        if coins:
            yield Traded((Move(purse, affairs.purse(who), ((COIN, coins),)),))
        errand = Errand("hire", affairs.book.start.houses[hired.house].home, hired.house, coins)
        facts = (("owed", wages - coins), ("has", coins), ("price", wages))
        yield CameOf(who, Outcome(errand, "" if coins == wages else "TOO_POOR", facts))
        yield Hired(who, None)


def read_by(affairs: Affairs, who: str) -> list[Notice]:
    """Return the notices still posted that a resident has read."""
    return [
        notice
        for board in affairs.book.places_for(BOARD)
        for notice in affairs.state.notices(board)
        if who in notice.readers
    ]


def _called(affairs: Affairs, who: str) -> set[str]:
    """Return the houses of which a resident has read that they offer work."""
    return {notice.house for notice in read_by(affairs, who) if notice.call == "hands"}


def _wealth(affairs: Affairs, house: str) -> int:
    """Return the coins of a house, in per cent of its initial coins."""
    return (
        affairs.state.stock(f"house:{house}").count(COIN)
        * 100
        // max(1, affairs.book.start.houses[house].coins)
    )


def _works(affairs: Affairs, house: str) -> bool:
    """Return whether residents of a house have duties."""
    return any(affairs.book.start.people[who].duties for who in affairs.book.people_of(house))


def _trusts(affairs: Affairs, who: str, house: str) -> bool:
    return all(
        trust_in(affairs.state, who, other) > BADLY for other in affairs.book.people_of(house)
    )
