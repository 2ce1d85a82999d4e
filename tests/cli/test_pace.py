"""A step that is to be watched takes its time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hometown.cli.main import run_hometown
from hometown.cli.options import Folders, SessionOptions, TownOptions
from hometown.cli.simulation import Simulation
from hometown.cli.step_loop import live_steps
from hometown.cli.texts import Text
from tests.support.simulated_time import simulate


@pytest.mark.parametrize(("pace", "seconds"), [(5.0, 10.0), (None, 0.0)])
def test_each_step_takes_as_long_as_it_should(
    tmp_path: Path, pace: float | None, seconds: float
) -> None:
    async def lived() -> float:
        simulation = Simulation(
            name="town",
            town=TownOptions(world="minitown", lang="en"),
            session=SessionOptions(llm="scripted", step=3, pace=pace),
            folders=Folders(results=tmp_path),
            program="hometown",
        )
        assert await live_steps(simulation, [], Text("en")) == 0
        return asyncio.get_running_loop().time()

    assert simulate(lived()) == pytest.approx(seconds), "nothing is waited for after the last step"


@pytest.mark.parametrize("pace", ["0", "-1", "nan", "inf", "fast", "1e9"])
def test_a_pace_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pace: str
) -> None:
    assert run_hometown(["run", "town", "--pace", pace, "--results", str(tmp_path)]) == 2
    assert pace in capsys.readouterr().err
