"""Partners for conversations: residents in sight who may be spoken to."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.mind import Mind
from hometown.agent.perception.happening_events import is_alarmed
from hometown.agent.planning.at_occasions import are_due_to_meet
from hometown.agent.planning.rest_of_day import minutes_to_appointment
from hometown.clock import minutes_between
from hometown.memory.concept import Concept
from hometown.prompt.reactions import Neighbour

WHOLE_ROOM_TILES = 10_000
"""A radius that no room exceeds."""


def find_partners(mind: Mind, noticed: Sequence[Concept]) -> tuple[Neighbour, ...]:
    """Return residents just noticed with whom a conversation could begin, nearest first; none
    shortly before an appointment.
    """
    if not may_start_conversation(mind):
        return ()
    subjects = {concept.subject for concept in noticed}
    near = [other for _, other in mind.scene.neighbours(mind.who, mind.settings.percept.vision_r)]
    return tuple(
        describe_neighbour(mind, other)
        for other in near
        if other in subjects and may_speak_to(mind, other)
    )


def find_partners_in_sight(mind: Mind) -> tuple[Neighbour, ...]:
    """Return all residents in sight with whom a conversation could begin, nearest first; none
    shortly before an appointment.
    """
    if not may_start_conversation(mind):
        return ()
    near = (other for _, other in mind.scene.neighbours(mind.who, mind.settings.percept.vision_r))
    return tuple(describe_neighbour(mind, other) for other in near if may_speak_to(mind, other))


def find_listeners_to_news(mind: Mind) -> tuple[Neighbour, ...]:
    """Return all residents in the room who can be told of something urgent, nearest first: those
    who are awake and in no conversation, without a cooldown.
    """
    near = (other for _, other in mind.scene.neighbours(mind.who, WHOLE_ROOM_TILES))
    free = (who for who in near if who in mind.awake_company and mind.state.talking(who) is None)
    return tuple(describe_neighbour(mind, other) for other in free)


def may_start_conversation(mind: Mind, *, is_meant: bool = False) -> bool:
    """Return True unless the resident has an appointment soon, or with a reason to talk (`is_meant`)
    is on the way to one, with no alarm that comes before it.
    """
    least = 0 if is_meant else mind.settings.chat.urgent_minutes
    return is_alarmed(mind) or minutes_to_appointment(mind) > least


def may_speak_to(mind: Mind, other: str) -> bool:
    """Return True if another is awake, in no conversation, and past the cooldown of the last one.

    There is no cooldown for those who have met by agreement, for those whom the resident has decided
    to talk with, and in an alarm.
    """
    state = mind.state
    if state.is_asleep(other) or state.talking(other) is not None:
        return False
    if (
        state.approaches(mind.who).means_to_address(other)
        or are_due_to_meet(mind, other)
        or is_alarmed(mind)
    ):
        return True
    last = state.relation(mind.who, other).last
    return last is None or minutes_between(last, mind.now) >= mind.settings.chat.cooldown_minutes


def describe_neighbour(mind: Mind, other: str) -> Neighbour:
    """Return another resident as this one knows them."""
    persona, relation = mind.world.personas[other], mind.state.relation(mind.who, other)
    bond, impression = mind.state.bond(mind.who, other), mind.state.impression(mind.who, other)
    is_new = not relation.talks and (persona.is_latecomer or mind.me.is_latecomer)
    known = mind.me.relation_to(other) or ("" if is_new else mind.world.acquaintance)
    return Neighbour(
        id=other,
        name=persona.name,
        occupation=persona.occupation if known or relation.talks else "",
        doing=mind.see_act(other),
        relation=known,
        closeness=mind.closeness(other),
        drift=bond.points,
        at_odds=mind.me.divided_from(other),
        rift=bond.rift,
        conversations=relation.talks,
        last_conversation=relation.last,
        impression=impression.text if impression else "",
        is_latecomer=persona.is_latecomer,
    )
