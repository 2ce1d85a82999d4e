"""What became of the steps that residents of a society thought of, and how they fared."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.cli.summary import print_summary
from hometown.cli.texts import Text
from hometown.history.alerts import alerts
from hometown.history.economy import economy
from hometown.history.hardship import hardship
from hometown.history.insight import calls
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.history.workday import Workdays
from hometown.language import LANGS, Lang
from hometown.memory.schedule import MeantTask
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.society.bodies import need_levels
from hometown.society.errand_grounding import find_mentioned_work
from hometown.society.work_phrasing import WorkPhrases
from hometown.storage.run import RunFile
from hometown.world.effects import TasksSet
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from tests.support.fake_models import Wrapped
from tests.support.town import live, opened

STEPS = ["milling grain all alone", "watching the clouds", "eating a bite"]
"""Of these, everybody can eat, and only who owns a mill can mill."""


class Dreams(Wrapped):
    """Thinks of the same steps again and again, and never knows what they mean."""

    async def answer(self, request: Request, seed: int) -> Completion:
        replies: dict[str, Any] = {
            "steps": {"steps": STEPS},
            "ground": {"numbers": [0] * len(STEPS)},
        }
        return (
            Completion(orjson.dumps(replies[request.kind]).decode(), 9, 9)
            if request.kind in replies
            else await self.model.complete(request, seed=seed)
        )


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a morning of the farmstead."""
    folder = tmp_path_factory.mktemp("results")
    live(
        folder,
        9,
        world=load_world("farmstead", "en"),
        start=datetime(2025, 4, 1, 6),
        stride=20,
        model=Dreams(ScriptedModel()),
    )
    return folder


def test_steps_count_as_errands_or_as_work_that_is_only_spoken_of(farm: Path) -> None:
    with RunReader.open(farm, "town") as run:
        names, last = Names.of(run), run.last_step()
        assert names.world
        assert names.world.book
        found = spoken_work(run, names.world.book, last)
        log = [
            logged.effect
            for _, logged in run.run.effects()
            if logged.cause.startswith("call:steps")
        ]
        told = found.in_words(WorkPhrases(names.world))
        assert calls(run, names)["ungrounded"] == found.share
    tasks = [task for effect in log if isinstance(effect, TasksSet) for task in effect.tasks.items]
    assert (
        found.errands == sum(isinstance(task, MeantTask) for task in tasks) > found.ungrounded > 0
    )
    assert found.ungrounded == sum(
        task.activity == STEPS[0] and not isinstance(task, MeantTask) for task in tasks
    )
    assert told == [f"milling grain {found.ungrounded}"]
    assert found.share == found.ungrounded / (found.errands + found.ungrounded)


def test_the_lowest_levels_are_those_of_all_steps(farm: Path) -> None:
    with RunReader.open(farm, "town") as run:
        world = Names.of(run).world
        assert world
        assert world.book
        fared = hardship(run, world.book, run.last_step())
        felt = []
        for step in range(run.last_step() + 1):
            state = run.run.restore(step)
            felt += [
                need_levels(world.book, state.needs(who), run.moment(step)) for who in run.residents
            ]
    assert dict(fared.lowest) == {
        need: min(each[need] for each in felt) for need in world.book.needs
    }
    assert fared.collapsed == ()


@pytest.mark.parametrize("lang", LANGS)
def test_the_summary_says_both(farm: Path, lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(farm) as run:
        print_summary(run, Text(lang), Names.of(run))
    shown = capsys.readouterr().out
    assert Text(lang)("nobody collapsed") in shown
    assert Text(lang)(": {kinds}", kinds="milling grain ") in shown


LAW: dict[str, Any] = {
    "needs": {
        "faith": {
            "name": {"en": "faith", "zh": "信仰"},
            "awake": -120,
            "asleep": 0,
            "wakes": 0,
            "urgent": 900,
            "low": 950,
            "satisfied": 980,
            "met_by": ["play"],
        },
        "fun": None,
    },
    "kinds": {
        "pie": {
            "name": {"en": "apple pie", "zh": "苹果派"},
            "grams": 400,
            "gives": {"hunger": 300},
        },
        "cider": {"components": None, "gives": {"fun": None, "hunger": 10}},
        "honey_cake": {"components": None, "gives": {"fun": None, "hunger": 60}},
    },
    "recipes": {
        "bake": {"make": {"pie": 11, "loaf": None}},
        **{
            name: {"body": {"fun": None, **gains}}
            for name, gains in {
                "learn": {},
                "play": {"faith": 100},
                "teach": {},
                "weave": {},
            }.items()
        },
    },
    "fixtures": {"bakery/main/counter": {"shop": {"sells": {"pie": 40}}}},
    "people": {
        who: {"duties": [{"keep": "pie", "count": 40, "at": "bakery/main/counter"}]}
        for who in ("hugo", "iris", "jack")
    },
}
"""A law with another need and other goods than there were."""


@pytest.fixture(scope="module")
def amended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a day of the farmstead, after whose first hour a law is enacted."""
    folder = tmp_path_factory.mktemp("amended")
    farmstead = load_world("farmstead", "en")
    live(folder, 3, world=farmstead, start=datetime(2025, 4, 1, 6), stride=20)
    with RunFile.open(folder, "town", write=True) as run:
        run.ask([Intervention("law", "", json.dumps(LAW))])
    live(folder, 34, world=farmstead)
    return folder


def test_a_need_that_a_law_adds_is_told_and_one_that_it_removes_is_not(
    amended: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunReader.open(amended, "town") as run:
        names = Names.of(run)
        print_summary(run.run, Text("en"), names)
        lines = {line["name"]: line for line in economy(run, names)["needs"]}
        needs = {alert["need"].get("en") for alert in alerts(run, names)}
    lows = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("needs"))
    assert ("faith" in lows, "fun" in lows) == (True, False)
    assert ("faith" in lines, "fun" in lines) == (True, False)
    assert lines["faith"]["values"][0] is None, "nobody knew of it yet"
    assert lines["faith"]["lowest"][-1] < 1000
    assert "faith" in needs


def test_goods_that_a_law_adds_have_their_name_in_the_days_work(amended: Path) -> None:
    with RunReader.open(amended, "town") as run:
        workdays, day = Workdays(run, Names.of(run)), run.manifest.start.date()
        told = [line for who in run.residents for line in workdays.of(who, day)]
        market = workdays.market(day, "zh", run.last_step())
    assert any("apple pie" in line for line in told)
    assert not any(re.search(r"\bpies?\b", line.replace("apple pie", "")) for line in told)
    assert not any("pie" in line for line in market)


def test_words_of_work_need_no_owner() -> None:
    book = load_world("farmstead", "en").book
    assert book
    spoken = {
        "Milling a sack of grain": "mill",
        "buys flour": "flour",
        "at the mill": "",
        "flour": "",
        "watching clouds": "",
    }
    assert {words: find_mentioned_work(book, "en", words) for words in spoken} == spoken
