"""A person visits a town from Python, while it is being simulated."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from hometown import BadInput, BadRun, Run, Town
from tests.support.hang import HANG


async def _visit(town: Town, results: Path) -> list[str]:
    """Visit a town, which is simulated whenever an act waits, and return what was answered."""
    living = asyncio.create_task(_live(town))
    try:
        with Run.open("spring", results=results) as run:
            async with run.visit("Noor Haddad") as visit:
                while not (free := [each for each in visit.look().near if not each.busy]):
                    await visit.walk_async("cafe/main")
                with pytest.raises(BadInput, match="Nobody Known"):
                    await visit.say_async("Nobody Known", "Hello")
                words = "Good morning! I play the cello.", "Is there a room to practise?", ""
                return [await visit.say_async(free[0].name, each) for each in words]
    finally:
        living.cancel()


async def _live(town: Town) -> None:
    while True:
        if town.waiting():
            await town.step_async()
        await asyncio.sleep(0.01)


def test_a_visitor_is_answered_and_remembered(tmp_path: Path) -> None:
    with Town.create(
        "spring",
        world="minitown",
        llm="scripted",
        embedding="hash",
        start=datetime(2025, 2, 13, 9, 0),
        results=tmp_path,
    ) as town:
        answers = asyncio.run(asyncio.wait_for(_visit(town, tmp_path), HANG))
        assert answers[0]
        assert not answers[-1]
        with town.read() as run:
            talks = [each for each in run.conversations() if "Noor Haddad" in each.speakers]
    assert any("cello" in line for talk in talks for _, line in talk.lines)
    with (
        Run.open("spring", results=tmp_path) as run,
        pytest.raises(BadRun, match="hometown resume spring"),
    ):
        run.visit("Noor Haddad")
