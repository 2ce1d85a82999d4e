"""What a day plan, its tasks and its places are mended to, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.clock import hhmm
from hometown.memory.schedule import Entry
from hometown.prompt.plans import (
    SCHEDULE_DAILY,
    WAKE_UP,
    PlannedHour,
    ScheduleDailyReply,
    ScheduleDailyVars,
    WakeUpReply,
    WakeUpVars,
    since_waking,
)
from hometown.prompt.second_thoughts import RECONSIDER, ReconsiderReply, ReconsiderVars
from hometown.prompt.tasks import (
    DECOMPOSE,
    NO_EMOJI,
    PLACE,
    DecomposeReply,
    DecomposeVars,
    PlaceReply,
    PlaceVars,
    PlannedTask,
    Spot,
    VisibleAct,
)
from hometown.prompt.varying import (
    PlanChange,
    PlanLine,
    ScheduleChangesReply,
    ScheduleChangesVars,
    varied,
)
from tests.support.prompt_samples import DAY, SITUATION, SPOTS

QUARTERS = (330, 345, 360)
HOURS = ScheduleDailyVars(SITUATION, DAY, 330, 1320, ("rising", "baking", "resting"), (), 3)


def hours(*planned: tuple[str, str]) -> ScheduleDailyReply:
    return ScheduleDailyReply(
        hours=[PlannedHour(start=start, activity=activity) for start, activity in planned]
    )


def tasks(*planned: tuple[str, int]) -> DecomposeReply:
    return DecomposeReply(
        tasks=[PlannedTask(activity=activity, minutes=minutes) for activity, minutes in planned]
    )


# waking --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wake", "bed"), [("20:45", "12:00"), ("05:47", "23:59"), ("24:30", "0:05")]
)
def test_times_that_are_not_offered_become_the_nearest_that_are(wake: str, bed: str) -> None:
    v = WakeUpVars(SITUATION, DAY, False, QUARTERS, (1380, 1410, 0))
    reply, used = WAKE_UP.mended(v, WakeUpReply(wake=wake, bed=bed))
    assert used == ("moved",)
    assert reply.wake in map(hhmm, v.wakes)
    assert reply.bed in map(hhmm, v.beds)
    assert WAKE_UP.mended(v, WakeUpReply(wake="5:45", bed="0:00"))[1] == (), (
        "however they are written"
    )


# the day -------------------------------------------------------------------------------------


def test_a_plan_is_sorted_clipped_merged_and_filled_from_habits() -> None:
    reply, used = SCHEDULE_DAILY.mended(
        HOURS,
        hours(("08:00", "eating"), ("06:00", "eating"), ("24:30", "eating"), ("23:00", "eating")),
    )
    assert used == ("sorted", "clipped", "merged", "filled")
    assert [(hour.start, hour.activity) for hour in reply.hours] == [
        ("05:30", "get up"),
        ("06:00", "eating"),
        ("12:00", "run errands"),
    ]


def test_a_plan_that_is_fine_stays_as_it_is() -> None:
    plan = hours(
        ("05:30", "rising"),
        ("06:00", "baking"),
        ("12:00", "resting"),
        (hhmm(HOURS.bed), "sleeping"),
    )
    assert SCHEDULE_DAILY.mended(HOURS, plan) == (plan, ())


def test_a_plan_for_the_night_only_leaves_something_for_the_day() -> None:
    reply, _ = SCHEDULE_DAILY.mended(replace(HOURS, diversity=1), hours(("23:00", "dancing")))
    assert [(hour.start, hour.activity) for hour in reply.hours] == [("05:30", "dancing")]


LATE = replace(HOURS, wake=660, bed=1500, diversity=1, is_under_way=True)


@pytest.mark.parametrize(
    ("v", "planned", "first"),
    [
        (LATE, [("08:00", "rising"), ("09:00", "baking"), ("12:00", "eating")], "11:00 baking"),
        (LATE, [("09:00", "baking"), ("11:00", "eating")], "11:00 eating"),
        (LATE, [("12:00", "eating"), ("00:30", "reading")], "12:00 eating"),
        (LATE, [("00:30", "reading")], "00:30 reading"),
        (LATE, [("07:00", "rising"), ("10:00", "baking")], "11:00 baking"),
        (HOURS, [("05:20", "rising"), ("06:30", "eating")], "05:30 rising"),
        (HOURS, [("05:20", "rising"), ("05:30", "eating")], "05:30 eating"),
        (HOURS, [("00:00", "sleeping"), ("06:30", "rising")], "06:30 rising"),
    ],
)
def test_what_is_under_way_at_the_beginning_of_a_plan_begins_then(
    v: ScheduleDailyVars, planned: list[tuple[str, str]], first: str
) -> None:
    reply, _ = SCHEDULE_DAILY.mended(replace(v, diversity=1), hours(*planned))
    assert f"{reply.hours[0].start} {reply.hours[0].activity}" == first
    assert SCHEDULE_DAILY.mended(replace(v, diversity=1), reply)[0] == reply


def test_a_day_of_habits_for_want_of_a_plan_begins_with_the_one_under_way() -> None:
    plan = SCHEDULE_DAILY.fallback(LATE)
    assert [(hour.start, hour.activity) for hour in plan.hours] == [
        ("11:00", "bake bread"),
        ("12:00", "run errands"),
    ]


def test_a_line_of_the_usual_day_that_is_to_begin_before_waking_begins_early() -> None:
    usual = (PlanLine(345, "strolling", 1), PlanLine(420, "baking"))
    v = ScheduleChangesVars(SITUATION, DAY, 330, 1320, usual, (), ())
    change = PlanChange(number=1, activity="flying a kite", start="05:20")
    assert [*varied(v, ScheduleChangesReply(changes=[change]))] == [
        (330, "flying a kite"),
        (420, "baking"),
    ]


# second thoughts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "start", "kept"),
    [
        (time(23, 20), "00:30", ("", "23:20", "later")),
        (time(23, 20), "24:10", ("", "23:20", "later")),
        (time(23, 20), "23:10", ("watching stars", "23:20", "yes")),
        (time(9, 20), "08:00", ("watching stars", "09:20", "yes")),
        (time(0, 40), "00:30", ("watching stars", "00:40", "yes")),
    ],
)
def test_what_is_to_begin_after_midnight_is_left_for_later(
    now: time, start: str, kept: tuple[str, str, str]
) -> None:
    situation = replace(SITUATION, now=datetime.combine(DAY, now))
    v = ReconsiderVars(situation, ("watch the stars",), ((0, "reading"),), (), ())
    reply = ReconsiderReply(activity="watching stars", start=start, minutes=60, answer="yes")
    mended, _ = RECONSIDER.mended(v, reply)
    assert (mended.activity, mended.start, mended.answer) == kept


TIMES = st.tuples(st.integers(0, 24), st.integers(0, 59)).map(
    lambda time: f"{time[0]}:{time[1]:02d}"
)


@given(
    st.lists(
        st.tuples(TIMES, st.sampled_from(["eating", "baking", "resting", "get up"])),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 24),
)
@settings(max_examples=80)
def test_any_plan_becomes_one_for_the_waking_hours_in_order_and_stays_so(
    planned: list[tuple[str, str]], diversity: int
) -> None:
    v = replace(HOURS, diversity=diversity)
    reply, _ = SCHEDULE_DAILY.mended(v, hours(*planned))
    starts = [since_waking(hour.start, v.wake) for hour in reply.hours]
    assert starts == sorted(starts)
    assert all(v.wake <= start <= v.bed for start in starts)
    assert starts[0] < v.bed
    assert all(one.activity != next_one.activity for one, next_one in pairwise(reply.hours))
    assert SCHEDULE_DAILY.mended(v, reply) == (reply, ())


# tasks ---------------------------------------------------------------------------------------

ENTRY = Entry(540, 600, "bake rolls")


def test_minutes_are_scaled_to_fill_the_entry() -> None:
    v = DecomposeVars(SITUATION, ENTRY, None, None, 5)
    assert DECOMPOSE.mended(v, tasks(("kneading", 10), ("baking", 20))) == (
        tasks(("kneading", 20), ("baking", 40)),
        (),
    ), "as the prompt leaves it to the town"
    assert DECOMPOSE.mended(v, tasks(("kneading", 1), ("shaping", 1), ("baking", 600))) == (
        tasks(("baking", 60)),
        (),
    ), "what is too short goes"
    assert DECOMPOSE.mended(v, tasks(("kneading", 13), ("kneading", 47)))[1] == (), (
        "tasks in the model's own words may return"
    )


def test_tasks_that_fill_the_entry_are_mended_if_one_is_too_short() -> None:
    v = DecomposeVars(SITUATION, ENTRY, None, None, 10)
    assert DECOMPOSE.mended(v, tasks(("unlocking", 5), ("baking", 55)))[0] == tasks(("baking", 60))
    exact = tasks(("kneading", 13), ("baking", 47))
    assert DECOMPOSE.mended(v, exact)[0] == exact


def test_steps_that_are_offered_are_taken_once_each() -> None:
    v = DecomposeVars(SITUATION, ENTRY, None, None, 5, ("kneading", "baking"))
    assert DECOMPOSE.mended(v, tasks(("kneading", 10), ("baking", 10), ("kneading", 10))) == (
        tasks(("kneading", 40), ("baking", 20)),
        ("merged",),
    )


@given(
    st.lists(
        st.tuples(st.sampled_from(["kneading", "shaping", "baking"]), st.integers(1, 1440)),
        min_size=1,
        max_size=24,
    ),
    st.integers(2, 300),
    st.booleans(),
)
@settings(max_examples=80)
def test_any_tasks_fill_the_entry_none_too_short_and_stay_so(
    planned: list[tuple[str, int]], length: int, chosen: bool
) -> None:
    shortest = min(10, length)
    v = DecomposeVars(
        SITUATION,
        Entry(540, 540 + length, "baking"),
        None,
        None,
        shortest,
        ("kneading", "shaping", "baking") if chosen else (),
    )
    reply, _ = DECOMPOSE.mended(v, tasks(*planned))
    assert sum(task.minutes for task in reply.tasks) == length
    assert all(task.minutes >= shortest for task in reply.tasks)
    assert DECOMPOSE.mended(v, reply) == (reply, ())


WHERE = PlaceVars(SITUATION, "bake rolls", "bake rolls", 60, "cafe/main", SPOTS, "")


def test_outsides_follow_their_tasks_and_say_something_else() -> None:
    v = DecomposeVars(
        SITUATION, Entry(540, 570, "baking"), None, None, 10, (), SPOTS, has_outsides=True
    )
    acts = ((1, "kneading"), (2, "counting the flour"), (3, "sitting down"), (5, "leaving"))
    planned = tasks(("kneading", 5), ("counting the flour for Tom", 20), ("worrying", 20))
    reply = planned.model_copy(
        update={"seen": [VisibleAct(task=number, act=act) for number, act in acts]}
    )
    mended, _ = DECOMPOSE.mended(v, reply)
    assert [task.activity for task in mended.tasks] == ["counting the flour for Tom", "worrying"]
    assert [(one.task, one.act) for one in mended.seen] == [
        (1, "counting the flour"),
        (2, "sitting down"),
    ]


# places --------------------------------------------------------------------------------------


def test_for_want_of_a_choice_a_place_is_in_the_planned_room_and_not_in_one_of_a_longer_name() -> (
    None
):
    inn = [Spot("inn/room10/bed", "", "", False, ()), Spot("inn/room1/desk", "", "", False, ())]
    v = replace(WHERE, spots=tuple(inn), room="inn/room1")
    assert PLACE.fallback(v).place == 2


@pytest.mark.parametrize(
    ("emoji", "shown"),
    [
        ("🍞", "🍞"),
        ("👩‍🍳", "👩‍🍳"),
        ("✏️", "✏️"),
        ("frying 🍳 eggs", "🍳"),
        ("面包", NO_EMOJI),
        ("🍞🍞🍞🍞🍞", "🍞🍞🍞"),
        ("🍞‍🍞‍", "🍞‍🍞"),
    ],
)
def test_an_emoji_is_one(emoji: str, shown: str) -> None:
    reply = PlaceReply(place=1, emoji=emoji, thing_state="warm")
    assert PLACE.mended(WHERE, reply)[0].emoji == shown


def test_a_state_that_says_nothing_is_none() -> None:
    reply, used = PLACE.mended(WHERE, PlaceReply(place=1, emoji="🍞", thing_state="…"))
    assert (reply.thing_state, used) == ("", ("emptied",))
