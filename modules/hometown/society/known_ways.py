"""Ways: a resident's known activities, each as the errands that lead to it. They inform a mind,
which decides; nothing of them is done by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from hometown.frozen import frozen
from hometown.society.aid import plan_aid
from hometown.society.errand_plan import ErrandPlan
from hometown.society.hire import plan_job_search
from hometown.society.planner import Planner
from hometown.world.book.parts import DutyPart
from hometown.world.book.references import SLEEP
from hometown.world.labour import Errand, Verb


@frozen
class KnownWay:
    """A plan with its purpose: a need, a duty, care for another, or work of another kind.

    Attributes:
        need: The id of the need that it meets; "" for none.
        duty: The duty that it fulfils; None if there is none.
    """

    kind: Literal["need", "duty", "care", "work"]
    plan: ErrandPlan
    need: str = ""
    duty: DutyPart | None = None


def find_known_ways(
    search: Planner, place: str, meant: Errand | None = None, room: str = ""
) -> Iterator[KnownWay]:
    """Yield the ways that a resident at `place` knows: the work that they mean to do, if possible in
    the arena `room`, care for the helpless and the ill, each need that goods or a place satisfy,
    each duty, unloading a heavy bag, and asking for paid work.
    """
    society = search.society
    if meant and meant.verb == Verb.DO:
        sites = (meant.at,) if meant.at else (room, "")
        plans = (search.plan_family(meant.what, place, site) for site in sites)
        if plan := next(filter(None, plans), None):
            yield KnownWay("work", plan)
    for helpless in (True, False):
        if called := plan_aid(search, place, helpless=helpless):
            yield KnownWay("care", called)
    for need, part in society.book.needs.items():
        if part.met_by and SLEEP not in part.met_by and (plan := search.plan_need(need, place)):
            yield KnownWay("need", plan, need=need)
    for duty in society.duties(search.who):
        if plan := search.plan_duty(duty, place):
            yield KnownWay("duty", plan, duty=duty)
    if plan := search.plan_unloading(place):
        yield KnownWay("work", plan)
    if plan := plan_job_search(society, search.who, place, search.travel_minutes):
        yield KnownWay("work", plan)
