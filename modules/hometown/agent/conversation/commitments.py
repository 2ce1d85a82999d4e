"""Agreements of a conversation, from the words of its summaries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from hometown.agent.mind import Mind
from hometown.agent.planning.agreements import SHORTEST_MEETING
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.participation import find_place_of_occasion
from hometown.agent.planning.place_choice import find_place_named
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import (
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.prompt.mending import unrepeated_in_groups
from hometown.prompt.plans import clock_minutes
from hometown.world.conversation import Conversation
from hometown.world.resident_names import drop_subject
from hometown.world.rows import Promise

BEGINS_AT_ONCE_MINUTES = 30
"""Minutes after a conversation within which "here" is taken at its word. For later, smaller models
leave the number of the place at 0, and the words that were said name it.
"""


GOING_AT_ONCE_MINUTES = 30
"""Maximum number of minutes of an agreement for now and for another place, at which those who go
there together do not stay where they are first.
"""


@frozen
class SideSummary:
    """The outcome of a conversation for one side: the reply, its call, and the variables asked
    with.
    """

    reply: ConversationSummaryReply
    cause: str
    asked: ConversationSummaryVars

    @property
    def settled_memories(self) -> list[Concept]:
        """Return the memories that the side names as over."""
        candidates = self.asked.candidates_to_settle
        return [candidates[at - 1] for at in self.reply.settled if at <= len(candidates)]


def without_repeated(promises: Sequence[Promise]) -> list[Promise]:
    """Return promises without those that repeat the words of an earlier one between the same people
    for its day.
    """
    return unrepeated_in_groups(
        promises,
        lambda each: (each.start.date(), frozenset(each.people)),
        lambda each: each.what,
    )


def make_promises(summed: SideSummary, talk: Conversation, mind: Mind) -> list[Promise]:
    """Return the commitments of a summary as promises, with their places; one to go on together to
    another place is two.
    """
    found = []
    for commitment in summed.reply.commitments:
        promise = _without_secrets(mind, as_promise(commitment, summed.asked, talk), talk)
        place = promise.address or _choose_place(commitment, promise, summed, talk, mind)
        promise = _in_own_words(mind, _within_reach(replace(promise, address=place), talk, mind))
        to = summed.asked.numbered[commitment.then - 1][0] if commitment.then else place
        found.extend([promise] if to == place else _list_legs(mind, promise, to, talk))
    return found


def _within_reach(promise: Promise, talk: Conversation, mind: Mind) -> Promise:
    """Return an agreement whose people have the time to walk from the conversation to its place."""
    walk = timedelta(minutes=mind.world.walk_minutes(talk.address, promise.address))
    return replace(promise, start=max(promise.start, _end_of(talk) + walk))


def _list_legs(mind: Mind, promise: Promise, to: str, talk: Conversation) -> list[Promise]:
    """Return an agreement, and the one to go to another place together after it. A short one for here
    and now is the way itself, and is kept at the other place. The way is gone when the first is over,
    and has the time of the walk at least.
    """
    is_here_and_now = promise.start <= _end_of(talk) and promise.address == talk.address
    if is_here_and_now and promise.minutes <= GOING_AT_ONCE_MINUTES:
        return [replace(promise, address=to)]
    what = mind.words.arrival(to)
    way = replace(promise, what=what, parts=(), address=to, start=promise.end)
    walk = timedelta(minutes=mind.world.walk_minutes(promise.address, to) + mind.moment.stride)
    return [promise, way.until(way.start + max(walk, SHORTEST_MEETING))]


def _without_secrets(mind: Mind, promise: Promise, talk: Conversation) -> Promise:
    """Return an agreement without the parts that tell of a storyline of which nobody has spoken: all
    who agreed would remember them.
    """
    said = [line.text for line in talk.lines]
    unsaid = [story for story in mind.world.storylines if not any(map(story.is_mentioned_in, said))]
    parts = (
        "" if any(story.is_mentioned_in(part) for story in unsaid) else part
        for part in promise.parts
    )
    return replace(promise, parts=tuple(parts))


def _in_own_words(mind: Mind, promise: Promise) -> Promise:
    """Return an agreement without parts, other than to meet, with words of their own for those whom
    its words name: who is to listen to Ann is not Ann.
    """
    to_meet = re.match(mind.words.texts["meets"], promise.what, re.IGNORECASE)
    is_own = bool(promise.parts or to_meet) or len(promise.people) == 1
    named = () if is_own else find_named(mind.world, (promise.what,))
    for who in promise.people:
        if who in named:
            others = mind.words.names(other for other in promise.people if other != who)
            part = mind.words.say("meeting_for", others=others, what=promise.what)
            promise = promise.with_part(who, part)
    return promise


def are_equal(first: Promise, second: Promise) -> bool:
    """Return True if two residents have stated one agreement of their conversation."""
    ours, theirs = set(first.people), set(second.people)
    return first.is_at_once_with(second) and (ours <= theirs or theirs <= ours)


def as_promise(
    commitment: Commitment, asked: ConversationSummaryVars, talk: Conversation
) -> Promise:
    """Return a commitment as a promise between the people named in it, or all; its place is ""
    without a number.

    It begins when the conversation is over at the earliest, and has the time of a meeting at least.
    """
    start = datetime.combine(commitment.day, time()) + timedelta(
        minutes=clock_minutes(commitment.start)
    )
    address = asked.numbered[commitment.where - 1][0] if commitment.where else ""
    agreed = [asked.people[number - 1] for number in dict.fromkeys(commitment.who)] or asked.people
    people = tuple(each[0] for each in asked.people if each in agreed)
    owners = agreed if len(commitment.parts) <= len(agreed) else asked.people
    parts = {
        who: drop_subject(part, name)
        for (who, name), part in zip(owners, commitment.parts, strict=False)
    }
    return Promise(
        commitment.what,
        people,
        address,
        max(start, _end_of(talk)),
        max(commitment.minutes, SHORTEST_MEETING // timedelta(minutes=1)),
        talk.id,
        tuple(parts.get(who, "") for who in people) if parts else (),
    )


def _end_of(talk: Conversation) -> datetime:
    """Return the end of a conversation."""
    return talk.started + timedelta(minutes=talk.minutes)


def _choose_place(
    commitment: Commitment, promise: Promise, summed: SideSummary, talk: Conversation, mind: Mind
) -> str:
    """Return the place of a commitment without a number: the one named in its words; else that of the
    conversation, if it says so, from a model near habit only for what begins at once; else the one
    named in the conversation, the latest line first; else that of an occasion that it is about; else
    that of the conversation.
    """
    soon = _end_of(talk) + timedelta(minutes=BEGINS_AT_ONCE_MINUTES)
    is_here = "where" in commitment.model_fields_set and (
        promise.start <= soon or not mind.is_near_habit(CONVERSATION_SUMMARY.kind)
    )
    listed, lines = summed.asked.numbered, () if is_here else reversed(talk.lines)
    said = [("", commitment.what), *((line.speaker, line.text) for line in lines)]
    named = (find_place_named(mind, listed, text, speaker) for speaker, text in said)
    address = next((address for address in named if address), "")
    return address or ("" if is_here else find_place_of_occasion(mind, promise)) or talk.address
