"""Prompts for the day: what is going on, when to rise, the day in strokes, hours and tasks, and where to do them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import Field

from modules.clock import hhmm, parse_hhmm
from modules.memory.concept import Concept
from modules.memory.schedule import Entry
from modules.prompt.prompt import Prompt, Reply, Variables
from modules.prompt.wording import fitting
from modules.world.rows import Promise

CLOCK = r"^([01]?[0-9]|2[0-4]):[0-5][0-9]$"
"""The pattern of a time of day in replies."""

LINE = r"^[^\x00-\x1f]{1,240}$"
"""Pattern of a short text: bounded by pattern, since `maxLength` alone lets control characters through."""


# currently ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CurrentlyVars(Variables):
    """`memories`: retrieved for what matters now; `promises`: still to come."""

    day: date
    memories: tuple[Concept, ...]
    promises: tuple[Promise, ...]


class CurrentlyReply(Reply):
    currently: str = Field(pattern=r"^[^\x00-\x1f]{1,600}$", description="What is going on in this person's life, two or three sentences, third person.")


CURRENTLY = Prompt(
    "currently", CurrentlyVars, CurrentlyReply,
    fallback=lambda v: CurrentlyReply(currently=fitting(v.situation.currently, 600)),
    max_tokens=240,
)  # fmt: skip


# wake_up -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WakeUpVars(Variables):
    """`awake`: still up after midnight, so that the day begins with the rest of the evening."""

    day: date
    awake: bool


class WakeUpReply(Reply):
    wake: str = Field(pattern=CLOCK, description="Time of getting up today.")
    bed: str = Field(pattern=CLOCK, description="Time of going to bed tonight; after midnight it is an early hour such as 01:30.")


WAKE_UP = Prompt(
    "wake_up", WakeUpVars, WakeUpReply,
    fallback=lambda v: WakeUpReply(wake=hhmm(v.situation.me.wake), bed=hhmm(v.situation.me.bed)),
    max_tokens=60, temperature=0.5,
)  # fmt: skip


# schedule_init -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScheduleInitVars(Variables):
    """`wake` and `bed` are minutes of the day; a bedtime after midnight is above 1440."""

    day: date
    wake: int
    bed: int
    memories: tuple[Concept, ...]
    promises: tuple[Promise, ...]


class ScheduleInitReply(Reply):
    strokes: list[str] = Field(min_length=3, max_length=10, description="The day in five to eight broad strokes, in order.")


def _usual_day(v: ScheduleInitVars) -> ScheduleInitReply:
    habits = [habit.activity for habit in v.situation.me.habits_on(v.day)][:10]
    return ScheduleInitReply(strokes=habits if len(habits) >= 3 else [*habits, *[v.situation.me.daily_plan] * 3])


SCHEDULE_INIT = Prompt(
    "schedule_init", ScheduleInitVars, ScheduleInitReply,
    fallback=_usual_day,
    max_tokens=320, temperature=0.8,
)  # fmt: skip


# schedule_daily ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScheduleDailyVars(Variables):
    """`diversity`: different activities that the day must hold at least."""

    day: date
    wake: int
    bed: int
    strokes: tuple[str, ...]
    promises: tuple[Promise, ...]
    diversity: int


class PlannedHour(Reply):
    start: str = Field(pattern=CLOCK)
    activity: str = Field(pattern=LINE)


class ScheduleDailyReply(Reply):
    hours: list[PlannedHour] = Field(min_length=1, max_length=32, description="When each activity begins, from getting up to going to bed.")


def _habits_as_hours(v: ScheduleDailyVars) -> ScheduleDailyReply:
    hours = [PlannedHour(start=hhmm(habit.start), activity=fitting(habit.activity, 240)) for habit in v.situation.me.habits_on(v.day)]
    return ScheduleDailyReply(hours=hours or [PlannedHour(start=hhmm(v.wake), activity=fitting(v.strokes[0], 240))])


def _too_uniform(v: ScheduleDailyVars, reply: ScheduleDailyReply) -> str | None:
    different = len({hour.activity for hour in reply.hours})
    if different < v.diversity:
        return f"only {different} different activities; there must be at least {v.diversity}"
    return None


SCHEDULE_DAILY = Prompt(
    "schedule_daily", ScheduleDailyVars, ScheduleDailyReply,
    fallback=_habits_as_hours, objection=_too_uniform,
    max_tokens=800,
)  # fmt: skip


# schedule_decompose ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DecomposeVars(Variables):
    """The entry to cut into tasks of at least `shortest` minutes, with its neighbours for context."""

    entry: Entry
    before: Entry | None
    after: Entry | None
    shortest: int


class PlannedTask(Reply):
    activity: str = Field(pattern=LINE)
    minutes: int = Field(ge=1, le=1440)


class DecomposeReply(Reply):
    tasks: list[PlannedTask] = Field(min_length=1, max_length=40, description="Sub-tasks in order, with their minutes.")


DECOMPOSE = Prompt(
    "schedule_decompose", DecomposeVars, DecomposeReply,
    fallback=lambda v: DecomposeReply(tasks=[PlannedTask(activity=fitting(v.entry.activity, 240), minutes=v.entry.end - v.entry.start)]),
    max_tokens=500,
)  # fmt: skip


# place -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to choose: an arena or a thing that the resident knows, as it knows it.

    `name` says it whole ("Starlight Café, kitchen: stove"), `state` what it last showed, or that the
    resident itself uses it, `taken` that it saw it occupied by another when it was last seen, `tags` those of the thing and its arena.
    """

    address: str
    name: str
    state: str
    taken: bool
    tags: tuple[str, ...]

    @property
    def own(self) -> str:
        """What a thing is called without its room; "" for an arena."""
        return self.name.replace("：", ": ").rpartition(": ")[2] if self.address.count("/") == 2 else ""


@dataclass(frozen=True, slots=True)
class PlaceVars(Variables):
    """`activity` is to be done for `minutes`; `entry` is the schedule entry that it belongs to.

    `spots` hold each arena before its things. `here` is the address of the arena where the resident stands. `refused` tells why the last choice failed.
    """

    activity: str
    entry: str
    minutes: int
    here: str
    spots: tuple[Spot, ...]
    refused: str


class PlaceReply(Reply):
    address: str = Field(description="Address of the place, one of those listed.")
    emoji: str = Field(pattern=r"^[^\x00-\x1f]{1,12}$", description="One or two emoji for the activity.")
    thing_state: str = Field("", pattern=r"^[^\x00-\x1f]{0,60}$", description="State of the thing while it is used so, two to five words.")


def _addresses(v: PlaceVars) -> Mapping[str, Sequence[str]]:
    return {"address": [spot.address for spot in v.spots]}


def _unknown_place(v: PlaceVars, reply: PlaceReply) -> str | None:
    if all(spot.address != reply.address for spot in v.spots):
        return f"{reply.address!r} is not one of the places listed"
    return None


def _stay_here(v: PlaceVars) -> PlaceReply:
    here = next((spot for spot in v.spots if spot.address.startswith(v.here) and not spot.taken), v.spots[0])
    return PlaceReply(address=here.address, emoji="💭")


PLACE = Prompt(
    "place", PlaceVars, PlaceReply,
    fallback=_stay_here, choices=_addresses, objection=_unknown_place,
    max_tokens=120, temperature=0.4,
)  # fmt: skip


def clock_minutes(text: str) -> int:
    """Minutes since midnight of a time in a reply; the pattern has been checked, 24:xx counts as 24:00."""
    return min(parse_hhmm("24:00") if text.startswith("24") else parse_hhmm(text), 1440)
