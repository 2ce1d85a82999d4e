"""Care for residents with a need that only others can satisfy, such as health. A helpless resident
stays in place until another comes.

Residents who are present see it, housemates notice it, and after some hours all of the town know.
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
"""The time after which all residents know of a helpless resident."""


def ails(affairs: Affairs, done: Mapping[str, str]) -> Iterator[Effect]:
    """Yield the changes of residents' ailments. A resident who becomes helpless abandons work and
    errands.

    Args:
        done: The recipe that a resident has just finished, by resident.
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
    """Return a resident's ailment; None if they are well.

    A low need ails until it is satisfied. While an empty need drains it, such as hunger, it ails
    only below the urgent level, since the resident can satisfy that need by themselves. An urgent
    one makes them helpless indoors until it is no longer low.
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
    """Return an empty need that drains another; "" for none."""
    return next(
        (
            other
            for other, part in affairs.book.needs.items()
            if not felt[other] and part.at_zero.get(need, 0) < 0
        ),
        "",
    )


def _cause(affairs: Affairs, felt: Mapping[str, int], need: str, done: str) -> str:
    """Return the cause of an ailment: the recipe just done, if it harms, or the empty need that
    drains.
    """
    recipe = affairs.book.recipes.get(done)
    if recipe and (dict(recipe.body).get(need, 0) < 0 or recipe.part.failure.body.get(need, 0) < 0):
        return recipe.id
    return _drained_by(affairs, felt, need)


def aid(search: Search, place: str, helpless: bool) -> Plan | None:
    """Return the cheapest plan to care for a resident who is helpless, or unwell; None if there is
    none.
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
    """Return whether a resident knows of another's ailment and is willing to help.

    Nobody helps a resident who is being helped already. A helpless one is helped by all who do not
    detest them, another one by housemates and by those who think well of them.
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
    """Return the reason why a resident cannot do a recipe for another; None if they can."""
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
    """Return the effects with which a resident begins to care for another, who drops their own
    work.
    """
    theirs = next(theirs for carer, theirs in affairs.book.care if carer.id == recipe_id)
    deed = affairs.state.deed(other)
    left = leave_work(affairs, other, deed) if deed else []
    begun = begin_work(affairs, who, recipe_id, "", partner=other)
    until = next(effect.deed.until for effect in begun if isinstance(effect, WorkBegun))
    return [*left, *begun, WorkBegun(other, Deed(theirs.id, "", affairs.now, until, partner=who))]


def with_whom(affairs: Affairs, who: str, deed: Deed) -> tuple[tuple[str, str | int], ...]:
    """Return the facts of shared work: the partner, and `helpless` if one of the two is."""
    if not deed.partner:
        return ()
    helpless = any(affairs.state.helpless(each) for each in (who, deed.partner))
    return (("partner", deed.partner), *((("helpless", 1),) if helpless else ()))


def witnessed(affairs: Affairs, who: str, deed: Deed) -> Iterator[Effect]:
    """Yield the outcomes for the residents who see another being cared for."""
    if deed.recipe in affairs.book.carers:
        (_, other), *helpless = with_whom(affairs, who, deed)
        for witness in affairs.present(affairs.places(who)):
            if witness not in (who, other):
                yield CameOf(
                    witness,
                    Outcome(Errand("see", who, deed.recipe), "", (("needed", other), *helpless)),
                )
