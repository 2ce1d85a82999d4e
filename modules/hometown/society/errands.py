"""Errands: carries out due events and the errands of residents, with or without minds.

Apply each effect that a generator yields before taking the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from hometown.clock import DAY, minute_of_day
from hometown.society.affairs import Affairs
from hometown.society.arbiter import Choice
from hometown.society.beliefs import as_seen_by, noticed
from hometown.society.care import ails, begin_care, refuse_care, with_whom, witnessed
from hometown.society.chance import succeeds, weather
from hometown.society.hire import hire, pay_off, refuse_hire
from hometown.society.market import posted
from hometown.society.refusals import (
    Refusal,
    refuse_gift,
    refuse_look,
    refuse_move,
    refuse_purchase,
    refuse_work,
)
from hometown.society.work import begin_work, buy, finish_work, ripen
from hometown.world.effects import Effect
from hometown.world.labour import AimSet, Bar, Barred, CameOf, CourseSet, Errand, Outcome
from hometown.world.matter import MARK, Move, Shifted

FAILED = "FAILED"
"""The outcome code of unsuccessful work. It is no refusal: the resident may try again."""

BARRED, NOT_HIRED = timedelta(hours=1), timedelta(hours=16)
"""The time for which a resident does not repeat a refused errand, and a refused request for work.
"""


def due(affairs: Affairs) -> Iterator[Effect]:
    """Yield the events due now: weather, finished work, ripe processes, ailments and wages."""
    yield from weather(affairs)
    done: dict[str, str] = {}
    for who in affairs.book.start.people:
        deed = affairs.state.deed(who)
        if deed and deed.until <= affairs.now:
            done[who], success = deed.recipe, succeeds(affairs, who, deed)
            yield from finish_work(affairs, who, deed, success)
            yield from witnessed(affairs, who, deed) if success else ()
            yield CameOf(
                who,
                Outcome(
                    Errand("do", deed.at, deed.recipe),
                    "" if success else FAILED,
                    with_whom(affairs, who, deed),
                ),
            )
    for address in affairs.book.fixtures:
        process = affairs.state.process(address)
        if process and process.due <= affairs.now:
            yield from ripen(affairs, address, process)
    yield from ails(affairs, done)
    yield from pay_off(affairs)


def closing(affairs: Affairs, minutes: int) -> Iterator[Effect]:
    """Yield the new prices of the shops that have closed within the last `minutes` minutes."""
    for address, fixture in affairs.book.fixtures.items():
        if fixture.shop and 0 <= minute_of_day(affairs.now) - fixture.shop.closes % DAY < minutes:
            yield from posted(affairs.book, affairs.state, address)


def take_course(affairs: Affairs, who: str, choice: Choice) -> Iterator[Effect]:
    """Yield a resident's new active need and errands."""
    if choice.need != affairs.state.aim(who):
        yield AimSet(who, choice.need)
    if choice.plan:
        yield CourseSet(who, choice.plan.errands)


def go_on(affairs: Affairs, who: str, is_here: Callable[[str], bool]) -> Iterator[Effect]:
    """Yield the effects of a resident's next errands, as far as they take no time and are within
    reach.

    A refusal clears the rest of the errands.

    Args:
        is_here: Returns whether an address is within the resident's reach.
    """
    while errands := affairs.state.course(who):
        errand, *left = errands
        site = believed_site(affairs, who, errand)
        if site and not is_here(site):
            return
        refusal, effects = (
            attempted(affairs, who, errand)
            if site == affairs.site(errand.at)
            else (Refusal("NO_TARGET", (("at", errand.at),)), list)
        )
        yield CourseSet(who, () if refusal else tuple(left))
        yield from refused(affairs, who, errand, refusal) if refusal else effects()
        if (
            errand.at
            and not refusal
            and (errand.verb == "look" or affairs.book.part_of(errand.at).closed)
        ):
            yield from noticed(affairs, who, errand.at)
        if not refusal and errand.verb in ("buy", "ask"):
            yield CameOf(who, Outcome(errand))
        if errand.verb in ("do", "tend"):
            return


def believed_site(affairs: Affairs, who: str, errand: Errand) -> str:
    """Return the address to which a resident goes for an errand; "" if any will do.

    For an item it is the last known place, even if the item has been moved.
    """
    return (
        as_seen_by(affairs, who, "").site(errand.at)
        if MARK in errand.at
        else affairs.site(errand.at)
    )


def refused(affairs: Affairs, who: str, errand: Errand, refusal: Refusal) -> Iterator[Effect]:
    """Yield the refusal of an errand: the resident learns of it, and does not repeat it for a
    while.
    """
    outcome = Outcome(errand, refusal.code, refusal.facts)
    if errand.verb != "tend":  # that others were quicker to help is nothing to remember
        yield CameOf(who, outcome)
    yield Barred(
        who,
        Bar(outcome, affairs.now + (NOT_HIRED if errand.verb == "hire" else BARRED)),
        affairs.now,
    )


def attempted(
    affairs: Affairs, who: str, errand: Errand
) -> tuple[Refusal | None, Callable[[], list[Effect]]]:
    """Return the refusal of an errand, or None, with a function that returns its effects."""
    at, what, count = errand.at, errand.what, errand.count
    match errand.verb:
        case "do":
            return refuse_work(affairs, who, what, at), lambda: begin_work(affairs, who, what, at)
        case "tend":
            return refuse_care(affairs, who, what, at), lambda: begin_care(affairs, who, what, at)
        case "buy":
            return refuse_purchase(affairs, who, at, what, count), lambda: buy(
                affairs, who, at, what, count
            )
        case "ask":
            return refuse_gift(affairs, who, at, what), lambda: [
                Shifted(Move(at, who, ((what, 1),)))
            ]
        case "hire":
            return refuse_hire(affairs, who, what), lambda: hire(affairs, who, what)
        case "look":
            return refuse_look(affairs, who, at), list
        case "give" | "get" | "see" | "read":
            return Refusal("NO_TARGET", (("at", at),)), list
        case "take" | "put":
            giver, taker = (at, who) if errand.verb == "take" else (who, at)
            return refuse_move(affairs, who, giver, taker, ((what, count),)), lambda: [
                Shifted(Move(giver, taker, ((what, count),)))
            ]
