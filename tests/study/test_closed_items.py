"""Closed questions: options, refusals, scores and the effect of position."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import orjson
import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.language import LANGS, Lang
from hometown.model.llm import Completion, Request
from hometown.prompt.interview_answers import InterviewVars
from hometown.shares import Share
from hometown.storage.run import RunFile
from hometown.study.closed_items import (
    choice_columns,
    count_refusals,
    count_shown_first,
    list_places,
    scale_scores,
)
from hometown.study.experiment.closed_answers import closed_answers
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.report_blocks import ReportPicture, ReportTable
from hometown.study.experiment.tables import write_csv
from hometown.study.questionnaire import (
    Asking,
    InterviewQuestion,
    find_questionnaire,
    questions_for,
)
from hometown.study.tally import Judged, fallbacks, interview
from tests.support.interviews import interviewed, interviewer, now
from tests.support.town import minitown

MORNING = datetime(2025, 2, 13, 9, 0)

NEIGHBOURS = find_questionnaire("neighbours")


class Chooser:
    """A model that always gives the option at one place: 0 for the first, -1 for the refusal, None
    for a reply that is no option.
    """

    name = "chooser"

    def __init__(self, place: int | None) -> None:
        self.place = place

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        assert isinstance(request.variables, InterviewVars)
        choices = request.variables.choices
        offered = (*choices.options, choices.refusal)
        answer = "a purple elephant" if self.place is None else offered[self.place]
        return Completion(orjson.dumps({"evidence": [], "answer": answer}).decode(), 7, 3)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


def answers_of(results: Path, place: int | None) -> list[Judged]:
    """The answers of one resident to the shipped scale."""
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, Chooser(place))
        questions = questions_for(NEIGHBOURS, Asking(asks.world(30), "lin_yue", MORNING, 1))
        return now(interview(asks, questions, "lin_yue", 30))


@pytest.mark.parametrize("lang", LANGS)
def test_options_are_shuffled_by_seed_and_scores_follow_them(lang: Lang) -> None:
    world, shown = minitown(lang), Counter[str]()
    scores: dict[tuple[str, str], set[int]] = {}
    for seed in range(40):
        asking = Asking(world, "lin_yue", MORNING, seed)
        questions = questions_for(NEIGHBOURS, asking)
        assert questions == questions_for(NEIGHBOURS, asking)
        for question in questions:
            shown[question.choices.options[0]] += 1
            for option, score in zip(question.choices.options, question.scores, strict=False):
                scores.setdefault((question.id, option), set()).add(score)
    assert all(len(own) == 1 for own in scores.values())
    first = next(iter(scores))[1]
    assert scores["help", first] != scores["apart", first]
    assert len(shown) == 2 + 4 + 3


def test_a_refusal_is_no_unusable_reply(results: Path) -> None:
    refused, unusable = answers_of(results, -1), answers_of(results, None)
    assert count_refusals(refused).count == len(refused) == 8
    assert fallbacks(refused).count == 0
    assert {each.judgement.verdict for each in refused} == {"declined"}
    assert count_refusals(unusable).count == 0
    assert fallbacks(unusable).count == 8
    assert not scale_scores([*refused, *unusable])


def test_the_first_option_each_time_is_an_effect_of_position(results: Path) -> None:
    judged = answers_of(results, 0)
    assert count_shown_first(list_places(judged)) == Share(8, 8)
    columns = choice_columns(judged[0].question, judged[0].answer)
    assert columns["position"] == 1
    assert columns["score"] in (1, 5)
    assert columns["refused"] == 0
    assert str(columns["options"]).split(" | ") == list(judged[0].question.choices.options)
    assert judged[0].answer.text == judged[0].question.choices.options[0]


def test_open_questions_have_no_options(results: Path) -> None:
    question = InterviewQuestion("age", "self", "age", "How old are you?")
    with RunFile.open(results, "town") as run:
        answer = now(interviewer(run).ask("lin_yue", question.text, 30))
    assert set(choice_columns(question, answer).values()) == {""}


def test_the_stand_in_answers_by_traits(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ask", "town", "--questionnaire", "neighbours", "--results", str(results)]
    assert hometown(words) == 0
    shown = capsys.readouterr().out
    assert "position effect: " in shown
    assert "refused: " in shown
    assert hometown([*words, "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    scores = {
        who: [each["score"] for each in answers if each["who"] == who and each["score"]]
        for who in ("lin_yue", "zhang_wei")
    }
    outgoing, reserved = (sum(own) / len(own) for own in scores.values())
    assert outgoing > reserved


def test_a_report_counts_closed_questions_alone(tmp_path: Path) -> None:
    row = {
        "condition": "control",
        "questionnaire": "neighbours",
        "moment": "end",
        "access": "full",
        "question": "help",
        "options": "no | perhaps | yes",
        "position": "1",
        "item": "scale",
        "score": "3",
        "refused": "0",
        "outcome": "ok",
    }
    rows = [
        row,
        row | {"position": "3", "score": "2"},
        row | {"position": "", "score": "", "refused": "1"},
        row | {"position": "", "score": "", "outcome": "fallback"},
        row | {"options": ""},
    ]
    answers = tmp_path / "tables" / "answers.csv"
    answers.parent.mkdir()
    write_csv(answers, tuple(row), [tuple(each.values()) for each in rows])
    (_, _, table, items, figure) = closed_answers(tmp_path, load_words("en"), scripted=False)
    assert isinstance(table, ReportTable)
    assert isinstance(items, ReportTable)
    counted = ["4", "1", "1", "2.5", "1 / 2"]
    assert table.rows == [["control / neighbours / end / full", *counted]]
    assert items.rows == [["control / neighbours / end / full / help", *counted]]
    assert isinstance(figure, ReportPicture)
    assert figure.name == "scale-neighbours-end-full"
    assert "control (n = 2)" in figure.svg
    write_csv(answers, tuple(row), [tuple(rows[-1].values())])
    assert not list(closed_answers(tmp_path, load_words("en"), scripted=False))


def test_a_receiver_to_whom_nothing_was_sent_makes_no_decision(tmp_path: Path) -> None:
    answer = {
        "condition": "control",
        "questionnaire": "trust",
        "moment": "end",
        "access": "full",
        "question": "send",
        "options": "0 | 5 | 10",
        "position": "",
        "item": "slider",
        "score": "",
        "refused": "0",
        "outcome": "ok",
    }
    where = {name: answer[name] for name in ("condition", "questionnaire", "moment", "access")}
    received = where | {"role": "receiver"}
    games = [
        received | {"stake": "20", "amount": "5", "payoff": "15.0"},
        received | {"stake": "20", "amount": "", "payoff": ""},
        received | {"stake": "0", "amount": "0", "payoff": "0.0"},
    ]
    (tmp_path / "tables").mkdir()
    for name, rows in (("answers", [answer]), ("games", games)):
        values = [tuple(row.values()) for row in rows]
        write_csv(tmp_path / "tables" / f"{name}.csv", tuple(rows[0]), values)
    (table,) = (
        block
        for block in closed_answers(tmp_path, load_words("en"), scripted=False)
        if isinstance(block, ReportTable) and block.rows[0][0].endswith("receiver")
    )
    assert table.rows == [["control / trust / end / full / receiver", "2", "1", "5", "20", "7.5"]]
