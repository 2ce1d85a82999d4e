"""docs/science.md: its commands are run, or at least understood; its example is the file that
ships; and it names every field and file.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main as start
from hometown.paths import DATA, ROOT
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.instrument_outcomes import GIVEN
from hometown.study.experiment.outcomes import CLAIM_FIGURES
from hometown.study.experiment.run_plan import plan_study, simulate_power
from hometown.study.experiment.spec import Experiment, Interviews, NewsTopic, TownSpec, Treatment
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import COLUMNS
from hometown.study.measuring import measures
from hometown.study.questionnaire import find_questionnaire
from tests.docs.test_docs import commands
from tests.support.command_lines import parse

PAGE = ROOT / "docs" / "science.md"
TEXT = PAGE.read_text("utf-8")

ON_A_RUN = ("ask", "fork", "compare")
"""Subcommands that are run here; experiments are in `tests/study/test_experiment.py`."""


def test_the_commands_about_a_run_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, on three people of the Ville until noon of the second day."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    (own,) = re.findall(r"```text\n(title:.*?)```", TEXT, re.DOTALL)
    (tmp_path / "ties.yaml").write_text(own, "utf-8")
    folder = ["--results", str(tmp_path)]
    town = [
        "--world",
        "ville",
        "--lang",
        "en",
        "--llm",
        "scripted",
        "--embedding",
        "hash",
        "--residents",
        "Maria,Klaus,Isabella",
        "--step",
        "180",
    ]
    assert hometown(["run", "spring", *town, *folder]) == 0
    lines = commands(PAGE)
    mine = [words for words in lines if words[0] == "hometown" and words[1] in ON_A_RUN]
    flat = [words[words.index("start.py") + 1 :] for words in lines if "start.py" in words]
    assert len(mine) >= 7
    assert len(flat) >= 2
    for words in mine:
        assert hometown([*words[1:], *folder]) == 0, (words, capsys.readouterr().err)
    for words in flat:
        assert start([*words, *folder]) == 0, (words, capsys.readouterr().err)


def test_all_other_commands_are_understood() -> None:
    experiments = [words for words in commands(PAGE) if words[:2] == ["hometown", "experiment"]]
    made = [words for words in commands(PAGE) if words[0] == "make"]
    assert len(experiments) >= 3
    assert {words[1] for words in made} == {"experiment", "park2023"}
    for words in experiments:
        parse("hometown", words[1:])
        assert (ROOT / words[2]).exists(), words
    for words in made:
        shown = subprocess.run(
            ["make", "--no-print-directory", "--dry-run", *words[1:]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert shown.returncode == 0, shown.stderr
        (line,) = [line for line in shown.stdout.splitlines() if " -m hometown " in line]
        given = parse("hometown", line.split(" -m hometown ")[1].split())
        assert given["file"].exists()
        assert given["name"] is None or re.fullmatch(
            Experiment.model_fields["name"].metadata[0].pattern, given["name"]
        )


def test_the_example_is_the_file_that_ships(tmp_path: Path) -> None:
    _, example = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "rumour.yaml").write_text(example, "utf-8")
    assert read_experiment(tmp_path / "rumour.yaml") == read_experiment(
        DATA / "experiments" / "rumour.yaml"
    )


def test_the_first_experiment_and_the_parts_of_designs_can_be_run(tmp_path: Path) -> None:
    first, _ = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    towns, factors = re.findall(r"```text\n((?:town|factors):.*?)```", TEXT, re.DOTALL)
    head = 'name: x\nquestion: "?"\nseeds: [1, 2, 3, 4, 5, 6]\n'
    rest = "town: {world: minitown, until: '12:00'}\nprimary: {measure: cost.calls}\n"
    for text in (first, head + towns, head + rest + factors):
        (tmp_path / "x.yaml").write_text(text, "utf-8")
        given = read_experiment(tmp_path / "x.yaml")
        plan = plan_study(given, tmp_path / given.name, DATA / "worlds")
        assert plan.family
    assert simulate_power(6, 1)[-1] > 0.5


def test_the_example_of_a_game_is_the_one_that_ships(tmp_path: Path) -> None:
    (game,) = re.findall(r"```text\n(game:.*?)```", TEXT, re.DOTALL)
    trust = find_questionnaire("trust")
    own = trust.model_dump(exclude={"name", "game"}, exclude_defaults=True)
    file = tmp_path / "own.yaml"
    file.write_text(yaml.safe_dump(own, allow_unicode=True) + game, "utf-8")
    assert find_questionnaire(str(file)).game == trust.game


def test_the_figures_of_closed_questions_exist() -> None:
    table = TEXT.split("### Closed questions as outcomes")[1].split("## Verdicts")[0]
    assert set(re.findall(r"`((?:closed|games)\.\w+)`", table)) == {
        *GIVEN.values(),
        *(name for name in load_words("en") if name.startswith("closed.")),
    }


def test_the_figures_to_choose_from_exist() -> None:
    table = TEXT.split("To choose a primary outcome:")[1].split("A wrong name")[0]
    named = re.findall(r"`(\w+)\.(\w+)`", table)
    assert len(named) > 10
    for name, figure in named:
        assert figure in (CLAIM_FIGURES if name == "claims" else measures()[name].kinds)


def test_every_field_and_table_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", TEXT))
    parts = (Experiment, TownSpec, NewsTopic, Treatment, Interviews)
    fields = {field.alias or name for part in parts for name, field in part.model_fields.items()}
    assert fields | set(COLUMNS) <= named


def test_the_gallery_is_all_that_ships_but_for_the_tiny_one() -> None:
    gallery = TEXT.split("## Gallery")[1].split("\n## ")[0]
    assert set(re.findall(r"`data/experiments/([\w-]+)\.yaml`", gallery)) | {"park2023-tiny"} == {
        file.stem for file in (DATA / "experiments").glob("*.yaml")
    }
