"""Care: what people do for somebody with a need that it cannot meet by itself, such as health.
Whoever is helpless lies where it is until others come.

Who is there sees it. Those of its house miss it, and after some hours word has got round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from hometown.society.affairs import Affairs
from hometown.society.esteem import LOWLY, WELL, regard_for
from hometown.society.means import Plan, Search
from hometown.society.refusals import Refusal, refuse_means
from hometown.society.work import begin_work, leave_work
from hometown.world.effects import Effect
from hometown.world.labour import Ailed, Ailing, CameOf, CourseSet, Deed, Errand, Outcome, WorkBegun

KNOWN_AFTER = timedelta(hours=6)
"""Time after which everybody has heard of somebody who is helpless."""


def ails(affairs: Affairs, done: Mapping[str, str]) -> Iterator[Effect]:
    """Who ails from now on, can get up again, or is well, where people have just `done` recipes.
    Whoever falls drops what it was at.
    """
    for who in affairs.book.start.people:
        before = affairs.state.ailing(who)
        after = _ailing(affairs, who, before, done.get(who, ""))
        if after != before:
            yield Ailed(who, after)
        if after and after.helpless and not (before and before.helpless):
            if deed := affairs.state.deed(who):
                yield from leave_work(affairs, who, deed)
            if affairs.state.course(who):
                yield CourseSet(who, ())


def _ailing(affairs: Affairs, who: str, before: Ailing | None, done: str) -> Ailing | None:
    """What somebody ails from: a need that is low, until it is satisfied, though whoever is short
    of what drains it, such as food, had better see to that. One that was urgent leaves it helpless
    until it is not low any more; outdoors it drags itself on.
    """
    needs, felt = affairs.book.needs, affairs.levels(who)
    low = [
        need
        for need in affairs.book.cared_for
        if felt[need]
        < (needs[need].urgent if _drained_by(affairs, felt, need) else needs[need].low)
    ]
    need = (
        before.need
        if before and before.need in affairs.book.cared_for
        else min(low, key=lambda need: felt[need], default="")
    )
    if not need or felt[need] >= needs[need].satisfied:
        return None
    helpless = felt[need] < (
        needs[need].low if before and before.helpless else needs[need].urgent
    ) and bool(affairs.places(who))
    if before and (before.helpless or not helpless):
        return replace(before, need=need, helpless=helpless)
    return Ailing(need, helpless, affairs.now, _cause(affairs, felt, need, done))


def _drained_by(affairs: Affairs, felt: Mapping[str, int], need: str) -> str:
    """A need at 0 that drains another; "" if there is none."""
    return next(
        (
            other
            for other, part in affairs.book.needs.items()
            if not felt[other] and part.at_zero.get(need, 0) < 0
        ),
        "",
    )


def _cause(affairs: Affairs, felt: Mapping[str, int], need: str, done: str) -> str:
    """The recipe that has just hurt somebody, else a need at 0 that drains it."""
    recipe = affairs.book.recipes.get(done)
    if recipe and (dict(recipe.body).get(need, 0) < 0 or recipe.part.failure.body.get(need, 0) < 0):
        return recipe.id
    return _drained_by(affairs, felt, need)


def aid(search: Search, place: str, helpless: bool) -> Plan | None:
    """The least effort to help somebody who is helpless, or else ails otherwise; None if there is
    nobody, or nothing can be done.
    """
    affairs, who = search.affairs, search.who
    if affairs.state.ailing(who):
        return None
    plans = [
        search.tend(carer, other, place)
        for other in affairs.book.start.people
        if (ailing := affairs.state.ailing(other))
        and ailing.helpless == helpless
        and _cares(affairs, who, other, ailing)
        for carer, theirs in affairs.book.care
        if dict(theirs.body).get(ailing.need, 0) > 0
    ]
    return min((plan for plan in plans if plan), key=lambda plan: plan.cost, default=None)


def _cares(affairs: Affairs, who: str, other: str, ailing: Ailing) -> bool:
    """Whether somebody knows how another is, whom nobody sees to, and would help: whoever is
    helpless is left lying by nobody who does not detest it.
    """
    deed, regard = affairs.state.deed(other), regard_for(affairs.state, who, other)
    if other == who or not affairs.places(other) or (deed and deed.partner):
        return False
    housemate, near = (
        affairs.purse(who) == affairs.purse(other),
        affairs.places(who) == affairs.places(other),
    )
    if not ailing.helpless:
        return (near or housemate) and (housemate or regard >= WELL)
    return (near or housemate or affairs.now - ailing.since >= KNOWN_AFTER) and (
        housemate or regard > LOWLY
    )


def refuse_care(affairs: Affairs, who: str, recipe_id: str, other: str) -> Refusal | None:
    """Why somebody cannot do a recipe for another; None if it can."""
    recipe, theirs = affairs.book.recipes.get(recipe_id), affairs.state.deed(other)
    if recipe is None:
        return Refusal("NO_RECIPE", (("recipe", recipe_id),))
    if affairs.state.ailing(other) is None or affairs.places(other) not in filter(
        None, [affairs.places(who)]
    ):
        return Refusal("NO_TARGET", (("at", other),))
    if theirs and theirs.partner:
        return Refusal("BUSY", (("at", other),))
    return refuse_means(affairs, who, recipe, "")


def begin_care(affairs: Affairs, who: str, recipe_id: str, other: str) -> list[Effect]:
    """Somebody begins to care for another, who leaves whatever it was at."""
    theirs = next(theirs for carer, theirs in affairs.book.care if carer.id == recipe_id)
    deed = affairs.state.deed(other)
    left = leave_work(affairs, other, deed) if deed else []
    begun = begin_work(affairs, who, recipe_id, "", partner=other)
    until = next(effect.deed.until for effect in begun if isinstance(effect, WorkBegun))
    return [*left, *begun, WorkBegun(other, Deed(theirs.id, "", affairs.now, until, partner=who))]


def with_whom(affairs: Affairs, who: str, deed: Deed) -> tuple[tuple[str, str | int], ...]:
    """The facts of work that two have done together: who the other was, and whether one of them was
    helpless.
    """
    if not deed.partner:
        return ()
    helpless = any(affairs.state.helpless(each) for each in (who, deed.partner))
    return (("partner", deed.partner), *((("helpless", 1),) if helpless else ()))


def witnessed(affairs: Affairs, who: str, deed: Deed) -> Iterator[Effect]:
    """Those who are there have seen somebody care for another."""
    if deed.recipe in affairs.book.carers:
        (_, other), *helpless = with_whom(affairs, who, deed)
        for witness in affairs.present(affairs.places(who)):
            if witness not in (who, other):
                yield CameOf(
                    witness,
                    Outcome(Errand("see", who, deed.recipe), "", (("needed", other), *helpless)),
                )
