"""The report of an experiment: its primary section, values that do not vary, and missing ones."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from hometown.export.table_export import CSV_ENCODING
from hometown.study.experiment.analysis import analyse
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
    file = folder / "tables" / "measures.csv"
    with file.open(encoding=CSV_ENCODING, newline="") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        if (row["measure"], row["about"]) == FIGURE:
            row["value"] = values[row["condition"], row["seed"]]
    write_csv(file, list(rows[0]), [tuple(row.values()) for row in rows])
    write_report(analyse(folder), folder, "en")
    return (folder / "report.md").read_text("utf-8")


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    texts = ("-50 % at the bakery", "=1+1", "'tis so", "plain")
    (tmp_path / "tables").mkdir()
    write_csv(tmp_path / "tables" / "some.csv", ("text",), [(text,) for text in texts])
    assert [row["text"] for row in read_table(tmp_path, "some")] == list(texts)


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
