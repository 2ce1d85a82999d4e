"""Closed questions and games in the tables of an experiment: allocations by thing, the outcomes of
games, and the figures of a town, which are measures like those of its behaviour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from hometown.frozen import frozen
from hometown.study.closed_items import read_move, split_amounts
from hometown.study.economic_games import GameOutcome, find_outcomes
from hometown.study.experiment.asking import AnswerKey
from hometown.study.experiment.instrument_outcomes import GIVEN, SCORED
from hometown.study.experiment.interview_ledgers import Ledger
from hometown.study.experiment.spec import Experiment, name_wave_figure
from hometown.study.inference.estimates import OutcomeKind
from hometown.study.questionnaire_definition import Questionnaire


class AskedWave(NamedTuple):
    """The interview to which an answer belongs."""

    questionnaire: str
    moment: str
    step: int
    access: str


@frozen
class ClosedAnswer:
    """An answer to a closed question, with its cells in the table `answers`."""

    key: AnswerKey
    cells: Mapping[str, Any]

    @property
    def circumstances(self) -> AskedWave:
        key = self.key
        return AskedWave(key.questionnaire, key.moment, key.step, key.access)

    @property
    def is_answered(self) -> bool:
        return self.cells["outcome"] != "fallback" and not self.cells["refused"]


def list_closed_answers(answers: Ledger) -> list[ClosedAnswer]:
    """Return a run's answers to closed questions."""
    return [
        ClosedAnswer(AnswerKey(*key), entry)
        for key, entry in answers.entries.items()
        if entry.get("item")
    ]


def list_allocations(answers: Ledger) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table `allocations`: one for each thing of each allocation."""
    for each in list_closed_answers(answers):
        if each.cells["item"] == "allocation" and each.is_answered:
            amounts = split_amounts(each.cells["options"], each.cells["answer"])
            for thing, amount in amounts.items():
                yield (*each.circumstances, each.key.who, each.key.question, thing, amount)


def list_game_rows(experiment: Experiment, answers: Ledger) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table `games`: the outcome of each role, with the rules of the game."""
    for where, questionnaire, outcomes in _list_games(experiment, list_closed_answers(answers)):
        game = questionnaire.game
        if game:
            for each in outcomes:
                known = ("" if value is None else value for value in (each.amount, each.payoff))
                yield (
                    *where,
                    game.kind,
                    game.endowment,
                    game.multiplier,
                    each.who,
                    each.role,
                    each.partner,
                    each.stake,
                    *known,
                )


def _list_games(
    experiment: Experiment, closed: Iterable[ClosedAnswer]
) -> Iterator[tuple[AskedWave, Questionnaire, list[GameOutcome]]]:
    """Yield (circumstances, questionnaire, outcomes) of each time that a game was played."""
    games = {
        part.questionnaire.name: part.questionnaire
        for part in experiment.interviews
        if part.questionnaire.game
    }
    for where, own in _group(closed).items():
        questionnaire = games.get(where.questionnaire)
        if questionnaire and questionnaire.game:
            moves = [
                move
                for each in own
                if (
                    move := read_move(
                        each.key.who,
                        each.key.question,
                        each.key.about,
                        each.cells["item"],
                        each.cells["score"],
                    )
                )
            ]
            yield where, questionnaire, [*find_outcomes(questionnaire.game, moves)]


def _group(closed: Iterable[ClosedAnswer]) -> dict[AskedWave, list[ClosedAnswer]]:
    groups: dict[AskedWave, list[ClosedAnswer]] = {}
    for each in closed:
        groups.setdefault(each.circumstances, []).append(each)
    return groups


# figures of a town --------------------------------------------------------------------------


def find_instrument_figures(
    experiment: Experiment, answers: Ledger
) -> Iterator[tuple[str, str, float, OutcomeKind]]:
    """Yield figures of a run's closed questions with full access, as (name, subject, value, kind),
    for each wave. Subjects are QUESTIONNAIRE, QUESTIONNAIRE/QUESTION for sliders and
    QUESTIONNAIRE/QUESTION/THING for allocations.

    `closed.score`: of a scale, the mean of residents' mean scores; of a slider, the mean number.
    `closed.expected`: the same of the expected scores, where answers have probabilities.
    `closed.amount`: of an allocation, the mean amount. `closed.refused` and `closed.unusable`: of
    all answers, the shares of refusals and of unusable replies. `games.given`, `games.sent`,
    `games.returned` and `games.contributed`: the mean share of what was possible.
    """
    closed = [each for each in list_closed_answers(answers) if each.key.access == "full"]
    for where, own in _group(closed).items():
        for name, about, value, kind in _find_closed_figures(own):
            yield name_wave_figure(name, where.moment), about, value, kind
    for where, questionnaire, outcomes in _list_games(experiment, closed):
        for role, figure in GIVEN.items():
            shares = [
                each.amount / each.stake
                for each in outcomes
                if each.role == role and each.stake and each.amount is not None
            ]
            if shares:
                name = name_wave_figure(figure, where.moment)
                yield name, questionnaire.name, fmean(shares), "share"


def _find_closed_figures(
    answers: Sequence[ClosedAnswer],
) -> Iterator[tuple[str, str, float, OutcomeKind]]:
    """Yield the figures of the answers to one questionnaire in one wave."""
    name = answers[0].key.questionnaire
    numbers: dict[tuple[str, str], list[float]] = {}
    for figure, column in SCORED.items():
        yield from _find_scores(answers, figure, column)
    for each in answers:
        if each.cells["item"] == "allocation" and each.is_answered:
            amounts = split_amounts(each.cells["options"], each.cells["answer"])
            for thing, amount in sorted(amounts.items()):
                about = f"{name}/{each.key.question}/{thing}"
                numbers.setdefault(("closed.amount", about), []).append(amount)
    for (figure, about), own in numbers.items():
        yield figure, about, fmean(own), "score"
    refused = sum(bool(each.cells["refused"]) for each in answers)
    unusable = sum(each.cells["outcome"] == "fallback" for each in answers)
    yield "closed.refused", name, refused / len(answers), "share"
    yield "closed.unusable", name, unusable / len(answers), "share"


def _find_scores(
    answers: Sequence[ClosedAnswer], figure: str, column: str
) -> Iterator[tuple[str, str, float, OutcomeKind]]:
    """Yield the means of a column of answers: of the scale over residents, and of each slider."""
    name = answers[0].key.questionnaire
    by_resident: dict[str, list[float]] = {}
    sliders: dict[str, list[float]] = {}
    for each in answers:
        value = each.cells.get(column, "")
        if value != "" and each.cells["item"] == "scale":
            by_resident.setdefault(each.key.who, []).append(value)
        elif value != "" and each.cells["item"] == "slider":
            sliders.setdefault(f"{name}/{each.key.question}", []).append(value)
    if by_resident:
        yield figure, name, fmean(map(fmean, by_resident.values())), "score"
    for about, own in sliders.items():
        yield figure, about, fmean(own), "score"
