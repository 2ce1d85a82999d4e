"""Care for residents with a need that only others can satisfy, such as health. A helpless resident
stays in place until another comes.

Residents who are present see it, housemates notice it, and after some hours all of the town know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from hometown.agent.mind.esteem import GOOD_REGARD, VERY_BAD_REGARD, regard_for
from hometown.society.errand_plan import ErrandPlan
from hometown.society.jobs import begin_work, leave_work
from hometown.society.planner import Planner
from hometown.society.realms import realm_at
from hometown.society.refusals import Refusal, build_refusal, refuse_means
from hometown.society.society_view import SocietyView
from hometown.world.effects import Effect
from hometown.world.labour import (
    Ailed,
    Ailment,
    CameOf,
    CourseSet,
    Errand,
    Facts,
    Job,
    Outcome,
    Verb,
    WorkBegun,
)

NEWS_SPREAD_TIME = timedelta(hours=6)
"""The time after which all residents know of a helpless resident."""


def update_ailments(society: SocietyView, done: Mapping[str, str]) -> Iterator[Effect]:
    """Yield the changes of residents' ailments. A resident who becomes helpless abandons work and
    errands.

    Args:
        done: The recipe that a resident has just finished, by resident.
    """
    for who in society.book.start.people:
        before = society.state.ailment(who)
        after = _ailment_of(society, who, before, done.get(who, ""))
        if after != before:
            yield Ailed(who, after)
        if after and after.helpless and not (before and before.helpless):
            if job := society.state.job(who):
                yield from leave_work(society, who, job)
            if society.state.errand_queue(who):
                yield CourseSet(who, ())


def _ailment_of(
    society: SocietyView, who: str, before: Ailment | None, done: str
) -> Ailment | None:
    """Return a resident's ailment; None if they are well. `done` is the recipe that they have just
    finished, "" for none.

    A low need ails until it is satisfied. While an empty need drains it, such as hunger, it ails
    only below the urgent level, since the resident can satisfy that need by themselves. An urgent
    one makes them helpless indoors until it is no longer low.
    """
    needs, felt = society.book.needs, society.levels(who)

    def ails_below(need: str) -> int:
        is_drained = _draining_need(society, felt, need)
        return needs[need].urgent if is_drained else needs[need].low

    if before and before.need in society.book.cared_for:
        need = before.need
    else:
        low = [need for need in society.book.cared_for if felt[need] < ails_below(need)]
        need = min(low, key=lambda need: felt[need], default="")
    if not need or felt[need] >= needs[need].satisfied:
        return None
    was_helpless = before is not None and before.helpless
    helpless_below = needs[need].low if was_helpless else needs[need].urgent
    helpless = felt[need] < helpless_below and bool(society.place_of(who))
    if before and (before.helpless or not helpless):
        return replace(before, need=need, helpless=helpless)
    return Ailment(need, helpless, society.now, _cause(society, felt, need, done))


def _draining_need(society: SocietyView, felt: Mapping[str, int], need: str) -> str:
    """Return an empty need that drains another; "" for none."""
    return next(
        (
            other
            for other, part in society.book.needs.items()
            if not felt[other] and part.at_zero.get(need, 0) < 0
        ),
        "",
    )


def _cause(society: SocietyView, felt: Mapping[str, int], need: str, done: str) -> str:
    """Return the cause of an ailment: the recipe just done, if it harms, or the empty need that
    drains.
    """
    recipe = society.book.recipes.get(done)
    if recipe and (dict(recipe.body).get(need, 0) < 0 or recipe.part.failure.body.get(need, 0) < 0):
        return recipe.id
    return _draining_need(society, felt, need)


def plan_aid(search: Planner, place: str, helpless: bool) -> ErrandPlan | None:
    """Return the cheapest plan by which a resident cares for a helpless one, or, with `helpless`
    False, for one who is unwell but not helpless; None if there is none, or if the carer is unwell.
    """
    society, who = search.society, search.who
    if society.state.ailment(who):
        return None
    plans = [
        search.plan_care(carer, other, place)
        for other in society.book.start.people
        if (ailing := society.state.ailment(other))
        and ailing.helpless == helpless
        and _would_help(society, who, other, ailing)
        for carer, theirs in society.book.care
        if dict(theirs.body).get(ailing.need, 0) > 0
    ]
    return min((plan for plan in plans if plan), key=lambda plan: plan.cost, default=None)


def _would_help(society: SocietyView, who: str, other: str, ailing: Ailment) -> bool:
    """Return True if a resident knows of another's ailment and is willing to help.

    Nobody helps a resident who is being helped already. A helpless one is helped by all who do not
    detest them, another one by housemates and by those who think well of them.
    """
    job = society.state.job(other)
    if other == who or not society.place_of(other) or (job and job.partner):
        return False
    regard = regard_for(society.state, who, other)
    is_housemate = society.purse(who) == society.purse(other)
    is_near = society.place_of(who) == society.place_of(other)
    knows = is_near or is_housemate
    if not ailing.helpless:
        return knows and (is_housemate or regard >= GOOD_REGARD)
    knows = knows or society.now - ailing.since >= NEWS_SPREAD_TIME
    return knows and (is_housemate or regard > VERY_BAD_REGARD)


def refuse_care(society: SocietyView, who: str, recipe_id: str, other: str) -> Refusal | None:
    """Return the reason why a resident cannot do a recipe for another: it is unknown, the other is
    not ailing in the same place or is in work for two already, or the carer lacks the means. None
    if they can.
    """
    recipe = society.book.recipes.get(recipe_id)
    if recipe is None:
        return build_refusal("NO_RECIPE", recipe=recipe_id)
    place = society.place_of(who)
    is_together = place != "" and society.place_of(other) == place
    if society.state.ailment(other) is None or not is_together:
        return build_refusal("NO_TARGET", at=other)
    theirs = society.state.job(other)
    if theirs and theirs.partner:
        return build_refusal("BUSY", at=other)
    return refuse_means(society, who, recipe, "")


def begin_care(society: SocietyView, who: str, recipe_id: str, other: str) -> list[Effect]:
    """Return the effects with which a resident begins to care for another: the other drops their
    own work, and both are at work, for the same time.
    """
    theirs = next(theirs for carer, theirs in society.book.care if carer.id == recipe_id)
    job = society.state.job(other)
    left = leave_work(society, other, job) if job else []
    begun = begin_work(society, who, recipe_id, "", partner=other)
    until = next(effect.deed.until for effect in begun if isinstance(effect, WorkBegun))
    return [*left, *begun, WorkBegun(other, Job(theirs.id, "", society.now, until, partner=who))]


def outcome_facts(society: SocietyView, who: str, job: Job, is_success: bool) -> Facts:
    """Return the facts of finished work: those of shared work, and the realm that it broke into."""
    recipe = society.book.recipes[job.recipe]
    reached = realm_at(society.book, recipe.skill, society.state.skill(who, recipe.skill))
    realm = (("realm", reached[0]),) if recipe.part.breaks and is_success and reached else ()
    return (*partner_facts(society, who, job), *realm)


def partner_facts(society: SocietyView, who: str, job: Job) -> Facts:
    """Return the facts of shared work: the partner, and `helpless` if one of the two is."""
    if not job.partner:
        return ()
    helpless = any(society.state.is_helpless(each) for each in (who, job.partner))
    return (("partner", job.partner), *((("helpless", 1),) if helpless else ()))


def witness_care(society: SocietyView, who: str, job: Job) -> Iterator[Effect]:
    """Yield the outcomes for the residents who see another being cared for."""
    if job.recipe in society.book.carers:
        (_, other), *helpless = partner_facts(society, who, job)
        for witness in society.awake_in(society.place_of(who)):
            if witness not in (who, other):
                yield CameOf(
                    witness,
                    Outcome(Errand(Verb.SEE, who, job.recipe), "", (("needed", other), *helpless)),
                )
