"""The entries of `threads.json`: patterns of stories, matched against events.

A part such as `$a` is cast with the first resident who matches, and then stands for them; in texts
`{a}` is their name.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hometown.world.authored import AuthoredModel, Text
from hometown.world.book.parts import MOST_GRAMS

Event = Literal[
    "did",
    "failed",
    "refused",
    "bought",
    "given",
    "talked",
    "agreed",
    "good_talk",
    "quarrelled",
    "made_up",
    "let_down",
    "learned",
    "price",
    "weather",
    "happened",
    "letter",
]
"""The events that a pattern can match:

    did, failed  `who` did the recipe `what`, with or for `other` if it takes two, or failed at it
    refused      `who` was refused, with the code `what`
    bought       `who` bought goods of the kind `what`
    given        `who` gave goods of the kind `what` to `other`
    talked       `who` talked with `other`, and mentioned the storyline `what`, if one is named
    agreed       `who` agreed with `other` to meet
    good_talk    `who` had a good talk with `other`; so quarrelled, made_up (after a quarrel), and
                 let_down (by a refusal)
    learned      `who` reached `least` points of the skill `what`
    price        a shop's price of the kind `what` is between `least` and `most` coins
    weather      the day has the weather `what`
    happened     an event happened at `what`, an arena or a thing
    letter       the director sent `who` a letter
"""


class BeatPart(AuthoredModel):
    """An event to match. `who` and `other` are a resident, a part such as `$a`, a house such as
    `house:pine`, or "" for any; `what` may be "".
    """

    event: Event
    who: str = ""
    other: str = ""
    what: str = ""
    least: int = 0
    most: int = MOST_GRAMS


class OmenPart(AuthoredModel):
    """A happening `at` an arena or a thing. It comes once, after a thread has rested in its stage
    for `hours`, when a resident is there to perceive it.
    """

    text: Text
    at: str
    hours: int = Field(12, ge=0, le=240)


class PlantedPart(AuthoredModel):
    """The first stage, reached by one of the beats of `when`. `tells` describes it to the reader."""

    when: tuple[BeatPart, ...] = Field(min_length=1)
    tells: Text
    omen: OmenPart | None = None


class ActivePart(PlantedPart):
    """The stage after `times` beats of `when` since the thread was planted."""

    times: int = Field(1, ge=1, le=100)


class PaidOffPart(AuthoredModel):
    """The final stage, after `times` beats of `when` since the thread was active."""

    when: tuple[BeatPart, ...] = Field(min_length=1)
    tells: Text
    times: int = Field(1, ge=1, le=100)


class DroppedPart(AuthoredModel):
    """The end of a thread that has not moved for `days`."""

    days: int = Field(6, ge=1, le=365)
    tells: Text


class ThreadPart(AuthoredModel):
    """A thread of a story. With `once`, it occurs once in a run; otherwise again with another cast,
    or after its end.
    """

    title: Text
    planted: PlantedPart
    active: ActivePart
    paid_off: PaidOffPart
    dropped: DroppedPart
    once: bool = False
