"""The day's schedule covers minutes 0–1440 once, whatever it is made from."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from hometown.clock import DAY
from hometown.memory.schedule import (
    REMAINDER_MINUTES_MIN,
    CutEntry,
    Entry,
    Routines,
    Schedule,
    Task,
    Tasks,
    cover,
    scale_lengths,
)

THURSDAY = date(2025, 2, 13)
SLEEP = Entry(0, DAY, "sleeping", "sleep")

entries = st.builds(
    Entry,
    start=st.integers(-200, 3000),
    end=st.integers(-200, 3000),
    activity=st.sampled_from(["reading", "cooking", "walking"]),
    kind=st.sampled_from(["activity", "appointment"]),
)
stretches = st.tuples(st.integers(0, DAY - 1), st.integers(1, DAY)).map(
    lambda s: (s[0], min(DAY, s[0] + s[1]))
)


def covered_once(schedule: Schedule) -> bool:
    ends = [0, *(entry.end for entry in schedule.entries)]
    starts = [*(entry.start for entry in schedule.entries), DAY]
    return ends == starts and all(entry.start < entry.end for entry in schedule.entries)


@given(st.lists(entries, max_size=30))
def test_any_entries_make_a_schedule_that_covers_the_day_once(given_entries: list[Entry]) -> None:
    assert covered_once(cover(THURSDAY, given_entries, SLEEP))


@given(st.lists(entries, max_size=10), st.lists(stretches, max_size=6))
def test_splicing_keeps_the_day_covered_and_the_new_entry_whole(
    given_entries: list[Entry], spliced: list[tuple[int, int]]
) -> None:
    schedule = cover(THURSDAY, given_entries, SLEEP)
    for start, end in spliced:
        new = Entry(start, end, "meeting", "appointment", origin="talk")
        schedule = schedule.splice(new)
        assert covered_once(schedule)
        spliced_in = schedule.at(start)
        assert new.end <= spliced_in.end < new.end + REMAINDER_MINUTES_MIN
        assert replace(spliced_in, end=end) == new


def test_a_new_entry_takes_the_scrap_that_it_leaves_and_supper_keeps_its_hour() -> None:
    roses, bed, supper = (
        Entry(1000, 1065, "bunching roses"),
        Entry(1065, 1070, "looking after the flower bed"),
        Entry(1070, 1130, "cooking"),
    )
    schedule = cover(THURSDAY, [replace(bed, start=960), supper], SLEEP).splice(roses)
    assert replace(roses, end=1070) in schedule.entries
    assert supper in schedule.entries
    assert schedule.without(replace(roses, end=1070), instead="resting").at(1069).start == 960
    own = cover(THURSDAY, [bed, supper], SLEEP).splice(roses)
    assert bed in own.entries, "nobody cut it"


@given(st.lists(entries, max_size=10), st.data())
def test_any_entries_can_be_removed_together_and_the_day_stays_covered(
    given_entries: list[Entry], data: st.DataObject
) -> None:
    schedule = cover(THURSDAY, given_entries, SLEEP)
    gone = data.draw(st.lists(st.sampled_from(schedule.entries), unique=True))
    left = schedule.without(*gone, instead="resting")
    assert covered_once(left)
    assert not set(gone) & set(left.entries)


def test_what_an_entry_has_cut_gets_its_time_back_and_nothing_else_is_resumed() -> None:
    shift, supper = (
        Entry(1020, 1110, "the late shift"),
        Entry(1110, 1200, "eating under the lanterns"),
    )
    chess = Entry(1020, 1060, "asking for a game of chess", origin="voice:1")
    day = cover(THURSDAY, [Entry(900, 1020, "playing the guitar"), shift, supper], SLEEP)
    moved = day.splice(chess)
    assert moved.at(1065).activity == shift.activity
    assert moved.without(chess, instead="resting") == day
    middle = replace(chess, start=1050, end=1080)
    assert day.splice(middle).without(middle, instead="resting") == day
    without_supper = day.without(supper, instead="resting")
    assert without_supper.at(1120).activity == "resting", "the shift is over"
    tea, coffee = replace(supper, end=1120), replace(supper, start=1120, activity="coffee")
    tea = replace(tea, kind="appointment")
    agreed = cover(THURSDAY, [tea, coffee], SLEEP).without(coffee, instead="resting")
    assert agreed.at(1120).activity == "resting", "an agreement keeps its hours"


@given(st.lists(entries, max_size=20), st.integers(0, DAY - 1))
def test_every_minute_has_its_entry(given_entries: list[Entry], minute: int) -> None:
    entry = cover(THURSDAY, given_entries, SLEEP).at(minute)
    assert entry.start <= minute < entry.end


def test_the_task_due_now_is_taken_and_skipped_ones_are_marked_so() -> None:
    tasks = Tasks(
        480, (Task(480, 490, "a"), Task(490, 500, "b"), Task(500, 510, "c"), Task(510, 520, "d"))
    )
    begun = tasks.begin(480).begin(505)
    assert [task.status for task in begun.items] == ["done", "skipped", "doing", "todo"]
    assert begun.due(505) == Task(500, 510, "c", "doing")
    assert [task.status for task in begun.close(507).items] == [
        "done",
        "skipped",
        "done",
        "dropped",
    ]


def test_a_talk_is_spliced_into_the_tasks_without_leaving_crumbs() -> None:
    tasks = Tasks(480, (Task(480, 500, "a"), Task(500, 520, "b"))).begin(480)
    spliced = tasks.splice(Task(490, 502, "talking", "done"), shortest=5)
    assert [(task.start, task.end, task.activity, task.status) for task in spliced.items] == [
        (480, 490, "a", "done"),
        (490, 502, "talking", "done"),
        (502, 520, "b", "todo"),
    ]
    assert all(
        task.end - task.start >= 5
        for task in tasks.splice(Task(497, 518, "talking", "done"), shortest=5).items
    )


@given(
    st.lists(st.integers(1, 200), min_size=1, max_size=12), st.integers(10, DAY), st.integers(1, 30)
)
def test_scaled_tasks_fill_the_time_and_none_is_too_short(
    lengths: list[int], minutes: int, shortest: int
) -> None:
    fitted = scale_lengths(lengths, minutes, shortest)
    assert sum(fitted) == minutes
    assert len(fitted) == len(lengths)
    if minutes >= shortest:
        assert all(length == 0 or length >= shortest for length in fitted)


def test_a_routine_is_found_at_about_its_time_and_fitted_into_it() -> None:
    morning, evening = (
        Tasks(480, (Task(480, 500, "a", "done"), Task(500, 540, "b"))),
        Tasks(1080, (Task(1080, 1140, "c"),)),
    )
    routines = Routines().with_tasks(morning).with_tasks(evening)
    assert routines.find_similar(500, 560) == morning
    assert routines.find_similar(560, 620) is None
    assert routines.find_similar(480, 580) is None
    assert routines.with_tasks(Tasks(490, (Task(490, 550, "d"),))).items == (
        evening,
        Tasks(490, (Task(490, 550, "d"),)),
    )
    assert morning.scale_to(505, 580, 10).items == (Task(505, 530, "a"), Task(530, 580, "b"))


def test_an_entry_is_removed_together_with_that_which_cut_it() -> None:
    cut = CutEntry(1080, 1110, "sketching", room="", planned_start=1080, planned_end=1140)
    inserted = Entry(1110, 1140, "having tea")
    plan = Schedule(
        THURSDAY, (Entry(0, 1080, "working"), cut, inserted, Entry(1140, 1440, "reading"))
    )
    left = plan.without(cut, inserted, inserted, instead="free time")
    assert [(each.start, each.end, each.activity) for each in left.entries] == [
        (0, 1080, "working"),
        (1080, 1140, "free time"),
        (1140, 1440, "reading"),
    ]
    assert left.without(cut, instead="free time") == left


def test_a_task_done_before_its_time_stays_done() -> None:
    done = Tasks(480, (Task(480, 520, "a", "done"),))
    assert done.begin(490) is done
    cut = done.splice(Task(490, 500, "talking", "done"), shortest=5)
    assert {task.status for task in cut.begin(505).items} == {"done"}
