"""Reflection: insights drawn from memories, with their evidence (Park et al. 2023, §4.2).

It takes three steps, and no resident waits for it: it begins in the first, its questions are asked
in the second and answered in the third.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from hometown.agent.inner_life.sleep import PINNED_POIGNANCY_MIN
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.facing import list_talked_with
from hometown.agent.mind.open_intentions import is_meant_already
from hometown.agent.perception.poignancy import rate
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.memory.scoring import Scored
from hometown.prompt.reactions import RatedEvent
from hometown.prompt.reflections import (
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
from hometown.text import overlap
from hometown.world.effects import Reflected
from hometown.world.regard import Impressed, Impression
from hometown.world.resident_names import named_residents

MAX_CHATS = 12
"""Maximum number of conversations considered in a reflection, the latest of those since the last
one.
"""

MAX_FOCUS_MEMORIES = 8
"""The number of memories shown, the most poignant of the latest `think.focus_recent`; trivial
events would crowd them out.
"""

MAX_SHARED_MEMORIES = 8
"""Maximum number of memories that answer all questions of a reflection in one call."""

SAME_THOUGHT_OVERLAP_MIN = 0.5
"""Overlap of character trigrams (Jaccard) from which two thoughts about the same people are the
same.
"""

INSIGHT_CAUSE_PREFIX = f"call:{INSIGHTS.kind}#"
"""The beginning of the references of calls that give insights."""

IMPRESSION_EVIDENCE_MIN = 2
"""Minimum number of memories on which an impression of a resident rests."""

THOUGHT_PREDICATE = "think"
"""The predicate of a thought that is no intention."""

RatedThoughts = tuple[list[tuple[NewMemory, int]], str]
"""Thoughts with their poignancy, and the reference of the call that gave them."""


def begin_reflection(mind: Mind) -> None:
    """Begin a reflection: defer its first questions, those for its focus and for thoughts about
    conversations (one question with `thrift.insights_together`), and reset the count of poignancy.
    """
    chats = _chats_since(mind)
    together = mind.settings.thrift.insights_together
    weighed = mind.state.mind(mind.who).poignancy
    looked_back = FocusVars(
        mind.situation,
        _choose_focus_memories(mind, chats if together else ()),
        mind.settings.think.questions,
        chats if together else (),
    )
    mind.defer_question(FOCUS, looked_back, (), "rule:reflect")
    if chats and not together:
        mind.defer_question(CHATS, ChatsVars(mind.situation, chats), (), "rule:reflect")
    mind.do(Reflected(mind.who, mind.now, weighed), "rule:reflect")


async def ask_for_insights(mind: Mind, questions: Sequence[str], cause: str) -> None:
    """Defer the question for insights into all questions of a reflection, or, without
    `thrift.insights_together`, one for each, with the memories recalled for them.
    """
    for each, found in await _recall_for_questions(mind, questions):
        mind.defer_question(
            INSIGHTS,
            InsightsVars(mind.situation, each, concepts(found), mind.settings.think.insights),
            found,
            cause,
        )


def extract_thoughts(
    mind: Mind, reply: InsightsReply | FocusReply | ChatsReply, asked: Any
) -> list[tuple[NewMemory, int]]:
    """Return the thoughts in a reply with their poignancy: insights with their evidence, or
    intentions and memos about conversations.

    Args:
        mind: the resident who reflects.
        reply: a reply to one of the three prompts of a reflection.
        asked: the variables of that prompt, to whose memories the numbers in the reply refer.
    """
    if isinstance(reply, InsightsReply):
        evidence = (
            [asked.memories[number - 1] for number in insight.evidence]
            for insight in reply.insights
        )
        return [
            (_make_thought(mind, insight.thought, memories), insight.weight)
            for insight, memories in zip(reply.insights, evidence, strict=True)
        ]
    return _extract_chat_thoughts(mind, reply.thoughts, asked.chats)


def _chats_since(mind: Mind) -> tuple[Concept, ...]:
    """Return the memories of conversations since the last reflection, oldest first."""
    since = mind.state.mind(mind.who).reflected
    recent = mind.state.memory(mind.who).recent(("chat",), MAX_CHATS)
    return tuple(chat for chat in reversed(recent) if since is None or chat.created >= since)


def _choose_focus_memories(mind: Mind, chats: tuple[Concept, ...]) -> tuple[Concept, ...]:
    """Return the most poignant of the latest memories without `chats`, oldest first."""
    recent = mind.leave_out_settled(
        mind.state.memory(mind.who).recent(
            ("event", "thought", "chat"), mind.settings.think.focus_recent
        )
    )
    weighty = sorted(set(recent) - set(chats), key=lambda memory: (-memory.poignancy, -memory.id))[
        :MAX_FOCUS_MEMORIES
    ]
    return tuple(sorted(weighty, key=lambda memory: memory.id))


async def _recall_for_questions(
    mind: Mind, questions: Sequence[str]
) -> list[tuple[tuple[str, ...], list[Scored]]]:
    """Return questions with the memories recalled for them, grouped for one call or one by one.

    Questions for which nothing is recalled are left out.
    """
    most = mind.settings.associate.retrieve_max
    if mind.settings.thrift.insights_together and len(questions) > 1:
        found = await mind.recall(questions, count=min(most, MAX_SHARED_MEMORIES))
        return [(tuple(questions), found)] if found else []
    recalls = await mind.recall_each(questions, most)
    return [
        ((question,), found) for question, found in zip(questions, recalls, strict=True) if found
    ]


def _extract_chat_thoughts(
    mind: Mind, thoughts: Sequence[ChatThought], chats: Sequence[Concept]
) -> list[tuple[NewMemory, int]]:
    """Return intentions and memos that follow from conversations, with their poignancy. Intentions
    towards residents with whom the resident has talked since the reflection began are out of date.
    """
    began = mind.state.mind(mind.who).reflected
    talked_with = frozenset(list_talked_with(mind, began) if began else ())
    noted = [
        (text, predicate, thought)
        for thought in thoughts
        for text, predicate in (
            (thought.plan, INTENTION_PREDICATE),
            (thought.memo, THOUGHT_PREDICATE),
        )
        if text
        and (
            predicate != INTENTION_PREDICATE
            or talked_with.isdisjoint(named_residents(mind.world, text))
        )
    ]
    return [
        (_make_thought(mind, text, [chats[thought.chat - 1]], predicate), thought.weight)
        for text, predicate, thought in noted
    ]


def _make_thought(
    mind: Mind, text: str, evidence: Sequence[Concept], predicate: str = THOUGHT_PREDICATE
) -> NewMemory:
    """Return a thought as a new memory that cites its evidence."""
    about = tuple(
        dict.fromkeys(who for memory in evidence for who in memory.about if who != mind.who)
    )
    return NewMemory(
        "thought",
        text,
        mind.who,
        predicate,
        evidence=tuple(memory.id for memory in evidence),
        about=about,
    )


async def store_thoughts(mind: Mind, groups: Sequence[RatedThoughts]) -> list[Concept]:
    """Store thoughts that the resident does not have yet, and return them; insights may become
    impressions of residents.

    Their ratings are those of the replies; without `thrift.rated_at_once`, one more call rates
    them.
    """
    known = [
        (memory.text, memory.about)
        for memory in mind.state.memory(mind.who).since(datetime.min, ("thought",))
    ]
    new: dict[str, tuple[NewMemory, int, str]] = {}
    for thoughts, cause in groups:
        for thought, rating in thoughts:
            if thought.predicate == INTENTION_PREDICATE and is_meant_already(mind, thought.text):
                continue
            if not any(
                text == thought.text
                or (
                    about == thought.about
                    and overlap(text, thought.text) >= SAME_THOUGHT_OVERLAP_MIN
                )
                for text, about in known
            ):
                new[thought.text] = (thought, rating, cause)
                known.append((thought.text, thought.about))
    if not new:
        return []
    ratings = [rating for _, rating, _ in new.values()]
    if not mind.settings.thrift.rated_at_once:
        ratings, _ = await rate(
            mind,
            [RatedEvent(thought.text, "thought", thought.about) for thought, _, _ in new.values()],
        )
    await mind.context.caller.embed(list(new))
    stored = []
    for (thought, _, cause), rating in zip(new.values(), ratings, strict=True):
        stored += await mind.remember([thought], [rating], cause, counts=False)
        _update_impression(mind, thought, cause)
    return stored


def _update_impression(mind: Mind, thought: NewMemory, cause: str) -> None:
    """Make an insight into one resident, whom it names, the current impression of them, in a town
    with a society. It needs `IMPRESSION_EVIDENCE_MIN` memories as evidence; one that rests on an
    unforgettable event does not, and only another such impression replaces it.
    """
    if (
        mind.world.book is None
        or not cause.startswith(INSIGHT_CAUSE_PREFIX)
        or len(thought.about) != 1
        or thought.about[0] not in named_residents(mind.world, thought.text)
    ):
        return
    held = mind.state.impression(mind.who, thought.about[0])
    is_lasting = _has_lasting_evidence(mind, thought.evidence)
    is_held_lasting = held is not None and _has_lasting_evidence(mind, held.evidence)
    has_evidence = len(thought.evidence) >= IMPRESSION_EVIDENCE_MIN
    if is_lasting or (has_evidence and not is_held_lasting):
        mind.do(
            Impressed(
                mind.who, thought.about[0], Impression(thought.text, thought.evidence, mind.now)
            ),
            cause,
        )


def _has_lasting_evidence(mind: Mind, evidence: Sequence[int]) -> bool:
    """Return True if the evidence includes an event of one's own that is kept for good."""
    memories = mind.state.memory(mind.who)
    found = [memories.concept(number) for number in evidence if number in memories]
    return any(
        memory.type == "event" and not memory.talk and memory.poignancy >= PINNED_POIGNANCY_MIN
        for memory in found
    )
