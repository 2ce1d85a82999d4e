"""Towns that live on Ollama, with and without outages."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hometown.cli import start
from hometown.model.ollama import OllamaModel
from hometown.model.retrying import RetryingModel
from hometown.model.stats import Stats
from hometown.storage.queries import History
from hometown.storage.run import RunFile
from tests.model.ollama.asking import settings
from tests.support.fake_models import Wrapped
from tests.support.fake_ollama import FakeOllama
from tests.support.no_waiting import without_waiting
from tests.support.town import live


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    without_waiting(monkeypatch)


def test_a_town_lives_on_ollama(fake: FakeOllama, tmp_path: Path) -> None:
    fake.trouble += ["503", "thinking", "empty", "garbage"]
    chosen = settings(fake.host)
    model = Wrapped(RetryingModel(OllamaModel("qwen3:8b", chosen), chosen, lambda _: None))
    digests = live(tmp_path, 8, model=model, settings={"llm": {"max_fallback_share": 1.0}})
    assert len(set(digests)) == 9
    with RunFile.open(tmp_path, "town") as run:
        assert run.manifest.llm == "ollama:qwen3:8b"
        stats = Stats(History(run.database).calls())
    assert stats.total.ok > 0
    assert stats.total.prompt_tokens > 0
    assert model.most_under_way > 1


FAULTY = ("", "thinking", "", "empty", "thinking_ends", "", "503", "", "half_closed", "", "empty")
"""Of eleven chats two are empty, two are not answered, and two are thought about aloud."""


@pytest.mark.parametrize("retries", [0, 1])
def test_a_whole_day_on_a_faulty_server_is_lived_and_counted_honestly(
    fake: FakeOllama, tmp_path: Path, retries: int
) -> None:
    fake.always, chosen = FAULTY, settings(fake.host)
    model = RetryingModel(OllamaModel("qwen3:8b", chosen), chosen, lambda _: None)
    live(
        tmp_path,
        36,
        stride=30,
        model=model,
        settings={"llm": {"max_fallback_share": 1.0, "retries": retries}},
    )
    with RunFile.open(tmp_path, "town") as run:
        assert run.last.time == datetime(2025, 2, 14)
        lived = list(History(run.database).calls())
        unused = sum(stats.get("unused", 0) for stats in run.stats())  # asked ahead
    total = Stats(lived).total
    assert total.calls == len(lived) > 40
    assert min(total.ok, total.retried if retries else total.fallback) > 0
    assert total.requests + unused == fake.replies


def test_a_model_that_gives_nothing_usable_stops_the_run(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.always = "empty"
    say(config, fake.host, max_fallback_share=0.5)
    assert (
        command(
            config,
            "--llm",
            "ollama:qwen3:8b",
            "--lang",
            "en",
            "--embedding",
            "hash",
            "--step",
            "36",
        )
        == 3
    )
    out, error = capsys.readouterr()
    assert "replies held an answer" in error
    assert "hometown doctor --llm ollama:qwen3:8b" in error
    assert "--resume" not in out


def test_a_trial_with_fallbacks_alone_never_ends_well(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.always = "empty"
    say(config, fake.host, max_fallback_share=1, retries=0)
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW) == 3
    out, error = capsys.readouterr()
    assert "in 8 requests" in out
    assert "5 requests, to find out how the model is asked" in out
    assert "gives no answer, in whatever way it is asked" in error
    assert "None of the 3 replies of ollama:qwen3:8b could be used" in error
    assert "hometown doctor --llm ollama:qwen3:8b" in error


@pytest.mark.parametrize("lived", [0, 1])
def test_a_model_that_cannot_play_leaves_its_name_to_another_unless_a_step_was_lived(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str], lived: int
) -> None:
    say(config, fake.host)
    if lived:
        assert command(config, "--llm", "ollama:qwen3:8b", *NEW[:-1], "1") == 0
        fake.always = "no_chat"
        assert command(config, "--resume", "--step", "36") == 3
    else:
        fake.always = "no_chat"
        assert command(config, "--llm", "ollama:qwen3:8b", *NEW) == 3
    out, error = capsys.readouterr()
    assert "take one that chats" in error
    assert ("--resume" in out) == bool(lived)
    assert ("No run was kept" in out) == (not lived)
    assert (config.parent / "results" / "checkpoints" / "town").exists() == bool(lived)
    if not lived:
        fake.always = ""
        assert command(config, "--llm", "ollama:qwen3:8b", *NEW[:-1], "1") == 0


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    return tmp_path / "mine.json"


def say(config: Path, host: str, **llm: Any) -> None:
    config.write_text(
        json.dumps({"machine": {"ollama_hosts": [host]}, "llm": {"max_fallback_share": 1, **llm}})
    )


def command(config: Path, *argv: str) -> int:
    return start.main(
        [
            "--name",
            "town",
            "--results",
            str(config.parent / "results"),
            "--config",
            str(config),
            *argv,
        ]
    )


NEW = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--embedding",
    "hash",
    "--residents",
    "2",
    "--step",
    "6",
)


def test_a_server_that_stays_away_ends_the_run_with_the_line_that_resumes_it(
    fake: FakeOllama, nobody: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(config, nobody)
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW) == 3
    out, error = capsys.readouterr()
    assert "ollama:qwen3:8b, as asked" in out
    assert f"start.py --name town --resume --config {config} --results" in out
    assert "asking again until it answers" in error
    assert "llm.give_up_after" in error.splitlines()[-1]
    assert "Traceback" not in error

    say(config, fake.host, num_ctx=4096)  # another server, with another context
    assert command(config, "--resume") == 0
    assert {body["options"]["num_ctx"] for body in fake.chats} == {4096}
    with RunFile.open(config.parent / "results", "town") as run:
        assert run.last.step == 6
        assert fake.host not in run.manifest.model_dump_json()


def test_an_outage_in_the_middle_changes_nothing_about_the_town(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(config, fake.host)
    assert command(config, "--llm", "auto", *NEW) == 0
    whole = digests(config)
    (config.parent / "results").rename(config.parent / "whole")

    asked = len(fake.chats)
    fake.trouble += [""] * (asked - 3) + ["503"] * 100
    say(config, fake.host)
    assert command(config, "--llm", "auto", *NEW) == 3
    with RunFile.open(config.parent / "results", "town") as run:
        assert run.last.step < 6
    fake.trouble.clear()
    say(config, fake.host)
    assert command(config, "--resume", "--llm", "ollama:qwen3:8b") == 0
    assert digests(config) == whole
    assert "ollama pull" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "by_kind"),
    [
        ("ollama:mistral", {}),
        ("ollama:qwen3:8b", {"react": "ollama:mistral"}),
        ("auto", {"react": "ollama:mistral"}),
    ],
)
def test_nothing_is_founded_on_a_model_that_is_missing(
    fake: FakeOllama,
    config: Path,
    capsys: pytest.CaptureFixture[str],
    asked: str,
    by_kind: dict[str, str],
) -> None:
    say(config, fake.host, by_kind=by_kind)
    assert command(config, "--llm", asked, *NEW) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"OLLAMA_HOST={fake.host} ollama pull mistral\n")
    assert error.count("\n") == 1
    assert not (config.parent / "results").exists()


def test_a_run_that_goes_on_is_estimated_by_its_own_speed(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thrift = {"sights_by_rule": False, "places_with_tasks": False}
    config.write_text(
        json.dumps(
            {
                "machine": {"ollama_hosts": [fake.host]},
                "llm": {"max_fallback_share": 1},
                "thrift": thrift,
            }
        )
    )
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW[:-1], "60") == 0
    assert "tokens per second read" in capsys.readouterr().out
    assert command(config, "--resume", "--step", "1") == 0
    assert "calls per minute so far" in capsys.readouterr().out


def test_waits_are_written_to_the_log(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(config, fake.host)
    fake.trouble += ["503", "503"]  # to the question before the run, and to its first call
    log = config.parent / "town.log"
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW, "--log", str(log)) == 0
    assert "asking again until it answers" in log.read_text("utf-8")
    assert "asking again until it answers" in capsys.readouterr().err


def test_auto_without_a_server_lives_on_rules(
    nobody: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(config, nobody)
    assert command(config, "--llm", "auto", *NEW) == 0
    servers, model, *_ = capsys.readouterr().out.splitlines()
    assert servers == f"servers: {nobody} (ollama:qwen3:8b) · embedding: hash"
    assert "scripted (no language model): no Ollama answers" in model


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "embedding: hash"), ("zh", "向量模型：hash")], ids=["en", "zh"]
)
def test_the_first_line_names_the_servers_and_the_embedding(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str], lang: str, line: str
) -> None:
    say(config, fake.host)
    new = [lang if word == "en" else word for word in NEW]
    assert command(config, "--llm", "ollama:qwen3:8b", *new) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert command(config, "--resume", "--step", "1", "--lang", lang) == 0
    again, *_ = capsys.readouterr().out.splitlines()
    assert all(fake.host in each and each.endswith(line) for each in (first, again))


def digests(config: Path) -> list[str]:
    with RunFile.open(config.parent / "results", "town") as run:
        return list(run.digests())
