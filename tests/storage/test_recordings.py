"""Recorded towns: they are honest, verify, open beside any run, and live on with any model."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.cli.commands import main
from hometown.errors import BadInput
from hometown.export.write import export_run
from hometown.history.names import model_name
from hometown.language import LANGS
from hometown.model.levels import RECORDED
from hometown.storage.manifest import ENGINE
from hometown.storage.recordings import (
    PACKED_RUN,
    Recording,
    find_recording,
    list_recordings,
    open_recording,
)
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_names
from hometown.storage.world_copy import world_files
from tests.support.golden import put_golden
from tools.make_golden import NAME
from tools.make_recording import MAX_BYTES
from tools.make_recording import main as make_recording

RECORDED_TOWNS = list_recordings("en")


@pytest.fixture(params=RECORDED_TOWNS, ids=lambda recording: recording.name)
def recording(request: pytest.FixtureRequest) -> Recording:
    return request.param  # type: ignore[no-any-return]


def test_there_is_one_in_each_language_and_the_own_language_comes_first() -> None:
    for lang in LANGS:
        first, *others = [recording.lang for recording in list_recordings(lang)]
        assert first == lang
        assert {first, *others} == set(LANGS)


def test_it_names_no_model_and_is_light(recording: Recording, tmp_path: Path) -> None:
    assert recording.packed_run.stat().st_size < MAX_BYTES
    with RunFile.open(tmp_path, open_recording(tmp_path, recording)) as run:
        assert run.manifest.llm == RECORDED
        assert run.manifest.recorded == run.last.step == run.planned_end
        assert (run.manifest.start, run.last.time) == (recording.start, recording.end)
        models = run.database.execute("SELECT DISTINCT model FROM calls").fetchall()
        assert models == [(RECORDED,)]
        assert RECORDED in str(run.stats()[1]["by_model"])
        assert any(path.endswith(".png") for path in world_files(run))
        assert "recorded" in model_name(run.manifest) or "实录" in model_name(run.manifest)


def test_it_matches_its_records(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = open_recording(tmp_path, recording)
    assert main(["verify", name, "--results", str(tmp_path)]) == 0, capsys.readouterr().out
    assert main(["check", name, "--results", str(tmp_path)]) == 0, capsys.readouterr().out


def test_it_is_opened_once_and_beside_any_run(tmp_path: Path) -> None:
    recording = RECORDED_TOWNS[0]
    other = tmp_path / "checkpoints" / recording.name
    other.mkdir(parents=True)
    (other / "mine.txt").write_text("mine", "utf-8")
    assert open_recording(tmp_path, recording) == f"{recording.name}-1"
    assert open_recording(tmp_path, recording) == f"{recording.name}-1"
    assert run_names(tmp_path) == [f"{recording.name}-1"]
    assert (other / "mine.txt").read_text("utf-8") == "mine"


def test_it_lives_on_as_a_new_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recording = RECORDED_TOWNS[0]
    name, results = recording.name, ["--results", str(tmp_path)]
    assert main(["recorded", name, *results]) == 0
    with RunFile.open(tmp_path, name) as run:
        last, digest = run.last.step, run.last.digest
    assert main(["resume", name, *results]) == 2
    assert "--llm" in capsys.readouterr().err
    assert main(["resume", name, "--llm", "scripted", "--step", "1", *results]) == 0
    with RunFile.open(tmp_path, f"{name}-1") as run:
        assert (run.last.step, run.manifest.recorded) == (last + 1, last)
        assert (run.manifest.llm, run.manifest.parent) == ("scripted", f"{name}@{last}")
    with RunFile.open(tmp_path, name) as run:
        assert run.last.digest == digest
    export_run(tmp_path, f"{name}-1")
    for file in ("simulation.md", "gazette.md", "gazette.html"):
        written = (tmp_path / "compressed" / f"{name}-1" / file).read_text("utf-8")
        assert "Up to 2025-02-13" in written


def test_a_fork_is_marked_as_far_as_it_is_recorded(tmp_path: Path) -> None:
    recording = RECORDED_TOWNS[0]
    name = open_recording(tmp_path, recording)
    forked = ["fork", f"{name}@2", "--name", "mine", "--step", "1", "--results", str(tmp_path)]
    assert main(forked) == 2
    assert main([*forked, "--llm", "scripted"]) == 0
    with RunFile.open(tmp_path, "mine") as run:
        assert run.manifest.recorded == 2


@pytest.mark.parametrize("command", ["resume", "ask"])
def test_one_that_is_not_opened_yet_is_pointed_to(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["Xiao Mei: How are you?"] if command == "ask" else []
    assert main([command, "recorded-en", *words, "--results", str(tmp_path), "--lang", "en"]) == 2
    assert "open it first with hometown recorded recorded-en" in capsys.readouterr().err


def test_an_unknown_one_is_told_with_all_names() -> None:
    with pytest.raises(BadInput, match=RECORDED_TOWNS[0].name):
        find_recording("nowhere")


def test_one_is_made_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("hometown.storage.recordings", "tools.make_recording"):
        monkeypatch.setattr(f"{module}.RECORDINGS", tmp_path)
    monkeypatch.setattr("tools.make_recording.ROOT", tmp_path)
    source = put_golden(tmp_path / "results")
    with pytest.raises(SystemExit):
        make_recording([str(source), "short"])
    assert "--title" in capsys.readouterr().err
    texts = ["--title", "Six hours", "六个小时", "--about", "Two neighbours", "两个邻居"]
    assert make_recording([str(source), "short", *texts]) == 0
    packed = tmp_path / "short" / PACKED_RUN
    assert make_recording([str(packed), "short"]) == 0
    name = open_recording(tmp_path / "results", find_recording("short"))
    with (
        RunFile.open(tmp_path / "results", name) as run,
        RunFile.open(tmp_path / "results", NAME) as golden,
    ):
        assert run.digests() == golden.digests()
        assert run.manifest.engine == ENGINE
        assert (run.id, run.manifest.llm) != (golden.id, golden.manifest.llm)
