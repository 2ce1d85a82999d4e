"""Overhearing: bystanders remember the line of a conversation nearby that matters most to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hometown.agent.conversation.circle import is_addressed
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.known_rooms import find_named
from hometown.memory.concept import OVERHEARD_PREDICATE
from hometown.text import split_sentences
from hometown.world.befalling import happening_kind
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Remembered
from hometown.world.maze import Tile
from hometown.world.resident_names import names_of
from hometown.world.whereabouts import EARSHOT_TILES, box_distance
from hometown.world.world import World

PASSING_POIGNANCY, CONCERNED_POIGNANCY, ASKED_POIGNANCY = 2, 5, 7
"""Poignancy of an overheard line, of one that names the bystander or a friend, and of one that speaks
to the bystander or asks whether they come too: it is weighty enough to change a day.
"""

FRIEND_CLOSENESS_MIN = 5
"""Closeness from which a bystander listens to news of a resident."""


def within_earshot(talk: Conversation, near: Iterable[str], tiles: Mapping[str, Tile]) -> list[str]:
    """Return residents nearby who can hear a conversation without taking part in it."""
    talking = [tiles[who] for who in talk.people] if talk.lines else []
    return [
        who
        for who in near
        if who not in talk.people
        and any(box_distance(tiles[who], tile) <= EARSHOT_TILES for tile in talking)
    ]


async def overhear(
    talk: Conversation, within: Iterable[str], mind_of: Callable[[str], Mind]
) -> None:
    """Let each bystander among the residents `within` earshot remember one line of a conversation.

    It is a line that names them or an absent friend, which is also a reason to reconsider the day;
    without such a line, the one with the most news. Residents who sleep, are in a conversation
    themselves, or have made `percept.att_bandwidth` memories in this step hear nothing.
    """
    hearing = [
        mind
        for mind in map(mind_of, within)
        if _is_listening(mind) and _count_new_memories(mind) < mind.settings.percept.att_bandwidth
    ]
    named = _find_absent_named(talk, hearing[0].world) if hearing else []
    for mind in hearing:
        line, rating = _choose_line(mind, talk, named)
        text = mind.words.say(
            "overheard", name=mind.me.name, speaker=mind.words.name(line.speaker), line=line.text
        )
        memory = NewMemory(
            "event",
            text,
            line.speaker,
            OVERHEARD_PREDICATE,
            talk.id,
            talk.address,
            talk=talk.id,
            about=(line.speaker,),
        )
        concerned = rating >= CONCERNED_POIGNANCY
        made = await mind.remember([memory], [rating], "rule:overheard", counts=concerned)
        if concerned:
            give_reason(mind, made[0], "rule:overheard")


def _is_listening(mind: Mind) -> bool:
    """Return True for residents who are awake and in no conversation."""
    return not mind.state.is_asleep(mind.who) and mind.state.talking(mind.who) is None


def _count_new_memories(mind: Mind) -> int:
    """Return the number of memories made in this step."""
    return sum(isinstance(logged.effect, Remembered) for logged in mind.effects)


def _find_absent_named(talk: Conversation, world: World) -> list[tuple[Line, str]]:
    """Return the lines that name residents who do not take part, with the residents named."""
    return [
        (line, who)
        for line in talk.lines
        for who in find_named(world, [line.text])
        if who not in talk.people
    ]


def _is_spoken_to(mind: Mind, line: str) -> bool:
    """Return True if a line speaks to the resident by name, in a sentence that names nobody else, or
    ends in a question that names them: other questions are for those who talk.
    """
    *_, last = sentences = split_sentences(line)
    names = names_of(mind.world, mind.who)
    for sentence in sentences:
        named = find_named(mind.world, [sentence])
        is_question = sentence is last and sentence.rstrip().endswith(("?", "？"))
        if mind.who in named and (
            is_question or (len(named) == 1 and is_addressed(names, sentence))
        ):
            return True
    return False


def _choose_line(
    mind: Mind, talk: Conversation, named: Sequence[tuple[Line, str]]
) -> tuple[Line, int]:
    """Return the line that a bystander remembers, and its poignancy: the weightiest of those
    that speak to them or ask about them, else of those that name them or a friend who is not there,
    or else of all.
    """
    calling = [
        line for line, other in named if other == mind.who and _is_spoken_to(mind, line.text)
    ]
    concerning = calling or [
        line
        for line, other in named
        if other == mind.who or mind.closeness(other) >= FRIEND_CLOSENESS_MIN
    ]
    mentioning = [line for line, _ in named]

    def weigh(line: Line) -> tuple[int, int, int, int]:
        """Return the weight of what happens in a line, of news and of residents, and its length."""
        kind = happening_kind(line.text, mind.world.lang)
        news = sum(story.is_mentioned_in(line.text) for story in mind.world.storylines)
        return kind.weight if kind else 0, news, mentioning.count(line), len(line.text)

    line = max(concerning or talk.lines, key=weigh)
    if calling:
        return line, ASKED_POIGNANCY
    return line, CONCERNED_POIGNANCY if concerning else PASSING_POIGNANCY
