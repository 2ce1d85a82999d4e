"""Plans for a room that cannot be used: each raises, once, the question of another place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.open_intentions import LOOKBACK_THOUGHTS
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_origins import REACTION_ORIGIN
from hometown.agent.planning.participation import AGREE_PREDICATE
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry, planned_room
from hometown.world.happening_process import find_closing
from hometown.world.incidents import UnfoldingHappening
from hometown.world.rows import Promise
from hometown.world.world import arena_of

LOST_PREDICATE, LOST_POIGNANCY = "lose room", 5
"""The predicate of the memory that a plan needs another room, and its poignancy, enough to approach
the others about an agreement.
"""


async def remember_lost_rooms(mind: Mind) -> None:
    """Remember the coming plans of today for rooms that the resident learnt in the last step to be
    unusable, as reasons to reconsider the day; an agreement as an intention to agree with the
    others on another place. What they agreed on after the room was closed, or have begun, stays.
    """
    since = mind.now - timedelta(minutes=mind.moment.stride)
    learnt = {
        room: closing
        for memory in mind.state.memory(mind.who).since(since, ("event",))
        if (room := arena_of(memory.subject)) in mind.world.arenas
        and (closing := find_closing(mind.state, room))
        and closing.clause in memory.text
    }
    if not learnt:
        return
    thoughts = mind.state.memory(mind.who).recent(("thought",), LOOKBACK_THOUGHTS)
    known = {memory.text for memory in thoughts}
    new = [each for each in _list_lost(mind, learnt) if each.text not in known]
    for memory in await mind.remember(new, [LOST_POIGNANCY] * len(new), "rule:closed"):
        give_reason(mind, memory, "rule:closed")


def is_known_lost(mind: Mind, entry: Entry) -> bool:
    """Return True if the resident has remembered that a coming activity has lost its room."""
    if not (room := planned_room(entry)):
        return False
    text = _say_lost(mind, "room_lost", room, entry.activity, ())
    thoughts = mind.state.memory(mind.who).recent(("thought",), LOOKBACK_THOUGHTS)
    return any(memory.text == text for memory in thoughts)


def _list_lost(mind: Mind, rooms: Mapping[str, UnfoldingHappening]) -> Iterator[NewMemory]:
    """Yield the memories of today's agreements and coming activities in unusable rooms."""
    for promise in mind.state.promises(mind.who).items:
        closing = rooms.get(promise.address)
        if closing is None or not _is_lost(mind, promise, closing):
            continue
        others, what = tuple(who for who in promise.people if who != mind.who), promise.part_of
        if not others:
            text = _say_lost(mind, "room_lost", promise.address, what(mind.who), ())
            yield NewMemory("thought", text, mind.who, LOST_PREDICATE)
            continue
        text = _say_lost(mind, "meet_elsewhere", promise.address, what(mind.who), others)
        yield NewMemory(
            "thought",
            text,
            mind.who,
            INTENTION_PREDICATE,
            others[0],
            promise.address,
            talk=promise.talk,
            about=others,
        )
    for entry in mind.state.schedule(mind.who).entries:
        room, is_response = planned_room(entry), entry.origin.startswith(REACTION_ORIGIN)
        if (
            room in rooms
            and entry.kind == "activity"
            and entry.start > mind.minute
            and not is_response
        ):
            text = _say_lost(mind, "room_lost", room, entry.activity, ())
            yield NewMemory("thought", text, mind.who, LOST_PREDICATE)


def _is_lost(mind: Mind, promise: Promise, closing: UnfoldingHappening) -> bool:
    """Return True if an agreement of today, made before its room was closed, is still to begin."""
    made = mind.state.memory(mind.who).since(closing.since, ("plan",))
    is_to_come = promise.start >= mind.now and promise.start.date() == mind.now.date()
    is_known = any((each.predicate, each.talk) == (AGREE_PREDICATE, promise.talk) for each in made)
    return is_to_come and not is_known


def _say_lost(mind: Mind, key: str, room: str, what: str, others: Sequence[str]) -> str:
    """Return the words of a plan's loss of its room."""
    return mind.words.say(
        key,
        name=mind.me.name,
        others=mind.words.names(others),
        place=mind.world.place_name(room),
        what=what,
    )
