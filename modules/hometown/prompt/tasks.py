"""Prompts for current activities: the tasks of a schedule entry, and their places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import Field

from hometown.clock import DAY
from hometown.frozen import frozen
from hometown.memory.schedule import Entry, scale_lengths
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    Keywords,
    at_most,
    between,
    one_of,
    text,
)
from hometown.prompt.line import OneLine
from hometown.prompt.plans import ACTIVITY, LINE, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Row, Rule, Variables
from hometown.prompt.wording import fitting
from hometown.world.world import arena_of

MOST_TASKS = 6
"""Maximum number of tasks of one entry."""

OUTSIDE = 80
"""Maximum length of the outside of a task, as others see it, in English characters."""

NO_EMOJI = "💭"
"""The emoji in place of a missing one."""

EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
"""The characters with which emoji begin, as a character set of a pattern."""

JOINERS = "\u200d\ufe0f"
"""Characters that may join or follow those of one emoji."""

EMOJI_ONLY: Keywords = {"pattern": f"^{EMOJI}[{JOINERS}{EMOJI[1:]}{{0,2}}$"}
"""Keywords for one to three emoji."""

STATE = 60
"""Maximum length of a thing's state in characters."""


def _emoji_keywords(emoji: Sequence[str]) -> Keywords:
    """Return the bounds for one of these emoji, or for any if there are none."""
    return one_of(emoji) if emoji else EMOJI_ONLY


# places ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _split_name(name: str) -> tuple[str, str]:
    """Split the full name of a thing into the name of its room and its own."""
    room, _, own = name.replace("：", ": ").rpartition(": ")
    return room, own


class Spot(NamedTuple):
    """A place to choose from: an arena or a thing, as the resident knows it.

    `name` is the full name ("Starlight Café, kitchen: stove"). `state` is the state last seen, or
    the resident's own use. `taken` means that it was last seen in use by others. `tags` are those
    of the thing and its arena.
    """

    address: str
    name: str
    state: str
    taken: bool
    tags: tuple[str, ...]

    @property
    def room(self) -> str:
        """Return the name of the arena."""
        return _split_name(self.name)[0] if self.own else self.name

    @property
    def own(self) -> str:
        """Return the name of a thing without its room; "" for an arena."""
        return _split_name(self.name)[1] if self.address.count("/") == 2 else ""


class Sought(NamedTuple):
    """A resident whom an activity names, and the place where the one asked believes them to be.

    `seen` is the time at which they were seen there; None if the belief is by their home or work.
    `keeps` names the shop where they serve if they are believed to be elsewhere, "" for all others.
    `is_here` is True for those who are in the same room as the one asked.
    """

    name: str
    place: str
    seen: datetime | None = None
    keeps: str = ""
    is_here: bool = False


# schedule_decompose ------------------------------------------------------------------------


@frozen
class DecomposeVars(Variables):
    """Variables for dividing an entry into tasks of at least `shortest` minutes.

    `before` and `after` are the neighbouring entries. `steps` are the tasks to choose from, each
    once; empty if the model words them. `spots` are the places to choose from, to which numbers
    from 1 refer; empty if they are chosen later. `here` is the address of the current arena.
    `emoji` are those to choose from; empty if the model is free. `room` is the address of the arena
    that the plan names, "" for none, and `people` are the residents named in the entry. With
    `has_outsides`, the model may word what others see of the tasks. `moments` are those of the
    gathering that the entry is for, as (start, moment) in minutes of the day. `done` is what the
    resident has done since the entry began, if another cut it.
    """

    entry: Entry
    before: Entry | None
    after: Entry | None
    shortest: int
    steps: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()
    here: str = ""
    emoji: tuple[str, ...] = ()
    room: str = ""
    people: tuple[Sought, ...] = ()
    has_outsides: bool = False
    moments: tuple[tuple[int, str], ...] = ()
    done: tuple[str, ...] = ()

    @property
    def minutes(self) -> int:
        """Return the length of the entry."""
        return self.entry.end - self.entry.start

    @property
    def most(self) -> int:
        """Return the maximum number of tasks."""
        most = min(max(self.minutes // self.shortest, 1), MOST_TASKS)
        return min(most, len(self.steps)) if self.steps else most


class PlannedTask(Row):
    """`place` is the number of a place and `emoji` shows the activity; 0 and "" where places are
    chosen later.
    """

    activity: Annotated[str, LINE]
    minutes: int = Field(ge=1, le=DAY)
    place: int = 0
    emoji: str = ""


class VisibleAct(Row):
    """What others see of a task, by its number from 1."""

    task: int = Field(ge=1, le=MOST_TASKS)
    act: Annotated[str, LINE]


class DecomposeReply(Reply):
    """The tasks of an entry, in order, and what others see of some of them."""

    tasks: list[PlannedTask] = Field(
        min_length=1, description="Sub-tasks in order, with their minutes."
    )
    seen: list[VisibleAct] = Field(
        default_factory=list,
        max_length=MOST_TASKS,
        description="What others see of tasks whose words are private.",
    )


def _narrow_tasks(v: DecomposeVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the number of tasks and their minutes, places and emoji if
    they are chosen now, the steps to choose from, and the bounds of visible acts.
    """
    narrowed: dict[str, Keywords] = {
        "tasks": {"maxItems": v.most},
        "tasks[].minutes": between(min(v.shortest, v.minutes), v.minutes),
    }
    narrowed |= (
        {"tasks[].place": between(1, len(v.spots)), "tasks[].emoji": _emoji_keywords(v.emoji)}
        if v.spots
        else {"tasks[].place": LEFT_OUT, "tasks[].emoji": LEFT_OUT}
    )
    return (
        narrowed
        | {"tasks[].activity": one_of(v.steps) if v.steps else text(v.situation.lang, ACTIVITY)}
        | _outside_bounds(v)
    )


def _outside_bounds(v: DecomposeVars) -> dict[str, Keywords]:
    """Return the bounds for the outsides of the tasks."""
    if not v.has_outsides:
        return {"seen": LEFT_OUT}
    return {
        "seen": MAY_BE_LEFT_OUT | at_most(v.most),
        "seen[].task": between(1, v.most),
        "seen[].act": text(v.situation.lang, OUTSIDE),
    }


def _word_tasks(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Return tasks, and what others see of them, in the form of all activities, unless the tasks
    are steps to choose from. Visible acts that equal their task are left out.
    """
    if v.steps:
        return reply
    tasks = [
        task.model_copy(update={"activity": v.situation.word_activity(task.activity, ACTIVITY)})
        for task in reply.tasks
    ]
    acts = {one.task: v.situation.word_activity(one.act, OUTSIDE) for one in reply.seen}
    seen = [
        VisibleAct(task=number, act=acts[number])
        for number, task in enumerate(tasks, 1)
        if acts.get(number, task.activity) != task.activity
    ]
    return DecomposeReply(tasks=tasks, seen=seen)


def _merge_steps(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Return a reply in which the minutes of a repeated step are added to its first occurrence,
    without what others see of it. Tasks in the model's words may repeat.
    """
    if not v.steps:
        return reply
    once: dict[str, PlannedTask] = {}
    for task in reply.tasks:
        first = once.setdefault(task.activity, task)
        if first is not task:
            once[task.activity] = _set_minutes(first, min(first.minutes + task.minutes, DAY))
    return DecomposeReply(tasks=list(once.values()))


def _set_minutes(task: PlannedTask, minutes: int) -> PlannedTask:
    """Return a task with other minutes; the same object if they are equal."""
    return task if minutes == task.minutes else task.model_copy(update={"minutes": minutes})


def _scale_minutes(v: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Return a reply with its minutes scaled so that the tasks fill the entry; tasks that get too
    short give them to the next.
    """
    lengths = scale_lengths([task.minutes for task in reply.tasks], v.minutes, v.shortest)
    kept = [at for at, minutes in enumerate(lengths) if minutes]
    acts = {one.task - 1: one.act for one in reply.seen}
    return DecomposeReply(
        tasks=[_set_minutes(reply.tasks[at], lengths[at]) for at in kept],
        seen=[
            VisibleAct(task=number, act=acts[at]) for number, at in enumerate(kept, 1) if at in acts
        ],
    )


def _replace_emoji(_: DecomposeVars, reply: DecomposeReply) -> DecomposeReply:
    """Return tasks whose emoji hold nothing else."""
    tasks = [
        task.model_copy(update={"emoji": only_emoji(task.emoji)}) if task.emoji else task
        for task in reply.tasks
    ]
    return reply.model_copy(update={"tasks": tasks})


def _fall_back_to_entry(v: DecomposeVars) -> DecomposeReply:
    """Return the entry as one task, in the planned or else the current arena if possible."""
    activity = fitting(v.entry.activity, LONGEST_ACTIVITY)
    place = _first_in(v.spots, v.room or v.here) if v.spots else 0
    emoji = NO_EMOJI if v.spots else ""
    return DecomposeReply(
        tasks=[PlannedTask(activity=activity, minutes=v.minutes, place=place, emoji=emoji)]
    )


DECOMPOSE = Prompt(
    "schedule_decompose",
    DecomposeVars,
    DecomposeReply,
    fallback=_fall_back_to_entry,
    narrow=_narrow_tasks,
    mend=(
        Rule("worded", _word_tasks),
        Rule("merged", _merge_steps),
        Rule("scaled", _scale_minutes, is_routine=True),
        Rule("replaced", _replace_emoji),
    ),
    persona="little",
    max_tokens=1500,
    labels=lambda v: {"tasks[].place": [spot.name for spot in v.spots]},
)


# place -------------------------------------------------------------------------------------


@frozen
class PlaceVars(Variables):
    """Variables for the place of `activity`, done for `minutes` as part of the schedule entry
    `entry`.

    `spots` are the places to choose from, to which numbers from 1 refer. `here` is the address of
    the current arena. `refused` is the reason why the last choice failed. `emoji` are those to
    choose from; empty if the model is free. With `brief`, the reply omits the state of the thing in
    use. `room` is the address of the arena that the plan names, "" for none, and `people` are the
    residents named in the activity.
    """

    activity: str
    entry: str
    minutes: int
    here: str
    spots: tuple[Spot, ...]
    refused: str
    emoji: tuple[str, ...] = ()
    brief: bool = False
    room: str = ""
    people: tuple[Sought, ...] = ()


class PlaceReply(Reply):
    """The place of an activity, the emoji that shows it, and the state of the thing in use."""

    place: int = Field(description="Number of the place.")
    emoji: str = Field(description="One or two emoji for the activity.")
    thing_state: Annotated[str, OneLine(STATE, 0)] = Field(
        "", description="State of the thing while it is used so, two to five words."
    )


def _narrow_place(v: PlaceVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the numbers of places, the emoji, and the length of a state."""
    return {
        "place": between(1, len(v.spots)),
        "emoji": _emoji_keywords(v.emoji),
        "thing_state": one_of([""]) if v.brief else text(v.situation.lang, STATE, shortest=0),
    }


def only_emoji(text: str) -> str:
    """Return the emoji of a text, at most three characters, for servers that do not enforce the
    pattern; `NO_EMOJI` if it has none.

    >>> only_emoji("🍞 bread"), only_emoji("bread")
    ('🍞', '💭')
    """
    emoji = "".join(re.findall(f"[{JOINERS}{EMOJI[1:]}", text))
    return emoji.lstrip(JOINERS)[:3].rstrip("\u200d") or NO_EMOJI


def _replace_place_emoji(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    """Return a reply whose emoji hold nothing else."""
    return reply.model_copy(update={"emoji": only_emoji(reply.emoji)})


def _empty_wordless_state(_: PlaceVars, reply: PlaceReply) -> PlaceReply:
    """Return a reply with "" in place of a state without letters, such as "…"."""
    if any(map(str.isalpha, reply.thing_state)):
        return reply
    return reply.model_copy(update={"thing_state": ""})


def _fall_back_to_arena(v: PlaceVars) -> PlaceReply:
    """Return the first free place in the planned arena, or else in the current one."""
    return PlaceReply(place=_first_in(v.spots, v.room or v.here), emoji=NO_EMOJI)


def _first_in(spots: Sequence[Spot], arena: str) -> int:
    """Return the number of the first free spot in an arena, or else of the first spot."""
    return next(
        (
            number
            for number, spot in enumerate(spots, 1)
            if arena_of(spot.address) == arena and not spot.taken
        ),
        1,
    )


PLACE = Prompt(
    "place",
    PlaceVars,
    PlaceReply,
    fallback=_fall_back_to_arena,
    narrow=_narrow_place,
    mend=(Rule("replaced", _replace_place_emoji), Rule("emptied", _empty_wordless_state)),
    persona="little",
    max_tokens=120,
    temperature=0.4,
    labels=lambda v: {"place": [spot.name for spot in v.spots]},
)
