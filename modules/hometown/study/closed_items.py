"""Answers to closed questions: choices, items of scales and their scores, sliders, allocations and
decisions of games; refusals, and the effect of the order in which options were shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import get_args

from hometown.prompt.interview_answers import AMOUNT_SEPARATOR
from hometown.shares import Share
from hometown.study.economic_games import GameMove
from hometown.study.interview import InterviewAnswer
from hometown.study.questionnaire import InterviewQuestion
from hometown.study.questionnaire_definition import SEPARATOR, GameRole
from hometown.study.tally import Judged

ChoiceCell = str | int | float

DECIMALS = 4
"""Number of decimals of probabilities and of what is expected by them."""

CHOICE_COLUMNS = (
    "item",
    "options",
    "position",
    "score",
    "refused",
    "probability",
    "expected",
    "probabilities",
)
"""Columns of answers that only closed questions fill."""

DECISIONS: tuple[GameRole, ...] = get_args(GameRole)
"""The kinds of items that are decisions of a game."""


def choice_columns(question: InterviewQuestion, answer: InterviewAnswer) -> dict[str, ChoiceCell]:
    """Return what tables have of an answer to a closed question: the kind of the item, its options
    as shown, the position of the chosen one from 1, its score, 1 for a refusal, and the
    probabilities, where the model's server gives them: that of the answer, the expected score, and
    those of all possible answers, the refusal last; "" for what it does not have.
    """
    choices = question.choices
    if not choices.options:
        return dict.fromkeys(CHOICE_COLUMNS, "")
    shown = choices.among or choices.options
    if choices.form == "number":
        shown = (choices.options[0], choices.options[-1])
    found, expected = find_score(question, answer), find_expected_score(question, answer)
    weighed = dict(zip(choices.answers, answer.probabilities, strict=False))
    return {
        "item": question.kind,
        "options": SEPARATOR.join(shown),
        "position": position(question, answer) or "",
        "score": "" if found is None else found,
        "refused": int(is_refusal(question, answer)),
        "probability": round(weighed[answer.text], DECIMALS) if weighed else "",
        "expected": "" if expected is None else round(expected, DECIMALS),
        "probabilities": SEPARATOR.join(f"{each:.{DECIMALS}f}" for each in weighed.values()),
    }


def is_chosen(question: InterviewQuestion, answer: InterviewAnswer) -> bool:
    """Return True if the answer is one of the possible ones, not a refusal."""
    return answer.outcome != "fallback" and answer.text in question.choices.options


def position(question: InterviewQuestion, answer: InterviewAnswer) -> int:
    """Return the position of the chosen option as shown, from 1; 0 for a refusal, no usable answer,
    or an item without options.
    """
    if question.choices.form != "option" or not is_chosen(question, answer):
        return 0
    return question.choices.options.index(answer.text) + 1


def find_score(question: InterviewQuestion, answer: InterviewAnswer) -> int | None:
    """Return the score of an answer: the item's on its scale, or the number that was named; None for
    a refusal, no usable answer, a choice or an allocation.
    """
    if not question.scores or not is_chosen(question, answer):
        return None
    return question.scores[question.choices.options.index(answer.text)]


def find_expected_score(question: InterviewQuestion, answer: InterviewAnswer) -> float | None:
    """Return the mean of the scores of an item, or of the numbers, weighted by their probabilities,
    without the refusal; None where there are none.
    """
    scored = answer.probabilities[: len(question.scores)]
    if not sum(scored):
        return None
    pairs = zip(question.scores, scored, strict=True)
    return sum(score * weight for score, weight in pairs) / sum(scored)


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
        found = find_score(each.question, each.answer)
        if each.question.kind == "scale" and found is not None:
            scores.setdefault(each.answer.who, []).append(found)
    return {who: (fmean(own), len(own)) for who, own in scores.items()}


def split_amounts(options: str, answer: str) -> dict[str, int]:
    """Return the amount of each thing, from the cells of an allocation in a table.

    >>> split_amounts("rest | work", "30, 70")
    {'rest': 30, 'work': 70}
    """
    amounts = map(int, answer.split(AMOUNT_SEPARATOR))
    return dict(zip(options.split(SEPARATOR), amounts, strict=True))


def read_move(who: str, question: str, about: str, item: str, score: ChoiceCell) -> GameMove | None:
    """Return the decision in a game that an answer is, by its cells in a table; None for other
    answers. A receiver's question ends with the amount that was sent.
    """
    role = next((role for role in DECISIONS if role == item), None)
    if role is None:
        return None
    sent = int(question.rpartition("-")[2]) if role == "receiver" else 0
    return GameMove(who, role, about, sent, None if score == "" else int(score))


def list_moves(closed: Iterable[Judged]) -> list[GameMove]:
    """Return the decisions in a game among answers to closed questions."""
    moves = []
    for each in closed:
        cells = choice_columns(each.question, each.answer)
        question = each.question
        move = read_move(
            each.answer.who, question.id, question.about, str(cells["item"]), cells["score"]
        )
        moves += [move] if move else []
    return moves
