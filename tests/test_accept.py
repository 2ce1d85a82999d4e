"""The acceptance report: a day on a model, told in figures that anybody can check."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.cli import session
from modules.model.llm import LanguageModel
from modules.model.scripted.model import ScriptedModel
from modules.prompt.catalogue import PROMPTS
from modules.replay.reader import RunReader
from tests.fake_models import Sloppy
from tools.accept import Report, main, repeats, run_name


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder in which the scripted model has lived its day."""
    results = tmp_path_factory.mktemp("results")
    assert main(["--llm", "scripted", "--lang", "en", "--results", str(results)]) == 0
    return results


def test_the_scripted_day(day: Path) -> None:
    text = (day / "accept" / "scripted.md").read_text("utf-8")
    assert text.startswith("# How scripted")
    assert "108 of 108 steps" in text
    for kind in PROMPTS.keys() - {"currently", "reconsider"}:  # on the second morning first, and when the user steps in
        assert f"| {kind} |" in text
    assert text.count("\n### ") == 3
    assert str(day) not in text


def test_its_figures_are_those_of_the_run(day: Path) -> None:
    with RunReader.open(day, run_name("scripted", "en")) as run:
        report = Report(run)
        figures = dict(report._figures())
        (calls,) = run.database.execute("SELECT count(*) FROM calls").fetchone()
        due, kept = report._promises()
    assert figures["model calls"] == str(calls)
    assert figures["fallbacks"].startswith("0 / ")
    assert figures["replies in the wrong language"].startswith("0 / ")
    assert due > 0
    assert kept > due / 2


def test_a_day_that_is_over_is_reported_again(day: Path) -> None:
    path = day / "accept" / "scripted.md"
    before = path.read_text("utf-8")
    path.unlink()
    assert main(["--llm", "scripted", "--lang", "en", "--results", str(day)]) == 0
    assert path.read_text("utf-8") == before


def test_a_bad_model_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sloppy(*_: object) -> tuple[LanguageModel, str]:
        return Sloppy(ScriptedModel(), bad=0.95), ""

    monkeypatch.setattr(session, "choose_model", sloppy)
    assert main(["--llm", "scripted", "--lang", "zh", "--results", str(tmp_path)]) == 3
    text = (tmp_path / "accept" / "scripted.zh-CN.md").read_text("utf-8")
    assert "兜底" in text
    assert " / 108 步" in text


def test_nothing_is_written_for_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--llm", "nonsense", "--lang", "en", "--results", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_repeats_are_word_for_word() -> None:
    assert repeats(["Good morning!", "good  morning!", "Bye."]) == 1
