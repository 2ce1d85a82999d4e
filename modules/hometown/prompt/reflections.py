"""Prompts for reflection (Park et al. 2023, §4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import (
    LEFT_OUT,
    MOST_SETTLED,
    Keywords,
    at_most,
    between,
    exactly,
    settled_bounds,
)
from hometown.prompt.line import OneLine
from hometown.prompt.mending import in_words, unrepeated
from hometown.prompt.prompt import Prompt, Reply, Row, Rule, Variables
from hometown.prompt.reactions import UNRATED
from hometown.prompt.wording import fitting

LONGEST = 280
"""Maximum length of a question or a thought, in English characters."""

FOR_QUESTIONS, FOR_INSIGHTS, FOR_CHATS = 900, 1400, 2100
"""Characters that the texts of a reply share: the more texts, the shorter each."""

EVIDENCE = 5
"""Maximum number of memories that an insight cites."""

MOST_CHATS = 5
"""Maximum number of thoughts about conversations."""


def _share(v: Variables, total: int, texts: int, shortest: int = 1) -> Keywords:
    return v.situation.text(min(LONGEST, total // max(1, texts)), shortest)


# reflect_chats -----------------------------------------------------------------------------


@frozen
class ChatsVars(Variables):
    """Variables for thoughts about conversations: their memories since the last reflection, oldest
    first.
    """

    chats: tuple[Concept, ...]


class ChatThought(Row):
    """What a talk leaves to do (`plan`, may be empty) and what is worth keeping of it (`memo`);
    `weight` is how much that matters.
    """

    chat: int = Field(ge=1, description="Number of the talk.")
    plan: Annotated[str, OneLine(LONGEST, 0)] = ""
    memo: Annotated[str, OneLine(LONGEST, 0)] = ""
    weight: int = Field(UNRATED, ge=1, le=10)


class ChatsReply(Reply):
    thoughts: list[ChatThought] = Field(max_length=20)


AfterChats = TypeVar("AfterChats", "ChatsReply", "FocusReply")
"""A reply that contains thoughts about conversations."""


def _listed(v: ChatsVars | FocusVars) -> Mapping[str, Keywords]:
    noted = min(MOST_CHATS, len(v.chats))
    bounds = _share(v, FOR_CHATS, 2 * noted, shortest=0)
    return {
        "thoughts": at_most(noted),
        "thoughts[].chat": between(1, max(1, len(v.chats))),
        "thoughts[].plan": bounds,
        "thoughts[].memo": bounds,
    }


def _in_words(reply: AfterChats) -> AfterChats:
    thoughts = [
        noted.model_copy(update={"plan": in_words(noted.plan), "memo": in_words(noted.memo)})
        for noted in reply.thoughts
    ]
    return reply.model_copy(update={"thoughts": thoughts})


CHATS = Prompt(
    "reflect_chats", ChatsVars, ChatsReply,
    fallback=lambda v: ChatsReply(thoughts=[]), narrow=_listed, mend=(Rule("emptied", lambda _, reply: _in_words(reply)),),
    persona="life", max_tokens=1150,
)  # fmt: skip


# reflect_focus -----------------------------------------------------------------------------


@frozen
class FocusVars(Variables):
    """Variables for the questions of a reflection, `questions` in number.

    `memories` are the latest important ones, oldest first. `chats` are memories of conversations
    since the last reflection, oldest first, if they are considered in the same call.
    """

    memories: tuple[Concept, ...]
    questions: int
    chats: tuple[Concept, ...] = ()


class FocusReply(Reply):
    questions: list[Annotated[str, OneLine(LONGEST)]] = Field(
        min_length=1,
        max_length=10,
        description="The most salient high-level questions that these memories raise.",
    )
    thoughts: list[ChatThought] = Field(default_factory=list, max_length=20)


def _questions(v: FocusVars) -> Mapping[str, Keywords]:
    return {
        "questions": exactly(v.questions),
        "questions[]": _share(v, FOR_QUESTIONS, v.questions),
        **(_listed(v) if v.chats else {"thoughts": LEFT_OUT}),
    }


def _weightiest(v: FocusVars) -> list[str]:
    weightiest = sorted((*v.memories, *v.chats), key=lambda memory: -memory.poignancy)[
        : v.questions
    ]
    return [fitting(memory.text, LONGEST) for memory in weightiest]


def _each_question_once(v: FocusVars, reply: FocusReply) -> FocusReply:
    return reply.model_copy(update={"questions": unrepeated(reply.questions)})


def _as_many_as_wanted(v: FocusVars, reply: FocusReply) -> FocusReply:
    return reply.model_copy(update={"questions": reply.questions[: v.questions]})


FOCUS = Prompt(
    "reflect_focus", FocusVars, FocusReply,
    fallback=lambda v: FocusReply(questions=_weightiest(v)),
    narrow=_questions, mend=(Rule("merged", _each_question_once), Rule("shortened", _as_many_as_wanted), Rule("emptied", lambda _, reply: _in_words(reply))),
    persona="life", max_tokens=1650,
)  # fmt: skip


# reflect_insights --------------------------------------------------------------------------


@frozen
class InsightsVars(Variables):
    """Variables for insights into `questions`, with the memories retrieved for them.

    Insights cite memories by number from 1.
    """

    questions: tuple[str, ...]
    memories: tuple[Concept, ...]
    insights: int


class Insight(Row):
    thought: Annotated[str, OneLine(LONGEST)]
    evidence: list[int] = Field(
        min_length=1, max_length=10, description="Numbers of the memories it rests on."
    )
    weight: int = Field(UNRATED, ge=1, le=10, description="How much it matters.")


class InsightsReply(Reply):
    insights: list[Insight] = Field(max_length=10)
    settled: list[int] = Field(
        default_factory=list,
        max_length=MOST_SETTLED,
        description="Numbers of the memories that are done or no longer true.",
    )


def _evidence(v: InsightsVars) -> Mapping[str, Keywords]:
    return {
        "insights": at_most(v.insights if v.memories else 0),
        "insights[].thought": _share(v, FOR_INSIGHTS, v.insights),
        "insights[].evidence": at_most(EVIDENCE),
        "insights[].evidence[]": between(1, len(v.memories)),
        **settled_bounds(len(v.memories)),
    }


def _each_insight_once(v: InsightsVars, reply: InsightsReply) -> InsightsReply:
    """Remove repeated insights, and repeated evidence of each."""
    once = unrepeated(reply.insights, lambda insight: insight.thought)
    insights = [
        insight.model_copy(update={"evidence": list(dict.fromkeys(insight.evidence))})
        for insight in once
    ]
    return reply.model_copy(update={"insights": insights})


def _at_most_as_many(v: InsightsVars, reply: InsightsReply) -> InsightsReply:
    return reply.model_copy(update={"insights": reply.insights[: v.insights]})


INSIGHTS = Prompt(
    "reflect_insights", InsightsVars, InsightsReply,
    fallback=lambda v: InsightsReply(insights=[]),
    narrow=_evidence, mend=(Rule("merged", _each_insight_once), Rule("shortened", _at_most_as_many)),
    persona="life", max_tokens=900,
)  # fmt: skip
