"""The prompt for an interview: a question from outside the town to one resident (Park et al. 2023,
§6.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import LEFT_OUT, Keywords, at_most, between, one_of
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting
from hometown.world.rows import Promise

ANSWER_LENGTH = 480
"""Maximum length of an answer, in English characters."""

EVIDENCE = 5
"""Maximum number of memories that an answer cites."""

AMOUNT_SEPARATOR = ", "
"""Text between the amounts of an answer that divides something."""

Knows = Literal["yes", "no", "unsure"]


AnswerForm = Literal["option", "number", "amounts"]
"""The form of an answer to a closed question: an option, a whole number, or the amounts of several
things that add up to a total.
"""


@frozen
class Choices:
    """All possible answers to a closed question, and the reply that refuses it; no options for an
    open question.

    Options of a choice or a scale are in the order in which they are shown. Numbers are from
    `span[0]` to `span[1]` in steps of `span[2]`; amounts are those of each thing `among` which
    `span[1]` is divided, as shown, in units of `span[2]`. A reply may be held to answers `within`
    them, with the same question.
    """

    options: tuple[str, ...] = ()
    refusal: str = ""
    form: AnswerForm = "option"
    span: tuple[int, int, int] = (0, 0, 1)
    among: tuple[str, ...] = ()
    within: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """All possible answers, the refusal last; none of an open question."""
        return (*self.options, self.refusal) if self.options else ()


OPEN = Choices()
"""The choices of an open question."""


@frozen
class InterviewVars(Variables):
    """Variables for an answer to `question`, with the memories retrieved for it, cited by number,
    from 1.

    `plan` is the rest of the day as (minute, activity), the current entry first, `so_far` are the
    entries before it, and `talks` the conversations of the day as (minute, names of the others).
    `promises` are agreements to come. `lines` are earlier questions of the same interview with their answers, in
    order. Where there are `choices`, the answer is one of them, word for word.
    """

    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    promises: tuple[Promise, ...]
    lines: tuple[tuple[str, str], ...]
    question: str
    choices: Choices = OPEN
    so_far: tuple[tuple[int, str], ...] = ()
    talks: tuple[tuple[int, str], ...] = ()


class InterviewReply(Reply):
    """An answer, the memories on which it rests, and whether the resident knows it."""

    evidence: list[int] = Field(
        [],
        max_length=EVIDENCE,
        description="Numbers of the memories on which the answer rests; none for a closed question.",
    )
    answer: Annotated[str, OneLine(ANSWER_LENGTH)] = Field(
        description="The answer, in the first person."
    )
    knows: Knows = Field("unsure", description="Whether the resident knows what was asked.")


def _narrow(v: InterviewVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: of an open question, the numbers of the memories and the length;
    of a closed one, its possible answers alone.
    """
    if v.choices.options:
        answers = one_of(v.choices.within or v.choices.answers)
        return {"evidence": LEFT_OUT, "answer": answers, "knows": LEFT_OUT}
    return {
        "evidence": at_most(EVIDENCE if v.memories else 0),
        "evidence[]": between(1, len(v.memories)),
        "answer": v.situation.text(ANSWER_LENGTH),
        "knows": one_of(get_args(Knows)),
    }


def _cite_once(_: InterviewVars, reply: InterviewReply) -> InterviewReply:
    """Return a reply that cites each memory once."""
    return reply.model_copy(update={"evidence": list(dict.fromkeys(reply.evidence))})


INTERVIEW = Prompt(
    "interview",
    InterviewVars,
    InterviewReply,
    fallback=lambda v: InterviewReply(
        evidence=[], answer=v.choices.refusal or fitting("", ANSWER_LENGTH), knows="unsure"
    ),
    narrow=_narrow,
    mend=(Rule("merged", _cite_once),),
    max_tokens=300,
    temperature=0.5,
)
