"""Independent recomputation: scripts that import nothing of Hometown find the published figures."""

from __future__ import annotations

import asyncio
import csv
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from hometown.export.table_export import CSV_ENCODING
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.experiment.analysis import analyse, write_results
from hometown.study.experiment.codebook import CODEBOOK, RESULTS
from hometown.study.experiment.origins import PROVENANCE, provenance_of, read_origin
from hometown.study.experiment.recomputing import write_recomputation
from hometown.study.experiment.report import write_report
from hometown.study.experiment.weights import (
    ModelWeights,
    ask_weights,
    read_weights,
    write_weights,
)
from tests.support.experiments import lived_once
from tests.support.fake_ollama import FakeOllama

WITHOUT_HOMETOWN = """
import runpy, sys
sys.modules["hometown"] = None  # an import of it fails
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the small experiment as if a language model had taken part, and their results."""
    lived = lived_once(tmp_path_factory) / "experiments" / "small"
    folder = tmp_path_factory.mktemp("published")
    shutil.copytree(lived / "tables", folder / "tables")
    shutil.copy(lived / "experiment.json", folder)
    runs = folder / "tables" / "runs.csv"
    runs.write_text(runs.read_text("utf-8").replace(",scripted,", ",ollama:qwen3:8b,"), "utf-8")
    results = analyse(folder)
    write_results(results, folder)
    write_recomputation(results, folder)
    return folder


@pytest.fixture(scope="module")
def ranked_by_people(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, as if people had ranked the answers and a fifth of them were missing."""
    folder = tmp_path_factory.mktemp("people") / "published"
    shutil.copytree(published, folder)
    file = folder / "tables" / "rankings.csv"
    head, *lines = file.read_text("utf-8").replace(",model,", ",people,").splitlines(keepends=True)
    rng = Random(1)
    file.write_text(head + "".join(line for line in lines if rng.random() < 0.8), "utf-8")
    write_recomputation(analyse(folder), folder)
    return folder


def recompute(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT_HOMETOWN, str(folder / "recompute.py")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_python_finds_the_published_figures_without_hometown(published: Path) -> None:
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    done = recompute(published)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 figures differ" in done.stdout
    found = list(csv.DictReader((published / "recomputed.csv").open(encoding=CSV_ENCODING)))
    assert [row["kind"] for row in found if row["adjusted"]] == ["contrast"] * 2


def test_a_contrast_without_data_stays_in_the_family(published: Path, tmp_path: Path) -> None:
    """What is corrected for was fixed before the towns were simulated."""
    copy = tmp_path / "copy"
    shutil.copytree(published, copy)
    file = copy / "tables" / "measures.csv"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(each for each in lines if not each.startswith("forgetful,")), "utf-8")
    results = analyse(copy)
    (tested,) = [each for each in results.contrasts if each.p is not None]
    assert tested.adjusted == min(1.0, 2 * (tested.p or 0))
    write_report(results, copy, "en")
    assert "Holm over 2 contrasts" in (copy / "report.md").read_text("utf-8")
    write_recomputation(results, copy)
    assert " 0 figures differ" in recompute_in_r(copy)
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    assert " 0 figures differ" in recompute(copy).stdout


def test_nothing_is_tested_beside_towns_of_the_stand_in(published: Path, tmp_path: Path) -> None:
    """A difference between a model and the stand-in says nothing about either."""
    copy = tmp_path / "copy"
    shutil.copytree(published, copy)
    runs = copy / "tables" / "runs.csv"
    lines = runs.read_text("utf-8").splitlines(keepends=True)
    mixed = [
        line.replace("ollama:qwen3:8b", "scripted") if line.startswith("control,") else line
        for line in lines
    ]
    runs.write_text("".join(mixed), "utf-8")
    results = analyse(copy)
    assert results.has_model
    assert {each.p for each in results.contrasts} == {None}
    write_report(results, copy, "en")
    assert "those of the scripted stand-in: control." in (copy / "report.md").read_text("utf-8")
    write_recomputation(results, copy)
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    assert " 0 figures differ" in recompute(copy).stdout


def test_python_finds_rankings_with_missing_answers(ranked_by_people: Path) -> None:
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    done = recompute(ranked_by_people)
    assert " 0 figures differ" in done.stdout, done.stdout + done.stderr


def test_r_finds_the_published_figures(published: Path) -> None:
    assert " 0 figures differ" in recompute_in_r(published)


def test_r_finds_rankings_with_missing_answers(ranked_by_people: Path) -> None:
    assert " 0 figures differ" in recompute_in_r(ranked_by_people)


def recompute_in_r(folder: Path) -> str:
    script = shutil.which("Rscript")
    if script is None:
        pytest.skip("recompute.R needs R (Debian: r-base-core); the tests in CI install it")
    done = subprocess.run(
        [script, "--vanilla", str(folder / "recompute.R")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_kind_of_result_is_recomputed(ranked_by_people: Path) -> None:
    """Rankings by people may be tested, so that each of their statistics has a row, with its p."""
    rows = list(csv.DictReader((ranked_by_people / "results.csv").open(encoding=CSV_ENCODING)))
    assert {row["kind"] for row in rows} == {"estimate", "contrast", "ranking"}
    tests = {
        row["statistic"] for row in rows if row["kind"] == "ranking" and row["p"] + row["adjusted"]
    }
    assert tests == {"Skillings-Mack", "win probability", "Kruskal-Wallis", "Dunn"}


def test_a_figure_that_was_changed_is_found(published: Path, tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="recompute.py needs pandas")
    copy = tmp_path / "copy"
    shutil.copytree(published, copy)
    rows = list(csv.reader((copy / "results.csv").open(encoding=CSV_ENCODING)))
    place = rows[0].index("value")
    row = next(row for row in rows[1:] if row[place] not in ("", "0.0"))
    row[place] = str(float(row[place]) + 0.01)
    with (copy / "results.csv").open("w", encoding=CSV_ENCODING, newline="") as file:
        csv.writer(file).writerows(rows)
    done = recompute(copy)
    assert done.returncode == 1
    assert " 1 figures differ" in done.stdout


def test_every_column_is_in_the_codebook(published: Path) -> None:
    tables = {file.stem: file for file in (published / "tables").glob("*.csv")}
    assert tables.keys() | {RESULTS, "reference"} == {*CODEBOOK, "codebook"}
    tables[RESULTS] = published / "results.csv"
    for name, columns in CODEBOOK.items():
        if name == "reference":  # only written where people have answered, too
            continue
        with tables[name].open(encoding=CSV_ENCODING, newline="") as file:
            assert next(csv.reader(file)) == list(columns), name


def test_an_origin_is_that_of_the_simulation(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever writes the tables again may have another machine and other prompts; runs of earlier
    versions have none.
    """
    lived = lived_once(tmp_path_factory) / "experiments" / "small"
    with RunFile.open(lived, "control-1") as run:
        has = run.manifest
    monkeypatch.setattr("platform.system", lambda: "Another")
    found, unknown = (
        dict(zip(PROVENANCE, provenance_of(has, "scripted", ModelWeights(), origin), strict=True))
        for origin in (read_origin(lived, "control-1"), read_origin(lived, "older-1"))
    )
    assert "Another" not in found["machine"]
    assert (lived / "prompts" / found["prompts"] / "en" / "utterance.md").is_file()
    assert "temperature" in found["sampling"]
    assert {unknown[name] for name in ("prompts", "sampling", "machine")} == {"unknown"}


def test_weights_are_those_that_the_server_names(tmp_path: Path) -> None:
    with FakeOllama("qwen3:8b") as ollama:
        settings = Settings.model_validate({"machine": {"ollama_hosts": [ollama.host]}})
        asyncio.run(write_weights(tmp_path, "a-1", "ollama:qwen3:8b with plan=scripted", settings))
        assert asyncio.run(ask_weights("ollama:other", settings)) == ModelWeights()
    found = read_weights(tmp_path, "a-1")
    assert found.quantisation == "Q4_K_M"
    assert len(found.digest) > 8
    assert asyncio.run(ask_weights("ollama:qwen3:8b", settings)) == ModelWeights()  # it has ended
    assert asyncio.run(ask_weights("scripted", settings)) == ModelWeights("unknown", "unknown")
