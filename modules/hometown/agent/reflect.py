"""Reflection: insights drawn from memories, with their evidence (Park et al. 2023, §4.2).

It begins in one step; in the next, its questions are asked, and in the one after, they are
answered. Nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.perceive import rate
from hometown.agent.sleep import FOR_GOOD
from hometown.memory.concept import Concept
from hometown.memory.scoring import Scored
from hometown.prompt.noticing import Happening
from hometown.prompt.reflecting import (
    CHATS,
    FOCUS,
    INSIGHTS,
    ChatsReply,
    ChatsVars,
    ChatThought,
    FocusReply,
    FocusVars,
    InsightsReply,
    InsightsVars,
)
from hometown.settings import Settings
from hometown.text import overlap
from hometown.world.effects import Reflected
from hometown.world.regard import Impressed, Impression
from hometown.world.state import State

CHATS_AT_ONCE = 12
"""Maximum number of conversations since the last reflection that are thought over, latest first."""

FOCUS_SHOWN = 8
"""Of the latest `think.focus_recent` memories, the number of most poignant ones shown; trivial
events would crowd them out.
"""

TOGETHER = 8
"""Memories that come to mind for all questions of a reflection, where they are answered in one
call.
"""

SAME = 0.5
"""Overlap of character trigrams (Jaccard) from which a thought about the same people counts as
already known.
"""

INSIGHT = f"call:{INSIGHTS.kind}#"
"""How the name of a call begins that has given insights."""

FOUNDED = 2
"""Memories on which an impression of somebody rests, at least."""

Thoughts = tuple[list[tuple[NewMemory, int]], str]
"""Thoughts with their poignancy, and the call that gave them."""


def is_due(who: str, state: State, settings: Settings) -> bool:
    """Whether the poignancy of a resident's memories since its last reflection has reached the
    threshold.
    """
    return (
        settings.faculties.reflect
        and state.mind(who).poignancy >= settings.think.poignancy_max
        and not state.is_away(who)
    )


def look_back(mind: Mind) -> None:
    """A reflection begins: which questions do the latest memories raise, and what do conversations
    leave?
    """
    chats, together, weighed = (
        _chats_since(mind),
        mind.settings.thrift.insights_together,
        mind.state.mind(mind.who).poignancy,
    )
    looked_back = FocusVars(
        mind.situation,
        _looked_back_on(mind, chats if together else ()),
        mind.settings.think.questions,
        chats if together else (),
    )
    mind.wonder(FOCUS, looked_back, (), "rule:reflect")
    if chats and not together:
        mind.wonder(CHATS, ChatsVars(mind.situation, chats), (), "rule:reflect")
    mind.do(Reflected(mind.who, mind.now, weighed), "rule:reflect")


async def look_for_answers(mind: Mind, questions: Sequence[str], cause: str) -> None:
    """A reflection goes on: what follows from the memories that come to mind for its questions?"""
    for each, found in await _questions(mind, questions):
        mind.wonder(
            INSIGHTS,
            InsightsVars(mind.situation, each, concepts(found), mind.settings.think.insights),
            found,
            cause,
        )


def thoughts_of(
    mind: Mind, reply: InsightsReply | FocusReply | ChatsReply, asked: Any
) -> list[tuple[NewMemory, int]]:
    """The thoughts in a reply of a reflection, with their poignancy."""
    if isinstance(reply, InsightsReply):
        evidence = (
            [asked.memories[number - 1] for number in insight.evidence]
            for insight in reply.insights
        )
        return [
            (_thought(mind, insight.thought, memories), insight.weight)
            for insight, memories in zip(reply.insights, evidence, strict=True)
        ]
    return _left_by(mind, reply.thoughts, asked.chats)


def _chats_since(mind: Mind) -> tuple[Concept, ...]:
    """The conversations since the last reflection, oldest first."""
    since = mind.state.mind(mind.who).reflected
    recent = mind.state.memory(mind.who).recent(("chat",), CHATS_AT_ONCE)
    return tuple(chat for chat in reversed(recent) if since is None or chat.created >= since)


def _looked_back_on(mind: Mind, chats: tuple[Concept, ...]) -> tuple[Concept, ...]:
    """The latest memories, oldest first, but for `chats`; of many those that mattered most, the
    newer of equals.
    """
    recent = mind.state.memory(mind.who).recent(
        ("event", "thought", "chat"), mind.settings.think.focus_recent
    )
    weighty = sorted(set(recent) - set(chats), key=lambda memory: (-memory.poignancy, -memory.id))[
        :FOCUS_SHOWN
    ]
    return tuple(sorted(weighty, key=lambda memory: memory.id))


async def _questions(
    mind: Mind, questions: Sequence[str]
) -> list[tuple[tuple[str, ...], list[Scored]]]:
    """The questions with the memories that come to mind for them, together or one by one; without
    those for which none do.
    """
    most = mind.settings.associate.retrieve_max
    if mind.settings.thrift.insights_together and len(questions) > 1:
        found = await mind.recall(questions, count=min(most, TOGETHER))
        return [(tuple(questions), found)] if found else []
    recalls = await mind.gather_recalls(questions, most)
    return [
        ((question,), found) for question, found in zip(questions, recalls, strict=True) if found
    ]


def _left_by(
    mind: Mind, thoughts: Sequence[ChatThought], chats: Sequence[Concept]
) -> list[tuple[NewMemory, int]]:
    """What conversations leave to do and to keep in mind, with its poignancy."""
    noted = [
        (text, thought) for thought in thoughts for text in (thought.plan, thought.memo) if text
    ]
    return [
        (_thought(mind, text, [chats[thought.chat - 1]]), thought.weight) for text, thought in noted
    ]


def _thought(mind: Mind, text: str, evidence: Sequence[Concept]) -> NewMemory:
    about = tuple(
        dict.fromkeys(who for memory in evidence for who in memory.about if who != mind.who)
    )
    return NewMemory(
        "thought",
        text,
        mind.who,
        "think",
        evidence=tuple(memory.id for memory in evidence),
        about=about,
    )


async def keep(mind: Mind, groups: Sequence[Thoughts]) -> None:
    """Stores thoughts that are new to their owner, as they were rated or, if that is asked apart,
    rated in one call.
    """
    known = [
        (memory.text, memory.about)
        for memory in mind.state.memory(mind.who).recent(
            ("thought",), mind.settings.think.focus_recent
        )
    ]
    new: dict[str, tuple[NewMemory, int, str]] = {}
    for thoughts, cause in groups:
        for thought, rating in thoughts:
            if not any(
                about == thought.about and overlap(text, thought.text) >= SAME
                for text, about in known
            ):
                new[thought.text] = (thought, rating, cause)
                known.append((thought.text, thought.about))
    if not new:
        return
    ratings = [rating for _, rating, _ in new.values()]
    if not mind.settings.thrift.rated_at_once:
        ratings, _ = await rate(
            mind,
            [Happening(thought.text, "thought", thought.about) for thought, _, _ in new.values()],
        )
    await mind.context.caller.embed(list(new))
    for (thought, _, cause), rating in zip(new.values(), ratings, strict=True):
        await mind.remember([thought], [rating], cause)
        _impress(mind, thought, cause)


def _impress(mind: Mind, thought: NewMemory, cause: str) -> None:
    """In a town with a society, an insight into one person is the impression that its owner has of
    that person from now on, on the same evidence.

    What rests on something that is never forgotten takes no second memory, and gives way to its
    like alone.
    """
    if (
        mind.world.book is None
        or not cause.startswith(INSIGHT)
        or len(thought.about) != 1
        or mind.world.name_of(thought.about[0]) not in thought.text
    ):
        return
    held = mind.state.impression(mind.who, thought.about[0])
    weighs, weighed = (
        _rests_on_much(mind, thought.evidence),
        held is not None and _rests_on_much(mind, held.evidence),
    )
    if weighs or (len(thought.evidence) >= FOUNDED and not weighed):
        mind.do(
            Impressed(
                mind.who, thought.about[0], Impression(thought.text, thought.evidence, mind.now)
            ),
            cause,
        )


def _rests_on_much(mind: Mind, evidence: Sequence[int]) -> bool:
    """Whether something is among the evidence that happened to its owner, and is never forgotten."""
    memories = mind.state.memory(mind.who)
    found = [memories.concept(number) for number in evidence if number in memories]
    return any(
        memory.type == "event" and not memory.talk and memory.poignancy >= FOR_GOOD
        for memory in found
    )
