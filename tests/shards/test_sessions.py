"""Sessions with shards, as the command line starts them: runs, forks, and what can be followed of
them while they go on.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hometown.cli.main import run_hometown
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.shards import games
from hometown.storage.run import RunFile
from tests.support.days import set_out
from tests.support.shards import LocalCluster, day_of_one_process, spread
from tests.support.town import game_on, opened

BEGINS = 10
"""A step of the day after which people talk."""


@pytest.fixture(autouse=True)
def clusters(monkeypatch: pytest.MonkeyPatch) -> list[LocalCluster]:
    """Shards in this process take the place of Ray's; all that were started."""
    started: list[LocalCluster] = []

    def cluster(configs: Any, address: str, budget: Any) -> LocalCluster:
        started.append(LocalCluster(configs))
        return started[-1]

    monkeypatch.setattr("hometown.shards.cluster.RayCluster", cluster)
    monkeypatch.setattr(games, "find_spec", lambda name: True)
    return started


def test_a_fork_can_be_lived_on_shards(tmp_path: Path, clusters: list[LocalCluster]) -> None:
    fixed = ["--lang", "en", "--results", str(tmp_path), "--step", "1"]
    assert (
        run_hometown(
            [
                "run",
                "town",
                "--world",
                "minitown",
                "--llm",
                "scripted",
                "--embedding",
                "hash",
                *fixed,
            ]
        )
        == 0
    )
    for name, shards in (("here", "0"), ("far", "3")):
        assert run_hometown(["fork", "town@1", "--name", name, "--shards", shards, *fixed]) == 0
    with opened(tmp_path, "here") as here, opened(tmp_path, "far") as far:
        assert list(here.digests()) == list(far.digests())
    assert [len(cluster.configs) for cluster in clusters] == [3]


def test_what_is_said_on_shards_can_be_followed(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    said = set[str]()

    class Speaking(ScriptedModel):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            completion = await super().complete(request, seed=seed)
            if request.on_text:
                request.on_text(completion.text)
            return completion

    class Listener:
        def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
            said.add(text)

    async def live() -> list[str]:
        with RunFile.open(tmp_path, "town", write=True) as run:
            game = game_on(run)
            spread(game, 2, listens=True, model=Speaking)
            game.caller.listener = Listener()
            while not (talks := [talk for talk in run.conversations() if talk.step > BEGINS]):
                await game.step()
            return [line.text for talk in talks for line in talk.lines]

    set_out(day_of_one_process(tmp_path_factory), tmp_path, BEGINS)
    lines = asyncio.run(live())
    assert said & set(lines)
