"""Paid work: residents of poor houses ask for work at rich ones.

For some hours an employee does the duties of the house, and then receives the wages.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hometown.agent.mind.esteem import BAD_REGARD, regard_for, trust_in
from hometown.clock import minute_of_day
from hometown.society.errand_plan import ErrandPlan, TravelTime
from hometown.society.knowledge import present_sight
from hometown.society.refusals import Refusal, build_refusal
from hometown.society.society_view import SocietyView
from hometown.world.book.book import COIN
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Employment, Errand, Hired, Inspected, Outcome, Verb
from hometown.world.matter import Traded, Transfer
from hometown.world.notices import Notice

BOARD_TAG = "board"
"""The tag of notice boards."""

HIRE_HOURS = 4
"""The hours for which a resident is hired."""

POOR_PERCENT, RICH_PERCENT = 60, 100
"""Per cent of a house's initial coins below which its residents ask for work, and from which it
hires.
"""

POOR_PERCENT_WITH_NOTICE = 80
"""Per cent of initial coins below which a resident who has read a notice that offers work asks for
it.
"""

LATEST_ASKING_MINUTE = 15 * 60
"""The minute of the day after which residents ask for no work."""


def plan_job_search(
    society: SocietyView, who: str, place: str, apart: TravelTime
) -> ErrandPlan | None:
    """Return the plan to ask for work at the nearest house that has duties to give and no resident
    whom they distrust.

    Houses with a notice that the resident has read come first. Returns None for a resident who
    needs no work or is employed, after `LATEST_ASKING_MINUTE`, and without a wage.
    """
    own = society.book.start.people[who].house
    called = _hiring_houses(society, who)
    if (
        not society.book.start.wage
        or society.employer(who)
        or minute_of_day(society.now) > LATEST_ASKING_MINUTE
        or _percent_of_initial_coins(society, own)
        >= (POOR_PERCENT_WITH_NOTICE if called else POOR_PERCENT)
    ):
        return None
    refused = {errand.what for errand in society.refused_errands(who) if errand.verb == Verb.HIRE}
    houses = [
        house
        for house in society.book.start.houses
        if house not in (own, *refused)
        and society.book.duties_of(house)
        and _trusts(society, who, house)
    ]
    offers = [
        Errand(Verb.HIRE, society.book.start.houses[house].home, house, HIRE_HOURS)
        for house in houses
    ]
    plans = (ErrandPlan((offer,), offer.at, apart(place, offer.at)) for offer in offers)
    return min(
        plans, key=lambda plan: (plan.errands[0].what not in called, plan.cost), default=None
    )


def refuse_hire(society: SocietyView, who: str, house: str) -> Refusal | None:
    """Return the reason why a house does not hire a resident: they are employed, it is their own,
    has no duties to give, is too poor, or one of its residents dislikes them. None if it hires them.
    """
    is_own = house in ("", society.book.start.people[who].house)
    if society.employer(who) or is_own or not society.book.duties_of(house):
        return build_refusal("NO_TARGET", house=house)
    if not can_hire(society, house):
        coins = society.state.stock(f"house:{house}").count(COIN)
        wages = HIRE_HOURS * society.book.start.wage
        return build_refusal("TOO_POOR", house=house, has=coins, price=wages)
    least = min(regard_for(society.state, other, who) for other in society.book.people_of(house))
    return build_refusal("NOT_YOURS", house=house, favour=least) if least <= BAD_REGARD else None


def can_hire(society: SocietyView, house: str) -> bool:
    """Return True if a house has the coins for the wages of `HIRE_HOURS`, and at least
    `RICH_PERCENT` of its initial coins. False in a society without a wage.
    """
    wages = HIRE_HOURS * society.book.start.wage
    coins = society.state.stock(f"house:{house}").count(COIN)
    is_rich = _percent_of_initial_coins(society, house) >= RICH_PERCENT
    return 0 < wages <= coins and is_rich


def hire(society: SocietyView, who: str, house: str) -> list[Effect]:
    """Return the effects of hiring a resident for `HIRE_HOURS`, who learns the stocks of the house."""
    hired = Hired(who, Employment(house, society.now + timedelta(hours=HIRE_HOURS)))
    own = [
        address
        for address, fixture in society.book.fixtures.items()
        if fixture.owner == f"house:{house}"
    ]
    return [hired, *(Inspected(who, address, present_sight(society, address)) for address in own)]


def pay_wages(society: SocietyView) -> Iterator[Effect]:
    """Yield, for each employment whose time is over and whose work is done: the payment of the
    wages, or of all coins of the house if it has fewer, the outcome for the resident, and the end
    of the employment.
    """
    for who in society.book.start.people:
        hired = society.state.employment(who)
        if (
            hired is None
            or hired.until > society.now
            or society.state.job(who)
            or society.state.errand_queue(who)
        ):
            continue
        purse, wages = f"house:{hired.house}", HIRE_HOURS * society.book.start.wage
        coins = min(wages, society.state.stock(purse).count(COIN))
        if coins:
            yield Traded((Transfer(purse, society.purse(who), ((COIN, coins),)),))
        errand = Errand(Verb.HIRE, society.book.start.houses[hired.house].home, hired.house, coins)
        facts = (("owed", wages - coins), ("has", coins), ("price", wages))
        yield CameOf(who, Outcome(errand, "" if coins == wages else "TOO_POOR", facts))
        yield Hired(who, None)


def read_notices(society: SocietyView, who: str) -> list[Notice]:
    """Return the notices still posted that a resident has read."""
    return [
        notice
        for board in society.book.places_for(BOARD_TAG)
        for notice in society.state.notices(board)
        if who in notice.readers
    ]


def _hiring_houses(society: SocietyView, who: str) -> set[str]:
    """Return the houses of which a resident has read that they offer work."""
    return {notice.house for notice in read_notices(society, who) if notice.call == "hands"}


def _percent_of_initial_coins(society: SocietyView, house: str) -> int:
    """Return the coins of a house in per cent of its initial coins, rounded down; at least one
    initial coin is assumed.
    """
    coins = society.state.stock(f"house:{house}").count(COIN)
    return coins * 100 // max(1, society.book.start.houses[house].coins)


def _trusts(society: SocietyView, who: str, house: str) -> bool:
    """Return True if a resident distrusts none of the residents of a house."""
    return all(
        trust_in(society.state, who, other) > BAD_REGARD for other in society.book.people_of(house)
    )
