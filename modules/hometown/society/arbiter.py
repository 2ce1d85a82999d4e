"""The arbiter: what comes first. A need that is urgent, else what was begun, else a need that is
low, else duty, else pastime.
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
"""Minutes of the day from when until when people sleep."""

WORKING = (7 * 60, 18 * 60)
"""Minutes of the day between which people see to their duties."""


@frozen
class Choice:
    """What somebody does next, and for which need ("" for duty and pastime). Without a plan it
    sleeps if the need is met by sleep, else it is idle.
    """

    need: str = ""
    plan: Plan | None = None


def wakes(affairs: Affairs, who: str) -> bool:
    """Whether somebody asleep wakes now: because it is hungry, or it has slept till morning."""
    return roused(affairs, who) or (_daytime(affairs) and rested(affairs, who))


def roused(affairs: Affairs, who: str) -> bool:
    """Whether a need wakes a sleeper."""
    felt = affairs.levels(who)
    return any(
        felt[need] < part.wakes
        for need, part in affairs.book.needs.items()
        if SLEEP not in part.met_by
    )


def rested(affairs: Affairs, who: str) -> bool:
    """Whether somebody has slept enough."""
    felt = affairs.levels(who)
    return all(
        felt[need] >= part.satisfied
        for need, part in affairs.book.needs.items()
        if SLEEP in part.met_by
    )


def urgent(affairs: Affairs, who: str) -> list[str]:
    """The needs that are urgent, and that something can meet, the lowest first."""
    return _urgent(affairs.book, affairs.levels(who))


def contented(affairs: Affairs, who: str, family: str) -> bool:
    """Whether all that a recipe is good for is satisfied already: nobody eats on a full stomach."""
    felt = affairs.levels(who)
    raised = {
        need
        for recipe in affairs.book.families.get(family, ())
        for need, change in recipe.body
        if change > 0
    }
    return all(felt[need] >= affairs.book.needs[need].satisfied for need in raised)


def provided(affairs: Affairs, who: str, family: str) -> bool:
    """Whether somebody has enough of all that a recipe makes: nobody bakes what nobody will eat.

    Of what it keeps in stock that is as much as it keeps, in its bag and there; of anything else,
    what it would buy or fetch at most.
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
    """Whether somebody leaves what it does at once: a need that it does not see to yet is urgent,
    or somebody is helpless, and something can be done.
    """
    pressing = urgent(affairs, who)
    if not pressing and not helping(affairs, who) and aid(search, place, helpless=True):
        return True
    return affairs.state.aim(who) not in pressing and any(
        SLEEP in affairs.book.needs[need].met_by or search.meet(need, place) for need in pressing
    )


def helping(affairs: Affairs, who: str) -> bool:
    """Whether somebody is on its way to help another, or at it."""
    deed = affairs.state.deed(who)
    return any(errand.verb == "tend" for errand in affairs.state.course(who)) or (
        deed is not None and deed.recipe in affairs.book.carers
    )


def choose(affairs: Affairs, who: str, place: str, search: Search) -> Choice:
    """What somebody who is awake, and at no work, does next: what it needs urgently, who needs it,
    what it needs, at night to sleep, else its duty.
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
    """The need that comes first, of those that something can be done about: the urgent, the one
    seen to until it is satisfied, the low, those `beside`.
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
    """To look after somebody who is unwell; the first duty that something can be done about, in
    working hours; else to empty a bag that is more than half full; else, for whose house has few
    coins, to ask for work. Who ails itself spares itself.
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
