"""Counts of verdicts, with the intervals of their shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hometown.frozen import frozen
from hometown.shares import Share
from hometown.study.access_conditions import AccessCondition
from hometown.study.grounding import Judgement, Verdict, judge
from hometown.study.interview import InterviewAnswer, Interviewer
from hometown.study.questionnaire import InterviewQuestion


@frozen
class Judged:
    """An answer to a question of a questionnaire, and the verdict on it."""

    question: InterviewQuestion
    answer: InterviewAnswer
    judgement: Judgement


def verdicts(judged: Iterable[Judged]) -> Counter[Verdict]:
    """Count the answers by verdict."""
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
        answer = await interviewer.ask(
            who, question.text, at, condition=condition, choices=question.choices
        )
        judged.append(Judged(question, answer, judge(interviewer, question, answer)))
    return judged
