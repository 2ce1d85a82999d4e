"""The arbiter: selects a resident's next activity. Urgent needs come first, then residents
who need care, the need being satisfied, needs that run low, sleep at night, duties and pastimes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from hometown.clock import minute_of_day
from hometown.frozen import frozen
from hometown.society.aid import plan_aid
from hometown.society.errand_plan import DEFAULT_QUANTITY, ErrandPlan
from hometown.society.hire import plan_job_search
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.world.book.book import Recipe
from hometown.world.book.references import SLEEP
from hometown.world.labour import Verb
from hometown.world.world import arena_of

NIGHT_MINUTES = (22 * 60, 6 * 60)
"""The start and end of the night, in minutes of the day."""

WORKING_MINUTES = (7 * 60, 18 * 60)
"""The start and end of working hours, in minutes of the day."""


@frozen
class Choice:
    """A resident's next activity.

    Attributes:
        need: The need that it satisfies; "" for a duty or a pastime.
        plan: The errands. Without a plan the resident sleeps, if sleep satisfies the need, or idles.
    """

    need: str = ""
    plan: ErrandPlan | None = None


def should_wake(society: SocietyView, who: str) -> bool:
    """Return True if a sleeping resident wakes now: from hunger, or rested in the morning."""
    return is_roused(society, who) or (_is_daytime(society) and is_rested(society, who))


def is_roused(society: SocietyView, who: str) -> bool:
    """Return True if a need other than for sleep is low enough to wake a sleeping resident."""
    felt = society.levels(who)
    return any(
        felt[need] < part.wakes
        for need, part in society.book.needs.items()
        if SLEEP not in part.met_by
    )


def is_rested(society: SocietyView, who: str) -> bool:
    """Return True if all needs that sleep satisfies are satisfied."""
    felt = society.levels(who)
    return all(
        felt[need] >= part.satisfied
        for need, part in society.book.needs.items()
        if SLEEP in part.met_by
    )


def has_no_need_for(society: SocietyView, who: str, recipes: Iterable[Recipe]) -> bool:
    """Return True if all needs that recipes raise are satisfied already: nobody eats on a full
    stomach.
    """
    felt = society.levels(who)
    raised = {need for recipe in recipes for need, change in recipe.body if change > 0}
    return all(felt[need] >= society.book.needs[need].satisfied for need in raised)


def is_supplied_by(society: SocietyView, who: str, family: str) -> bool:
    """Return True if a resident has enough of everything that a family of recipes makes.

    For goods that a duty keeps in stock, enough is the duty's count in their bag and at the
    fixture; for other goods it is `DEFAULT_QUANTITY` in the bag.
    """
    kept = {
        duty.keep: society.state.stock(duty.at).count(duty.keep)
        + society.state.stock(who).count(duty.keep)
        - duty.count
        for duty in society.duties(who)
    }
    made = {kind for recipe in society.book.families.get(family, ()) for kind, _ in recipe.products}
    return bool(made) and all(
        kept.get(kind, society.state.stock(who).count(kind) - DEFAULT_QUANTITY) >= 0
        for kind in made
    )


def should_interrupt(society: SocietyView, who: str, place: str, search: Planner) -> bool:
    """Return True if a resident drops their activity: without an urgent need, for a helpless
    resident whom they can help and are not helping; with urgent needs none of which is active yet,
    for one that can be satisfied now.
    """
    pressing = society.needs_below(who, "urgent")
    if not pressing and not is_helping(society, who) and plan_aid(search, place, helpless=True):
        return True
    return society.state.active_need(who) not in pressing and any(
        SLEEP in society.book.needs[need].met_by or search.plan_need(need, place)
        for need in pressing
    )


def is_helping(society: SocietyView, who: str) -> bool:
    """Return True if a resident is helping another or on the way to do so."""
    job = society.state.job(who)
    return any(errand.verb == Verb.TEND for errand in society.state.errand_queue(who)) or (
        job is not None and job.recipe in society.book.carers
    )


def choose_activity(society: SocietyView, who: str, place: str, search: Planner) -> Choice:
    """Return the next activity of a resident who is awake and not at work.

    The order is urgent needs, helpless residents, the active need, low needs, sleep at night,
    duties. A resident with an urgent need helps nobody.
    """
    if not society.needs_below(who, "urgent") and (
        called := plan_aid(search, place, helpless=True)
    ):
        return Choice("", called)
    tired = [
        need
        for need, part in society.book.needs.items()
        if SLEEP in part.met_by and not _is_daytime(society)
    ]
    choice = choose_need(society, who, place, search, tired)
    return choice or Choice("", choose_duty(society, who, place, search))


def choose_need(
    society: SocietyView, who: str, place: str, search: Planner, beside: Sequence[str] = ()
) -> Choice | None:
    """Return the first need that can be satisfied now, with its plan; None if there is none.

    The order is urgent needs, the active need until it is satisfied, low needs, then `beside`.
    """
    felt = society.levels(who)
    needs = {need: part for need, part in society.book.needs.items() if part.met_by}
    aim = society.state.active_need(who)
    begun = [aim] if aim in needs and felt[aim] < needs[aim].satisfied else []
    low = society.needs_below(who, "low")
    urgent = [need for need in low if felt[need] < needs[need].urgent]
    for need in dict.fromkeys([*urgent, *begun, *low, *beside]):
        if SLEEP in needs[need].met_by:
            return Choice(need)
        if (plan := search.plan_need(need, place)) is not None:
            return Choice(need, plan)
    return None


def choose_reflex(
    society: SocietyView, who: str, place: str, search: Planner, level: Literal["low", "urgent"]
) -> Choice | None:
    """Return the first need below a level that the body meets by itself: by sleep, or with goods at
    hand in the bag or at `place`. None if there is none. Only needs that drain others at 0 count.
    """
    for need in society.needs_below(who, level):
        part = society.book.needs[need]
        if SLEEP in part.met_by:
            return Choice(need)
        plan = search.plan_need(need, place) if part.at_zero else None
        if plan and _is_at_hand(society, plan, place):
            return Choice(need, plan)
    return None


def _is_at_hand(society: SocietyView, plan: ErrandPlan, place: str) -> bool:
    """Return True if a plan takes goods in the bag or at a place and uses them there."""
    *before, last = plan.errands
    sites = [society.site_of(errand.at) for errand in plan.errands]
    return (
        last.verb == Verb.DO
        and all(errand.verb == Verb.TAKE for errand in before)
        and all(not site or arena_of(site) == arena_of(place) for site in sites)
    )


def choose_duty(society: SocietyView, who: str, place: str, search: Planner) -> ErrandPlan | None:
    """Return the plan for a resident's next duty; None if there is none, or if they are unwell.

    The order is care for an unwell resident, then, in working hours only, duties, emptying a bag
    that is more than half full, and, from a poor house, asking for paid work.
    """
    if society.state.ailment(who):
        return None
    if called := plan_aid(search, place, helpless=False):
        return called
    if not WORKING_MINUTES[0] <= minute_of_day(society.now) < WORKING_MINUTES[1]:
        return None
    plans = (search.plan_duty(each, place) for each in society.duties(who))
    return (
        next(filter(None, plans), None)
        or search.plan_unloading(place)
        or plan_job_search(society, who, place, search.travel_minutes)
    )


def _is_daytime(society: SocietyView) -> bool:
    return NIGHT_MINUTES[1] <= minute_of_day(society.now) < NIGHT_MINUTES[0]
