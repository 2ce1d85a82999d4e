"""The arbiter: selects a resident's next activity. Urgent needs come first, then the need being
satisfied, low needs, duties and pastimes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hometown.clock import minute_of_day
from hometown.frozen import frozen
from hometown.society.affairs import Affairs
from hometown.society.care import aid
from hometown.society.hire import job
from hometown.society.means import SOME, Plan, Search
from hometown.world.book.book import Book
from hometown.world.book.references import SLEEP

NIGHT = (22 * 60, 6 * 60)
"""The start and end of the night, in minutes of the day."""

WORKING = (7 * 60, 18 * 60)
"""The start and end of working hours, in minutes of the day."""


@frozen
class Choice:
    """A resident's next activity.

    Attributes:
        need: The need that it satisfies; "" for a duty or a pastime.
        plan: The errands. Without a plan the resident sleeps, if sleep satisfies the need, or idles.
    """

    need: str = ""
    plan: Plan | None = None


def wakes(affairs: Affairs, who: str) -> bool:
    """Return whether a sleeping resident wakes now: from hunger, or rested in the morning."""
    return roused(affairs, who) or (_daytime(affairs) and rested(affairs, who))


def roused(affairs: Affairs, who: str) -> bool:
    """Return whether a need wakes a sleeping resident."""
    felt = affairs.levels(who)
    return any(
        felt[need] < part.wakes
        for need, part in affairs.book.needs.items()
        if SLEEP not in part.met_by
    )


def rested(affairs: Affairs, who: str) -> bool:
    """Return whether a resident has slept enough."""
    felt = affairs.levels(who)
    return all(
        felt[need] >= part.satisfied
        for need, part in affairs.book.needs.items()
        if SLEEP in part.met_by
    )


def urgent(affairs: Affairs, who: str) -> list[str]:
    """Return a resident's urgent needs that a recipe or sleep can satisfy, the lowest first."""
    return _urgent(affairs.book, affairs.levels(who))


def contented(affairs: Affairs, who: str, family: str) -> bool:
    """Return whether all needs that a recipe raises are satisfied already: nobody eats on a full
    stomach.
    """
    felt = affairs.levels(who)
    raised = {
        need
        for recipe in affairs.book.families.get(family, ())
        for need, change in recipe.body
        if change > 0
    }
    return all(felt[need] >= affairs.book.needs[need].satisfied for need in raised)


def provided(affairs: Affairs, who: str, family: str) -> bool:
    """Return whether a resident has enough of everything that a family of recipes makes.

    For goods that a duty keeps in stock, enough is the duty's count in their bag and at the
    fixture; for other goods it is `DEFAULT_QUANTITY` in the bag.
    """
    kept = {
        duty.keep: affairs.state.stock(duty.at).count(duty.keep)
        + affairs.state.stock(who).count(duty.keep)
        - duty.count
        for duty in affairs.duties(who)
    }
    made = {kind for recipe in affairs.book.families.get(family, ()) for kind, _ in recipe.products}
    return bool(made) and all(
        kept.get(kind, affairs.state.stock(who).count(kind) - SOME) >= 0 for kind in made
    )


def interrupts(affairs: Affairs, who: str, place: str, search: Search) -> bool:
    """Return whether a resident drops their activity for an urgent need, or for a helpless
    resident, that they can do something about now.
    """
    pressing = urgent(affairs, who)
    if not pressing and not helping(affairs, who) and aid(search, place, helpless=True):
        return True
    return affairs.state.aim(who) not in pressing and any(
        SLEEP in affairs.book.needs[need].met_by or search.meet(need, place) for need in pressing
    )


def helping(affairs: Affairs, who: str) -> bool:
    """Return whether a resident is helping another or on the way to do so."""
    deed = affairs.state.deed(who)
    return any(errand.verb == "tend" for errand in affairs.state.course(who)) or (
        deed is not None and deed.recipe in affairs.book.carers
    )


def choose(affairs: Affairs, who: str, place: str, search: Search) -> Choice:
    """Return the next activity of a resident who is awake and not at work.

    The order is urgent needs, helpless residents, low needs, sleep at night, duties.
    """
    if not urgent(affairs, who) and (called := aid(search, place, helpless=True)):
        return Choice("", called)
    tired = [
        need
        for need, part in affairs.book.needs.items()
        if SLEEP in part.met_by and not _daytime(affairs)
    ]
    return need_first(affairs, who, place, search, tired) or Choice(
        "", duty(affairs, who, place, search)
    )


def need_first(
    affairs: Affairs, who: str, place: str, search: Search, beside: Sequence[str] = ()
) -> Choice | None:
    """Return the first need that can be satisfied now, with its plan; None if there is none.

    The order is urgent needs, the active need until it is satisfied, low needs, then `beside`.
    """
    felt = affairs.levels(who)
    needs = {need: part for need, part in affairs.book.needs.items() if part.met_by}
    aim = affairs.state.aim(who)
    begun = [aim] if aim and felt[aim] < needs[aim].satisfied else []
    low = sorted(
        (need for need, part in needs.items() if felt[need] < part.low), key=lambda need: felt[need]
    )
    for need in dict.fromkeys([*_urgent(affairs.book, felt), *begun, *low, *beside]):
        if SLEEP in needs[need].met_by:
            return Choice(need)
        if (plan := search.meet(need, place)) is not None:
            return Choice(need, plan)
    return None


def duty(affairs: Affairs, who: str, place: str, search: Search) -> Plan | None:
    """Return the plan for a resident's next duty; None if there is none, or if they are unwell.

    The order is care for an unwell resident, duties in working hours, emptying a bag that is more
    than half full, and, from a poor house, asking for paid work.
    """
    if affairs.state.ailing(who):
        return None
    if called := aid(search, place, helpless=False):
        return called
    if not WORKING[0] <= minute_of_day(affairs.now) < WORKING[1]:
        return None
    plans = (search.keep(each, place) for each in affairs.duties(who))
    return (
        next(filter(None, plans), None)
        or search.unburden(place)
        or job(affairs, who, place, search.apart)
    )


def _urgent(book: Book, felt: Mapping[str, int]) -> list[str]:
    return sorted(
        (need for need, part in book.needs.items() if part.met_by and felt[need] < part.urgent),
        key=lambda need: felt[need],
    )


def _daytime(affairs: Affairs) -> bool:
    return NIGHT[1] <= minute_of_day(affairs.now) < NIGHT[0]
