"""Prompts for a judge, a reader from outside the town: ranking answers by how believable they are
(Park et al. 2023, §6.2), and checking an answer against memories.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, exactly, one_of
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting

REASON_LENGTH = 360
"""Maximum length of a reason, in English characters."""

MOST_ANSWERS = 8
"""Maximum number of answers ranked at once."""


@frozen
class RankVars(Variables):
    """Variables for ranking several answers of a resident to `question`.

    `memories` and `plan` are the resident's own, as far as they matter to the question.
    """

    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    question: str
    answers: tuple[str, ...]


class RankReply(Reply):
    """The order of all answers, by number, with the reason."""

    reason: Annotated[str, OneLine(REASON_LENGTH)] = Field(
        description="What speaks for the best answer and against the worst."
    )
    order: list[int] = Field(
        min_length=1,
        max_length=MOST_ANSWERS,
        description="The numbers of all answers, the most believable first.",
    )


def _narrow_ranks(v: RankVars) -> Mapping[str, Keywords]:
    count = len(v.answers)
    return {
        "reason": v.situation.text(REASON_LENGTH),
        "order": exactly(count),
        "order[]": between(1, count),
    }


def _complete_order(v: RankVars, reply: RankReply) -> RankReply:
    """Return a reply with a complete order: repeated numbers count once, and missing ones follow in
    the order shown.
    """
    return reply.model_copy(
        update={"order": list(dict.fromkeys([*reply.order, *range(1, len(v.answers) + 1)]))}
    )


RANK_ANSWERS = Prompt(
    "rank_answers",
    RankVars,
    RankReply,
    fallback=lambda v: RankReply(
        reason=fitting("", REASON_LENGTH), order=list(range(1, len(v.answers) + 1))
    ),
    narrow=_narrow_ranks,
    mend=(Rule("merged", _complete_order),),
    max_tokens=260,
    temperature=0.0,
    judges=True,
)


Held = Literal[
    "supported", "embellished", "invented", "contradicted", "missed", "declined", "unchecked"
]
"""Verdicts on an answer, by rule or by a judge, defined in `hometown.study.grounding`."""


@frozen
class CheckVars(Variables):
    """Variables for checking a resident's `answer` to `question`.

    `memories` and `plan` are the resident's own, as far as they matter to the question.
    """

    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    question: str
    answer: str


class CheckReply(Reply):
    reason: Annotated[str, OneLine(REASON_LENGTH)] = Field(
        description="What in the answer nothing bears out, or what bears it out."
    )
    verdict: Held = Field(description="Whether the answer holds.")


CHECK_ANSWER = Prompt(
    "check_answer",
    CheckVars,
    CheckReply,
    fallback=lambda v: CheckReply(reason=fitting("", REASON_LENGTH), verdict="unchecked"),
    narrow=lambda v: {"reason": v.situation.text(REASON_LENGTH), "verdict": one_of(get_args(Held))},
    max_tokens=200,
    temperature=0.0,
    judges=True,
)
