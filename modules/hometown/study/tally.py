"""Counts of verdicts, with the intervals of their shares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from hometown.frozen import frozen
from hometown.study.access_conditions import AccessCondition
from hometown.study.grounding import Judgement, Verdict, judge
from hometown.study.interview import InterviewAnswer, Interviewer
from hometown.study.questionnaire import InterviewQuestion

NORMAL_95 = 1.959964
"""The 97.5th percentile of the normal distribution: a two-sided interval of 95 %."""


@frozen
class Judged:
    """An answer to a question of a questionnaire, and the verdict on it."""

    question: InterviewQuestion
    answer: InterviewAnswer
    judgement: Judgement


@frozen
class Share:
    """A share, `count` of `total`, with the limits of its 95 % interval (Wilson 1927), which are
    valid for small counts and for none.
    """

    count: int
    total: int

    @property
    def interval(self) -> tuple[float, float]:
        """
        >>> [round(limit, 3) for limit in Share(6, 453).interval]
        [0.006, 0.029]
        """
        if not self.total:
            return 0.0, 1.0
        part, square = self.count / self.total, NORMAL_95**2
        middle = (part + square / (2 * self.total)) / (1 + square / self.total)
        half = (
            NORMAL_95
            * math.sqrt(part * (1 - part) / self.total + square / (4 * self.total**2))
            / (1 + square / self.total)
        )
        return max(0.0, middle - half), min(1.0, middle + half)


def verdicts(judged: Iterable[Judged]) -> Counter[Verdict]:
    return Counter(each.judgement.verdict for each in judged)


def count_invented(judged: Sequence[Judged]) -> Share:
    """Return the share of invented answers among those in which the resident claims to know (Park
    et al. 2023, §7.1.1: 6 of 453).
    """
    claims = [
        each for each in judged if each.answer.knows == "yes" and each.answer.outcome != "fallback"
    ]
    return Share(verdicts(claims)["invented"], len(claims))


def fallbacks(judged: Sequence[Judged]) -> Share:
    """Return the share of answers without a usable reply of the model."""
    return Share(sum(each.answer.outcome == "fallback" for each in judged), len(judged))


async def interview(
    interviewer: Interviewer,
    questions: Iterable[InterviewQuestion],
    who: str,
    at: int,
    condition: AccessCondition = "full",
) -> list[Judged]:
    """Return a resident's answers to questions, each asked by itself, so that none depends on the
    order.

    Under every `condition` they are judged by all of the resident's data.
    """
    judged = []
    for question in questions:
        answer = await interviewer.ask(who, question.text, at, condition=condition)
        judged.append(Judged(question, answer, judge(interviewer, question, answer)))
    return judged
