"""Near habit, whatever a model says that fits makes a plausible day: near the usual hours, made of
habits, in places that fit.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.agent.mind import Mind
from hometown.agent.planning.agreements import as_entry
from hometown.agent.planning.day_plan import PlannedStretch, lay_out_schedule
from hometown.agent.planning.habits import (
    FREE_LEEWAY,
    NEAR_HABIT_LEEWAY,
    offer_times,
    usual_day,
    usual_emoji,
)
from hometown.agent.planning.place_choice import MAX_HABITUAL_SPOTS, spots
from hometown.clock import DAY
from hometown.config import combine
from hometown.game import Game
from hometown.history.life import life_of
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.prompt.varying import (
    SCHEDULE_CHANGES,
    PlanChange,
    ScheduleChangesReply,
    ScheduleChangesVars,
    varied,
)
from hometown.world import keys
from hometown.world.persona import Habit
from hometown.world.rows import Promise, Promises
from hometown.world.world import arena_of
from tests.support.any_json import AnyJson
from tests.support.town import MORNING, live, minds_of, minitown, opened

STEPS = 72
"""From 06:00 to midnight, in steps of a quarter of an hour."""

NEAR_HABIT = {"llm": {"freedom": "habits"}}


class SmallModel(AnyJson):
    """Random replies that fit, from a model whose name says that it is small."""

    name = "any:json-135M"


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Wang Fang's, in the morning, near habit."""
    minds: list[Mind] = []

    def keep(game: Game) -> None:
        minds.append(minds_of(game, ["wang_fang"], MORNING)["wang_fang"])

    live(tmp_path_factory.mktemp("mind"), 1, settings=NEAR_HABIT, after_each=keep)
    return minds[0]


def of(mind: Mind, **persona: Any) -> Mind:
    """A mind of its own for somebody a little different."""
    me = replace(mind.me, **persona)
    return Mind(
        mind.who,
        replace(
            mind.context, world=replace(mind.world, personas={**mind.world.personas, mind.who: me})
        ),
    )


def promised(start: str, minutes: int = 60) -> Promise:
    return Promise(
        "pick up the lanterns",
        ("wang_fang", "lin_yue"),
        "square/plaza",
        datetime.fromisoformat(f"2025-02-13 {start}"),
        minutes,
        "1-lin_yue",
    )


# waking and sleeping -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wake", "bed"), [(370, 1330), (0, 960), (1380, 900), (490, 30), (7 * 60, 2)]
)
def test_hours_are_offered_near_the_usual_ones_only(mind: Mind, wake: int, bed: int) -> None:
    near, free = of(mind, wake=wake, bed=bed), of(mind, wake=wake, bed=bed)
    free.settings = combine([{"llm": {"freedom": "free"}}])
    for somebody, reach in ((near, NEAR_HABIT_LEEWAY.reach), (free, FREE_LEEWAY.reach)):
        wakes, beds = offer_times(somebody, ())
        assert wakes
        assert all(0 <= minute < DAY and abs(minute - wake) <= reach for minute in wakes)
        assert beds
        assert all(min((minute - bed) % DAY, (bed - minute) % DAY) <= reach for minute in beds)


def test_who_has_agreed_to_something_gets_up_and_stays_up_for_it(mind: Mind) -> None:
    wakes, beds = offer_times(mind, (promised("06:45"), promised("21:30", minutes=45)))
    assert max(wakes) <= 6 * 60 + 15
    assert min(beds) >= 22 * 60 + 45
    assert offer_times(mind, (promised("03:00"),))[0] == offer_times(mind, ())[0], (
        "but not at any hour"
    )


# the day -------------------------------------------------------------------------------------


def test_a_usual_day_has_its_habits_of_which_work_meals_and_the_ends_stand(mind: Mind) -> None:
    lines = usual_day(mind, mind.me.wake, mind.me.bed)
    assert [line.activity for line in lines] == [
        habit.activity for habit in mind.me.habits_on(MORNING.date())
    ]
    assert lines[0].start == mind.me.wake
    changeable = [line.activity for line in lines if line.number]
    assert [line.number for line in lines if line.number] == list(range(1, len(changeable) + 1))
    assert "looking after the park flower bed" in changeable
    for standing in (
        "getting up and washing",
        "having breakfast",
        "arranging flowers",
        "having lunch on the square",
        "cooking supper",
        "getting ready for bed",
    ):
        assert standing not in changeable


def test_who_gets_up_late_begins_with_what_is_due_then(mind: Mind) -> None:
    lines = usual_day(mind, 7 * 60 + 30, mind.me.bed)
    assert (lines[0].start, lines[0].activity) == (7 * 60 + 30, "having breakfast")


def test_hours_without_a_habit_are_free_and_nights_count_to_the_day_before(mind: Mind) -> None:
    habits = (
        Habit(400, 430, "getting up", "wang_home/bedroom"),
        Habit(600, 700, "mending a kite", "park/grounds"),
        Habit(20, 50, "reading", "wang_home/living"),
    )
    lines = usual_day(of(mind, habits=habits), 400, DAY + 60)
    assert [(line.start, line.activity) for line in lines] == [
        (400, "getting up"),
        (430, "taking some time off"),
        (600, "mending a kite"),
        (700, "taking some time off"),
        (DAY + 20, "reading"),
    ]
    assert [line.number for line in lines] == [0, 1, 0, 2, 0], (
        "a kite is mended where most of the working hours are spent"
    )
    assert usual_day(of(mind, habits=()), 400, 1300) == ()


CHANGES = st.lists(
    st.builds(
        PlanChange,
        number=st.integers(1, 6),
        start=st.integers(0, DAY - 1).map(lambda minute: f"{minute // 60:02d}:{minute % 60:02d}"),
        activity=st.sampled_from(
            ["flying a kite", "…", "cooking supper", "COOKING SUPPER", "resting"]
        ),
    ),
    max_size=3,
)


@given(CHANGES, st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=60)
def test_any_changes_make_a_day_that_is_covered_once_and_keeps_promises(
    mind: Mind, changes: list[PlanChange], late: int, later: int
) -> None:
    promise = promised("11:00")
    mind.state.put(keys.PROMISES.of("wang_fang"), Promises((promise,)))
    wakes, beds = offer_times(mind, (promise,))
    wake, bed = wakes[late % len(wakes)], beds[later % len(beds)]
    lines = usual_day(mind, wake, bed)
    v = ScheduleChangesVars(mind.situation, MORNING.date(), wake, bed, lines, (), (promise,))
    reply = ScheduleChangesReply(
        changes=[
            change for change in changes if any(line.number == change.number for line in lines)
        ]
    )
    mended, _ = SCHEDULE_CHANGES.mended(v, reply)
    assert "…" not in [change.activity for change in mended.changes]
    assert len({change.number for change in mended.changes}) == len(mended.changes)
    hours = [PlannedStretch(*line) for line in varied(v, mended)]
    assert len(hours) == len(lines)
    assert all(
        [activity.casefold() for _, activity, _ in hours].count(change.activity.casefold()) == 1
        for change in mended.changes
    )
    assert all(wake <= start < bed for start, *_ in hours)
    schedule = lay_out_schedule(mind, hours, wake, bed, None)
    assert [entry.start for entry in schedule.entries] == [
        0,
        *(entry.end for entry in schedule.entries[:-1]),
    ]
    assert schedule.entries[-1].end == DAY
    assert schedule.at(wake).kind != "sleep"
    assert schedule.at(wake - 1).kind == "sleep"
    assert as_entry(mind, promise) in schedule.entries


# places --------------------------------------------------------------------------------------


def test_a_habit_is_offered_in_its_own_room_only(mind: Mind) -> None:
    for habit in mind.me.habits_on(MORNING.date()):
        if arena_of(habit.place) in mind.state.places(mind.who).arenas:
            listed = spots(mind, habit.tasks[0], habit.activity)
            assert 0 < len(listed) <= MAX_HABITUAL_SPOTS
            assert {arena_of(spot.address) for spot in listed} == {arena_of(habit.place)}
            assert habit.place in [spot.address for spot in listed]


def test_what_is_no_habit_is_offered_where_it_fits_best(mind: Mind) -> None:
    listed = spots(mind, "reading a novel", "reading a novel")
    assert 0 < len(listed) <= MAX_HABITUAL_SPOTS
    assert "books" in listed[0].tags


def test_emoji_are_those_of_what_the_activity_or_else_its_entry_is_about(mind: Mind) -> None:
    assert "📖" in usual_emoji(mind, "reading a novel", "")
    assert usual_emoji(mind, "looking for the other one", "reading a novel") == usual_emoji(
        mind, "reading a novel", ""
    )
    assert usual_emoji(mind, "zzz", "zzz") == ()


# a life --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_a_small_model_that_says_anything_that_fits_lives_a_day(tmp_path: Path, lang: Lang) -> None:
    live(tmp_path, STEPS, world=minitown(lang), model=SmallModel(), stride=15)
    with RunReader.open(tmp_path, "town") as run:
        life = life_of(run)
    with opened(tmp_path) as file:
        calls = [call for step in range(1, STEPS + 1) for call in file.calls(step)]
    assert {
        call.outcome
        for call in calls
        if call.kind in ("wake_up", "schedule_changes", "schedule_decompose", "place", "reconsider")
    } == {"ok"}
    assert not {call.kind for call in calls} & {"schedule_init", "schedule_daily"}
    assert life.on_time_share == 1
    assert life.work_share >= 0.6
    assert life.fewest_activities >= 10
    assert life.fewest_places >= 3


def test_the_scripted_model_can_plan_near_habit_too(tmp_path: Path) -> None:
    placed_one_by_one = {**NEAR_HABIT, "thrift": {"places_with_tasks": False}}
    for name, chosen in (("town", NEAR_HABIT), ("places", placed_one_by_one)):
        live(tmp_path, 6, settings=chosen, stride=60, name=name)
    planned = {"schedule_changes", "schedule_decompose"}
    for name, kinds in (("town", planned), ("places", {*planned, "place"})):
        with opened(tmp_path, name) as file:
            calls = list(file.calls(1))
        assert kinds <= {call.kind for call in calls}
        assert {call.outcome for call in calls} == {"ok"}


def test_who_has_no_habits_plans_freely(tmp_path: Path) -> None:
    live(tmp_path, 3, world=minitown(wang_fang={"habits": ()}), settings=NEAR_HABIT, stride=60)
    with opened(tmp_path) as file:
        planners = {call.who for call in file.calls(1) if call.kind == "schedule_daily"}
    assert planners == {"wang_fang"}
