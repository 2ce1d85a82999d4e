"""The prompts of a judge, a reader from outside the town: it ranks answers by how believable they
are (Park et al. 2023, §6.2), and says whether one holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, exactly, line, one_of
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting

REASON_LENGTH = 360
"""Characters of a reason, in English."""

MOST_ANSWERS = 8
"""Answers that are ranked at once, at most."""


@frozen
class RankVars(Variables):
    """`answers` are ranked as answers of the resident to `question`; `memories` and `plan` are what
    it has that may matter to the question.
    """

    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    question: str
    answers: tuple[str, ...]


class RankReply(Reply):
    reason: str = Field(
        pattern=line(REASON_LENGTH),
        description="What speaks for the best answer and against the worst.",
    )
    order: list[int] = Field(
        min_length=1,
        max_length=MOST_ANSWERS,
        description="The numbers of all answers, the most believable first.",
    )


def _bounds(v: RankVars) -> Mapping[str, Keywords]:
    count = len(v.answers)
    return {
        "reason": v.situation.text(REASON_LENGTH),
        "order": exactly(count),
        "order[]": between(1, count),
    }


def _each_once(v: RankVars, reply: RankReply) -> RankReply:
    """What is named twice counts where it is named first, and what isn't named comes last, in the
    order in which it was shown.
    """
    return reply.model_copy(
        update={"order": list(dict.fromkeys([*reply.order, *range(1, len(v.answers) + 1)]))}
    )


RANK_ANSWERS = Prompt(
    "rank_answers", RankVars, RankReply,
    fallback=lambda v: RankReply(reason=fitting("", REASON_LENGTH), order=list(range(1, len(v.answers) + 1))),
    narrow=_bounds, mend=(Rule("merged", _each_once),),
    max_tokens=260, temperature=0.0, judges=True,
)  # fmt: skip


Held = Literal[
    "supported", "embellished", "invented", "contradicted", "missed", "declined", "unchecked"
]
"""What can be said of an answer, by rule as by a judge; `hometown.study.grounding` says what each
word means.
"""


@frozen
class CheckVars(Variables):
    """`answer` is what the resident has answered to `question`; `memories` and `plan` are what it
    has that may matter to the question.
    """

    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    question: str
    answer: str


class CheckReply(Reply):
    reason: str = Field(
        pattern=line(REASON_LENGTH),
        description="What in the answer nothing bears out, or what bears it out.",
    )
    verdict: Held = Field(description="Whether the answer holds.")


CHECK_ANSWER = Prompt(
    "check_answer", CheckVars, CheckReply,
    fallback=lambda v: CheckReply(reason=fitting("", REASON_LENGTH), verdict="unchecked"),
    narrow=lambda v: {"reason": v.situation.text(REASON_LENGTH), "verdict": one_of(get_args(Held))},
    max_tokens=200, temperature=0.0, judges=True,
)  # fmt: skip
