"""Visitors among residents: their conversations, which are held between two steps and wait for the
visitor's words, and what they hand over.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from hometown.agent.acting.note_leaving import hand_over
from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.conversation.converse import LocalSpeaking
from hometown.agent.conversation.overhear import overhear, within_earshot
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import Intent
from hometown.text import catalogue
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Refused
from hometown.world.interventions import Intervention
from hometown.world.state import State
from hometown.world.visitors import MET_PREDICATE
from hometown.world.whereabouts import Whereabouts

Listening = Callable[[str, str], Awaitable[str]]
"""Function that returns a visitor's next words to a resident; "" if they say nothing more."""

LineDisplay = Callable[[str, str, str], None]
"""Function that shows a line to those who watch: of a speaker, to a partner, its text."""


MET_POIGNANCY = 8
"""Poignancy of that memory, which is worth telling."""


class VisitorSpeaking(LocalSpeaking):
    """The part of sides in a conversation that `visitor` opens, whose lines a person says. Another
    visitor to whom they speak may answer later: nobody waits for their words.
    """

    def __init__(self, visitor: str, next_words: Listening, show: LineDisplay) -> None:
        self._visitor, self._next_words, self._show = visitor, next_words, show

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool] | None:
        """Return a visitor's next words, or a resident's line, and show it."""
        who, partner = speaker.who, _find_partner(speaker, circle)
        if not speaker.mind.me.is_visitor:
            said = await super().utter(speaker, circle)
        else:
            words = await self._next_words(who, partner) if who == self._visitor else ""
            said = (Line(who, words), False, False) if words else None
        if said is not None:
            self._show(who, partner, said[0].text)
        return said

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        """End the part of a side; a resident remembers whom they met."""
        await super().part(speaker, circle, talk, cause)
        if not speaker.mind.me.is_visitor:
            await _remember_meeting(speaker.mind, _find_partner(speaker, circle))


async def _remember_meeting(mind: Mind, visitor: str) -> None:
    """Let a resident remember as news of their own whom they have met, once for each visitor."""
    memories = mind.state.memory(mind.who).concepts.values()
    if any(each.predicate == MET_PREDICATE and each.object == visitor for each in memories):
        return
    text = mind.words.say("met_visitor", name=mind.me.name, other=mind.words.name(visitor))
    memory = NewMemory("event", text, mind.who, MET_PREDICATE, visitor, about=(visitor,))
    await mind.remember([memory], [MET_POIGNANCY], "rule:visitor")


def _find_partner(speaker: Speaker, circle: Circle) -> str:
    """Return the other of the two who talk."""
    return next(one.who for one in circle.speakers if one is not speaker)


def is_within_reach(scene: Whereabouts, state: State, visitor: str, other: str) -> bool:
    """Return True if a visitor can speak or hand something to a resident: both are in one arena, and
    the resident is awake.
    """
    return (
        visitor != other
        and scene.arena(visitor) != ""
        and other in scene.residents[scene.arena(visitor)]
        and not state.is_asleep(other)
    )


def refuse_out_of_reach(visitor: Mind, other: str, cause: str) -> None:
    """Let a visitor read that a resident is not within reach."""
    reason = catalogue(visitor.world.lang, "mind")["not_within_reach"]
    named = reason.format(name=visitor.words.name(other))
    visitor.do(Refused(visitor.who, visitor.arena, named), cause)


async def let_overhear(
    talk: Conversation, busy: Collection[str], mind_of: Callable[[str], Mind]
) -> None:
    """Let residents nearby overhear a visitor's conversation, but those who are `busy` themselves."""
    opener = mind_of(talk.opener)
    there = opener.scene.residents[opener.arena]
    near = [who for who in there if who not in busy and not opener.world.is_visitor(who)]
    await overhear(talk, within_earshot(talk, near, opener.scene.tiles), mind_of)


async def give_to_resident(given: Intervention, mind_of: Callable[[str], Mind], cause: str) -> None:
    """Let a visitor and a resident remember what the one has handed to the other."""
    gift = Intent(partner=given.memory, gift=given.text, cause=cause)
    await hand_over(mind_of(given.target), mind_of(given.memory), gift)
