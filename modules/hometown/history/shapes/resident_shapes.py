"""Everything that the page knows of a resident."""

from __future__ import annotations

from typing import TypedDict

from hometown.history.shapes.playback_shapes import Tile
from hometown.history.shapes.society import Living
from hometown.history.shapes.versioned_values import Versions
from hometown.memory.concept import MemoryType


class SourceView(TypedDict):
    """A passage of a file in which background knowledge was read; passages are numbered from 1."""

    file: str
    passage: int


class MemoryView(TypedDict):
    """A memory as it was made, without its later uses."""

    id: int
    who: str
    step: int
    tick: int
    type: MemoryType
    text: str
    poignancy: int
    address: str
    evidence: list[int]
    conversation: str
    about: list[str]
    source: SourceView | None


Memories = TypedDict(
    "Memories",
    {
        "from": int,
        "to": int,
        "items": list[MemoryView],
        "used": list[tuple[int, int, int]],
        "retired": list[tuple[int, int]],
        "settled": list[tuple[int, int]],
    },
)
"""A resident's memories made in some steps, those used in them (step, memory, tick), those retired
(step, memory), and those settled (memory, tick).
"""


class PersonaView(TypedDict):
    age: int
    innate: str
    learned: str
    lifestyle: str
    daily_plan: str
    home: str
    interests: list[str]


class MindView(TypedDict):
    currently: str
    memories: int
    poignancy: int
    threshold: int
    reflections: int


ScheduleChange = TypedDict(
    "ScheduleChange",
    {"conversation": str, "with": list[str], "tick": int, "step": int, "instead": list[str]},
)
"""The conversation that put an entry into the schedule, its participants, its tick, the first step
with the entry, and the activities planned before for that time.
"""


class ScheduleTask(TypedDict):
    start: int
    end: int
    activity: str
    status: str


class ScheduleEntry(TypedDict):
    start: int
    end: int
    activity: str
    kind: str
    address: str
    origin: str
    tasks: list[ScheduleTask]
    changed: ScheduleChange | None


class ScheduleDay(TypedDict):
    """A day's schedule; `made` is the step that made it."""

    date: str
    made: int
    entries: list[ScheduleEntry]


class Appointment(TypedDict):
    what: str
    people: list[str]
    address: str
    tick: int
    minutes: int
    conversation: str


class GoalView(TypedDict):
    """A resident's goal since a date, and the number of days on whose plans it was."""

    what: str
    since: str
    days: int


class LastConversation(TypedDict):
    id: str
    tick: int
    summary: str


class ClosenessChange(TypedDict):
    """A change of closeness to another resident: thirds of a point, negative if away from each
    other, and the reason (`world.bond.Why`).
    """

    tick: int
    by: int
    why: str


class Acquaintance(TypedDict):
    """Closeness is 0 to 10, now and `before` the run; `moved` lists its changes, the latest
    first.
    """

    id: str
    relation: str
    closeness: int
    before: int
    conversations: int
    summary: str
    last: list[LastConversation]
    moved: list[ClosenessChange]


class GroundView(TypedDict):
    """A ground for an opinion: the points by which it moved regard and trust at a tick, and the
    memory that tells of it (0 for none).
    """

    tick: int
    why: str
    regard: int
    trust: int
    memory: int


class Opinion(TypedDict):
    """Regard and trust are -100 to 100; the grounds are the weightiest, the latest first; an
    impression is "" or a sentence, on the evidence of memories.
    """

    id: str
    regard: int
    trust: int
    grounds: list[GroundView]
    impression: str
    evidence: list[int]


class FeelingView(TypedDict):
    """A feeling in words, the resident towards whom it is felt ("" for none), its cause, the memory
    that tells of it (0 for none), its strength at `tick`, and its loss of strength an hour.
    """

    says: str
    why: str
    towards: str
    memory: int
    tick: int
    strength: int
    fades: int


class MoodView(TypedDict):
    """The mood at `tick` (pleasure, arousal, dominance), in sixtieths of a point; the mood to which
    it returns (`nature`, same axes), in points, and its rate of return in points an hour; and the
    feelings.
    """

    mood: tuple[int, int, int]
    tick: int
    nature: tuple[int, int, int]
    calms: int
    feelings: list[FeelingView]


ResidentBlock = TypedDict(
    "ResidentBlock",
    {
        "from": int,
        "to": int,
        "persona": PersonaView | None,
        "habits": list[str],
        "mind": Versions[MindView],
        "schedule": Versions[ScheduleDay | None],
        "goals": Versions[list[GoalView]],
        "promises": Versions[list[Appointment]],
        "relations": Versions[list[Acquaintance]],
        "feel": Versions[MoodView | None],
        "moods": dict[str, str],
        "living": Living | None,
        "opinions": Versions[list[Opinion]],
    },
)
"""A resident in a range of steps: each part that changes as (since, value), including the one in
force at the first step. `habits` are the activities that were written in advance as habits, where
the resident's days come from these.
"""

Trail = TypedDict("Trail", {"from": int, "to": int, "at": Tile, "moves": list[int]})


class Arenas(TypedDict):
    """The arena of each tile, row by row, as indices into `names`; 0 is none."""

    columns: int
    names: list[str]
    cells: list[int]


Beliefs = TypedDict(
    "Beliefs",
    {
        "from": int,
        "to": int,
        "radius": int,
        "places": Versions[list[str]],
        "things": list[tuple[int, str, dict[str, str]]],
    },
)
"""A resident's knowledge of the town, by the step since which it holds: the places that they know,
and by place the things that they last saw in another state than the usual one. `radius` is their
range of vision in tiles.
"""
