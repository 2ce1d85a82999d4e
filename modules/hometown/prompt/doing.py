"""Prompts for what is done now: the tasks of an entry of the schedule, and where to do each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic import Field

from hometown.clock import DAY
from hometown.frozen import frozen
from hometown.memory.schedule import Entry, scale_lengths
from hometown.prompt.bounds import LEFT_OUT, Keywords, between, line, one_of, text
from hometown.prompt.planning import ACTIVITY, LINE, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Row, Rule, Variables
from hometown.prompt.wording import fitting

MOST_TASKS = 24
"""Tasks of one entry."""

NO_EMOJI = "💭"

EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
"""The characters with which emoji begin, as a set of a pattern."""

JOINERS = "\u200d\ufe0f"
"""What may stand between two characters of one emoji, and after one."""

EMOJI_ONLY: Keywords = {"pattern": f"^{EMOJI}[{JOINERS}{EMOJI[1:]}{{0,2}}$"}
"""One to three emoji."""

STATE = 60
"""Characters of a thing's state."""


def _shown(emoji: Sequence[str]) -> Keywords:
    """One of these emoji, or any where there are none."""
    return one_of(emoji) if emoji else EMOJI_ONLY


# places ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, str]:
    """A thing's whole name in two: what its room is called, and what it is called itself."""
    room, _, own = name.replace("：", ": ").rpartition(": ")
    return room, own


class Spot(NamedTuple):
    """A place to choose: an arena or a thing that the resident knows, as it knows it.

    `name` says it whole ("Starlight Café, kitchen: stove"), `state` what it last showed, or that
    the resident itself uses it, `taken` that it saw it occupied by another when it was last seen,
    `tags` those of the thing and its arena.
    """

    address: str
    name: str
    state: str
    taken: bool
    tags: tuple[str, ...]

    @property
    def room(self) -> str:
        """What the arena is called."""
        return _parts(self.name)[0] if self.own else self.name

    @property
    def own(self) -> str:
        """What a thing is called without its room; "" for an arena."""
        return _parts(self.name)[1] if self.address.count("/") == 2 else ""


# schedule_decompose ------------------------------------------------------------------------


@frozen
class DecomposeVars(Variables):
    """The entry to cut into tasks of at least `shortest` minutes, with its neighbours for context.

    `steps` are the tasks to choose from, each once; empty where the model words them itself.
    `spots` are the places to choose from for each task, by number from 1; empty where they are
    chosen later. `here` is the address of the arena where the resident stands, `emoji` those to
    choose from; empty where the model finds its own.
    """

    entry: Entry
    before: Entry | None
    after: Entry | None
    shortest: int
    steps: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()
    here: str = ""
    emoji: tuple[str, ...] = ()

    @property
    def minutes(self) -> int:
        return self.entry.end - self.entry.start


class PlannedTask(Row):
    """`place` is the number of a place and `emoji` shows the activity; 0 and "" where places are
    chosen later.
    """

    activity: str = Field(pattern=LINE)
    minutes: int = Field(ge=1, le=DAY)
    place: int = 0
    emoji: str = Field("", pattern=line(STATE, shortest=0))


class DecomposeReply(Reply):
    tasks: list[PlannedTask] = Field(
        min_length=1, description="Sub-tasks in order, with their minutes."
    )


def _within_the_entry(v: DecomposeVars) -> Mapping[str, Keywords]:
    most = min(max(v.minutes // v.shortest, 1), len(v.steps) or MOST_TASKS)
    narrowed: dict[str, Keywords] = {
        "tasks": {"maxItems": most},
        "tasks[].minutes": between(min(v.shortest, v.minutes), v.minutes),
    }
    narrowed |= (
        {"tasks[].place": between(1, len(v.spots)), "tasks[].emoji": _shown(v.emoji)}
        if v.spots
        else {"tasks[].place": LEFT_OUT, "tasks[].emoji": LEFT_OUT}
    )
    return narrowed | {
        "tasks[].activity": one_of(v.steps) if v.steps else text(v.situation.lang, ACTIVITY)
    }


def _each_step_once(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Minutes of a step that is chosen again go to where it was chosen first; tasks that the model
    words itself may return.
    """
    if not v.steps:
        return reply
    once: dict[str, PlannedTask] = {}
    for task in reply.tasks:
        first = once.setdefault(task.activity, task)
        if first is not task:
            once[task.activity] = _lasting(first, min(first.minutes + task.minutes, DAY))
    return DecomposeReply(tasks=list(once.values()))


def _lasting(task: PlannedTask, minutes: int) -> PlannedTask:
    return task if minutes == task.minutes else task.model_copy(update={"minutes": minutes})


def _filling(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Minutes scaled so that the tasks fill the entry; one that gets too short leaves its minutes
    to the next.
    """
    lengths = scale_lengths([task.minutes for task in reply.tasks], v.minutes, v.shortest)
    return DecomposeReply(
        tasks=[
            _lasting(task, minutes)
            for task, minutes in zip(reply.tasks, lengths, strict=True)
            if minutes
        ]
    )


def _emoji_of_tasks(_: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    return DecomposeReply(
        tasks=[
            task.model_copy(update={"emoji": only_emoji(task.emoji)}) if task.emoji else task
            for task in reply.tasks
        ]
    )


def _whole_entry(v: DecomposeVars) -> DecomposeReply:
    """The entry as one task, which is done here if anywhere."""
    activity = fitting(v.entry.activity, LONGEST_ACTIVITY)
    place, emoji = (_here(v.spots, v.here), NO_EMOJI) if v.spots else (0, "")
    return DecomposeReply(
        tasks=[PlannedTask(activity=activity, minutes=v.minutes, place=place, emoji=emoji)]
    )


DECOMPOSE = Prompt(
    "schedule_decompose", DecomposeVars, DecomposeReply,
    fallback=_whole_entry,
    narrow=_within_the_entry,
    mend=(Rule("merged", _each_step_once), Rule("scaled", _filling), Rule("replaced", _emoji_of_tasks)),
    persona="little", max_tokens=1500,
)  # fmt: skip


# place -------------------------------------------------------------------------------------


@frozen
class PlaceVars(Variables):
    """`activity` is to be done for `minutes`; `entry` is the schedule entry that it belongs to.

    `spots` are the places to choose from, by number from 1. `here` is the address of the arena
    where the resident stands. `refused` tells why the last choice failed. `emoji` are those to
    choose from; empty where the model finds its own. `brief`: the reply leaves out what the thing
    looks like while it is used.
    """

    activity: str
    entry: str
    minutes: int
    here: str
    spots: tuple[Spot, ...]
    refused: str
    emoji: tuple[str, ...] = ()
    brief: bool = False


class PlaceReply(Reply):
    place: int = Field(description="Number of the place.")
    emoji: str = Field(pattern=line(STATE), description="One or two emoji for the activity.")
    thing_state: str = Field(
        "",
        pattern=line(STATE, shortest=0),
        description="State of the thing while it is used so, two to five words.",
    )


def _offered(v: PlaceVars) -> Mapping[str, Keywords]:
    return {
        "place": between(1, len(v.spots)),
        "emoji": _shown(v.emoji),
        "thing_state": one_of([""]) if v.brief else text(v.situation.lang, STATE, shortest=0),
    }


def only_emoji(text: str) -> str:
    """A text without what is no emoji, where a server does not enforce it.

    >>> only_emoji("🍞 bread"), only_emoji("bread")
    ('🍞', '💭')
    """
    return (
        "".join(re.findall(f"[{JOINERS}{EMOJI[1:]}", text)).lstrip(JOINERS)[:3].rstrip("\u200d")
        or NO_EMOJI
    )


def _only_emoji(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    return reply.model_copy(update={"emoji": only_emoji(reply.emoji)})


def _state_in_words(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    """A state without a letter, such as "…", says nothing."""
    return (
        reply
        if any(map(str.isalpha, reply.thing_state))
        else reply.model_copy(update={"thing_state": ""})
    )


def _stay_here(v: PlaceVars) -> PlaceReply:
    return PlaceReply(place=_here(v.spots, v.here), emoji=NO_EMOJI)


def _here(spots: Sequence[Spot], here: str) -> int:
    """The number of the first free spot of the arena at hand, or of the first of all."""
    return next(
        (
            number
            for number, spot in enumerate(spots, 1)
            if spot.address.startswith(here) and not spot.taken
        ),
        1,
    )


PLACE = Prompt(
    "place", PlaceVars, PlaceReply,
    fallback=_stay_here,
    narrow=_offered,
    mend=(Rule("replaced", _only_emoji), Rule("emptied", _state_in_words)),
    persona="little", max_tokens=120, temperature=0.4,
)  # fmt: skip
