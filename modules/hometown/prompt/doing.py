"""Prompts for what is done now: the tasks of an entry of the schedule, and where to do each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from hometown.clock import DAY
from hometown.memory.schedule import Entry
from hometown.prompt.bounds import Keywords, between, line, one_of, text
from hometown.prompt.planning import ACTIVITY, LINE, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting

MOST_TASKS = 24
"""Tasks of one entry."""

GRID = 5
"""Minutes to whose multiples scaled tasks are rounded."""

NO_EMOJI = "💭"

EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
"""The characters with which emoji begin, as a set of a pattern."""

JOINERS = "\u200d\ufe0f"
"""What may stand between two characters of one emoji, and after one."""

STATE = 60
"""Characters of a thing's state."""


# schedule_decompose ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DecomposeVars(Variables):
    """The entry to cut into tasks of at least `shortest` minutes, with its neighbours for context.

    `steps` are the tasks to choose from, each once; empty where the model words them itself.
    """

    entry: Entry
    before: Entry | None
    after: Entry | None
    shortest: int
    steps: tuple[str, ...] = ()

    @property
    def minutes(self) -> int:
        return self.entry.end - self.entry.start


class PlannedTask(Reply):
    activity: str = Field(pattern=LINE)
    minutes: int = Field(ge=1, le=DAY)


class DecomposeReply(Reply):
    tasks: list[PlannedTask] = Field(min_length=1, description="Sub-tasks in order, with their minutes.")


def _within_the_entry(v: DecomposeVars) -> Mapping[str, Keywords]:
    most = min(max(v.minutes // v.shortest, 1), len(v.steps) or MOST_TASKS)
    narrowed: dict[str, Keywords] = {"tasks": {"maxItems": most}, "tasks[].minutes": between(min(v.shortest, v.minutes), v.minutes)}
    return narrowed | {"tasks[].activity": one_of(v.steps) if v.steps else text(v.situation.lang, ACTIVITY)}


def _each_step_once(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Minutes of a step that is chosen again go to where it was chosen first; tasks that the model words itself may return."""
    if not v.steps:
        return reply
    minutes: dict[str, int] = {}
    for task in reply.tasks:
        minutes[task.activity] = minutes.get(task.activity, 0) + task.minutes
    return DecomposeReply(tasks=[PlannedTask(activity=activity, minutes=min(length, DAY)) for activity, length in minutes.items()])


def _filling(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Minutes scaled so that the tasks fill the entry; one that gets too short leaves its minutes to the next."""
    total = sum(task.minutes for task in reply.tasks)
    if total == v.minutes:
        return reply
    tasks: list[PlannedTask] = []
    given = used = 0
    for task in reply.tasks:
        given += task.minutes
        until = given * v.minutes // total // GRID * GRID
        if until - used >= v.shortest:
            tasks.append(PlannedTask(activity=task.activity, minutes=until - used))
            used = until
    last = tasks.pop() if tasks else PlannedTask(activity=reply.tasks[0].activity, minutes=GRID)
    return DecomposeReply(tasks=[*tasks, PlannedTask(activity=last.activity, minutes=v.minutes - sum(task.minutes for task in tasks))])


DECOMPOSE = Prompt(
    "schedule_decompose", DecomposeVars, DecomposeReply,
    fallback=lambda v: DecomposeReply(tasks=[PlannedTask(activity=fitting(v.entry.activity, LONGEST_ACTIVITY), minutes=v.minutes)]),
    narrow=_within_the_entry,
    mend=(Rule("merged", _each_step_once), Rule("scaled", _filling)),
    max_tokens=1500,
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
        return own_name(self.address, self.name)


def own_name(address: str, name: str) -> str:
    """What a thing of this address is called without its room; "" for an arena."""
    return name.replace("：", ": ").rpartition(": ")[2] if address.count("/") == 2 else ""


@dataclass(frozen=True, slots=True)
class PlaceVars(Variables):
    """`activity` is to be done for `minutes`; `entry` is the schedule entry that it belongs to.

    `spots` are the places to choose from, by number from 1. `here` is the address of the arena where the resident stands. `refused` tells why
    the last choice failed. `brief`: the reply leaves out what the thing looks like while it is used.
    """

    activity: str
    entry: str
    minutes: int
    here: str
    spots: tuple[Spot, ...]
    refused: str
    brief: bool = False


class PlaceReply(Reply):
    place: int = Field(description="Number of the place.")
    emoji: str = Field(pattern=line(STATE), description="One or two emoji for the activity.")
    thing_state: str = Field("", pattern=line(STATE, shortest=0), description="State of the thing while it is used so, two to five words.")


def _offered(v: PlaceVars) -> Mapping[str, Keywords]:
    return {
        "place": between(1, len(v.spots)),
        "emoji": {"pattern": f"^{EMOJI}[{JOINERS}{EMOJI[1:]}{{0,2}}$"},
        "thing_state": one_of([""]) if v.brief else text(v.situation.lang, STATE, shortest=0),
    }


def _only_emoji(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    """Without what is no emoji, where a server does not enforce it."""
    kept = "".join(re.findall(f"[{JOINERS}{EMOJI[1:]}", reply.emoji)).lstrip(JOINERS)[:3].rstrip("\u200d")
    return reply if kept == reply.emoji else reply.model_copy(update={"emoji": kept or NO_EMOJI})


def _state_in_words(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    """A state without a letter, such as "…", says nothing."""
    return reply if any(map(str.isalpha, reply.thing_state)) else reply.model_copy(update={"thing_state": ""})


def _stay_here(v: PlaceVars) -> PlaceReply:
    here = next((number for number, spot in enumerate(v.spots, 1) if spot.address.startswith(v.here) and not spot.taken), 1)
    return PlaceReply(place=here, emoji=NO_EMOJI)


PLACE = Prompt(
    "place", PlaceVars, PlaceReply,
    fallback=_stay_here,
    narrow=_offered,
    mend=(Rule("replaced", _only_emoji), Rule("emptied", _state_in_words)),
    max_tokens=120, temperature=0.4,
)  # fmt: skip
