"""Reference answers: residents beside the people whom they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.errors import BadInput
from hometown.study.experiment.codebook import CODEBOOK
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.reference_answers import REFERENCE_COLUMNS, add_reference
from hometown.study.experiment.reference_report import compare_answers, describe_reference
from hometown.study.experiment.report_blocks import ReportPicture, ReportTable
from hometown.study.experiment.spec import Experiment
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import COLUMNS, write_csv
from hometown.study.reference_agreement import ComparedAnswer, find_agreement, find_calibration
from tests.support.experiments import small

STUDY = """
name: small
question: Do residents answer as the people whom they stand for?
town: {world: minitown, until: "06:30"}
seeds: [1]
conditions: {usual: {}}
interviews: [{questionnaire: neighbours}, {questionnaire: mood}]
primary: {measure: closed.score, about: neighbours}
"""

MOOD = """
title: Mood
refusal: No answer
questions:
  - {id: mood, slider: {low: 0, high: 10, step: 5}, text: "How satisfied are you, from 0 to 10?"}
  - {id: why, text: "Why?"}
"""

PEOPLE = """questionnaire,question,who,answer,retest
neighbours,help,lin_yue,Agree,Agree
neighbours,apart,lin_yue,Disagree,Agree
neighbours,evening,lin_yue,With my family,With my family
neighbours,coins,lin_yue,Keep it,
neighbours,help,zhang_wei,Strongly agree,Agree
neighbours,apart,zhang_wei,,
mood,mood,zhang_wei,5,10
"""

OPTIONS = "Strongly disagree | Disagree | Neither agree nor disagree | Agree | Strongly agree"

HOMES = "With my family | With friends or neighbours"


def study(folder: Path) -> Experiment:
    (folder / "mood.yaml").write_text(MOOD, "utf-8")
    return read_experiment(small(folder, STUDY), folder)


def table(folder: Path, text: str = PEOPLE) -> Path:
    file = folder / "people.csv"
    file.write_text(text, "utf-8")
    return file


def test_accuracy_is_divided_by_how_often_people_agree_with_themselves() -> None:
    answers = [
        ComparedAnswer("ann", True, True, 0.0, 0.0),
        ComparedAnswer("ann", False, True, 0.5, 0.25),
        ComparedAnswer("ann", True, False, None, None),
        ComparedAnswer("ann", False, None, 1.0, None),
        ComparedAnswer("bea", True, True, 0.0, 0.0, ((0.8, True), (0.2, False))),
        ComparedAnswer("cai", True, False, None, None),
    ]
    found = find_agreement(answers)
    assert (found.residents, found.answers) == (3, 6)
    assert found.accuracy == pytest.approx((0.5 + 1 + 1) / 3)
    assert found.consistency == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert found.normalised == pytest.approx(((2 / 3) / (2 / 3) + 1) / 2)
    assert found.distance == pytest.approx((0.5 + 0) / 2)
    assert found.retest_distance == pytest.approx((0.125 + 0) / 2)
    assert found.brier == pytest.approx(0.04 + 0.04)
    once = find_agreement([ComparedAnswer("ann", True, None, None, None)])
    assert (once.accuracy, once.consistency, once.normalised, once.brier) == (1, None, None, None)


def test_calibration_compares_probabilities_with_shares() -> None:
    chances = (
        [(0.75, True), (0.25, False)],
        [(0.7, False), (0.3, True)],
        [(1.0, True), (0.0, False)],
    )
    answers = [ComparedAnswer("ann", True, None, None, None, tuple(each)) for each in chances]
    found = [
        (pytest.approx(each.probability), each.share, each.count)
        for each in find_calibration(answers)
    ]
    assert found == [(0.0, 0, 1), (0.25, 0, 1), (0.3, 1, 1), (0.725, 0.5, 2), (1.0, 1, 1)]


def test_a_table_of_people_gets_the_scores_of_its_answers(tmp_path: Path) -> None:
    given = study(tmp_path)
    assert add_reference(table(tmp_path), given, tmp_path) == 6
    lines = (tmp_path / "tables" / "reference.csv").read_text("utf-8-sig").splitlines()
    assert [line.rsplit(",", 1)[0] for line in lines[1:4]] == [
        "neighbours,help,lin_yue,Agree,Agree,4,4,1,5",
        "neighbours,apart,lin_yue,Disagree,Agree,4,2,1,5",
        "neighbours,evening,lin_yue,With my family,With my family,,,,",
    ]
    assert list(CODEBOOK["reference"]) == [*REFERENCE_COLUMNS, "definition"]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("Keep it", "Keep", "line 5: answer is 'Keep'; the question coins allows Keep it, "),
        ("zhang_wei,5", "zhang_wei,6", "answer is '6'; the question mood allows 0, 5, 10"),
        ("Keep it", "Keep it, all, as it is, now", "is left over behind the last column; put"),
        ("mood,mood", "mood,why", "question is 'why'; it should be one of mood"),
        ("mood,mood", "moods,mood", "questionnaire is 'moods'; the experiment has neighbours, "),
        (
            "neighbours,apart,lin_yue,Disagree",
            "neighbours,help,lin_yue,Disagree",
            "line 3: lin_yue has answered the question help in line 2 already; keep one",
        ),
        ("mood,mood,zhang_wei", "mood,mood,Zhang Wei", "who is 'Zhang Wei'; it should be the id"),
        ("answer,", "reply,", "lacks the columns answer"),
        (PEOPLE.partition("\n")[2], "", "has no rows"),
    ],
)
def test_faults_of_a_table_of_people_are_named(
    before: str, after: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput) as caught:
        add_reference(table(tmp_path, PEOPLE.replace(before, after, 1)), study(tmp_path), tmp_path)
    assert says in str(caught.value)
    assert not (tmp_path / "tables" / "reference.csv").exists()


def write_answers(folder: Path) -> None:
    """The table of answers of one town: `lin_yue` answers as their person does, but for an item, and
    `zhang_wei` refuses or differs.
    """
    given = [
        ("neighbours", "help", "lin_yue", "Agree", OPTIONS, 4, "0 | 0.1 | 0.1 | 0.6 | 0.1 | 0.1"),
        ("neighbours", "apart", "lin_yue", "Agree", OPTIONS, 2, ""),
        ("neighbours", "evening", "lin_yue", "With my family", HOMES, "", "0.7 | 0.2 | 0.1"),
        ("neighbours", "leave", "lin_yue", "Agree", OPTIONS, 2, ""),
        ("neighbours", "help", "zhang_wei", "I would rather not say", OPTIONS, "", ""),
        ("mood", "mood", "zhang_wei", "10", "0 | 10", 10, "0.2 | 0.3 | 0.4 | 0.1"),
    ]
    rows = []
    for questionnaire, question, who, answer, options, score, chances in given:
        cells = dict.fromkeys(COLUMNS["answers"], "") | {
            "condition": "usual",
            "questionnaire": questionnaire,
            "moment": "end",
            "access": "full",
            "who": who,
            "question": question,
            "answer": answer,
            "outcome": "ok",
            "item": "slider" if question == "mood" else "scale",
            "options": options,
            "score": score,
            "probabilities": chances,
        }
        rows.append(tuple(cells.values()))
    write_csv(folder / "tables" / "answers.csv", COLUMNS["answers"], rows)


def test_the_report_compares_residents_with_people(tmp_path: Path) -> None:
    add_reference(table(tmp_path), study(tmp_path), tmp_path)
    write_answers(tmp_path)
    compared = compare_answers(tmp_path)
    mood = compared["usual", "mood", "end", "full"][0]
    assert mood.chances == ((0.2, False), (0.3, True), (0.4, False))
    assert (mood.distance, mood.retest_distance) == (0.5, 0.5)
    blocks = list(describe_reference(tmp_path, load_words("en"), scripted=False))
    (rows,) = [block.rows for block in blocks if isinstance(block, ReportTable)]
    assert rows[0][:2] == ["usual / neighbours / end / full", "2"]
    assert rows[0][3] == "0.333"
    pictures = [block for block in blocks if isinstance(block, ReportPicture)]
    assert [each.name for each in pictures] == [
        "calibration-neighbours-end-full",
        "calibration-mood-end-full",
    ]
    assert not list(describe_reference(tmp_path.parent, load_words("en"), scripted=False))
