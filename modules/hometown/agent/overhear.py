"""What is overheard: those who stand near hear something of a conversation that they are not in, as far as their attention goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hometown.agent.circle import EARSHOT, is_named
from hometown.agent.mind import Mind, NewMemory
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Remembered
from hometown.world.scene import box_distance

OVERHEAR = "overhear"
"""The predicate of the memory of what was overheard; its subject is who said it."""

IN_PASSING, CONCERNED = 2, 5
"""Poignancy of words that one overhears, and of those that name oneself or somebody one knows well."""

CLOSE = 5
"""Closeness from which on what is said of somebody is listened to."""


async def overhear(talk: Conversation, near: Sequence[str], mind_of: Callable[[str], Mind]) -> None:
    """Whoever is awake within earshot and has attention to spare remembers the line that concerns it, or else the longest."""
    for who in near:
        mind = mind_of(who)
        if who in talk.people or not talk.lines or not _hears(mind, talk):
            continue
        line, rating = _caught(mind, talk)
        text = mind.words.say("overheard", name=mind.me.name, speaker=mind.words.name(line.speaker), line=line.text)
        memory = NewMemory("event", text, line.speaker, OVERHEAR, talk.id, talk.address, talk=talk.id, about=(line.speaker,))
        await mind.remember([memory], [rating], "rule:overheard", counts=rating >= CONCERNED)


def _hears(mind: Mind, talk: Conversation) -> bool:
    tiles = mind.scene.tiles
    awake = not mind.state.asleep(mind.who) and mind.state.talking(mind.who) is None
    noticed = sum(isinstance(logged.effect, Remembered) for logged in mind.effects)
    return awake and noticed < mind.settings.percept.att_bandwidth and min(box_distance(tiles[mind.who], tiles[who]) for who in talk.people) <= EARSHOT


def _caught(mind: Mind, talk: Conversation) -> tuple[Line, int]:
    """The line that a bystander remembers, and how much it matters to it."""
    dear = [mind.who, *(other for other in mind.world.personas if other not in talk.people and mind.closeness(other) >= CLOSE)]
    names = [mind.words.name(other) for other in dear]
    concerning = next((line for line in talk.lines if any(is_named(name, line.text) for name in names)), None)
    return (concerning, CONCERNED) if concerning else (max(talk.lines, key=lambda line: len(line.text)), IN_PASSING)
