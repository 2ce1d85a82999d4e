"""The poignancy of events, by rule or by the model (Park et al. 2023, §4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.mind import Mind
from hometown.agent.perception.surprise import find_surprising
from hometown.memory.event import Event
from hometown.prompt.reactions import POIGNANCY, PoignancyVars
from hometown.prompt.reactions import RatedEvent as Rated

ROUTINE_POIGNANCY, ACQUAINTANCE_POIGNANCY, FRIEND_POIGNANCY = 1, 2, 3
"""Poignancy, by rule, of one's own routine and of things; of acquaintances; of friends."""


FRIEND_CLOSENESS_MIN = 7
"""Closeness from which a resident is a friend."""


async def rate_events(mind: Mind, events: Sequence[Event]) -> tuple[list[int], str]:
    """Return the poignancy of each event, 1 to 10, and the cause of the ratings: "rule:routine" if
    rules rated all, else that of the model call.

    An event with a `weight` has that, and an idle one is rated by a rule; so is any that is not
    unusual, if the setting `thrift.sights_by_rule` is on. One model call rates all others, and
    with that setting also acts of residents that surprise (`find_surprising`).
    """
    by_rule = mind.settings.thrift.sights_by_rule
    surprising = await find_surprising(mind, events) if by_rule else []
    asked = [
        event
        for event in events
        if event in surprising
        or (not event.weight and (event.unusual or not (event.idle or by_rule)))
    ]
    if not asked:
        return [event.weight or _rate_by_rule(mind, event) for event in events], "rule:routine"
    ratings, cause = await rate(
        mind,
        [
            Rated(
                event.describe,
                "event",
                _other_residents(mind, event),
                is_own=event.subject == mind.who,
            )
            for event in asked
        ],
    )
    given = iter(ratings)
    return [
        next(given) if event in asked else event.weight or _rate_by_rule(mind, event)
        for event in events
    ], cause


def _rate_by_rule(mind: Mind, event: Event) -> int:
    """Return the poignancy of a usual sight: by the resident's acquaintance with the one who is
    seen, and the least for oneself, things and idle residents.
    """
    if event.idle or event.subject == mind.who or event.subject not in mind.world.personas:
        return ROUTINE_POIGNANCY
    known = mind.me.relation_to(event.subject) or mind.state.relation(mind.who, event.subject).talks
    return (
        FRIEND_POIGNANCY
        if mind.closeness(event.subject) >= FRIEND_CLOSENESS_MIN
        else ACQUAINTANCE_POIGNANCY
        if known
        else ROUTINE_POIGNANCY
    )


async def rate(mind: Mind, happenings: Sequence[Rated]) -> tuple[list[int], str]:
    """Return the poignancy of each happening on the world's scale, 1 to 10, and the call that rated
    them.
    """
    variables = PoignancyVars(mind.situation, tuple(happenings), mind.world.rubric)
    mind.context.caller.begin_embedding([happening.text for happening in happenings])
    reply, cause = await mind.ask(POIGNANCY, variables)
    return reply.ratings, cause


def _other_residents(mind: Mind, event: Event) -> tuple[str, ...]:
    """Return the other residents in an event."""
    return tuple(
        resident
        for resident in (event.subject, event.object)
        if resident in mind.world.personas and resident != mind.who
    )
