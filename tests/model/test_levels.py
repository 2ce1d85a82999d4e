"""Levels of detail: who is played by which model, and what is seen of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hometown.backends import choose_model
from hometown.config import combine
from hometown.errors import BadInput
from hometown.history.names import Names
from hometown.history.playback import details
from hometown.history.reader import RunReader
from hometown.model.levels import best_level, played_by
from hometown.model.llm import Completion, Request
from hometown.model.routing import RoutedModel
from hometown.model.size import freedom_of
from hometown.scripted.model import ScriptedModel
from hometown.session import with_cast
from tests.support.town import live, minitown

DETAIL = {
    "cast": ["Lin Yue", "chen_siyuan"],
    "others": "ollama:small:1b",
    "background": ["Zhao Gang"],
}
SETTINGS = with_cast(combine([{"detail": DETAIL}]), minitown())
STEPS = 30


class Counting:
    """The scripted model under another name; `asked` counts by people, the resident first and whom
    it talks to, and kind.
    """

    def __init__(self, name: str) -> None:
        self.name, self.model = name, ScriptedModel()
        self.asked: Counter[tuple[tuple[str, ...], str]] = Counter()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.asked[request.people, request.kind] += 1
        return await self.model.complete(request, seed=seed)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Counting]]:
    """A results folder with a morning on three models, and the models: the run's, the others', the
    background's.
    """
    folder, models = (
        tmp_path_factory.mktemp("levels"),
        [Counting(name) for name in ("ollama:big:8b", "ollama:small:1b", "scripted")],
    )
    usual, *lower = models
    routed = RoutedModel(usual, {}, lower, partial(best_level, SETTINGS.detail))
    live(folder, STEPS, settings={"detail": SETTINGS.detail.model_dump()}, model=routed)
    return folder, models


def test_everybody_is_played_by_the_model_of_its_level(played: tuple[Path, list[Counting]]) -> None:
    alone = [{people[0] for people, _ in model.asked if len(people) == 1} for model in played[1]]
    assert alone == [
        {"lin_yue", "chen_siyuan"},
        set(minitown().personas) - {"lin_yue", "chen_siyuan", "zhao_gang"},
        {"zhao_gang"},
    ]


def test_whoever_talks_with_the_cast_is_played_by_its_model(
    played: tuple[Path, list[Counting]],
) -> None:
    folder, models = played
    levels = {who: best_level(SETTINGS.detail, [who]) for who in minitown().personas}
    with RunReader.open(folder, "town") as run:
        talks = run.conversations(1, run.last_step())
    best = [min(levels[who] for who in talk.people) for talk in talks]
    lines = Counter[int]()
    for talk, its in zip(talks, best, strict=True):
        lines[its] += len(talk.lines)
    spoken = [
        sum(count for (_, kind), count in model.asked.items() if kind == "utterance")
        for model in models
    ]
    assert any(len({levels[who] for who in talk.people}) > 1 for talk in talks), (
        "nobody talked across levels"
    )
    assert all(spoken[its] >= lines[its] for its in range(3))
    assert bool(spoken[2]) == bool(lines[2])


def test_the_page_is_told_who_is_not_played_by_the_runs_model(
    played: tuple[Path, list[Counting]],
) -> None:
    with RunReader.open(played[0], "town") as run:
        shown = {
            each["id"]: each["player"] for each in details(run, Names.of(run), "/")["residents"]
        }
    assert shown["lin_yue"] is None
    assert shown["zhao_gang"] == "scripted"
    assert shown["wang_fang"] == "ollama:small:1b"


async def test_the_models_are_named_and_found_again_by_their_names() -> None:
    settings = combine(
        [{"detail": {"background": ["zhao_gang"]}, "llm": {"by_kind": {"place": "scripted"}}}]
    )
    model, reason = await choose_model("scripted", settings)
    assert model.name == "scripted"  # all are the same one
    detail = settings.detail.model_copy(update={"others": "ollama:small"})
    routed = RoutedModel(
        Counting("ollama:big"),
        {},
        [Counting("ollama:small"), Counting("scripted")],
        partial(best_level, detail),
    )
    assert routed.name == "ollama:big with others=ollama:small, background=scripted"
    assert reason


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cast": ["Nobody"]}, "nobody in minitown is called 'Nobody'"),
        ({"cast": []}, "belong together"),
        ({"others": ""}, "belong together"),
        ({"background": ["Lin Yue"]}, "in one of them"),
    ],
)
def test_levels_that_make_no_sense_are_refused(changes: Mapping[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        with_cast(combine([{"detail": DETAIL | changes}]), minitown())
    assert said in str(caught.value)


def test_without_levels_nothing_is_changed() -> None:
    plain = combine([{}])
    assert with_cast(plain, minitown()) is plain, "where nobody is named, no world is read"
    assert best_level(plain.detail, ["lin_yue"]) == 0


def test_small_models_stay_near_habit_whoever_the_run_is_named_for() -> None:
    names = [
        played_by(SETTINGS.detail, "ollama:big:8b with others=ollama:small:1b", who)
        for who in ("lin_yue", "wang_fang", "zhao_gang")
    ]
    assert [freedom_of(name) for name in names] == ["free", "habits", "free"]
