"""Errands: carries out due events and the errands of residents, with or without minds.

Apply each effect that a generator yields before taking the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hometown.clock import DAY, minute_of_day
from hometown.society.aid import outcome_facts, update_ailments, witness_care
from hometown.society.arbiter import Choice
from hometown.society.chance import draw_weather, succeeds
from hometown.society.hire import pay_wages
from hometown.society.jobs import finish_work, ripen
from hometown.society.knowledge import inspect, view_as
from hometown.society.market import post_prices
from hometown.society.refusals import Refusal, build_refusal
from hometown.society.society_view import SocietyView
from hometown.society.verb_rules import VERB_RULES
from hometown.world.effects import Effect
from hometown.world.labour import (
    AimSet,
    Barred,
    BlockedErrand,
    CameOf,
    CourseSet,
    Errand,
    Outcome,
    Verb,
)
from hometown.world.matter import MARK

FAILED = "FAILED"
"""The outcome code of unsuccessful work. It is no refusal: the resident may try again."""


def advance_due_events(society: SocietyView) -> Iterator[Effect]:
    """Yield the events due now: weather, finished work, ripe processes, ailments and wages."""
    yield from draw_weather(society)
    done: dict[str, str] = {}
    for who in society.book.start.people:
        job = society.state.job(who)
        if job and job.until <= society.now:
            done[who] = job.recipe
            is_success = succeeds(society, who, job)
            yield from finish_work(society, who, job, is_success)
            if is_success:
                yield from witness_care(society, who, job)
            yield CameOf(
                who,
                Outcome(
                    Errand(Verb.DO, job.at, job.recipe),
                    "" if is_success else FAILED,
                    outcome_facts(society, who, job, is_success),
                ),
            )
    for address in society.book.fixtures:
        process = society.state.process(address)
        if process and process.due <= society.now:
            yield from ripen(society, address, process)
    yield from update_ailments(society, done)
    yield from pay_wages(society)


def post_closing_prices(society: SocietyView, minutes: int) -> Iterator[Effect]:
    """Yield the new prices of the shops that have closed within the last `minutes` minutes."""
    for address, fixture in society.book.fixtures.items():
        if fixture.shop and (minute_of_day(society.now) - fixture.shop.closes) % DAY < minutes:
            yield from post_prices(society.book, society.state, address)


def adopt_choice(society: SocietyView, who: str, choice: Choice) -> Iterator[Effect]:
    """Yield the effects that set a resident's active need, if that changes, and their errands, if
    the choice has a plan.
    """
    if choice.need != society.state.active_need(who):
        yield AimSet(who, choice.need)
    if choice.plan:
        yield CourseSet(who, choice.plan.errands)


def do_errands(society: SocietyView, who: str, is_here: Callable[[str], bool]) -> Iterator[Effect]:
    """Yield the effects of a resident's next errands within reach, up to the first that takes time.

    A refusal clears the rest of the errands; so does an item that is not where the resident
    believes it to be. That somebody does the work with whom they have an appointment is no refusal.

    Args:
        is_here: Returns whether an address is within the resident's reach.
    """
    while errands := society.state.errand_queue(who):
        errand, *left = errands
        rule = VERB_RULES[errand.verb]
        site = believed_site(society, who, errand)
        if site and not is_here(site):
            return
        if site == society.site_of(errand.at):
            refusal, effects = attempt_errand(society, who, errand)
        else:
            refusal, effects = build_refusal("NO_TARGET", at=errand.at), list
        yield CourseSet(who, () if refusal else tuple(left))
        if refusal and refusal.code == "BUSY" and is_done_by_partner(society, who, errand):
            return
        yield from handle_refusal(society, who, errand, refusal) if refusal else effects()
        if (
            errand.at
            and not refusal
            and (rule.always_inspects or society.book.part_of(errand.at).closed)
        ):
            yield from inspect(society, who, errand.at)
        if not refusal and rule.is_success_recorded:
            yield CameOf(who, Outcome(errand))
        if rule.takes_time:
            return


def is_done_by_partner(society: SocietyView, who: str, errand: Errand) -> bool:
    """Return True if an errand is work that somebody with whom a resident has an appointment now is
    doing at the same fixture, which has no room for more: the two are at it together.
    """
    recipe = society.book.recipes.get(errand.what)
    partners = {
        each
        for promise in society.state.promises(who).items
        if promise.is_on(society.now)
        for each in promise.people
        if each != who
    }
    return recipe is not None and any(
        (job.at, society.book.recipes[job.recipe].family) == (errand.at, recipe.family)
        and society.is_occupied(job.at)
        for other, job in society.jobs
        if other in partners and job.at
    )


def believed_site(society: SocietyView, who: str, errand: Errand) -> str:
    """Return the address to which a resident goes for an errand; "" if any will do.

    For an item it is the last known place, even if the item has been moved.
    """
    return (
        view_as(society, who, "").site_of(errand.at)
        if MARK in errand.at
        else society.site_of(errand.at)
    )


def handle_refusal(
    society: SocietyView, who: str, errand: Errand, refusal: Refusal
) -> Iterator[Effect]:
    """Yield the refusal of an errand: the resident remembers it, if the verb's rule says so, and
    does not repeat the errand for the time of that rule.
    """
    outcome = Outcome(errand, refusal.code, refusal.facts)
    rule = VERB_RULES[errand.verb]
    if rule.is_refusal_recorded:
        yield CameOf(who, outcome)
    yield Barred(who, BlockedErrand(outcome, society.now + rule.retry_after), society.now)


def attempt_errand(
    society: SocietyView, who: str, errand: Errand
) -> tuple[Refusal | None, Callable[[], list[Effect]]]:
    """Return the refusal of an errand, or None, with a function that returns its effects."""
    rule = VERB_RULES[errand.verb]
    return rule.refuse(society, who, errand), lambda: rule.effects(society, who, errand)
