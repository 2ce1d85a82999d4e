"""Answers to closed questions: choices, items of scales and their scores, refusals, and the effect of
the order in which options were shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from hometown.shares import Share
from hometown.study.interview import InterviewAnswer
from hometown.study.questionnaire import InterviewQuestion
from hometown.study.tally import Judged

SEPARATOR = " | "
"""Text between the options of an answer in tables."""

ChoiceCell = str | int

CHOICE_COLUMNS = ("options", "position", "score", "refused")
"""Columns of answers that only closed questions fill."""


def choice_columns(question: InterviewQuestion, answer: InterviewAnswer) -> dict[str, ChoiceCell]:
    """Return what tables have of an answer to a closed question: its options as shown, the position
    of the chosen one from 1, its score, and 1 for a refusal; "" for what it does not have.
    """
    options = question.choices.options
    if not options:
        return dict.fromkeys(CHOICE_COLUMNS, "")
    place = position(question, answer)
    return {
        "options": SEPARATOR.join(options),
        "position": place or "",
        "score": question.scores[place - 1] if place and question.scores else "",
        "refused": int(is_refusal(question, answer)),
    }


def position(question: InterviewQuestion, answer: InterviewAnswer) -> int:
    """Return the position of the chosen option as shown, from 1; 0 for a refusal or no usable
    answer.
    """
    options = question.choices.options
    is_choice = answer.outcome != "fallback" and answer.text in options
    return options.index(answer.text) + 1 if is_choice else 0


def is_refusal(question: InterviewQuestion, answer: InterviewAnswer) -> bool:
    """Return True if the resident refused to answer; no usable reply is no refusal."""
    return answer.outcome != "fallback" and answer.text == question.choices.refusal


def list_closed(judged: Iterable[Judged]) -> list[Judged]:
    """Return the answers to closed questions."""
    return [each for each in judged if each.question.choices.options]


def count_refusals(closed: Sequence[Judged]) -> Share:
    """Return the share of refusals among answers to closed questions."""
    return Share(sum(is_refusal(each.question, each.answer) for each in closed), len(closed))


def list_places(closed: Iterable[Judged]) -> list[tuple[int, int]]:
    """Return (position of the chosen option, number of options) of each answer; 0 for none."""
    return [
        (position(each.question, each.answer), len(each.question.choices.options))
        for each in closed
    ]


def count_shown_first(places: Iterable[tuple[int, int]]) -> Share:
    """Return the share of choices from the first half of the options as shown, among those from
    either half, by (position, number of options). About half of them are without an effect of
    position, since options are shuffled or turned round by chance; the middle one of an odd number
    is in neither half.

    >>> count_shown_first([(1, 5), (2, 5), (3, 5), (4, 5), (0, 5), (2, 2)])
    Share(count=2, total=4)
    """
    first = later = 0
    for place, options in places:
        first += 0 < place <= options // 2
        later += place > (options + 1) // 2
    return Share(first, first + later)


def scale_scores(closed: Iterable[Judged]) -> dict[str, tuple[float, int]]:
    """Return (mean score, number of items) for each resident, by id, who answered an item of a
    scale; the scores of reversed items are turned round, and refusals are left out.
    """
    scores: dict[str, list[int]] = {}
    for each in closed:
        place = position(each.question, each.answer)
        if place and each.question.scores:
            scores.setdefault(each.answer.who, []).append(each.question.scores[place - 1])
    return {who: (fmean(own), len(own)) for who, own in scores.items()}
