"""Budgets stop a run at a whole step, and what they cost is not paid again; estimates come near what is lived."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.calls import shared_prefix
from modules.cli import session, start
from modules.model.budget import Budgeted, BudgetSpent
from modules.model.calls import Call
from modules.model.estimate import Load, by_kind, expected
from modules.model.llm import Completion, LanguageModel, Message, Request
from modules.model.scripted.model import ScriptedModel
from modules.prompt.catalogue import PROMPTS
from modules.storage.run import Run
from modules.world.world import LANGS
from tests.conformance import REQUESTS
from tests.fake_models import Canned, Slow
from tests.town import live

ASKED = REQUESTS["utterance", "en"]
NEW = ["--world", "minitown", "--lang", "en", "--llm", "scripted", "--embedding", "hash"]


class Counted:
    """The scripted model, which counts its calls and goes by another name."""

    name = "ollama:counted"

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.calls += 1
        await asyncio.sleep(0)
        return await ScriptedModel().complete(request, seed=seed)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    model = Counted()

    async def chosen(*_: object) -> tuple[LanguageModel, str]:
        return model, ""

    monkeypatch.setattr(session, "choose_model", chosen)
    return model


def main(argv: list[str], results: Path) -> int:
    return start.main([*argv, "--results", str(results)])


def digests(results: Path) -> list[str]:
    with Run.open(results, "town") as run:
        return list(run.digests())


def test_a_budget_of_calls_ends_at_a_whole_step_and_loses_no_reply(tmp_path: Path, counted: Counted, capsys: pytest.CaptureFixture[str]) -> None:
    whole = live(tmp_path / "whole", 6, seed=0, model=Counted())
    assert main(["--name", "town", "--step", "6", "--max-calls", "30", *NEW], tmp_path) == 0
    out = capsys.readouterr().out
    assert counted.calls == 30
    assert "budget" in out
    assert f"start.py --name town --resume --results {tmp_path}" in out
    assert digests(tmp_path) == whole[: len(digests(tmp_path))]
    for _ in range(9):
        assert main(["--name", "town", "--resume", "--max-calls", "30"], tmp_path) == 0
    assert digests(tmp_path) == whole
    with Run.open(tmp_path, "town") as run:
        assert counted.calls == run.database.execute("SELECT sum(json_array_length(attempts)) FROM calls").fetchone()[0]


def test_a_budget_of_time(tmp_path: Path, counted: Counted) -> None:
    assert main(["--name", "town", "--step", "6", "--max-hours", "0.0000001", *NEW], tmp_path) == 0
    assert counted.calls == 0
    assert len(digests(tmp_path)) == 1


async def test_calls_under_way_are_answered_before_the_budget_ends() -> None:
    slow = Slow(Canned(), 0.05)
    model = Budgeted(slow, calls=2, seconds=0)
    replies = await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(4)), return_exceptions=True)
    assert [isinstance(one, BudgetSpent) for one in replies] == [False, False, True, True]
    assert slow.under_way == 0


async def test_time_is_up_when_the_clock_says_so() -> None:
    now = 0.0
    model = Budgeted(Canned(), calls=0, seconds=10, clock=lambda: now)
    await model.complete(ASKED, seed=1)
    now = 10.0
    with pytest.raises(BudgetSpent):
        await model.complete(ASKED, seed=1)


@pytest.mark.parametrize("hours", ["0", "-1", "soon", "inf", "nan"])
def test_hours_are_hours(hours: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--name", "town", "--max-hours", hours], tmp_path) == 2
    assert hours in capsys.readouterr().err


def test_a_real_model_is_told_what_to_expect_and_the_scripted_one_is_not(tmp_path: Path, counted: Counted, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--name", "town", "--max-calls", "1", *NEW], tmp_path) == 0
    assert f"expected: about {expected('en', 6, 1440).calls:,.0f} calls" in capsys.readouterr().out
    counted.name = "scripted"
    assert main(["--name", "other", "--max-calls", "1", *NEW], tmp_path) == 0
    assert "expected" not in capsys.readouterr().out


# estimates -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_knows_every_prompt(lang: str) -> None:
    assert by_kind(lang).keys() == PROMPTS.keys() - {"reconsider"}  # type: ignore[arg-type]  # asked when the user steps in


def test_the_table_is_what_minitown_lives(tmp_path: Path) -> None:
    live(tmp_path, 144)
    with Run.open(tmp_path, "town") as run:
        calls, tokens = run.database.execute("SELECT count(*), sum(prompt_tokens + reply_tokens) FROM calls").fetchone()
    load = expected("en", 6, 1440)
    assert load.calls == pytest.approx(calls, rel=0.35)
    assert load.tokens == pytest.approx(tokens, rel=0.35)


def test_time_follows_from_tokens() -> None:
    assert Load(1, 3600, 7200).hours(reading=1, writing=2) == pytest.approx(2)


def test_the_shared_prefix_is_counted_between_calls_to_the_same_resident() -> None:
    def call(who: str, *texts: str) -> Call:
        return replace(blank, who=who, messages=tuple(Message("user", text) for text in texts))

    blank = Call(1, "", "place", 0, "", "ok", "{}", (), (), (), 0, 0, 0)
    assert shared_prefix([call("ann", "aaaa"), call("bob", "bbbb"), call("ann", "aaxx")]) == 0.5
    assert shared_prefix([call("ann", "aaaa")]) == 0
