"""The report of an experiment: its primary section, values that do not vary, and missing ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from hometown.language import Lang
from hometown.study.experiment.analysis import analyse
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.report import write_report
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import find_absent, read_table, write_csv
from tests.support.experiments import SMALL, lived_once, small

FIGURE = ("diffusion.known", "The reading circle “Technology and Life”")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tables of the small experiment, and of its definition."""
    lived = lived_once(tmp_path_factory) / "experiments" / "small"
    copy = tmp_path_factory.mktemp("report")
    shutil.copytree(lived / "tables", copy / "tables")
    shutil.copy(lived / "experiment.json", copy)
    return copy


def report_with(folder: Path, values: Mapping[tuple[str, str], str]) -> str:
    """Return the report where the primary figure has other values, by condition and seed."""
    for (condition, seed), value in values.items():
        chosen = partial(is_primary, condition=condition, seed=seed)
        change_measures(folder, chosen, value=value)
    write_report(analyse(folder), folder, "en")
    return (folder / "report.md").read_text("utf-8")


def is_primary(row: dict[str, str], **run: str) -> bool:
    return (row["measure"], row["about"]) == FIGURE and run.items() <= row.items()


def change_measures(folder: Path, chosen: Callable[[dict[str, str]], bool], **cells: str) -> None:
    """Change cells in the chosen rows of the table of measures."""
    rows = [row | cells if chosen(row) else row for row in read_table(folder, "measures")]
    file = folder / "tables" / "measures.csv"
    write_csv(file, list(rows[0]), [tuple(row.values()) for row in rows])


def name_model(folder: Path) -> None:
    """Change the tables as if a language model had taken part."""
    runs = folder / "tables" / "runs.csv"
    runs.write_text(runs.read_text("utf-8").replace(",scripted,", ",ollama:qwen3:8b,"), "utf-8")


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    texts = ("-50 % at the bakery", "=1+1", "'tis so", "plain")
    (tmp_path / "tables").mkdir()
    write_csv(tmp_path / "tables" / "some.csv", ("text",), [(text,) for text in texts])
    assert [row["text"] for row in read_table(tmp_path, "some")] == list(texts)


def test_a_carriage_return_in_a_text_ends_no_row(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    write_csv(tmp_path / "tables" / "some.csv", ("text", "who"), [("Tell me:\rwho?\r\n", "Yue")])
    assert read_table(tmp_path, "some") == [{"text": "Tell me:\nwho?\n", "who": "Yue"}]


def test_the_primary_section_says_what_a_referee_asks(folder: Path) -> None:
    """The estimate of each condition, the direction of each difference, and why none is tested."""
    report = report_with(
        folder,
        {
            ("control", "1"): "1.0",
            ("control", "2"): "1.0",
            ("reminded", "1"): "0.4",
            ("reminded", "2"): "0.6",
            ("forgetful", "1"): "",
            ("forgetful", "2"): "",
        },
    )
    primary = report[report.index("## The primary") : report.index("## All figures")]
    assert "| control | 2 | 1 | 0.158 – 1 | 1 – 1 |" in primary
    assert "control: 1 in all 2 runs." in primary
    assert "reminded against control: lower under reminded, by -0.5" in primary
    assert "(higher in 0, lower in 2, the same in 0)" in primary
    assert "not tested, since the scripted stand-in took part" in primary
    assert "forgetful against control: not tested, since no seed has this figure" in primary


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "not tested, since the judge is not admitted"),
        ("zh", "未作检验，因为评判者未获承认"),
    ],
)
def test_a_ranking_is_not_tested_for_its_own_reason(folder: Path, lang: Lang, told: str) -> None:
    """A model has lived in these towns; only the judge draws lots."""
    name_model(folder)
    write_report(analyse(folder), folder, lang)
    report = (folder / "report.md").read_text("utf-8")
    assert report.count(told) == 2 * report.count("Skillings")
    assert load_words(lang)["test_none"] not in report


def test_unusable_answers_of_every_wave_are_noted(folder: Path) -> None:
    change_measures(folder, lambda row: row["measure"] == "claims.fallbacks_start", value="0.6")
    write_report(analyse(folder), folder, "en")
    report = (folder / "report.md").read_text("utf-8")
    assert "In control, 60 % of all answers in interviews at the start could not be" in report
    change_measures(
        folder,
        lambda row: row["measure"] == "claims.fallbacks_start",
        measure="claims.fallbacks@07:00",
    )
    write_report(analyse(folder), folder, "zh")
    report = (folder / "report.md").read_text("utf-8")
    assert "在 control 中，07:00 访谈中的回答有 60 % 不可用" in report


@pytest.mark.parametrize(("kind", "is_told"), [("share", True), ("count", False)])
def test_an_interval_is_explained_only_where_there_is_one(
    folder: Path, kind: str, is_told: bool
) -> None:
    change_measures(folder, is_primary, value="1.0", kind=kind)
    write_report(analyse(folder), folder, "en")
    report = (folder / "report.md").read_text("utf-8")
    assert "control: 1 in all 2 runs." in report
    assert ("the mean of further towns may lie" in report) == is_told


def test_a_test_says_what_its_p_is_of_and_for_how_many_it_is_corrected(folder: Path) -> None:
    """Where all differences are 0, and nothing is higher."""
    name_model(folder)
    change_measures(folder, is_primary, value="0.5")
    definition = folder / "experiment.json"
    content = json.loads(definition.read_bytes())
    for margin, told in (
        (None, "p = 1 by all swaps of the two within each seed"),
        (0.1, "p = 0.5 by two one-sided tests against the hypothesis that the two differ by 0.1"),
    ):
        content["primary"]["same_within"] = margin
        definition.write_text(json.dumps(content), "utf-8")
        write_report(analyse(folder), folder, "en")
        report = (folder / "report.md").read_text("utf-8")
        assert told in report
        assert ", after Holm over 2 contrasts" in report
        assert "neither is higher in the mean of 2 differences" in report
    del content["conditions"]["forgetful"]
    definition.write_text(json.dumps(content), "utf-8")
    write_report(analyse(folder), folder, "en")
    report = (folder / "report.md").read_text("utf-8")
    assert "p = 0.25 by two one-sided tests" in report
    assert "Holm over" not in report


def test_a_value_that_all_runs_share_has_no_interval(folder: Path) -> None:
    report = report_with(
        folder,
        {
            (condition, seed): value
            for condition, value in (("control", "1.0"), ("reminded", "0.2"), ("forgetful", ""))
            for seed in ("1", "2")
        },
    )
    assert f"by any channel, share: {FIGURE[1]} | 1 | 0.2 | – |" in report
    assert "a share of 0 in all of 2 towns allows a mean of up to 0.842" in report


def test_storylines_that_are_in_no_town_are_missing_and_news_is_not(tmp_path: Path) -> None:
    news = 'until: "08:30", news: {milk: {title: Free milk, keywords: [milk]}}'
    given = read_experiment(small(tmp_path, SMALL.replace('until: "08:30"', news)))
    titles = ("Free milk", "The reading circle", "The rumour")
    assert find_absent(given, titles, {"The rumour"}) == {"The reading circle"}
