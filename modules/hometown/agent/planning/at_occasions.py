"""Being at an occasion: greeting guests, mingling, opening a meeting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from hometown.agent.mind import Mind
from hometown.prompt.reactions import Neighbour
from hometown.world.occasion import ON_TIME, Occasion
from hometown.world.rows import Promise

MINGLING_PROBABILITY = 0.8
"""Probability that a guest joins a conversation of other guests."""


def find_guest_to_greet(
    mind: Mind, in_reach: Callable[[Mind], Sequence[Neighbour]]
) -> tuple[Neighbour, Occasion] | None:
    """Return a guest in sight whom the host has not spoken to since the occasion began, and the
    occasion.

    Args:
        mind: the resident, who may be a host.
        in_reach: returns the residents with whom a conversation could begin. It is called at an
            occasion only, since there may be a crowd.

    Returns:
        None if the resident is no host at present, or has greeted all guests in sight.
    """
    for occasion, me in mind.scene.occasions[mind.who]:
        if (
            me.part == "gives"
            and occasion.gathers
            and occasion.is_on(mind.now)
            and mind.arena == occasion.address
        ):
            for other in in_reach(mind):
                if other.id in occasion.came and not has_met_there(other, occasion):
                    return other, occasion
    return None


def has_just_come(mind: Mind, occasion: Occasion, who: str) -> bool:
    """Return True if a guest has come within `ON_TIME`, or since the last step."""
    guest, lately = occasion.guest(who), max(ON_TIME, timedelta(minutes=mind.moment.stride))
    return guest is not None and guest.came is not None and mind.now - guest.came <= lately


def has_met_there(other: Neighbour, occasion: Occasion) -> bool:
    """Return True if the resident has talked to another since an occasion began."""
    return other.last_conversation is not None and other.last_conversation >= occasion.start


def wants_to_mingle(mind: Mind, talking: Sequence[str]) -> bool:
    """Return True if a guest joins a conversation of two other guests, drawn at random."""
    gathering = gathering_of(mind)
    return (
        gathering is not None
        and len(talking) == 2
        and gathering.came.issuperset(talking)
        and mind.rng(f"mingle {talking[0]}").random() < MINGLING_PROBABILITY
    )


def find_meeting(mind: Mind) -> tuple[Occasion, tuple[str, ...]] | None:
    """Return the agreed meeting at which the resident is now, and those who are there for it; None
    if there is none or it is only the end of a way together, no other has come, or they have talked
    with one of them there.
    """
    for occasion, _ in mind.scene.occasions[mind.who]:
        if mind.who in occasion.expected and occasion.is_on(mind.now) and not occasion.story:
            if mind.arena != occasion.address or is_way(mind, occasion):
                continue
            present = mind.scene.residents[mind.arena]
            others = tuple(who for who in occasion.expected if who != mind.who and who in present)
            if others and not any(has_talked_at(mind, occasion, who) for who in others):
                return occasion, others
    return None


def is_way(mind: Mind, occasion: Occasion) -> bool:
    """Return True if an occasion is only the end of a way that its guests go together."""
    return mind.words.is_arrival(occasion.what, occasion.address)


def has_talked_at(mind: Mind, occasion: Occasion, other: str) -> bool:
    """Return True if the resident has talked with another at an occasion to which both were to come."""
    since = occasion.talked_at_since(mind.who, other)
    return mind.state.relation(mind.who, other).has_talked_since(since)


def find_agreed_meeting(mind: Mind, others: Sequence[str]) -> Promise | None:
    """Return the resident's promise to meet one of the others here and now; None if there is none, or
    if they only came here together.
    """
    return next(
        (
            promise
            for promise in mind.state.promises(mind.who).items
            if promise.address == mind.arena
            and promise.is_on(mind.now)
            and not mind.words.is_arrival(promise.what, promise.address)
            and not set(others).isdisjoint(promise.people)
        ),
        None,
    )


def are_due_to_meet(mind: Mind, other: str) -> bool:
    """Return True if the resident is with another at a meeting that they have yet to open."""
    meeting = find_meeting(mind)
    return meeting is not None and other in meeting[1]


def gathering_of(mind: Mind) -> Occasion | None:
    """Return the current gathering that the resident attends; None if there is none."""
    return next(
        (
            each
            for each, me in mind.scene.occasions[mind.who]
            if me.came and each.is_on(mind.now) and each.gathers
        ),
        None,
    )
