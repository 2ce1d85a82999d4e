"""Any stride, any start, any bedtime: a day is planned once and covered once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hometown.game import Game
from hometown.world.clones import populated
from hometown.world.effects import DayPlanned
from hometown.world.world import World
from tests.support.town import MORNING, live, minitown, opened

NIGHT_OWL = {"bed": 120, "wake": 600}


def some(residents: int, **changes: Mapping[str, Any]) -> World:
    """Minitown with the first few of its residents, and with fields of single ones replaced."""
    world = minitown("en", **changes)
    return populated(world, list(world.personas)[:residents])


def planned_days(folder: Path) -> dict[str, list[tuple[int, str]]]:
    """(step, date) of each day plan, by resident."""
    plans: dict[str, list[tuple[int, str]]] = {}
    with opened(folder) as run:
        for step, logged in run.effects():
            if isinstance(logged.effect, DayPlanned):
                plans.setdefault(logged.who, []).append((step, logged.effect.schedule.date.isoformat()))
    return plans


LATE = datetime(2025, 2, 13, 22, 30)


@pytest.mark.parametrize(
    ("stride", "steps", "begin"),
    [(1, 200, LATE), (7, 2 * 1440 // 7 + 1, MORNING), (10, 2 * 144, MORNING), (60, 3 * 24, MORNING), (1440, 3, MORNING)],
)
def test_each_date_is_planned_once_in_the_first_step_that_starts_on_it(tmp_path: Path, stride: int, steps: int, begin: datetime) -> None:
    live(tmp_path, steps, world=some(1), stride=stride, start=begin)
    starts = [begin + timedelta(minutes=stride * step) for step in range(steps)]
    first_steps: dict[str, Any] = {}
    for step, start in enumerate(starts, start=1):
        first_steps.setdefault(start.date().isoformat(), step)
    expected = [(step, date) for date, step in first_steps.items()]
    assert list(planned_days(tmp_path).values()) == [expected]


@pytest.mark.parametrize("stride", [1, 7, 10, 60])
def test_tasks_are_no_shorter_than_the_stride(tmp_path: Path, stride: int) -> None:
    def check(game: Game) -> None:
        for who in game.world.personas:
            for task in game.state.tasks(who).items[:-1]:
                if task.status != "done":
                    assert task.end - task.start >= min(stride, 60)

    live(tmp_path, 300 // stride, world=some(3), stride=stride, start=datetime(2025, 2, 13, 8, 0), after_each=check)


def test_a_start_just_before_midnight_plans_both_dates(tmp_path: Path) -> None:
    live(tmp_path, 3, start=datetime(2025, 2, 13, 23, 50))
    assert all(plans == [(1, "2025-02-13"), (2, "2025-02-14")] for plans in planned_days(tmp_path).values())


@pytest.mark.parametrize("stride", [7, 10, 60])
def test_who_is_up_after_midnight_gets_the_rest_of_the_evening_then_sleep(tmp_path: Path, stride: int) -> None:
    owl = next(iter(minitown().personas))
    world = some(1, **{owl: NIGHT_OWL})
    entries: list[Any] = []

    def watch(game: Game) -> None:
        entries.extend(one.effect.schedule.entries for one in game.log if isinstance(one.effect, DayPlanned) and one.who == owl)

    live(tmp_path, 2 * 1440 // stride, stride=stride, world=world, after_each=watch)
    second_day = entries[1]
    assert second_day[0].kind != "sleep"
    assert second_day[0].start == 0
    assert 60 <= second_day[0].end <= 180
    assert second_day[1].kind == "sleep"


def test_sleepers_perceive_nothing_and_cost_no_call(tmp_path: Path) -> None:
    asleep_before: set[str] = set()
    offences: list[str] = []
    slept: set[str] = set()

    def watch(game: Game) -> None:
        nonlocal asleep_before
        state, minute = game.state, game.state.clock.now - timedelta(minutes=game.manifest.stride)
        new_date = minute.time() < (datetime.min + timedelta(minutes=game.manifest.stride)).time()
        sleeping = {who for who in asleep_before if state.asleep(who)}
        slept.update(sleeping)
        if not new_date and game.manifest.start != minute:
            offences.extend(call.ref for call in game.calls if call.who in sleeping)
            offences.extend(type(one.effect).__name__ for one in game.log if one.who in sleeping and type(one.effect).__name__ in ("Remembered", "Accessed"))
        asleep_before = {who for who in game.world.personas if state.asleep(who)}

    live(tmp_path, 90, start=datetime(2025, 2, 13, 20, 0), after_each=watch)
    assert offences == []
    assert slept == set(minitown().personas)
