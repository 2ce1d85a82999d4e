"""Any stride, any start, any bedtime: a day is planned once and covered once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hometown.game import Game
from hometown.world.clones import populate
from hometown.world.effects import DayPlanned
from hometown.world.world import World
from tests.support.town import MORNING, live, minitown, opened

NIGHT_OWL = {"bed": 120, "wake": 600}


def some(residents: int, **changes: Mapping[str, Any]) -> World:
    """Minitown with the first few of its residents, and with fields of single ones replaced."""
    world = minitown("en", **changes)
    return populate(world, list(world.personas)[:residents])


def planned_days(folder: Path) -> dict[str, list[tuple[int, str]]]:
    """(step, date) of each day plan, by resident."""
    plans: dict[str, list[tuple[int, str]]] = {}
    with opened(folder) as run:
        for step, logged in run.effects():
            if isinstance(logged.effect, DayPlanned):
                plans.setdefault(logged.who, []).append(
                    (step, logged.effect.schedule.date.isoformat())
                )
    return plans


LATE = datetime(2025, 2, 13, 22, 30)


@pytest.mark.parametrize(
    ("stride", "steps", "begin"),
    [
        (1, 200, LATE),
        (7, 2 * 1440 // 7 + 1, MORNING),
        (10, 180, MORNING),
        (60, 3 * 24, MORNING),
        (1440, 3, MORNING),
    ],
)
def test_each_date_is_planned_once_within_an_hour_of_waking(
    tmp_path: Path, stride: int, steps: int, begin: datetime
) -> None:
    world = some(1)
    live(tmp_path, steps, world=world, stride=stride, start=begin)
    (wake,) = (persona.wake for persona in world.personas.values())
    moments = [begin + timedelta(minutes=stride * step) for step in range(steps)]
    due: dict[str, int] = {}
    for step, moment in enumerate(moments, start=1):
        if moment.hour * 60 + moment.minute + stride > wake - 60:
            due.setdefault(moment.date().isoformat(), step)
    (plans,) = planned_days(tmp_path).values()
    planned = {date: step for step, date in plans}
    assert len(planned) == len(plans)
    assert planned.keys() >= due.keys()
    midnights = {
        moment.date().isoformat(): step
        for step, moment in reversed(list(enumerate(moments, start=1)))
    }
    assert all(step in (due.get(date), midnights[date]) for date, step in planned.items())


@pytest.mark.parametrize("stride", [1, 7, 10, 60])
def test_tasks_are_no_shorter_than_the_stride(tmp_path: Path, stride: int) -> None:
    def check(game: Game) -> None:
        for who in game.world.personas:
            for task in game.state.tasks(who).items[:-1]:
                if task.status != "done":
                    assert task.end - task.start >= min(stride, 60)

    live(
        tmp_path,
        150 // stride,
        world=some(3),
        stride=stride,
        start=datetime(2025, 2, 13, 8, 0),
        after_each=check,
    )


def test_who_is_up_at_midnight_plans_the_new_date_and_who_sleeps_does_not_yet(
    tmp_path: Path,
) -> None:
    awake: set[str] = set()

    def look(game: Game) -> None:
        if game.state.clock.step == 1:
            awake.update(who for who in game.world.personas if not game.state.is_asleep(who))

    live(tmp_path, 3, start=datetime(2025, 2, 13, 23, 50), after_each=look)
    plans = planned_days(tmp_path)
    assert {
        who for who, days in plans.items() if days == [(1, "2025-02-13"), (2, "2025-02-14")]
    } == awake
    assert all(days == [(1, "2025-02-13")] for who, days in plans.items() if who not in awake)


@pytest.mark.parametrize("stride", [10, 60])
def test_who_is_up_after_midnight_gets_the_rest_of_the_evening_then_sleep(
    tmp_path: Path, stride: int
) -> None:
    owl = next(iter(minitown().personas))
    world = some(1, **{owl: NIGHT_OWL})
    entries: list[Any] = []

    def watch(game: Game) -> None:
        entries.extend(
            one.effect.schedule.entries
            for one in game.log
            if isinstance(one.effect, DayPlanned) and one.who == owl
        )

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
        plans = {one.who for one in game.log if isinstance(one.effect, DayPlanned)}
        sleeping = {who for who in asleep_before if state.is_asleep(who)}
        slept.update(sleeping)
        if game.manifest.start != minute:
            offences.extend(call.ref for call in game.calls if call.who in sleeping - plans)
            offences.extend(
                type(one.effect).__name__
                for one in game.log
                if one.who in sleeping - plans
                and type(one.effect).__name__ in ("Remembered", "Accessed")
            )
        asleep_before = {who for who in game.world.personas if state.is_asleep(who)}

    live(tmp_path, 90, start=datetime(2025, 2, 13, 20, 0), after_each=watch)
    assert offences == []
    assert slept == set(minitown().personas)
