"""What became of the steps that residents of a society thought of, and how they fared."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.cli.summary import print_summary
from hometown.cli.texts import Text
from hometown.history.hardship import hardship
from hometown.history.insight import calls
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.language import LANGS, Lang
from hometown.memory.schedule import MeantTask
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.society.bodies import need_levels
from hometown.society.errand_grounding import find_mentioned_work
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.effects import TasksSet
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
