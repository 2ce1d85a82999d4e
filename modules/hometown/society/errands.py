"""Errands: what is due, and what somebody does of what it is about to do. A life by rules and a
town with minds both go by this.

Generators read the state as it is: apply each effect before taking the next.
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
"""The outcome of work that was done and did not succeed. No refusal, since anybody may try again.
"""

BARRED, NOT_HIRED = timedelta(hours=1), timedelta(hours=16)
"""For how long somebody does not try again what was refused; where it was not taken on, it does not
ask again that day.
"""


def due(affairs: Affairs) -> Iterator[Effect]:
    """The day's weather, work that is over, what went on by itself until now, who ails, and wages."""
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
    """The prices of shops that have closed within so many minutes."""
    for address, fixture in affairs.book.fixtures.items():
        if fixture.shop and 0 <= minute_of_day(affairs.now) - fixture.shop.closes % DAY < minutes:
            yield from posted(affairs.book, affairs.state, address)


def take_course(affairs: Affairs, who: str, choice: Choice) -> Iterator[Effect]:
    """What somebody sees to from now on, and what it is about to do for that."""
    if choice.need != affairs.state.aim(who):
        yield AimSet(who, choice.need)
    if choice.plan:
        yield CourseSet(who, choice.plan.errands)


def go_on(affairs: Affairs, who: str, is_here: Callable[[str], bool]) -> Iterator[Effect]:
    """The next errands that can be done where somebody is, as far as they take no time; one that is
    refused ends the course.
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
    """Where somebody goes for an errand: to where it has seen the item that it is about, wherever
    that may be by now; "" for what can be done anywhere.
    """
    return (
        as_seen_by(affairs, who, "").site(errand.at)
        if MARK in errand.at
        else affairs.site(errand.at)
    )


def refused(affairs: Affairs, who: str, errand: Errand, refusal: Refusal) -> Iterator[Effect]:
    """Somebody learns that something cannot be done, and does not try it again for a while."""
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
    """Why an errand is refused, and what it would come to if it is not."""
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
