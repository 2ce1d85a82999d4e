"""What is overheard: those who stand near hear something of a conversation that they are not in, as
far as their attention goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hometown.agent.circle import EARSHOT, given_name, is_named
from hometown.agent.mind import Mind, NewMemory
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Remembered
from hometown.world.maze import Tile
from hometown.world.scene import box_distance
from hometown.world.world import World

OVERHEAR = "overhear"
"""The predicate of the memory of what was overheard; its subject is who said it."""

IN_PASSING, CONCERNED = 2, 5
"""Poignancy of words that one overhears, and of those that name oneself or somebody one knows well.
"""

CLOSE = 5
"""Closeness from which on what is said of somebody is listened to."""


def within_earshot(talk: Conversation, near: Iterable[str], tiles: Mapping[str, Tile]) -> list[str]:
    """Who of those near can make out what is said in a conversation, and takes no part in it."""
    talking = [tiles[who] for who in talk.people] if talk.lines else []
    return [
        who
        for who in near
        if who not in talk.people
        and any(box_distance(tiles[who], tile) <= EARSHOT for tile in talking)
    ]


async def overhear(
    talk: Conversation, within: Iterable[str], mind_of: Callable[[str], Mind]
) -> None:
    """Whoever of those within earshot is awake and has attention to spare remembers the line that
    concerns it, or else the longest.
    """
    hearing = [
        mind
        for mind in map(mind_of, within)
        if _listens(mind) and _noticed(mind) < mind.settings.percept.att_bandwidth
    ]
    named = _named(talk, hearing[0].world) if hearing else []
    for mind in hearing:
        line, rating = _caught(mind, talk, named)
        text = mind.words.say(
            "overheard", name=mind.me.name, speaker=mind.words.name(line.speaker), line=line.text
        )
        memory = NewMemory(
            "event",
            text,
            line.speaker,
            OVERHEAR,
            talk.id,
            talk.address,
            talk=talk.id,
            about=(line.speaker,),
        )
        await mind.remember([memory], [rating], "rule:overheard", counts=rating >= CONCERNED)


def _listens(mind: Mind) -> bool:
    return not mind.state.is_asleep(mind.who) and mind.state.talking(mind.who) is None


def _noticed(mind: Mind) -> int:
    return sum(isinstance(logged.effect, Remembered) for logged in mind.effects)


def _named(talk: Conversation, world: World) -> list[tuple[Line, str]]:
    """Who is named by which line, of all who do not take part."""
    text = "\n".join(line.text for line in talk.lines)
    absent = [
        other
        for other in world.personas.values()
        if given_name(other.name) in text
        and is_named(other.name, text)
        and other.id not in talk.people
    ]
    return [
        (line, other.id)
        for line in talk.lines
        for other in absent
        if is_named(other.name, line.text)
    ]


def _caught(mind: Mind, talk: Conversation, named: Sequence[tuple[Line, str]]) -> tuple[Line, int]:
    """The line that a bystander remembers, and how much it matters to it."""
    concerning = next(
        (line for line, other in named if other == mind.who or mind.closeness(other) >= CLOSE), None
    )
    return (
        (concerning, CONCERNED)
        if concerning
        else (max(talk.lines, key=lambda line: len(line.text)), IN_PASSING)
    )
