"""The arbiter: what comes first. A need that is urgent, else what was begun, else a need that is low, else duty, else pastime."""

from __future__ import annotations

from dataclasses import dataclass

from hometown.clock import minute_of_day
from hometown.society.affairs import Affairs
from hometown.society.bodies import levels
from hometown.society.means import Plan, Search
from hometown.world.book.references import SLEEP

NIGHT = (22 * 60, 6 * 60)
"""Minutes of the day from when until when people sleep."""

WORKING = (7 * 60, 18 * 60)
"""Minutes of the day between which people see to their duties."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody does next, and for which need ("" for duty and pastime). Without a plan it sleeps if the need is met by sleep, else it is idle."""

    need: str = ""
    plan: Plan | None = None


def wakes(affairs: Affairs, who: str) -> bool:
    """Whether somebody asleep wakes now: because it is hungry, or it has slept till morning."""
    felt = levels(affairs.book, affairs.state.needs(who), affairs.now)
    roused = any(felt[need] < part.wakes for need, part in affairs.book.needs.items() if SLEEP not in part.met_by)
    return roused or (_daytime(affairs) and all(felt[need] >= part.satisfied for need, part in affairs.book.needs.items() if SLEEP in part.met_by))


def interrupts(affairs: Affairs, who: str, place: str, search: Search) -> bool:
    """Whether somebody leaves what it does at once: a need that it does not see to yet is urgent, and something can be done about it."""
    felt, aim = levels(affairs.book, affairs.state.needs(who), affairs.now), affairs.state.aim(who)
    urgent = [need for need, part in affairs.book.needs.items() if part.met_by and felt[need] < part.urgent]
    return aim not in urgent and any(SLEEP in affairs.book.needs[need].met_by or search.meet(need, place) for need in urgent)


def choose(affairs: Affairs, who: str, place: str, search: Search) -> Choice:
    """What somebody who is awake, and at no work, does next. A need that it sees to comes before others until it is satisfied."""
    felt = levels(affairs.book, affairs.state.needs(who), affairs.now)
    needs = {need: part for need, part in affairs.book.needs.items() if part.met_by}
    urgent = sorted((need for need, part in needs.items() if felt[need] < part.urgent), key=lambda need: felt[need])
    aim = affairs.state.aim(who)
    begun = [aim] if aim and felt[aim] < needs[aim].satisfied else []
    low = sorted((need for need, part in needs.items() if felt[need] < part.low), key=lambda need: felt[need])
    tired = [need for need, part in needs.items() if SLEEP in part.met_by and not _daytime(affairs)]
    for need in dict.fromkeys([*urgent, *begun, *low, *tired]):
        if SLEEP in needs[need].met_by:
            return Choice(need)
        if (plan := search.meet(need, place)) is not None:
            return Choice(need, plan)
    return _duty(affairs, who, place, search)


def _duty(affairs: Affairs, who: str, place: str, search: Search) -> Choice:
    """The first duty that something can be done about, in working hours; after them whatever is needed most."""
    if WORKING[0] <= minute_of_day(affairs.now) < WORKING[1]:
        plans = (search.keep(duty, place) for duty in affairs.book.start.people[who].duties)
        return Choice("", next(filter(None, plans), None))
    return Choice()


def _daytime(affairs: Affairs) -> bool:
    return NIGHT[1] <= minute_of_day(affairs.now) < NIGHT[0]
