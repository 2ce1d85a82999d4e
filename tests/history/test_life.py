"""The measures of life tell residents who live from one who sleeps, one who stays at home and one
who repeats itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hometown.errors import BadRun
from hometown.history.insight import places
from hometown.history.life import Life, life_of
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.world.interventions import Intervention
from hometown.world.persona import Habit
from tests.support.moving import moving, settle
from tests.support.synthetic_run import make_run
from tests.support.town import MORNING, live, minitown, opened

STEPS = 36
"""Until 12:00, in steps of ten minutes."""

LINE = "The lighthouse is closed today, I fear."


class Parrot(ScriptedModel):
    """Everybody who opens a conversation says the same."""

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if request.kind == "utterance" and not request.variables.lines:
            return Completion(f'{{"say": "Hello! {LINE}", "end": false}}', 1, 1)
        return await super().complete(request, seed=seed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A morning on which Wang Fang sleeps on and Zhang Wei stays at home; the run's world says
    otherwise.
    """
    folder = tmp_path_factory.mktemp("life")
    idle = (Habit(380, 1370, "writing at his desk", "zhang_home/living/desk"),)
    live(
        folder,
        STEPS,
        world=minitown(wang_fang={"wake": 20 * 60}, zhang_wei={"habits": idle, "interests": ()}),
        model=Parrot(),
    )
    return folder


@pytest.fixture(scope="module")
def life(folder: Path) -> Life:
    with RunReader.open(folder, "town") as run:
        return life_of(run)


def test_hours_out_of_town_are_no_working_hours(tmp_path: Path) -> None:
    """Mira comes at 11:30, Wang Fang leaves her shop at 10:00."""
    live(tmp_path, 1, start=datetime(2025, 2, 13, 4, 0), stride=30)
    settle(tmp_path, moving(), step=15)
    with opened(tmp_path) as run:
        run.ask([Intervention("leave", "wang_fang", step=12)])
    live(tmp_path, 17, stride=30)
    with RunReader.open(tmp_path, "town") as run:
        early, late = life_of(run, 10), life_of(run)
        spent = places(run, Names.of(run))["spent"]["wang_fang"]
    assert "mira_voss" not in {each.who for each in early.residents}
    came = next(each for each in late.residents if each.who not in minitown().personas)
    assert (came.mornings, came.work_minutes) == (0, 30)
    left = next(each for each in late.residents if each.who == "wang_fang")
    assert left.work_minutes < 3 * 60
    assert sum(map(sum, spent.values())) <= 6 * 60


def test_who_sleeps_on_does_nothing_anywhere(life: Life) -> None:
    sleeper = next(each for each in life.residents if each.who == "wang_fang")
    assert (
        sleeper.mornings,
        sleeper.on_time,
        sleeper.at_work,
        sleeper.activities,
        sleeper.places,
    ) == (1, 0, 0, 0, 0)
    assert sleeper.work_minutes == 40 + 210, (
        "the flower shop from 06:35 to 07:20 and from 08:25 to 12:00, as each step ends"
    )
    assert (life.on_time_share, life.fewest_activities, life.fewest_places) == (5 / 6, 0, 0)


def test_who_lives_is_up_at_work_and_about(life: Life) -> None:
    alive = next(each for each in life.residents if each.who == "chen_siyuan")
    assert (alive.mornings, alive.on_time) == (1, 1)
    assert alive.at_work >= 0.6 * alive.work_minutes > 0
    assert alive.activities >= 10
    assert alive.places >= 3


def test_who_stays_at_home_is_not_at_work(life: Life) -> None:
    hermit = next(each for each in life.residents if each.who == "zhang_wei")
    assert hermit.on_time == 1
    assert hermit.at_work < 0.6 * hermit.work_minutes
    assert life.work_share < 0.9


def test_what_everybody_says_is_the_most_repeated_sentence(life: Life, folder: Path) -> None:
    with RunReader.open(folder, "town") as run:
        held = run.conversations(1, STEPS)
    assert held
    assert life.repeated == LINE, "'Hello!' is said as often, but is too short to count"
    assert life.times == len(held)
    assert life.conversations == sum(
        1
        for each in held
        if each.started + timedelta(minutes=each.minutes) <= MORNING + timedelta(hours=6)
    )


def test_mornings_outside_the_run_do_not_count(tmp_path: Path) -> None:
    live(tmp_path, 3, start=MORNING + timedelta(hours=1))
    with RunReader.open(tmp_path, "town") as run:
        life = life_of(run)
    assert sum(each.mornings for each in life.residents) == 0
    assert life.on_time_share == 1


def test_a_run_without_its_world_is_refused_with_the_reason(tmp_path: Path) -> None:
    make_run(tmp_path)
    with (
        RunReader.open(tmp_path, "sample") as run,
        pytest.raises(BadRun, match="cannot be measured without its world"),
    ):
        life_of(run)
