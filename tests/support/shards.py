"""Shards in this process: the same objects and pickled arguments, without Ray."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hometown.agent.minds import WorkersLost
from hometown.game import Game
from hometown.model.call_budget import BudgetedModel, CallAllowance, CallBudget
from hometown.model.llm import LanguageModel
from hometown.scripted.model import ScriptedModel
from hometown.shards.games import assign_homes
from hometown.shards.remote_minds import RemoteMinds
from hometown.shards.reports import ShardReport
from hometown.shards.shard import Shard, ShardConfig
from hometown.storage.run import RunFile
from tests.support.once import made_once
from tests.support.town import join_readily, live

SETTINGS = {
    "chat": {"cooldown_minutes": 10},
    "think": {"poignancy_max": 30},
    "faculties": {"feel": True, "consolidate": True},
}


OPERATIONS = ("begin", "think", "meet", "utter", "urge", "part", "review")
"""All that a shard does in a step."""


class LocalShard(Shard):
    """A shard whose model a test makes."""

    def __init__(self, model: Callable[[], LanguageModel]) -> None:
        self._make_model = model

    async def _choose_model(self) -> LanguageModel:
        return self._make_model()


class LocalWorker:
    """A shard in this process, which may die before it does something. No report with an answer
    to the method `lost_reports` arrives.
    """

    def __init__(
        self, shard: LocalShard, dies: Callable[[str], bool], lost_reports: str = ""
    ) -> None:
        self.shard, self._dies, self._lost_reports = shard, dies, lost_reports
        self.is_dead = False

    async def call(self, method: str, *arguments: Any) -> tuple[Any, ShardReport]:
        operation = arguments[4] if method == "take_turn" else method
        self.is_dead = self.is_dead or self._dies(operation)
        self._check_alive()
        copied = pickle.loads(pickle.dumps(arguments))
        await asyncio.sleep(0)
        value, report = pickle.loads(pickle.dumps(await self.shard.call(method, *copied)))
        if method == self._lost_reports:
            report = ShardReport()
        self._check_alive()
        return value, report

    def _check_alive(self) -> None:
        if self.is_dead:
            raise WorkersLost("dead")


@dataclass
class LocalCluster:
    """Shards as objects. `model` makes each its model; `dies(number, method)` says when one dies
    before it does something; `lost_reports` is a method whose answers bring no report.
    """

    configs: Sequence[ShardConfig]
    budget: CallAllowance | None = None
    model: Callable[[], LanguageModel] = ScriptedModel
    dies: Callable[[int, str], bool] = lambda number, method: False
    lost_reports: str = ""
    workers: list[LocalWorker] = field(default_factory=list)
    starts: int = 0

    def close(self) -> None:
        for worker in self.workers:
            worker.is_dead = True

    async def start(self) -> list[LocalWorker]:
        self.close()
        self.starts += 1

        def worker(number: int) -> LocalWorker:
            shard = LocalShard(self.model)
            return LocalWorker(shard, lambda method: self.dies(number, method), self.lost_reports)

        self.workers = [worker(number) for number in range(len(self.configs))]
        for each, config in zip(self.workers, self.configs, strict=True):
            await each.shard.open(config, self.budget)
        return self.workers

    def share(self, value: Any) -> Any:
        return value


def spread(
    game: Game, count: int, budget: CallBudget | None = None, listens: bool = False, **how: Any
) -> LocalCluster:
    """Give a game minds on so many shards."""
    fixed = (game.settings, game.manifest.seed, game.manifest.llm, game.manifest.embedding, listens)
    cluster = LocalCluster([ShardConfig(game.founded, *fixed)] * count, budget, **how)
    if budget:
        game.caller.model = BudgetedModel(game.caller.model, budget)
    assert isinstance(game.run, RunFile)
    game.minds = RemoteMinds(cluster, assign_homes(game.founded, count), game.run, print)
    return cluster


ENDS = 19
"""The last step of the day, at ten past nine."""


def make_sociable(patch: pytest.MonkeyPatch) -> None:
    """Let residents like to join others, and have turns by their urge to speak, whoever is named."""
    join_readily(patch)
    patch.setattr("hometown.agent.conversation.circle.names_any", lambda names, text: False)


def day_of_one_process(folders: pytest.TempPathFactory) -> Path:
    """A day of people who like to join others, lived in one process."""

    def made(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            make_sociable(patch)
            live(folder, ENDS, settings=SETTINGS)

    return made_once(folders, "day-of-shards", made)
