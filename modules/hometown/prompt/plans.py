"""Prompts for the day: current situation, waking hours, broad strokes and hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby, takewhile
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, field_validator

from hometown.clock import DAY, hhmm, parse_hhmm
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import LEFT_OUT, Keywords, at_most, between, one_of, text
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Row, Rule, Variables
from hometown.prompt.wording import fitting
from hometown.world.activities import themes_of
from hometown.world.goal import Goal
from hometown.world.persona import Habit
from hometown.world.rows import Promise
from hometown.world.world import arena_of

CLOCK = r"^([01]?[0-9]|2[0-4]):[0-5][0-9]$"
"""Pattern of a time of day in replies."""

LONGEST_ACTIVITY = 240
"""Maximum length of an activity in characters, from a model or from rules."""

ACTIVITY = 80
STROKE = 140
"""Maximum lengths that a prompt names for an activity and for a broad stroke, in English
characters.
"""

GOALS = 2
"""Maximum number of goals of a resident."""

MOST_HOURS = 24
"""Maximum number of activities of one day."""

LINE = OneLine(LONGEST_ACTIVITY)

APART_MINUTES = 30
"""Minutes between a habit that fills a day and the planned activities around it."""


def clock_minutes(text: str) -> int:
    """Return a time of a reply in minutes since midnight; its pattern must match, and 24:xx means
    24:00.
    """
    return min(parse_hhmm("24:00") if text.startswith("24") else parse_hhmm(text), DAY)


class KnownRoom(NamedTuple):
    """An arena to choose from, as the resident knows it.

    `house` is the name of its sector and `name` its own, "" if that says no more. `role` tells
    what the house is to the resident, and `owners` are the names of those whom they would visit
    there. `tags` are those of the arena.
    """

    address: str
    house: str
    name: str
    role: Literal["home", "work", "visit", "public"] = "public"
    owners: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def unnamed_owners(self) -> tuple[str, ...]:
        """Return the owners whom the name of the house does not contain."""
        return tuple(owner for owner in self.owners if owner not in self.house)

    @property
    def label(self) -> str:
        """Return the name of house and room."""
        return f"{self.house}, {self.name}" if self.name else self.house


def number_of_room(rooms: Sequence[KnownRoom], address: str) -> int:
    """Return the number, from 1, of the room of an address; 0 if it is not among `rooms`."""
    arena = arena_of(address)
    return next((number for number, room in enumerate(rooms, 1) if room.address == arena), 0)


# currently ---------------------------------------------------------------------------------


@frozen
class CurrentlyVars(Variables):
    """Variables for the resident's current situation: relevant memories, promises to come, goals so
    far.
    """

    day: date
    memories: tuple[Concept, ...]
    promises: tuple[Promise, ...]
    goals: tuple[Goal, ...] = ()


class CurrentlyReply(Reply):
    """The resident's current situation, and their goals."""

    currently: Annotated[str, OneLine(600)] = Field(
        description="What is going on in this person's life, two or three sentences, third person."
    )
    goals: list[Annotated[str, LINE]] = Field(
        default_factory=list, max_length=GOALS, description="What I work towards over days."
    )

    @field_validator("goals", mode="before")
    @classmethod
    def _drop_empty(cls, goals: Any) -> Any:
        """Return goals without empty ones, which a list may hold."""
        if not isinstance(goals, list):
            return goals
        return [goal for goal in goals if not isinstance(goal, str) or goal.strip()]


def _word_goals(v: CurrentlyVars, reply: CurrentlyReply) -> CurrentlyReply:
    """Return the goals in the form of all activities."""
    goals = [v.situation.word_activity(goal, ACTIVITY) for goal in reply.goals]
    return reply.model_copy(update={"goals": goals})


CURRENTLY = Prompt(
    "currently",
    CurrentlyVars,
    CurrentlyReply,
    fallback=lambda v: CurrentlyReply(
        currently=fitting(v.situation.currently, 600), goals=[goal.what for goal in v.goals]
    ),
    narrow=lambda v: {
        "currently": v.situation.text(600),
        "goals": at_most(GOALS),
        "goals[]": text(v.situation.lang, ACTIVITY),
    },
    mend=(Rule("worded", _word_goals),),
    max_tokens=640,
)


# wake_up -----------------------------------------------------------------------------------


@frozen
class WakeUpVars(Variables):
    """Variables for waking hours; `awake` means still up after midnight, with the rest of an
    evening ahead.

    `wakes` and `beds` are the times to choose from, earliest first, in minutes of the day. `beds`
    may pass midnight and continue from 0.
    """

    day: date
    awake: bool
    wakes: tuple[int, ...]
    beds: tuple[int, ...]


class WakeUpReply(Reply):
    """The times of getting up and of going to bed."""

    wake: str = Field(pattern=CLOCK, description="Time of getting up today.")
    bed: str = Field(
        pattern=CLOCK,
        description="Time of going to bed tonight; after midnight it is an early hour such as 01:30.",
    )


def nearest(minute: int, offered: tuple[int, ...]) -> int:
    """Return the offered minute of the day that is nearest to one, around the clock.

    >>> nearest(7, (1380, 1430)), nearest(610, (600, 615))
    (1430, 615)
    """
    return min(offered, key=lambda other: min((minute - other) % DAY, (other - minute) % DAY))


def _move_to_offered(v: WakeUpVars, reply: WakeUpReply) -> WakeUpReply:
    """Return the offered times that are nearest to those of a reply."""
    wake = nearest(clock_minutes(reply.wake), v.wakes)
    bed = nearest(clock_minutes(reply.bed), v.beds)
    if (wake, bed) == (clock_minutes(reply.wake), clock_minutes(reply.bed)):
        return reply
    return WakeUpReply(wake=hhmm(wake), bed=hhmm(bed))


WAKE_UP = Prompt(
    "wake_up",
    WakeUpVars,
    WakeUpReply,
    fallback=lambda v: WakeUpReply(
        wake=hhmm(nearest(v.situation.me.wake, v.wakes)),
        bed=hhmm(nearest(v.situation.me.bed, v.beds)),
    ),
    narrow=lambda v: {
        "wake": one_of([hhmm(minute) for minute in v.wakes]),
        "bed": one_of([hhmm(minute) for minute in v.beds]),
    },
    mend=(Rule("moved", _move_to_offered),),
    persona="life",
    max_tokens=60,
    temperature=0.5,
)


# schedule_init -----------------------------------------------------------------------------


@frozen
class ScheduleInitVars(Variables):
    """Variables for the day in broad strokes. `wake` and `bed` are minutes since midnight; after
    midnight, above 1440. `goals` are the resident's. With `is_under_way`, the resident is up already,
    and plans the rest of the day from `wake`.
    """

    day: date
    wake: int
    bed: int
    memories: tuple[Concept, ...]
    promises: tuple[Promise, ...]
    goals: tuple[Goal, ...] = ()
    is_under_way: bool = False


class ScheduleInitReply(Reply):
    """The day in broad strokes, in order."""

    strokes: list[Annotated[str, LINE]] = Field(
        min_length=3, max_length=10, description="The day in five to eight broad strokes, in order."
    )


def _fall_back_to_habits(v: ScheduleInitVars) -> ScheduleInitReply:
    """Return the resident's habits of the day as strokes; of fewer than three, with their usual
    plan three times behind them.
    """
    habits = [
        fitting(habit.activity, LONGEST_ACTIVITY) for habit in v.situation.me.habits_on(v.day)
    ][:10]
    if len(habits) < 3:
        habits += [fitting(v.situation.me.daily_plan, LONGEST_ACTIVITY)] * 3
    return ScheduleInitReply(strokes=habits)


SCHEDULE_INIT = Prompt(
    "schedule_init",
    ScheduleInitVars,
    ScheduleInitReply,
    fallback=_fall_back_to_habits,
    narrow=lambda v: {"strokes[]": text(v.situation.lang, STROKE)},
    max_tokens=800,
    temperature=0.8,
)


# schedule_daily ----------------------------------------------------------------------------


@frozen
class ScheduleDailyVars(Variables):
    """Variables for the hours of a day, with at least `diversity` different activities.

    `rooms` are all that the resident knows, to which numbers from 1 refer. With `is_under_way`, only
    the rest of the day is planned, from `wake`.
    """

    day: date
    wake: int
    bed: int
    strokes: tuple[str, ...]
    promises: tuple[Promise, ...]
    diversity: int
    rooms: tuple[KnownRoom, ...] = ()
    is_under_way: bool = False


class PlannedHour(Row):
    """An activity from `start` on; `place` is the number of a room, 0 without rooms to choose from."""

    start: str = Field(pattern=CLOCK)
    activity: Annotated[str, LINE]
    place: int = 0


class ScheduleDailyReply(Reply):
    """The activities of the day, each with its start."""

    hours: list[PlannedHour] = Field(
        min_length=1,
        max_length=32,
        description="When each activity begins, from getting up to going to bed.",
    )


def since_waking(start: str, wake: int) -> int:
    """Return a planned time in minutes since midnight; times before waking follow midnight, above
    1440.
    """
    minute = clock_minutes(start)
    return minute if minute >= wake else minute + DAY


def _fall_back_to_habit_hours(v: ScheduleDailyVars) -> ScheduleDailyReply:
    """Return the resident's habits of the day, or of its rest, as hours; without any, the first
    stroke from waking on.
    """
    hours = [
        _habitual_hour(v, habit)
        for habit in v.situation.me.habits_on(v.day)
        if not v.is_under_way or habit.end > v.wake
    ] or [PlannedHour(start=hhmm(v.wake), activity=fitting(v.strokes[0], LONGEST_ACTIVITY))]
    return _begin_on_waking(v, ScheduleDailyReply(hours=hours))


def _word_hours(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return the hours with activities in the form of all activities."""
    return ScheduleDailyReply(
        hours=[
            hour.model_copy(update={"activity": v.situation.word_activity(hour.activity, ACTIVITY)})
            for hour in reply.hours
        ]
    )


def _place_hours(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return a reply in which hours without a room of the list are at home."""
    home = next((number for number, room in enumerate(v.rooms, 1) if room.role == "home"), 1)
    return ScheduleDailyReply(
        hours=[
            hour
            if not v.rooms or 0 < hour.place <= len(v.rooms)
            else hour.model_copy(update={"place": home})
            for hour in reply.hours
        ]
    )


def _habitual_hour(v: ScheduleDailyVars, habit: Habit) -> PlannedHour:
    """Return a habit at its usual time and place, which every resident knows."""
    return PlannedHour(
        start=hhmm(habit.start),
        activity=fitting(habit.activity, LONGEST_ACTIVITY),
        place=number_of_room(v.rooms, habit.place) or min(1, len(v.rooms)),
    )


def _begin_on_waking(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return a reply without the hours before waking with which it begins, as a plan of the whole
    day does. What the last of them leaves for the time from waking on, unless it is sleep, is kept.
    """
    early = list(takewhile(lambda hour: clock_minutes(hour.start) < v.wake, reply.hours))
    later = reply.hours[len(early) :]
    if not early or (not later and since_waking(early[-1].start, v.wake) <= v.bed):
        return reply
    begun = early[-1].model_copy(update={"start": hhmm(v.wake)})
    is_over = later and clock_minutes(later[0].start) == v.wake
    is_sleep = any(theme.key == "sleep" for theme in themes_of(begun.activity, v.situation.lang))
    return ScheduleDailyReply(hours=later if later and (is_over or is_sleep) else [begun, *later])


def _sort_hours(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return the hours in order of time, those before waking last."""
    return ScheduleDailyReply(
        hours=sorted(reply.hours, key=lambda hour: since_waking(hour.start, v.wake))
    )


def _clip_hours(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return the hours up to bedtime; if none begins before it, the first one, from waking on."""
    hours = [hour for hour in reply.hours if since_waking(hour.start, v.wake) <= v.bed]
    if hours and since_waking(hours[0].start, v.wake) < v.bed:
        return ScheduleDailyReply(hours=hours)
    return ScheduleDailyReply(hours=[reply.hours[0].model_copy(update={"start": hhmm(v.wake)})])


def _merge_hours(_: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return the hours without those that repeat the activity and place of the one before."""
    return ScheduleDailyReply(
        hours=[
            next(same)
            for _, same in groupby(reply.hours, key=lambda hour: (hour.activity, hour.place))
        ]
    )


def _add_habits(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> ScheduleDailyReply:
    """Return a reply with habits added at free times until there are enough different activities."""
    hours = list(reply.hours)
    for habit in v.situation.me.habits_on(v.day):
        activity = fitting(habit.activity, LONGEST_ACTIVITY)
        known = {hour.activity for hour in hours}
        if len(known) >= v.diversity:
            break
        is_apart = all(
            abs(since_waking(hour.start, v.wake) - habit.start) >= APART_MINUTES for hour in hours
        )
        if is_apart and activity not in known and v.wake <= habit.start < v.bed:
            hours.append(_habitual_hour(v, habit))
    return _sort_hours(v, ScheduleDailyReply(hours=hours))


def _narrow_hours(v: ScheduleDailyVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the number of hours, the length of an activity, and the
    numbers of rooms.
    """
    return {
        "hours": {"minItems": v.diversity, "maxItems": MOST_HOURS},
        "hours[].activity": text(v.situation.lang, ACTIVITY),
        "hours[].place": between(1, len(v.rooms)) if v.rooms else LEFT_OUT,
    }


SCHEDULE_DAILY = Prompt(
    "schedule_daily",
    ScheduleDailyVars,
    ScheduleDailyReply,
    fallback=_fall_back_to_habit_hours,
    narrow=_narrow_hours,
    labels=lambda v: {"hours[].place": [room.label for room in v.rooms]},
    mend=(
        Rule("worded", _word_hours),
        Rule("placed", _place_hours),
        Rule("moved", _begin_on_waking),
        Rule("sorted", _sort_hours),
        Rule("clipped", _clip_hours),
        Rule("merged", _merge_hours),
        Rule("filled", _add_habits),
    ),
    persona="little",
    max_tokens=1500,
)
