"""Clashes between agreements: carrying out what residents decide about them, and calling off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hometown.agent.inner_life.bonds import move_bond
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.agreements import (
    enter_agreements,
    enter_promise,
    is_part_of,
    own_entry,
    remove_promise,
)
from hometown.agent.planning.displacing import remember_displaced, reschedule
from hometown.agent.planning.participation import (
    AGREE_PREDICATE,
    settle_agreement,
    withdraw_from_occasion,
)
from hometown.agent.planning.weekly_agreements import renew_weekly
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.clashes import ClashReply, ClashVars
from hometown.text import overlap
from hometown.world.effects import Promised
from hometown.world.rows import Promise, Promises

CALLED_OFF_POIGNANCY, LET_DOWN_POIGNANCY = 5, 6
"""Poignancy of calling off an agreement, and of being let down."""


SAME_ACT_OVERLAP_MIN = 0.8
"""Overlap of character trigrams (Jaccard) from which two agreements for one hour are the same act."""

CALLED_OFF_PREDICATE = "call off"
"""The predicate of the memory of an agreement called off; its subject is who called it off."""

LEAVE_PREDICATE, LEAVE_POIGNANCY = "take leave", 3
"""The predicate and the poignancy of the memory that a resident left a meeting with some words."""


MindOf = Callable[[str], Mind]


@frozen
class Decision:
    """A reply to the question which of two clashing agreements a resident keeps."""

    who: str
    reply: ClashReply
    cause: str
    asked: ClashVars


async def settle_clashes(
    decisions: Sequence[Decision], mind_of: MindOf
) -> list[tuple[str, Concept]]:
    """Carry out the decisions about clashing agreements. A resident who does not keep the new one
    calls it off; one who keeps it calls off the earlier ones instead, and enters the new one as a
    promise or, if it is theirs alone, in the schedule. Of two for the same act and hour, all come to
    the place that is kept. A new agreement that the others no longer hold is dropped.

    Returns:
        Those who were let down, each with the memory of it.
    """
    let_down: list[tuple[str, Concept]] = []
    for decision in decisions:
        mind = mind_of(decision.who)
        new = decision.asked.new
        held = mind.state.promises(decision.who).items
        earlier = [
            item for item in held if any(is_part_of(item, old) for old in decision.asked.kept)
        ]
        current = _find_current(new, mind, mind_of)
        if current is None:
            continue
        is_own = new.people == (decision.who,)
        if earlier and not decision.reply.keeps_new(decision.asked):
            if is_own:
                given_up, instead = own_entry(mind, new), earlier[0].part_of(decision.who)
                await remember_displaced(mind, [given_up], instead, decision.cause)
                continue
            let_down += await _give_up(current, decision, mind_of, instead=earlier[0])
            continue
        for promise in earlier:
            let_down += await _give_up(promise, decision, mind_of, instead=current)
        if is_own:
            schedule = mind.state.schedule(decision.who).splice(own_entry(mind, new))
            await reschedule(mind, schedule, new.talk, new.what, decision.cause)
        else:
            await enter_promise(mind, current, decision.cause)
    return let_down


def _find_current(promise: Promise, mind: Mind, mind_of: MindOf) -> Promise | None:
    """Return an agreement without the participants who no longer hold it; None if only the resident
    is left. An agreement of the resident alone is returned unchanged.

    A participant who has yet to decide on a clash of their own still holds it.
    """
    others = [
        who
        for who in promise.people
        if who == mind.who
        or any(is_part_of(item, promise) for item in mind_of(who).state.promises(who).items)
        or _is_still_expected(mind_of(who), promise)
    ]
    current = promise
    for who in set(promise.people) - set(others):
        current = current.without(who)
    return current if len(current.people) > 1 or promise.people == (mind.who,) else None


def _is_still_expected(mind: Mind, promise: Promise) -> bool:
    """Return True if the resident is expected at an occasion at the place and time of an agreement:
    they have agreed to come, and not called it off.
    """
    return any(
        mind.who in occasion.expected
        for _, occasion in mind.state.occasions
        if occasion.address == promise.address and occasion.at_once_with(promise.start, promise.end)
    )


async def _give_up(
    promise: Promise, decision: Decision, mind_of: MindOf, instead: Promise
) -> list[tuple[str, Concept]]:
    """Call off an agreement or, if it is for the act and the hour of the other, ask its people along
    to that. Return those who were let down, each with the memory of it.
    """
    is_same_act = overlap(promise.what, instead.what) >= SAME_ACT_OVERLAP_MIN
    if promise.start != instead.start or not is_same_act:
        return await call_off(promise, decision, mind_of, instead)
    cause = decision.cause
    minds = {who: mind_of(who) for who in instead.with_people(promise.people).people}
    for who in promise.people:
        settle_agreement(minds[who], [promise.talk], promise.address, cause)
        remove_promise(minds[who], promise, cause)
        withdraw_from_occasion(minds[who], promise, who, cause)
    joined = instead.with_people(promise.people)
    await enter_agreements([joined], minds, dict.fromkeys(minds, cause))
    for who, mind in minds.items():
        text = mind.words.agreement(who, joined)
        if decision.reply.say:
            name = mind.words.name(decision.who)
            text = mind.words.say("asked_along", agreed=text, name=name, line=decision.reply.say)
        about = tuple(other for other in joined.people if other != who)
        memory = NewMemory(
            "plan", text, who, AGREE_PREDICATE, about[0], joined.address, (), joined.talk, about
        )
        await mind.remember([memory], [CALLED_OFF_POIGNANCY], cause)
    return []


async def call_off(
    promise: Promise, decision: Decision, mind_of: MindOf, instead: Promise
) -> list[tuple[str, Concept]]:
    """Call off a resident's part in an agreement: all participants remember it, and the bonds to the
    resident suffer of those who do not take part in the other. An agreement of two is over with it,
    but for its next dates if it is weekly; a larger one goes on among the others. One for which all
    have come is not called off: the resident takes leave, and nobody is let down.

    Returns:
        The others, each with the memory of it.
    """
    who, cause = decision.who, decision.cause
    others = [other for other in promise.people if other != who]
    mind = mind_of(who)
    remove_promise(mind, promise, cause)
    if _have_met(mind, promise):
        await renew_weekly(mind, [promise], cause)
        if mind.arena == promise.address:
            await _take_leave(promise, decision, mind_of, instead)
        return []
    withdraw_from_occasion(mind, promise, who, cause)
    left = promise.without(who)
    for other in others:
        theirs = mind_of(other)
        if len(left.people) > 1:
            _leave_out(theirs, promise, who, cause)
        else:
            remove_promise(theirs, promise, cause)
    for other in others:
        if other not in instead.people:
            move_bond(mind_of(other), who, "let_down", cause)
    made = [
        (one, await _remember_called_off(mind_of(one), promise, decision, instead))
        for one in (who, *others)
    ]
    for one in (who, *others) if len(left.people) == 1 else (who,):
        await renew_weekly(mind_of(one), [promise], cause)
    return made[1:]


async def _take_leave(
    promise: Promise, decision: Decision, mind_of: MindOf, instead: Promise
) -> None:
    """Let a resident and those who are still with them at a meeting remember the words with which
    they leave it; nothing without words.
    """
    who, line = decision.who, decision.reply.say
    present = [other for other in promise.people if other != who and mind_of(who).is_here(other)]
    if not line or not present:
        return
    for mind in map(mind_of, (who, *present)):
        text = mind.words.say(
            "took_leave",
            name=mind.words.name(who),
            others=mind.words.names(present),
            instead=instead.part_of(who),
            line=line,
        )
        about = tuple(one for one in (who, *present) if one != mind.who)
        memory = NewMemory(
            "event", text, who, LEAVE_PREDICATE, present[0], promise.address, about=about
        )
        await mind.remember([memory], [LEAVE_POIGNANCY], decision.cause)


def _have_met(mind: Mind, promise: Promise) -> bool:
    """Return True if all participants of an agreement have come."""
    return any(
        occasion.address == promise.address
        and occasion.at_once_with(promise.start, promise.end)
        and occasion.came.issuperset(promise.people)
        for _, occasion in mind.state.occasions
    )


def _leave_out(mind: Mind, promise: Promise, who: str, cause: str) -> None:
    """Remove one participant from an agreement that the others keep."""
    items = mind.state.promises(mind.who).items
    kept = tuple(item.without(who) if is_part_of(item, promise) else item for item in items)
    if kept != items:
        mind.do(Promised(mind.who, Promises(kept)), cause)


async def _remember_called_off(
    mind: Mind, promise: Promise, decision: Decision, instead: Promise
) -> Concept:
    """Store and return the memory that an agreement was called off, with the reason given. The
    memory of having made it is settled for the one who called it off, and for both if there were
    two.
    """
    words, who, cause, say = mind.words, decision.who, decision.cause, decision.reply.say
    others = tuple(other for other in promise.people if other != who)
    fields: dict[str, Any] = {
        "name": words.name(who),
        "others": words.names(others),
        "what": promise.part_of(mind.who),
        "when": words.when(promise.start),
        "place": mind.world.place_name(promise.address),
        "instead": instead.part_of(who),
        "line": say,
    }
    text = words.say("called_off" if say else "called_off_silently", **fields)
    memory = NewMemory(
        "event",
        text,
        who,
        CALLED_OFF_PREDICATE,
        others[0] if others else "",
        promise.address,
        talk=promise.talk,
        about=tuple(person for person in promise.people if person != mind.who),
    )
    rating = CALLED_OFF_POIGNANCY if mind.who == who else LET_DOWN_POIGNANCY
    (made,) = await mind.remember([memory], [rating], cause)
    if mind.who == who or len(promise.people) == 2:
        settle_agreement(mind, [promise.talk], promise.address, cause)
    return made
