"""Deposits and citations of experiments and runs."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.storage.run_names import run_names
from hometown.study.deposit.citation import cite_subject
from hometown.study.deposit.crate import Part, describe_crate, make_terms
from hometown.study.deposit.deposit import CHECKSUMS, PRIVATE
from hometown.study.deposit.subject import find_study
from hometown.study.experiment.provenance import hash_prompts
from hometown.study.experiment.tables import read_table, write_csv
from hometown.version import __version__
from tests.support.experiments import lived_once


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deposit of the small experiment, unpacked."""
    results, folder = lived_once(tmp_path_factory), tmp_path_factory.mktemp("deposit")
    file = folder / "small.zip"
    words = ["archive", "small", "--author", "Ann Lee", "--licence", "CC0-1.0"]
    assert hometown([*words, "--out", str(file), "--results", str(results), "--lang", "en"]) == 0
    with ZipFile(file) as packed:
        packed.extractall(folder / "unpacked")
    return folder / "unpacked"


def _paths(folder: Path) -> set[str]:
    return {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}


def test_all_files_are_described_and_unharmed(unpacked: Path) -> None:
    lines = (unpacked / CHECKSUMS).read_text().splitlines()
    sums = {path: expected for expected, _, path in (line.partition("  ") for line in lines)}
    assert set(sums) == _paths(unpacked) - {CHECKSUMS}
    for path, expected in sums.items():
        assert hashlib.sha256((unpacked / path).read_bytes()).hexdigest() == expected, path
    graph = json.loads((unpacked / "ro-crate-metadata.json").read_text())["@graph"]
    described = {each["@id"]: each for each in graph}
    assert {part["@id"] for part in described["./"]["hasPart"]} == {
        each["@id"] for each in graph if each["@type"] == "File"
    }
    assert described["./"]["license"]["@id"] == "https://spdx.org/licenses/CC0-1.0"
    assert PRIVATE not in sums


def test_it_has_what_a_reader_needs(unpacked: Path) -> None:
    paths = _paths(unpacked)
    runs = run_names(unpacked)
    assert runs
    assert {f"replays/{name}.html" for name in runs} <= paths
    assert {"README.md", "CITATION.cff", "environment.txt", "experiment.json"} <= paths
    assert {"tables/codebook.csv", "report.html"} <= paths
    (prompts,) = {row["prompts"] for row in read_table(unpacked, "provenance")}
    assert f"prompts/{prompts}/en/utterance.md" in paths
    assert prompts == hash_prompts()
    assert hometown(["verify", runs[0], "--results", str(unpacked)]) == 0


def test_its_tables_and_scripts_are_the_originals(
    unpacked: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Those from which `test_recomputing` finds every figure again."""
    original = lived_once(tmp_path_factory) / "experiments" / "small"
    for path in ("results.csv", "recompute.py", "recompute.R", *_paths(original / "tables")):
        name = path if (original / path).exists() else f"tables/{path}"
        assert (unpacked / name).read_bytes() == (original / name).read_bytes(), name


def test_a_run_has_its_exports(
    unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(unpacked / "checkpoints", tmp_path / "checkpoints")
    name = run_names(tmp_path)[0]
    assert hometown(["archive", name, "--results", str(tmp_path), "--lang", "zh"]) == 0
    assert "许可证：CC-BY-4.0" in capsys.readouterr().out
    with ZipFile(tmp_path / "deposits" / f"{name}.zip") as packed:
        paths = packed.namelist()
        assert "世界 minitown 的一次模拟" in packed.read("README.md").decode()
    assert {"export/simulation.md", "export/replay.html"} <= set(paths)
    assert f"checkpoints/{name}/run.sqlite" in paths
    assert "prompts/en/utterance.md" in paths


def test_folders_and_answers_of_people_are_told_before_they_are_packed(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "experiments" / "small"
    shutil.copytree(lived_once(tmp_path_factory) / "experiments" / "small", folder)
    assert find_study(folder).files_of_people == ()
    definition = json.loads((folder / "experiment.json").read_bytes())
    definition["judge"] = "gguf:/home/ann/judge.gguf"
    (folder / "experiment.json").write_text(json.dumps(definition), "utf-8")
    (folder / "people").mkdir(exist_ok=True)
    (folder / "people" / "rankings.jsonl").write_text("", "utf-8")
    write_csv(folder / "tables" / "reference.csv", ("who",), [("lin_yue",)])
    answers = folder / "tables" / "answers.csv"
    answers.write_text(answers.read_text("utf-8").replace(",full,", ",human,"), "utf-8")
    assert hometown(["archive", "small", "--results", str(tmp_path), "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "as it was typed, with its folder: gguf:/home/ann/judge.gguf" in told
    for path in ("people/rankings.jsonl", "tables/reference.csv", "tables/answers.csv"):
        assert f"{path} has what real people answered or ranked" in told
    assert "tables/people.csv" not in told


def test_a_citation_identifies_its_subject(
    unpacked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = run_names(unpacked)[0]
    assert hometown(["cite", name, "--results", str(unpacked), "--lang", "en"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name} (")
    assert "no language model" in printed
    assert f"@misc{{{name}," in printed
    assert "10.1145/3586183.3606763" in printed


def test_each_run_is_of_the_version_that_simulated_it(unpacked: Path) -> None:
    found = find_study(unpacked)
    first, *others = found.runs
    later = replace(first, versions={"hometown": "0.1.5"})
    mixed = replace(found, runs=(later, *others), title="A & B {C} \\")
    cited = cite_subject(mixed, ["Ann & Co", "Bob"], "en")
    assert cited.count(f"Hometown 0.1.5, {__version__}") == 2
    assert f"version = {{0.1.5, {__version__}}}" in cited
    assert r"author = {{Ann \& Co} and {Bob}}," in cited
    assert r"title = {A \& B \textbraceleft{}C\textbraceright{} \textbackslash{}}" in cited
    parts = [Part(f"checkpoints/{run.name}/run.sqlite", 1, "0") for run in mixed.runs]
    graph = json.loads(describe_crate(mixed, make_terms("CC0-1.0", []), parts, "?"))["@graph"]
    used = {each["name"]: each["instrument"]["@id"] for each in graph if "instrument" in each}
    assert used.pop(first.name) == "#hometown-0.1.5"
    assert set(used.values()) == {f"#hometown-{__version__}"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["archive", "nobody"], "there is no run 'nobody'"),
        (["archive", "small", "--licence", "my own"], "should be an id of https://spdx.org"),
        (["archive", "small", "--author", "Ann <1-2>"], "a name and an ORCID"),
        (["cite", "half"], "has no report yet"),
    ],
)
def test_a_mistake_is_told(
    words: list[str], told: str, unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("small", "half"):
        (tmp_path / "experiments" / name).mkdir(parents=True)
        shutil.copy(unpacked / "experiment.json", tmp_path / "experiments" / name)
    assert hometown([*words, "--results", str(tmp_path), "--lang", "en"]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "deposits").exists()
