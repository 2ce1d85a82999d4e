"""Rules for whom a place or a thing concerns: residents of the house, workers, refused users."""

from __future__ import annotations

from functools import lru_cache

from hometown.agent.mind import Mind
from hometown.clock import minutes_between
from hometown.world.work import workplace
from hometown.world.world import World, sector_of

REMINDER_MINUTES, REMINDER_LOOKBACK_EVENTS = 120, 200
"""Minutes after which an unusable thing of one's own is noticed again, and the number of latest
events in which the last time is looked for.
"""

UNCONCERNED_DISCOUNT = 2
"""Points by which the condition of a thing matters less to residents whom it does not concern."""


def is_concerned(mind: Mind, address: str) -> bool:
    """Return True if a place or thing is the resident's own, or they came to use it in vain."""
    return is_in_own_house(mind, address) or failed_to_use(mind, address)


def failed_to_use(mind: Mind, address: str) -> bool:
    """Return True if the resident came to use a thing and was refused."""
    return (
        bool(mind.state.body(mind.who).refused) and mind.state.action(mind.who).address == address
    )


def is_in_own_house(mind: Mind, address: str) -> bool:
    """Return True if a place or thing is in a house where the resident lives or works."""
    return sector_of(address) in own_houses(mind)


def own_houses(mind: Mind) -> tuple[str, ...]:
    """Return the addresses of the houses where the resident lives and works."""
    return _own_houses(mind.world)[mind.who]


def houses_of(world: World, who: str) -> tuple[str, ...]:
    """Return the addresses of the houses where a resident is known to live and work."""
    return _own_houses(world)[who]


@lru_cache(maxsize=8)
def _own_houses(world: World) -> dict[str, tuple[str, ...]]:
    """Return the houses where each resident lives and works."""
    return {
        who: _houses(persona.home, workplace(persona.habits, persona.home))
        for who, persona in world.personas.items()
    }


def _houses(*places: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sector_of(place) for place in places if place))


def is_reminder_due(mind: Mind, address: str, condition: str) -> bool:
    """Return True if a thing of one's own is unusable and has not been noticed for
    `REMINDER_MINUTES`.
    """
    if not mind.world.condition_kind(address, condition).forbids or not is_concerned(mind, address):
        return False
    recent = mind.state.memory(mind.who).recent(("event",), REMINDER_LOOKBACK_EVENTS)
    return not any(
        memory.subject == address and minutes_between(memory.created, mind.now) < REMINDER_MINUTES
        for memory in recent
    )
