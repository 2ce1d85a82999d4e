"""Plans for a room that cannot be used: each raises, once, the question of another place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.open_intentions import LOOKBACK_THOUGHTS
from hometown.agent.planning.day_reasons import give_reason
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import planned_room
from hometown.world.happening_process import find_closure
from hometown.world.world import arena_of

LOST_PREDICATE, LOST_POIGNANCY = "lose room", 5
"""The predicate of the memory that a plan needs another room, and its poignancy, enough to approach
the others about an agreement.
"""


async def remember_lost_rooms(mind: Mind) -> None:
    """Remember the coming plans of today for rooms that the resident learnt in the last step to be
    unusable, as reasons to reconsider the day; an agreement as an intention to agree with the
    others on another place.
    """
    since = mind.now - timedelta(minutes=mind.moment.stride)
    learnt = {
        room
        for memory in mind.state.memory(mind.who).since(since, ("event",))
        if (room := arena_of(memory.subject)) in mind.world.arenas
        and (closure := find_closure(mind.state, room))
        and closure in memory.text
    }
    if not learnt:
        return
    thoughts = mind.state.memory(mind.who).recent(("thought",), LOOKBACK_THOUGHTS)
    known = {memory.text for memory in thoughts}
    new = [each for each in _list_lost(mind, learnt) if each.text not in known]
    for memory in await mind.remember(new, [LOST_POIGNANCY] * len(new), "rule:closed"):
        give_reason(mind, memory, "rule:closed")


def _list_lost(mind: Mind, rooms: Collection[str]) -> Iterator[NewMemory]:
    """Yield the memories of today's agreements and coming activities in unusable rooms."""
    for promise in mind.state.promises(mind.who).items:
        if promise.address in rooms and promise.start.date() == mind.now.date():
            others = tuple(who for who in promise.people if who != mind.who)
            text = _say_lost(
                mind, "meet_elsewhere", promise.address, promise.part_of(mind.who), others
            )
            yield NewMemory("thought", text, mind.who, INTENTION_PREDICATE, others[0], about=others)
    for entry in mind.state.schedule(mind.who).entries:
        room = planned_room(entry)
        if room in rooms and entry.kind == "activity" and entry.start > mind.minute:
            text = _say_lost(mind, "room_lost", room, entry.activity, ())
            yield NewMemory("thought", text, mind.who, LOST_PREDICATE)


def _say_lost(mind: Mind, key: str, room: str, what: str, others: Sequence[str]) -> str:
    """Return the words of a plan's loss of its room."""
    return mind.words.say(
        key,
        name=mind.me.name,
        others=mind.words.names(others),
        place=mind.world.place_name(room),
        what=what,
    )
