"""The acceptance report: a day on a model, in figures that anybody can check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hometown import session
from hometown.bench.copied_examples import copies, example_texts
from hometown.bench.model_bench import prompt_version
from hometown.history.reader import RunReader
from hometown.model.llm import LanguageModel
from hometown.paths import ROOT
from hometown.prompt.catalogue import PROMPTS
from hometown.records import Attempt, Call, Message
from hometown.scripted.model import ScriptedModel
from tests.support.fake_models import Sloppy
from tools.accept import main, run_name
from tools.acceptance_report import Report, repeats


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a day simulated by the scripted model."""
    results = tmp_path_factory.mktemp("results")
    assert (
        main(
            [
                "--llm",
                "scripted",
                "--lang",
                "en",
                "--seed",
                "3",
                "--results",
                str(results),
                "--lived",
            ]
        )
        == 0
    )
    return results


def test_the_scripted_day(day: Path) -> None:
    text = (day / "accept" / "scripted.md").read_text("utf-8")
    assert text.startswith("# How scripted")
    assert "108 of 108 steps" in text
    seldom = {
        "currently",
        "clash",
        "reconsider",
        "poignancy",
        "respond",
        "happening",
        "measure",
    }  # of the second morning, and of what the user does
    elsewhere = {
        "schedule_changes",
        "relation",
        "place",
        "steps",
        "ground",
        "talk_outcome",
        "reflect_chats",
        "night_gist",
        "interview",
        "rank_answers",
        "check_answer",
        "law",
        "settler",
        "director",
        "stranger",
        "world_edit",
    }  # of small models, towns with a society, other settings, taken places, of you, of judges, of laws and of people who move in
    for kind in PROMPTS.keys() - seldom - elsewhere:
        assert f"| {kind} |" in text
    assert text.count("\n### ") == 3
    assert str(day) not in text


def test_the_day_in_the_documents_is_of_the_present_prompts_or_says_that_it_is_not() -> None:
    text = (ROOT / "docs" / "acceptance-tiny.md").read_text("utf-8")
    present = f"| version of the prompts | {prompt_version()} |" in text
    assert "| version of the prompts | " in text
    assert present != ("The prompts have changed since." in text)


def test_only_a_run_that_was_lived_with_the_present_prompts_names_them(day: Path) -> None:
    row = f"| version of the prompts | {prompt_version()} |"
    assert row in (day / "accept" / "scripted.md").read_text("utf-8")
    with RunReader.open(day, run_name("scripted", "en")) as run:
        assert row not in "\n".join(Report(run).lines())


def test_its_figures_are_those_of_the_run(day: Path) -> None:
    with RunReader.open(day, run_name("scripted", "en")) as run:
        report = Report(run)
        figures = dict([*report._figures(), *report._life()])
        (calls,) = run.database.execute("SELECT count(*) FROM calls").fetchone()
        due, kept = report._promises()
    assert figures["model calls"] == str(calls)
    assert figures["fallbacks"].startswith("0 / ")
    assert figures["replies in the wrong language"].startswith("0 / ")
    copied = int(figures["replies that hold a text of their prompt's example"].partition(" ")[0])
    assert copied < calls / 100  # somebody has breakfast, as in the example
    assert int(figures["mornings up within two hours of habit"].rstrip("%")) == 100
    assert int(figures["different activities, of the resident with fewest"]) >= 5
    assert float(figures["seconds for a resident's day"]) > 0
    assert figures["tokens"].endswith(" written")
    assert due > 0
    assert kept > due / 2


def test_a_day_that_is_over_is_reported_again(day: Path) -> None:
    path = day / "accept" / "scripted.md"
    before = path.read_text("utf-8")
    path.write_text(f"{before}changed by hand\n", "utf-8")
    assert main(["--llm", "scripted", "--lang", "en", "--results", str(day), "--lived"]) == 0
    assert path.read_text("utf-8") == before


def test_a_bad_model_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sloppy(*_: object) -> tuple[LanguageModel, str]:
        return Sloppy(ScriptedModel(), bad=0.95), ""

    monkeypatch.setattr(session, "choose_model", sloppy)
    assert main(["--llm", "scripted", "--lang", "zh", "--results", str(tmp_path)]) == 3
    text = (tmp_path / "accept" / "scripted.zh-CN.md").read_text("utf-8")
    assert "后备" in text
    assert " / 108 步" in text


def test_a_society_is_judged_by_how_its_people_fare(tmp_path: Path) -> None:
    main(
        [
            "--llm",
            "scripted",
            "--lang",
            "en",
            "--world",
            "farmstead",
            "--until",
            "07:30",
            "--results",
            str(tmp_path),
        ]
    )
    text = (tmp_path / "accept" / "scripted-farmstead.md").read_text("utf-8")
    assert "| collapsed | – |" in text
    assert "| steps of the day that became errands | 0 |" not in text
    with RunReader.open(tmp_path, run_name("scripted", "en", "farmstead")) as run:
        report = Report(run)
        figures = dict(report._society())
        assert report.fared
        lowest = {
            name: int(share.rstrip("%"))
            for name, share in (
                each.rsplit(" ", 1) for each in figures["lowest level of each need"].split(", ")
            )
        }
        assert 0 < lowest["food"] < lowest["health"] == 100
        assert "people who collapsed" not in report.verdict()
        report.fared = replace(report.fared, collapsed=("dirk",))
        assert "people who collapsed: 1 (at most 0)" in report.verdict()


def test_nothing_is_written_for_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--llm", "nonsense", "--lang", "en", "--results", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_copy_is_a_whole_text_of_the_example_in_the_prompt() -> None:
    prompt = 'Split it. Form of the answer:\n{"tasks": [{"activity": "kneading the dough", "minutes": 10}, {"activity": "…", "minutes": 5}]}\nNow you.'

    def call(reply: str) -> Call:
        messages = (Message("system", "Rules."), Message("user", prompt))
        return Call(
            1,
            "ann",
            "schedule_decompose",
            0,
            "m",
            "ok",
            "{}",
            (Attempt(reply),),
            messages,
            (),
            1,
            1,
            1.0,
        )

    assert copies(call('{"tasks": [{"activity": "Kneading the  dough.", "minutes": 30}]}'))
    assert not copies(
        call('{"tasks": [{"activity": "kneading the dough for the cake", "minutes": 30}]}')
    )
    assert not copies(call('{"tasks": [{"activity": "…", "minutes": 30}]}'))
    assert example_texts('{"say": "早啊！后来到了没有？", "end": false}') == {
        "早啊！后来到了没有？"
    }


def test_repeats_are_word_for_word() -> None:
    assert repeats(["Good morning!", "good  morning!", "Bye."]) == 1
