"""Prompts for reflection (Park et al. 2023, §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from hometown.prompt.mending import in_words, recites, unrepeated
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


def _text_bounds(v: Variables, total: int, texts: int, shortest: int = 1) -> Keywords:
    """Return the bounds of each of so many texts that share `total` characters, at most `LONGEST`
    each.
    """
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
    """The thoughts about conversations."""

    thoughts: list[ChatThought] = Field(max_length=20)


AfterChats = TypeVar("AfterChats", "ChatsReply", "FocusReply")
"""A reply that contains thoughts about conversations."""


def _narrow_thoughts(v: ChatsVars | FocusVars) -> Mapping[str, Keywords]:
    """Return the bounds of thoughts about conversations: at most `MOST_CHATS` thoughts, the numbers
    of the conversations, and the lengths of texts.
    """
    noted = min(MOST_CHATS, len(v.chats))
    bounds = _text_bounds(v, FOR_CHATS, 2 * noted, shortest=0)
    return {
        "thoughts": at_most(noted),
        "thoughts[].chat": between(1, max(1, len(v.chats))),
        "thoughts[].plan": bounds,
        "thoughts[].memo": bounds,
    }


def _empty_thoughts(reply: AfterChats, kept: Callable[[str], str]) -> AfterChats:
    """Return a reply with the texts of its thoughts as `kept` returns them."""
    thoughts = [
        noted.model_copy(update={"plan": kept(noted.plan), "memo": kept(noted.memo)})
        for noted in reply.thoughts
    ]
    return reply.model_copy(update={"thoughts": thoughts})


def _empty_wordless(reply: AfterChats) -> AfterChats:
    """Return a reply in whose thoughts texts without words are empty."""
    return _empty_thoughts(reply, in_words)


def _empty_recited(chats: Sequence[Concept], reply: AfterChats) -> AfterChats:
    """Return a reply in whose thoughts texts that recite the memory of a conversation are empty."""
    shown = [chat.text for chat in chats]
    return _empty_thoughts(reply, lambda text: "" if recites(text, shown) else text)


CHATS = Prompt(
    "reflect_chats",
    ChatsVars,
    ChatsReply,
    fallback=lambda v: ChatsReply(thoughts=[]),
    narrow=_narrow_thoughts,
    mend=(
        Rule("emptied", lambda _, reply: _empty_wordless(reply)),
        Rule("recited", lambda v, reply: _empty_recited(v.chats, reply)),
    ),
    persona="life",
    max_tokens=1150,
)


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
    """The questions of a reflection, and the thoughts about conversations."""

    questions: list[Annotated[str, OneLine(LONGEST)]] = Field(
        min_length=1,
        max_length=10,
        description="The most salient high-level questions that these memories raise.",
    )
    thoughts: list[ChatThought] = Field(default_factory=list, max_length=20)


def _narrow_questions(v: FocusVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the number and the length of questions, and those of thoughts
    if there are conversations.
    """
    return {
        "questions": exactly(v.questions),
        "questions[]": _text_bounds(v, FOR_QUESTIONS, v.questions),
        **(_narrow_thoughts(v) if v.chats else {"thoughts": LEFT_OUT}),
    }


def _list_weightiest(v: FocusVars) -> list[str]:
    """Return the texts of the weightiest memories, as many as questions are asked for."""
    weightiest = sorted((*v.memories, *v.chats), key=lambda memory: -memory.poignancy)[
        : v.questions
    ]
    return [fitting(memory.text, LONGEST) for memory in weightiest]


def _merge_questions(v: FocusVars, reply: FocusReply) -> FocusReply:
    """Return a reply without repeated questions."""
    return reply.model_copy(update={"questions": unrepeated(reply.questions)})


def _shorten_questions(v: FocusVars, reply: FocusReply) -> FocusReply:
    """Return a reply with no more questions than were asked for."""
    return reply.model_copy(update={"questions": reply.questions[: v.questions]})


FOCUS = Prompt(
    "reflect_focus",
    FocusVars,
    FocusReply,
    fallback=lambda v: FocusReply(questions=_list_weightiest(v)),
    narrow=_narrow_questions,
    mend=(
        Rule("merged", _merge_questions),
        Rule("shortened", _shorten_questions),
        Rule("emptied", lambda _, reply: _empty_wordless(reply)),
        Rule("recited", lambda v, reply: _empty_recited(v.chats, reply)),
    ),
    persona="life",
    max_tokens=1650,
)


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
    """A thought, the memories on which it rests, and how much it matters."""

    thought: Annotated[str, OneLine(LONGEST)]
    evidence: list[int] = Field(
        min_length=1, max_length=10, description="Numbers of the memories it rests on."
    )
    weight: int = Field(UNRATED, ge=1, le=10, description="How much it matters.")


class InsightsReply(Reply):
    """The insights, and the numbers of memories that are over."""

    insights: list[Insight] = Field(max_length=10)
    settled: list[int] = Field(
        default_factory=list,
        max_length=MOST_SETTLED,
        description="Numbers of the memories that are done or no longer true.",
    )


def _narrow_insights(v: InsightsVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the number and the length of insights, and the numbers of the
    memories that they cite or call over.
    """
    return {
        "insights": at_most(v.insights if v.memories else 0),
        "insights[].thought": _text_bounds(v, FOR_INSIGHTS, v.insights),
        "insights[].evidence": at_most(EVIDENCE),
        "insights[].evidence[]": between(1, len(v.memories)),
        **settled_bounds(len(v.memories)),
    }


def _drop_recited(v: InsightsVars, reply: InsightsReply) -> InsightsReply:
    """Return a reply without insights that recite a memory."""
    shown = [memory.text for memory in v.memories]
    kept = [insight for insight in reply.insights if not recites(insight.thought, shown)]
    return reply.model_copy(update={"insights": kept})


def _merge_insights(v: InsightsVars, reply: InsightsReply) -> InsightsReply:
    """Return a reply without repeated insights, and without repeated evidence of each."""
    once = unrepeated(reply.insights, lambda insight: insight.thought)
    insights = [
        insight.model_copy(update={"evidence": list(dict.fromkeys(insight.evidence))})
        for insight in once
    ]
    return reply.model_copy(update={"insights": insights})


def _shorten_insights(v: InsightsVars, reply: InsightsReply) -> InsightsReply:
    """Return a reply with no more insights than were asked for."""
    return reply.model_copy(update={"insights": reply.insights[: v.insights]})


INSIGHTS = Prompt(
    "reflect_insights",
    InsightsVars,
    InsightsReply,
    fallback=lambda v: InsightsReply(insights=[]),
    narrow=_narrow_insights,
    mend=(
        Rule("recited", _drop_recited),
        Rule("merged", _merge_insights),
        Rule("shortened", _shorten_insights),
    ),
    persona="life",
    max_tokens=900,
)
