"""What authors write in `threads.json`: patterns of stories, which are looked for in what really
happens.

A part in a story, such as `$a`, stands for whoever is first seen in it, and for that resident from
then on; in texts, `{a}` is its name.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hometown.world.authored import Part, Text
from hometown.world.book.parts import MOST_GRAMS

Event = Literal[
    "did", "failed", "refused", "bought", "given", "talked", "agreed", "good_talk", "quarrelled", "made_up", "let_down", "learned", "price", "weather",
    "happened",
]  # fmt: skip
"""What a pattern can look for:

did, failed         `who` has done the recipe `what`, with or for `other` if it takes two, or has
failed at it refused             `who` could not do something, for the reason `what`, a code of a
refusal bought              `who` has bought goods of the kind `what` given               `who` has
given goods of the kind `what` to `other` talked              `who` has talked with `other`, and the
storyline `what` was mentioned, if one is named agreed              `who` has agreed with `other` to
meet good_talk           to `who`, a talk with `other` was a good one; so quarrelled, made_up (after
a quarrel), let_down (by a refusal) learned             `who` has come to at least `least` points of
the skill `what` price               a shop asks at least `least` coins, and at most `most`, for the
kind `what` weather             the day has the weather `what` happened            something happens
at `what`, an arena or a thing
"""


class BeatPart(Part):
    """Something that happens. `who` and `other` are a resident, a part such as `$a`, a house such
    as `house:pine`, or "" for anybody; `what` may be "".
    """

    event: Event
    who: str = ""
    other: str = ""
    what: str = ""
    least: int = 0
    most: int = MOST_GRAMS


class OmenPart(Part):
    """What may be let happen, once, when a thread has rested in its stage for so many hours and
    somebody is there: seen or heard `at` an arena or a thing.
    """

    text: Text
    at: str
    hours: int = Field(12, ge=0, le=240)


class PlantedPart(Part):
    """A thread is planted once one of the beats of `when` is seen; `tells` says so in a sentence,
    for the reader.
    """

    when: tuple[BeatPart, ...] = Field(min_length=1)
    tells: Text
    omen: OmenPart | None = None


class ActivePart(PlantedPart):
    """It is active once beats of `when` have been seen so many `times` since."""

    times: int = Field(1, ge=1, le=100)


class PaidOffPart(Part):
    """It is paid off once beats of `when` have been seen so many `times` since it is active."""

    when: tuple[BeatPart, ...] = Field(min_length=1)
    tells: Text
    times: int = Field(1, ge=1, le=100)


class DroppedPart(Part):
    """It is dropped once nothing has moved it for so many `days`."""

    days: int = Field(6, ge=1, le=365)
    tells: Text


class ThreadPart(Part):
    """A thread of a story. With `once`, it is told once in a run; else again with others, or when
    it is over.
    """

    title: Text
    planted: PlantedPart
    active: ActivePart
    paid_off: PaidOffPart
    dropped: DroppedPart
    once: bool = False
