"""Prompts for reflection (Park et al. 2023, §4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from modules.memory.concept import Concept
from modules.prompt.prompt import Prompt, Reply, Variables

THOUGHT = r"^[^\x00-\x1f]{1,300}$"


# reflect_focus -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FocusVars(Variables):
    """`memories`: the latest ones that mattered, oldest first; `questions`: how many are wanted."""

    memories: tuple[Concept, ...]
    questions: int


class FocusReply(Reply):
    questions: list[str] = Field(min_length=1, max_length=10, description="The most salient high-level questions that these memories raise.")


FOCUS = Prompt(
    "reflect_focus", FocusVars, FocusReply,
    fallback=lambda v: FocusReply(questions=[memory.text for memory in sorted(v.memories, key=lambda m: -m.poignancy)[: v.questions]]),
    max_tokens=240,
)  # fmt: skip


# reflect_insights --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InsightsVars(Variables):
    """`memories` were retrieved for `question`; evidence is given by their position, from 1."""

    question: str
    memories: tuple[Concept, ...]
    insights: int


class Insight(Reply):
    thought: str = Field(pattern=THOUGHT)
    evidence: list[int] = Field(min_length=1, max_length=10, description="Numbers of the memories it rests on.")


class InsightsReply(Reply):
    insights: list[Insight] = Field(max_length=10)


def _no_evidence(v: InsightsVars, reply: InsightsReply) -> str | None:
    for insight in reply.insights:
        outside = [number for number in insight.evidence if not 1 <= number <= len(v.memories)]
        if outside:
            return f"evidence {outside[0]} is not one of the memories 1 to {len(v.memories)}"
    return None


INSIGHTS = Prompt(
    "reflect_insights", InsightsVars, InsightsReply,
    fallback=lambda v: InsightsReply(insights=[]), objection=_no_evidence,
    max_tokens=480,
)  # fmt: skip


# reflect_chats -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChatsVars(Variables):
    """`chats`: memories of the talks since the last reflection, oldest first."""

    chats: tuple[Concept, ...]


class ChatThought(Reply):
    """What a talk leaves to do (`plan`, may be empty) and what is worth keeping of it (`memo`)."""

    chat: int = Field(ge=1, description="Number of the talk.")
    plan: str = Field("", pattern=r"^[^\x00-\x1f]{0,300}$")
    memo: str = Field("", pattern=r"^[^\x00-\x1f]{0,300}$")


class ChatsReply(Reply):
    thoughts: list[ChatThought] = Field(max_length=20)


def _unknown_chat(v: ChatsVars, reply: ChatsReply) -> str | None:
    outside = [thought.chat for thought in reply.thoughts if thought.chat > len(v.chats)]
    return f"there is no talk number {outside[0]}; there are {len(v.chats)}" if outside else None


CHATS = Prompt(
    "reflect_chats", ChatsVars, ChatsReply,
    fallback=lambda v: ChatsReply(thoughts=[]), objection=_unknown_chat,
    max_tokens=480,
)  # fmt: skip
