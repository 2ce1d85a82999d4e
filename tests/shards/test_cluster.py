"""Shards as Ray's actors, and a program that has no Ray."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from hometown import session
from hometown.cli.start import main
from hometown.config import combine
from hometown.errors import BadInput
from hometown.settings import Machine
from hometown.shards import start
from hometown.shards.start import game_of, homes, refuse_unfit, refuse_without_ray
from tests.support.town import MORNING, live, minitown

STEPS = 2

KILLED = 2
"""The step in which a shard is killed; `python -m benchmarks.sharded` kills more."""


async def lived_on_ray(folder: Path) -> list[str]:
    town = minitown()
    settings = combine([{"machine": {"shards": 2}}], town.settings)
    fixed: dict[str, Any] = {"name": "ray", "start": MORNING, "stride": 10, "seed": 1, "steps": STEPS, "llm": "scripted", "embedding": "hash"}
    begun = await session.create(folder, town, settings, **fixed)
    with begun.run as run:
        async with game_of(begun) as game:
            while run.last.step < STEPS:
                step = asyncio.create_task(game.step())
                if run.last.step + 1 == KILLED:
                    actor = game.minds._host._actors[0]  # type: ignore[attr-defined]
                    os.kill(await actor.__ray_call__.remote(lambda _: os.getpid()), signal.SIGKILL)
                await step
        return list(run.digests())


@pytest.mark.skipif(find_spec("ray") is None or os.name == "nt", reason="needs the package of requirements-ray.txt, and SIGKILL")
def test_a_town_on_ray_is_the_same_town_though_its_processes_are_killed(tmp_path: Path) -> None:
    assert asyncio.run(lived_on_ray(tmp_path)) == live(tmp_path, STEPS)


def test_without_ray_a_line_says_how_to_get_it_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    assert main(["--name", "town", "--world", "minitown", "--llm", "scripted", "--shards", "2", "--lang", "en", "--results", str(tmp_path)]) == 2
    assert "needs the package ray, which is not installed: pip install -r requirements-ray.txt" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_run_without_shards_does_not_import_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    args = ["--world", "minitown", "--step", "1", "--llm", "scripted", "--embedding", "hash", "--lang", "en", "--results", str(tmp_path)]
    assert main(["--name", "town", *args]) == 0


def test_what_cannot_be_on_shards_is_refused() -> None:
    refuse_unfit(combine([]), "ollama:qwen3:8b")
    refuse_without_ray(Machine())
    with pytest.raises(BadInput, match="one after the other"):
        refuse_unfit(combine([{"turn_order": "sequential"}]), "scripted")
    with pytest.raises(BadInput, match="each shard would load gguf:some"):
        refuse_unfit(combine([]), "gguf:some.gguf")


def test_who_lives_together_thinks_on_the_same_shard_and_all_have_as_many() -> None:
    home = homes(minitown(), 3)
    assert sorted(home.values()) == sorted(number * 3 // len(home) for number in range(len(home)))
