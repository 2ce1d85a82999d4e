"""Questionnaires of one's own, sliders, allocations, and economic games."""

from __future__ import annotations

import csv
import json
import runpy
import shutil
import subprocess
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput
from hometown.export.table_export import CSV_ENCODING
from hometown.language import LANGS, Lang
from hometown.study.economic_games import GameMove, find_outcomes, group_players, pair_players
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.questionnaire import Asking, find_questionnaire, questions_for
from hometown.study.questionnaire_definition import GameSpec
from tests.support.interviews import interviewed
from tests.support.town import minitown

MORNING = datetime(2025, 2, 13, 9, 0)

TIES = """
title: Ties
refusal: I would rather not say
scales:
  agreement: [Disagree, Neither, Agree]
questions:
  - {id: safe, scale: agreement, text: "How far do you agree: I feel safe here."}
  - {id: mood, slider: {low: 0, high: 100, step: 5}, text: "How satisfied are you, from 0 to 100?"}
  - {id: week, allocation: {total: 100, unit: 10, among: [Work, Family, Friends]}, text: "Divide your time."}
  - {id: change, text: "What would you change here?"}
"""

GAMES = """
name: games
question: Do residents trust each other?
town: {world: minitown, until: "06:30"}
seeds: [1]
conditions: {control: {}}
interviews:
  - {questionnaire: trust}
  - {questionnaire: dictator, residents: 4}
  - {questionnaire: public-goods, at: [start]}
  - {questionnaire: own/ties}
primary: {measure: games.sent, about: trust}
"""


@pytest.fixture
def ties(tmp_path: Path) -> Path:
    """The file of a questionnaire, in a folder beside that of an experiment."""
    file = tmp_path / "own" / "ties.yaml"
    file.parent.mkdir()
    file.write_text(TIES, "utf-8")
    return file


@pytest.mark.parametrize("lang", LANGS)
def test_numbers_and_amounts_are_possible_answers(ties: Path, lang: Lang) -> None:
    questions = questions_for(
        find_questionnaire(str(ties)), Asking(minitown(lang), "lin_yue", MORNING, 1)
    )
    scale, slider, allocation, question = (each.choices for each in questions)
    assert len(scale.options) == 3
    assert slider.options == tuple(str(number) for number in range(0, 101, 5))
    assert len(allocation.options) == 66
    assert all(
        sum(map(int, option.split(", "))) == 100 and len(option.split(", ")) == 3
        for option in allocation.options
    )
    assert sorted(allocation.among) == ["Family", "Friends", "Work"]
    assert not question.options


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("title: Ties", "titel: Ties", "title is missing"),
        ("title: Ties", "title: Ties\nname: awareness", "a questionnaire has the name of its file"),
        ("title: Ties", "title: {en: Ties}", "title.zh is missing"),
        ("title: Ties", "titel: Ties", "there is no field 'titel'; did you mean 'title'?"),
        ("id: safe", "id: mood", "two questions have the id 'mood'; rename one"),
        ("scale: agreement", "scale: agree", "question 'safe': there is no scale 'agree'"),
        ("high: 100", "high: much", "question 2 (mood): slider.high is 'much'"),
        ("step: 5", "step: 7", "question 2 (mood): slider: from 0 to 100 in steps of 7"),
        ("total: 100, unit: 10", "total: 100", "among 3 can be divided in 5151 ways"),
        ("among: [Work, Family, Friends]", "among: [Work, Work]", "'Work' is there twice"),
        ("refusal: I would rather not say", "", "refusal is missing: question 'safe' is closed"),
        ("change here?", "change at {place}?", "text has the blank 'place'; it should be one of"),
        (
            "{id: safe, scale",
            "{id: safe, reversed: yes, slider: {low: 0, high: 1}, scale",
            "one of them",
        ),
        ("- {id: change", "- {id: x, role: giver, text: Give}\n  - {id: change", "the roles giver"),
        ("questions:", "questions: none\nrest:", "questions is 'none'"),
        ("title: Ties", "title: [Ties", "not YAML"),
        ("- {id: change", "- why\n  - {id: change", "question 4 is 'why'; it should be an object"),
    ],
)
def test_a_fault_of_a_file_names_the_question_and_the_value(
    ties: Path, right: str, wrong: str, fault: str
) -> None:
    ties.write_text(TIES.replace(right, wrong), "utf-8")
    with pytest.raises(BadInput) as caught:
        find_questionnaire(str(ties))
    assert any(fault in line for line in map(str, caught.value.lines)), caught.value.lines
    assert all(str(ties) in str(line) for line in caught.value.lines)


def test_an_experiment_has_the_questionnaire_beside_it(ties: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.yaml"
    file.write_text(GAMES, "utf-8")
    experiment = read_experiment(file)
    *_, own = experiment.interviews
    assert own.questionnaire.name == "ties"
    again = type(experiment).model_validate_json(experiment.model_dump_json(by_alias=True))
    assert again == experiment
    assert '"questionnaire":"trust"' in experiment.model_dump_json()
    ties.write_text(TIES.replace("step: 5", "step: 7"), "utf-8")
    file.write_text(GAMES.replace("dictator", "dictators"), "utf-8")
    with pytest.raises(BadInput) as caught:
        read_experiment(file)
    own_fault, name_fault = sorted(map(str, caught.value.lines), key=lambda line: "dict" in line)
    assert "ties.yaml: question 2 (mood): slider" in own_fault
    assert "there is no questionnaire 'dictators'" in name_fault


def test_the_players_of_a_game_are_paired_and_grouped() -> None:
    cast = [f"r{number}" for number in range(25)]
    partners = pair_players(cast, 3, "trust")
    assert sorted(partners) == sorted(partners.values()) == sorted(cast)
    assert all(who != partner for who, partner in partners.items())
    assert partners == pair_players(cast[::-1], 3, "trust") != pair_players(cast, 4, "trust")
    groups = group_players(cast, 3, "public-goods", 4)
    assert sorted(map(len, groups)) == [4, 4, 4, 4, 4, 5]


def test_too_few_players_are_noticed_before_a_town_is_simulated(
    tmp_path: Path, ties: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.yaml"
    file.write_text(GAMES.replace("trust}", "trust, residents: 1}", 1), "utf-8")
    assert hometown(["experiment", str(file), "--plan", "--results", str(tmp_path)]) == 2
    fault = "the game trust needs 2 residents or more, and 1 would be asked"
    assert fault in capsys.readouterr().err


def test_payoffs_follow_the_rules_of_the_games() -> None:
    trust = GameSpec(kind="trust", endowment=10, unit=2, multiplier=3)
    moves = [
        GameMove("a", "sender", "b", 0, 6),
        GameMove("b", "receiver", "a", 4, 1),
        GameMove("b", "receiver", "a", 6, 9),
        GameMove("b", "sender", "c", 0, 2),
        GameMove("c", "receiver", "b", 2, None),
        GameMove("c", "sender", "a", 0, 0),
        GameMove("d", "sender", "a", 0, None),
    ]
    found = [
        (each.who, each.role, each.amount, each.payoff) for each in find_outcomes(trust, moves)
    ]
    assert found == [
        ("a", "sender", 6, 13),
        ("b", "receiver", 9, 9),
        ("b", "sender", 2, None),
        ("c", "receiver", None, None),
        ("c", "sender", 0, 10),
        ("a", "receiver", 0, 0),
        ("d", "sender", None, None),
    ]
    goods = GameSpec(kind="public_goods", endowment=10, multiplier=2, group=4)
    given = [
        GameMove(who, "contributor", "1", 0, amount)
        for who, amount in zip("abcd", (10, 0, 5, 5), strict=True)
    ]
    assert [each.payoff for each in find_outcomes(goods, given)] == [10, 20, 15, 15]
    given[0] = GameMove("a", "contributor", "1", 0, None)
    assert {each.payoff for each in find_outcomes(goods, given)} == {None}


@pytest.mark.parametrize("lang", LANGS)
def test_residents_play_a_recorded_run(
    lang: Lang, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    results = interviewed(tmp_path_factory, lang)
    words = ["ask", "town", "--questionnaire", "trust", "--results", str(results), "--json"]
    assert hometown([*words, "--residents", "lin_yue,zhang_wei"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert len(content["answers"]) == 2 * 6
    assert [each["role"] for each in content["game"]] == ["sender", "receiver"] * 2
    for sender, receiver in pairwise(content["game"]):
        if sender["role"] == "sender" and sender["payoff"] is not None:
            assert sender["payoff"] + receiver["payoff"] == 10 + 2 * sender["amount"]


def add_probabilities(folder: Path) -> None:
    """Add to the answers what a model's server would have given."""
    for file in (folder / "answers").iterdir():
        entries = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        for entry in entries:
            if entry["item"] in ("scale", "slider"):
                entry |= {"probability": 0.5, "expected": 2.25, "probabilities": "0.5 | 0.5"}
        file.write_bytes(b"".join(orjson.dumps(entry) + b"\n" for entry in entries))


def test_games_and_scales_are_outcomes_that_can_be_recomputed(
    ties: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    file = tmp_path / "games.yaml"
    file.write_text(GAMES, "utf-8")
    assert hometown(["experiment", str(file), "--results", str(tmp_path), "--lang", "en"]) == 0
    folder = tmp_path / "experiments" / "games"
    measures = {(row["measure"], row["about"]) for row in read_rows(folder, "measures")}
    assert {
        ("games.sent", "trust"),
        ("games.given", "dictator"),
        ("games.contributed_start", "public-goods"),
        ("closed.score", "ties"),
        ("closed.score", "ties/mood"),
        ("closed.amount", "ties/week/Work"),
        ("closed.refused", "trust"),
    } <= measures
    givers = [row["who"] for row in read_rows(folder, "games") if row["role"] == "giver"]
    assert len(givers) == 4
    report = (folder / "report.md").read_text("utf-8")
    assert "### Games" in report
    assert "sent of what was possible, mean share: trust" in report
    assert (folder / "figures" / "game-trust-end-full-sender.svg").exists()
    add_probabilities(folder)
    assert hometown(["experiment", str(file), "--results", str(tmp_path), "--lang", "en"]) == 0
    found = {row["measure"]: row["value"] for row in read_rows(folder, "measures")}
    assert found["closed.expected"] == "2.25"
    report = (folder / "report.md").read_text("utf-8")
    assert "| expected score | probability of the answer |" in report
    compare = runpy.run_path(str(folder / "recompute.py"))["compare_instruments"]
    assert compare() == 0
    capsys.readouterr()
    games = folder / "tables" / "games.csv"
    line = next(line for line in games.read_text("utf-8").splitlines() if ",contributor," in line)
    *cells, payoff, definition = line.split(",")
    changed = ",".join([*cells, str(float(payoff) + 1), definition])
    games.write_text(games.read_text("utf-8").replace(line, changed), "utf-8")
    assert compare() == 1
    if script := shutil.which("Rscript"):
        words = [script, "--vanilla", str(folder / "recompute.R")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        assert done.stdout.rstrip().endswith(" 1 differ")
    assert "'contributor'" in capsys.readouterr().out


def read_rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table of an experiment."""
    with (folder / "tables" / f"{name}.csv").open(encoding=CSV_ENCODING) as file:
        return list(csv.DictReader(file))
