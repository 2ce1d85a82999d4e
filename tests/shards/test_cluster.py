"""Shards as Ray's actors, and a program that has no Ray."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import pytest

from hometown import session
from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main
from hometown.config import combine
from hometown.errors import BadInput
from hometown.game import Game
from hometown.game_opening import open_game
from hometown.model.call_budget import CallAllowance
from hometown.paths import pip_command
from hometown.settings import Machine
from hometown.shards import games
from hometown.shards.cluster import RayCluster
from hometown.shards.games import assign_homes, refuse_unequipped, refuse_unshardable
from hometown.shards.shard import ShardConfig
from hometown.storage.live_speech import LiveSpeech
from hometown.storage.run import RunFile
from hometown.study.experiment import work_pools
from hometown.study.experiment.simulating import live_run
from tests.support.any_server import AnyServer, is_trial
from tests.support.experiments import small, tables
from tests.support.town import MORNING, live, minitown
from tests.torture.any_day import EAGER

STEPS = 2

KILLED = 2
"""The step in which a shard is killed; `python -m benchmarks.sharded` kills more."""

BUDGET = 24
"""Calls of a session: it ends within the second step, after residents have talked."""

BRIEF = """
name: small
question: Do residents who remember less know less?
town: {world: minitown, until: "06:40"}
seeds: [1]
conditions: {control: {}, forgetful: {settings: {associate: {retrieve_max: 3}}}}
interviews: [{questionnaire: neighbours, questions: 2}]
primary: {measure: company.conversations}
"""

WITH_TALK = ("--start", "20250213-11:00", "--stride", "30")
"""What makes residents talk in the first step and go on with their day in the second."""

needs_ray = pytest.mark.skipif(
    find_spec("ray") is None or os.name == "nt",
    reason=f"needs SIGKILL, and ray: {pip_command('ray')}",
)


class SharedRay(RayCluster):
    """Actors of one Ray for all tests: to start it takes longer than all that is tested here."""

    def reopen(
        self, configs: Sequence[ShardConfig], address: str, budget: CallAllowance | None
    ) -> Self:
        self._configs = configs
        self.budget = self._share_budget(budget)
        return self

    def close(self) -> None:
        self._kill()


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedRay]:
    cluster = SharedRay(())
    yield cluster
    RayCluster.close(cluster)


@pytest.fixture
def on_ray(shared: SharedRay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometown.shards.cluster.RayCluster", shared.reopen)


async def lived_on_ray(folder: Path) -> list[str]:
    town = minitown()
    settings = combine([{"machine": {"shards": 2}}], town.settings)
    fixed: dict[str, Any] = {
        "name": "ray",
        "start": MORNING,
        "stride": 10,
        "seed": 1,
        "steps": STEPS,
        "llm": "scripted",
        "embedding": "hash",
    }
    begun = await session.create_session(folder, town, settings, **fixed)
    with begun.run as run:
        async with open_game(begun) as game:
            while run.last.step < STEPS:
                step = asyncio.create_task(game.step())
                if run.last.step + 1 == KILLED:
                    os.kill(await pid_of_shard(game), signal.SIGKILL)
                await step
        return list(run.digests())


async def pid_of_shard(game: Game) -> int:
    """Return the process of the first shard, once there is one."""
    while not (actors := game.minds._cluster._actors):  # type: ignore[attr-defined]
        await asyncio.sleep(0.01)
    pid: int = await actors[0].__ray_call__.remote(lambda _: os.getpid())
    return pid


@needs_ray
def test_a_town_on_ray_is_the_same_town_though_its_processes_are_killed(
    tmp_path: Path, on_ray: None
) -> None:
    assert asyncio.run(lived_on_ray(tmp_path)) == live(tmp_path, STEPS)


def refuse() -> bool:
    raise BadInput("{file} is not there", file="town.yaml")


class PoolOfThisProcess:
    """Work done at once, as on one machine."""

    def submit(self, work: work_pools.Work, *arguments: Any) -> Future[bool]:
        done: Future[bool] = Future()
        done.set_result(work(*arguments))
        return done


class DyingPool(work_pools.RayPool):
    """Tasks of Ray's, of which one kills its worker half way through a run."""

    mark: Path

    def submit(self, work: work_pools.Work, *arguments: Any) -> Future[bool]:
        return super().submit(die_half_way, self.mark, work, *arguments)


def die_half_way(mark: Path, work: work_pools.Work, *arguments: Any) -> bool:
    """Live half of the first run and kill the worker; do all other work whole."""
    if work is live_run and not mark.exists():
        mark.touch()
        experiment, plan, *others = arguments
        live_run(experiment, replace(plan, end=plan.end // 2), *others)
        os.kill(os.getpid(), signal.SIGKILL)
    return work(*arguments)


@needs_ray
def test_an_experiment_on_ray_has_the_tables_of_one_machine_though_a_worker_was_killed(
    tmp_path: Path, shared: SharedRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(work_pools.TASK, "num_cpus", 0)
    monkeypatch.setattr(DyingPool, "mark", tmp_path / "died", raising=False)
    pools: dict[str, work_pools.WorkPool] = {
        "here": PoolOfThisProcess(),
        "ray": DyingPool(shared._ray),
    }
    monkeypatch.setattr(work_pools, "_open_ray", lambda name: nullcontext(pools[name]))
    command = ["experiment", str(small(tmp_path, BRIEF)), "--results"]
    for name in pools:
        assert hometown([*command, str(tmp_path / name), "--ray", name]) == 0
    assert (tmp_path / "died").exists()
    assert tables(tmp_path / "here") == tables(tmp_path / "ray")
    with pytest.raises(BadInput, match=r"town\.yaml is not there"):
        pools["ray"].submit(refuse).result()


@needs_ray
def test_sessions_on_ray_end_with_their_budget_and_when_they_are_stopped_and_what_is_said_is_heard(
    tmp_path: Path,
    on_ray: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In mid-step both times; no reply that was kept is asked for again, and lines are heard before
    they have been written to their end.
    """

    def called(*arguments: str) -> int:
        return hometown(
            [*arguments, "--config", str(config), "--lang", "en", "--results", str(tmp_path)]
        )

    def asked() -> set[str]:
        """Return the requests so far but those that find out how the model is asked."""
        calls = [[body["messages"], body["seed"]] for body in server.bodies if not is_trial(body)]
        server.bodies.clear()
        return {json.dumps(call) for call in calls}

    config, heard = tmp_path / "config.json", list[str]()
    fixed = [
        "--world",
        "minitown",
        "--llm",
        "openai:town-7b",
        "--embedding",
        "hash",
        "--seed",
        "1",
        "--step",
        str(STEPS),
        *WITH_TALK,
    ]
    monkeypatch.setattr(LiveSpeech, "hear", lambda speech, who, partner, text: heard.append(text))
    with AnyServer() as server:
        config.write_text(json.dumps(EAGER | {"machine": {"openai_base_url": server.url}}))
        assert called("run", "here", *fixed) == 0
        asked()
        heard.clear()
        server.heard = heard
        assert called("run", "far", *fixed, "--shards", "2", "--max-calls", str(BUDGET)) == 0
        assert "Stopped at the limit" in capsys.readouterr().out
        kept = asked()
        assert len(kept) == BUDGET - 2, "the question of each shard counts"
        assert kept_by(tmp_path, "far")
        assert heard
        server.stops_at = 4  # after the questions of this process and of both shards
        assert called("resume", "far", "--shards", "2") == 130
        server.stops_at = 0
        assert called("resume", "far") == 0
        assert not kept & asked()
    with RunFile.open(tmp_path, "here") as here, RunFile.open(tmp_path, "far") as far:
        assert list(here.digests()) == list(far.digests())


def kept_by(results: Path, name: str) -> int:
    """The replies to calls of a step that has not ended."""
    with RunFile.open(results, name) as run:
        (number,) = run.database.execute("SELECT count(*) FROM journal").fetchone()
    return int(number)


def test_without_ray_a_line_says_how_to_get_it_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games, "find_spec", lambda name: None)
    assert (
        main(
            [
                "--name",
                "town",
                "--world",
                "minitown",
                "--llm",
                "scripted",
                "--shards",
                "2",
                "--lang",
                "en",
                "--results",
                str(tmp_path),
            ]
        )
        == 2
    )
    assert (
        f"needs the package ray, which is not installed: {pip_command('ray')}\n"
        in capsys.readouterr().err
    )
    assert not list(tmp_path.iterdir())


def test_a_run_without_shards_does_not_import_ray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    args = [
        "--world",
        "minitown",
        "--step",
        "1",
        "--llm",
        "scripted",
        "--embedding",
        "hash",
        "--lang",
        "en",
        "--results",
        str(tmp_path),
    ]
    assert main(["--name", "town", *args]) == 0


def test_what_cannot_be_on_shards_is_refused() -> None:
    refuse_unshardable(combine([]), "ollama:qwen3:8b")
    refuse_unequipped(Machine())
    with pytest.raises(BadInput, match="one after the other"):
        refuse_unshardable(combine([{"turn_order": "sequential"}]), "scripted")
    with pytest.raises(BadInput, match="each shard would load gguf:some"):
        refuse_unshardable(combine([]), "gguf:some.gguf")
    routed = combine([{"llm": {"by_kind": {"place": "gguf:other.gguf"}}}])
    with pytest.raises(BadInput, match="each shard would load gguf:other"):
        refuse_unshardable(routed, "ollama:qwen3:8b")


def test_who_lives_together_thinks_on_the_same_shard_and_all_have_as_many() -> None:
    home = assign_homes(minitown(), 3)
    assert sorted(home.values()) == sorted(number * 3 // len(home) for number in range(len(home)))
