"""What is known of a resident."""

from __future__ import annotations

from typing import TypedDict

from hometown.history.shapes.society import Living
from hometown.history.shapes.town import Tile
from hometown.memory.concept import MemoryType


class Source(TypedDict):
    """A passage of a file in which background knowledge was read; passages are numbered from 1."""

    file: str
    passage: int


class Memory(TypedDict):
    """A memory as it was made: what changes about it lies beside it."""

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
    source: Source | None


Memories = TypedDict(
    "Memories",
    {
        "from": int,
        "to": int,
        "items": list[Memory],
        "used": list[tuple[int, int, int]],
        "retired": list[tuple[int, int]],
    },
)
"""A resident's memories made in some steps, what was used in them (step, memory, tick) and what was
retired (step, memory).
"""


class Persona(TypedDict):
    age: int
    innate: str
    learned: str
    lifestyle: str
    daily_plan: str
    home: str
    interests: list[str]


class Mind(TypedDict):
    currently: str
    memories: int
    poignancy: int
    threshold: int
    reflections: int


Change = TypedDict(
    "Change",
    {"conversation": str, "with": list[str], "tick": int, "step": int, "instead": list[str]},
)
"""By which conversation an entry came to be, with whom, when, from which step on, and what had been
meant for that time.
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
    changed: Change | None


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


class Goal(TypedDict):
    """Something that a resident works towards since a date, which has been on the plan of so many
    days.
    """

    what: str
    since: str
    days: int


class LastConversation(TypedDict):
    id: str
    tick: int
    summary: str


class Move(TypedDict):
    """What moved the closeness to somebody: by so many thirds of a point, less than 0 away from
    each other, and why (`world.bond.Why`).
    """

    tick: int
    by: int
    why: str


class Acquaintance(TypedDict):
    """Closeness is 0 to 10, now and `before` the run; `moved` says what moved it, the latest first."""

    id: str
    relation: str
    closeness: int
    before: int
    conversations: int
    summary: str
    last: list[LastConversation]
    moved: list[Move]


class Ground(TypedDict):
    """Why somebody thinks of another as it does: by how many points that moved regard and trust at
    a tick, and the memory that tells of it (0 for none).
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
    grounds: list[Ground]
    impression: str
    evidence: list[int]


class Feeling(TypedDict):
    """How a feeling is said, towards whom it is felt ("" for nobody), why, the memory that tells of
    it (0 for none), how strong it was at `tick`, and how much of that it loses an hour.
    """

    says: str
    why: str
    towards: str
    memory: int
    tick: int
    strength: int
    fades: int


class Feel(TypedDict):
    """The mood at `tick`, in sixtieths of a point, and the mood to which it goes back, in points,
    by how many of them an hour; and what is felt.
    """

    mood: tuple[int, int, int]
    tick: int
    nature: tuple[int, int, int]
    calms: int
    feelings: list[Feeling]


ResidentBlock = TypedDict(
    "ResidentBlock",
    {
        "from": int,
        "to": int,
        "persona": Persona | None,
        "mind": list[tuple[int, Mind]],
        "schedule": list[tuple[int, ScheduleDay | None]],
        "goals": list[tuple[int, list[Goal]]],
        "promises": list[tuple[int, list[Appointment]]],
        "relations": list[tuple[int, list[Acquaintance]]],
        "feel": list[tuple[int, Feel | None]],
        "moods": dict[str, str],
        "living": Living | None,
        "opinions": list[tuple[int, list[Opinion]]],
    },
)
"""A resident in a range of steps: each part as (since, value), the one in force at the first step
included.
"""

Trail = TypedDict("Trail", {"from": int, "to": int, "at": Tile, "moves": list[int]})


class Arenas(TypedDict):
    """In which arena each tile lies, row by row, as places in `names`; 0 is none."""

    columns: int
    names: list[str]
    cells: list[int]


Beliefs = TypedDict(
    "Beliefs",
    {
        "from": int,
        "to": int,
        "radius": int,
        "places": list[tuple[int, list[str]]],
        "things": list[tuple[int, str, dict[str, str]]],
    },
)
"""What a resident has in mind of the town, by the step since which it holds: the places that it
knows, and by place the things that it last saw in another state than their usual one. `radius` is
how many tiles far it sees.
"""
