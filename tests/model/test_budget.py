"""Budgets stop a run at a whole step, and what they cost is not paid again; estimates come near
what is lived.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from benchmarks.calls import DAYS, lived, load_of, shared_prefix
from benchmarks.towns import STRIDE
from hometown import session
from hometown.cli import start
from hometown.clock import DAY
from hometown.doctor.estimate import Load, estimate_load, hourly_load, load_so_far
from hometown.language import LANGS, Lang
from hometown.model.call_budget import BudgetedModel, BudgetSpent, CallBudget
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.queue import CallKey, CallQueue
from hometown.model.size import Freedom
from hometown.records import Call, Message
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world.load import load_world
from tests.support.conformance import REQUESTS
from tests.support.fake_models import Canned, Slow
from tests.support.town import live

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
    with RunFile.open(results, "town") as run:
        return list(run.digests())


def test_a_reply_that_arrives_last_is_kept_before_a_budget_is_spent() -> None:
    async def ask() -> list[Completion]:
        budget, queue = CallBudget(1, 0), CallQueue(2)
        model = BudgetedModel(Counted(), budget)
        kept: list[Completion] = []

        async def keep() -> None:
            key = CallKey(1, "ann", "utterance", 0)
            kept.append(await queue.reply(key, (0, 0), lambda: model.complete(ASKED, seed=1)))

        asked = asyncio.create_task(keep())
        await asyncio.sleep(0)
        while budget.calls_left:
            await asyncio.sleep(0)
        with pytest.raises(BudgetSpent):
            await model.complete(ASKED, seed=2)
        before = list(kept)
        await asked
        return before

    assert len(asyncio.run(ask())) == 1


def test_a_budget_of_calls_ends_at_a_whole_step_and_loses_no_reply(
    tmp_path: Path, counted: Counted, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = live(tmp_path / "whole", 6, seed=0, model=Counted())
    assert main(["--name", "town", "--step", "6", "--max-calls", "15", *NEW], tmp_path) == 0
    out = capsys.readouterr().out
    assert counted.calls == 15
    assert "budget" in out
    assert f"start.py --name town --resume --results {tmp_path}" in out
    assert digests(tmp_path) == whole[: len(digests(tmp_path))]
    for _ in range(9):
        assert main(["--name", "town", "--resume", "--max-calls", "30"], tmp_path) == 0
    assert digests(tmp_path) == whole
    with RunFile.open(tmp_path, "town") as run:
        assert (
            counted.calls
            == run.database.execute(
                "SELECT sum(json_array_length(attempts)) FROM calls"
            ).fetchone()[0]
        )


def test_a_budget_of_time(tmp_path: Path, counted: Counted) -> None:
    assert main(["--name", "town", "--step", "6", "--max-hours", "0.0000001", *NEW], tmp_path) == 0
    assert counted.calls == 0
    assert len(digests(tmp_path)) == 1


async def test_calls_under_way_are_answered_before_the_budget_ends() -> None:
    slow = Slow(Canned(), 0.05)
    model = BudgetedModel(slow, CallBudget(calls=2, seconds=0))
    replies = await asyncio.gather(
        *(model.complete(ASKED, seed=seed) for seed in range(4)), return_exceptions=True
    )
    assert [isinstance(one, BudgetSpent) for one in replies] == [False, False, True, True]
    assert slow.under_way == 0


async def test_time_is_up_when_the_clock_says_so() -> None:
    now = 0.0
    model = BudgetedModel(Canned(), CallBudget(calls=0, seconds=10, clock=lambda: now))
    await model.complete(ASKED, seed=1)
    now = 10.0
    with pytest.raises(BudgetSpent):
        await model.complete(ASKED, seed=1)


@pytest.mark.parametrize("hours", ["0", "-1", "soon", "inf", "nan"])
def test_hours_are_hours(hours: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--name", "town", "--max-hours", hours], tmp_path) == 2
    assert hours in capsys.readouterr().err


def test_a_real_model_is_told_what_to_expect_and_the_scripted_one_is_not(
    tmp_path: Path, counted: Counted, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--name", "town", "--max-calls", "1", *NEW], tmp_path) == 0
    assert (
        f"estimate: about {estimate_load('minitown', 'en', 6, datetime(2025, 2, 13, 6), DAY).calls:,.0f} calls"
        in capsys.readouterr().out
    )
    counted.name = "scripted"
    assert main(["--name", "other", "--max-calls", "1", *NEW], tmp_path) == 0
    assert "expected" not in capsys.readouterr().out


# estimates -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("world", DAYS)
def test_the_table_has_every_hour_of_the_worlds_that_ship(world: str, lang: Lang) -> None:
    assert len(hourly_load(world, lang, 1)) == 24
    assert hourly_load(world, lang, 1) == hourly_load(
        "imported", lang, len(load_world(world, lang).personas)
    ), "the closest in size"
    assert (
        hourly_load("imported", lang, 2)
        == hourly_load("minitown", lang, 2)
        != hourly_load("imported", lang, 40)
        == hourly_load("ville", lang, 40)
    )


@pytest.mark.parametrize(
    ("world", "lang", "steps"),
    [("minitown", "en", 24), ("minitown", "zh", 24), ("ville", "en", 15), ("ville", "zh", 15)],
)
def test_a_morning_is_estimated_within_a_quarter(world: str, lang: Lang, steps: int) -> None:
    """With another seed than the days of the table. Where prompts have changed, `python -m
    benchmarks.calls` measures them again.
    """
    town, calls = lived(world, lang, steps, seed=2)
    measured = load_of([call for step in calls for call in step])
    load = estimate_load(world, lang, len(town.personas), town.start, steps * STRIDE)
    assert load.calls == pytest.approx(measured.calls, rel=0.25)
    assert load.tokens == pytest.approx(measured.tokens, rel=0.25)


def test_hours_count_by_the_part_that_is_lived() -> None:
    noon = datetime(2025, 2, 13, 12, 40)
    rows = hourly_load("minitown", "en", 6)
    assert estimate_load("minitown", "en", 3, noon, 30).calls == pytest.approx(
        3 * (rows[12].calls / 3 + rows[13].calls / 6)
    )
    assert estimate_load("minitown", "en", 1, noon, 2 * DAY).tokens == pytest.approx(
        2 * sum(row.tokens for row in rows)
    )
    assert estimate_load("minitown", "en", 1, noon, 0).calls == 0


def test_a_run_that_needs_more_than_foreseen_is_estimated_to_go_on_so() -> None:
    lived = load_so_far(
        [
            {"calls": 0},
            {"calls": 80, "prompt_tokens": 300, "reply_tokens": 10},
            {"calls": 20, "prompt_tokens": 100, "reply_tokens": 10},
        ]
    )
    assert lived == Load(100, 400, 20)
    assert Load(10, 100, 10).scale(Load(50, 100, 40), lived) == Load(20, 400, 5)
    assert Load(10, 100, 10).scale(Load(50, 100, 40), replace(lived, calls=49)) == Load(
        10, 100, 10
    ), "too few to tell"
    assert Load(10, 100, 10).scale(Load(0, 0, 0), lived) == Load(10, 100, 10), (
        "nothing was foreseen"
    )
    assert load_so_far([]) == Load(0, 0, 0)


def test_time_follows_from_tokens() -> None:
    assert Load(1, 3600, 7200).hours(reading=1, writing=2) == pytest.approx(2)


def test_the_shared_prefix_is_counted_between_calls_to_the_same_resident() -> None:
    def call(who: str, *texts: str) -> Call:
        return replace(blank, who=who, messages=tuple(Message("user", text) for text in texts))

    blank = Call(1, "", "place", 0, "", "ok", "{}", (), (), (), 0, 0, 0)
    assert shared_prefix([call("ann", "aaaa"), call("bob", "bbbb"), call("ann", "aaxx")]) == 0.5
    assert shared_prefix([call("ann", "aaaa")]) == 0


def test_a_model_whose_texts_are_kept_plain_is_expected_to_need_less() -> None:
    plain, habits, free = (
        estimate_load("minitown", "en", 6, datetime(2025, 2, 13, 6), 18 * 60, freedom)
        for freedom in get_args(Freedom)
    )
    assert habits == free
    assert plain.calls == pytest.approx(266, rel=0.25), (
        "as many as the day in docs/acceptance-tiny.md had"
    )
    assert plain.tokens < free.tokens
