"""The prompt for second thoughts: changing the day after an inner voice, or for reasons of one's own
(Park et al. 2023, §3.2, §4.3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field, field_validator

from hometown.clock import DAY, hhmm, minute_of_day
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    MOST_SETTLED,
    Keywords,
    at_most,
    between,
    one_of,
    settled_bounds,
    text,
)
from hometown.prompt.line import OneLine
from hometown.prompt.mending import in_words
from hometown.prompt.plans import ACTIVITY, CLOCK, LONGEST_ACTIVITY, clock_minutes
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.tasks import OUTSIDE
from hometown.world.rows import Promise

MOST_DROPPED = 3
"""Maximum number of entries of the plan that are dropped at once."""

LONGEST_REASON = 120
"""Maximum length of the reason for not following a thought, in English characters."""

Answer = Literal["yes", "later", "no"]
"""The answer to an inner voice: to follow it today, on another day perhaps, or not at all."""

OccasionAnswer = Literal["keep", "call off", "move", "take over"]
"""The decision about an occasion to come: to leave it as it is, to call it off, to move it to another
place, day or hour, or to be its host.
"""

MOVED_FIELDS = ("new_day", "new_start", "new_place")
"""The fields of a reply that say to when and where an occasion is moved."""

MOST_DAYS_AHEAD = 14
"""The days from today to one of which an occasion may be moved."""

DAY_OR_NONE = r"^(\d{4}-\d{2}-\d{2})?$"
"""The pattern of a day as YYYY-MM-DD, or "" for none."""

CLOCK_OR_NONE = f"^({CLOCK.strip('^$')})?$"
"""The pattern of a time as HH:MM, or "" for none."""

SHORTEST, LONGEST = 10, 720
"""Minimum and maximum duration of a change of plan in minutes."""


@frozen
class ReconsiderVars(Variables):
    """Variables for the response to `voices` and to what has `happened`, each oldest first.

    `open_intentions` are what the resident still means to do, numbered from 1; the first `resolved`
    of them call for the decision.

    `plan` is the rest of today as (minute of the day, activity), the current entry first, and
    `open_lines` are the numbers, from 1, of its lines that may be dropped. `places` are those to
    choose from as (address, name), numbered from 1. `is_for_today` marks a voice of an earlier day
    that was about today.

    `meant` is the occasion that a voice is about, if the resident may change it, or whose host is
    missing, and `occasion_choices` are what they may do with it.
    """

    voices: tuple[str, ...]
    plan: tuple[tuple[int, str], ...]
    places: tuple[tuple[str, str], ...]
    memories: tuple[Concept, ...]
    happened: tuple[Concept, ...] = ()
    open_lines: tuple[int, ...] = ()
    open_intentions: tuple[Concept, ...] = ()
    is_for_today: bool = field(default=False, kw_only=True)
    resolved: int = field(default=0, kw_only=True)
    meant: Promise | None = field(default=None, kw_only=True)
    occasion_choices: tuple[OccasionAnswer, ...] = field(default=(), kw_only=True)


class ReconsiderReply(Reply):
    """A change of the plan of today, if any, what it drops or settles, and the answer to a voice."""

    activity: Annotated[str, OneLine(LONGEST_ACTIVITY, 0)] = Field(
        description='What to do today because of it; "" if the plan stays as it is.'
    )
    seen: Annotated[str, OneLine(OUTSIDE, 0)] = Field(
        "", description="What others see of it, if its words are private."
    )
    start: str = Field(pattern=CLOCK, description="When to begin with it.")
    minutes: int = Field(ge=SHORTEST, le=LONGEST, description="For how long.")
    where: int = Field(0, description="Number of the place; 0 if it does not matter.")
    answer: Answer = Field(
        "later", description="Whether you follow the thought today, later, or not at all."
    )
    because: Annotated[str, OneLine(LONGEST_REASON, 0)] = Field(
        "", description="Why you do not follow it today, or why you change the occasion."
    )
    occasion: OccasionAnswer = Field("keep", description="What you do with the occasion.")
    new_day: str = Field("", pattern=DAY_OR_NONE, description="Its day, if you move it to another.")
    new_start: str = Field("", pattern=CLOCK_OR_NONE, description="When it begins, if you move it.")
    new_place: int = Field(
        0, ge=0, description="Number of its place, if you move it there; 0 if it stays."
    )
    drop: list[int] = Field(
        default_factory=list,
        max_length=MOST_DROPPED,
        description="Numbers of the lines of the plan that are done or no longer wanted.",
    )
    settled: list[int] = Field(
        default_factory=list,
        max_length=MOST_SETTLED,
        description="Numbers of the intentions that are done, said, refused or given up.",
    )

    @field_validator("new_day")
    @classmethod
    def _check_day(cls, day: str) -> str:
        """Return a day as it is.

        Raises:
            ValueError: there is no such day in the calendar.
        """
        if day:
            date.fromisoformat(day)
        return day


def _narrow(v: ReconsiderVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: times of the remaining hours, the listed places, the lines
    and intentions that may be dropped or settled, and the answer to an inner voice.
    """
    hours = "|".join(f"{hour:02d}" for hour in range(v.situation.now.hour, 24))
    return {
        "activity": text(v.situation.lang, ACTIVITY, shortest=0),
        "seen": LEFT_OUT
        if v.situation.plain
        else MAY_BE_LEFT_OUT | text(v.situation.lang, OUTSIDE, shortest=0),
        "start": {"pattern": f"^({hours}):[0-5][0-9]$"},
        "where": between(0, len(v.places)),
        **_drop_bounds(v),
        **_answer_bounds(v),
        **_occasion_bounds(v),
        **settled_bounds(len(v.open_intentions)),
    }


def _word_activity(v: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    """Return a reply whose activity, and what others see of it, are in the form of all activities;
    "" for one without words, and for a visible act that equals the activity.
    """
    activity, seen = (
        v.situation.word_activity(words, most) if in_words(words) else ""
        for words, most in ((reply.activity, ACTIVITY), (reply.seen, OUTSIDE))
    )
    changed = {"activity": activity, "seen": seen if activity and seen != activity else ""}
    return reply.model_copy(update=changed)


def _answer_bounds(v: ReconsiderVars) -> Mapping[str, Keywords]:
    """Return the bounds for the answer to an inner voice, which the smallest models do not give."""
    if not v.voices or v.situation.plain:
        return {"answer": LEFT_OUT, "because": LEFT_OUT}
    return {"because": MAY_BE_LEFT_OUT | text(v.situation.lang, LONGEST_REASON, shortest=0)}


def _occasion_bounds(v: ReconsiderVars) -> Mapping[str, Keywords]:
    """Return the bounds for the decision about an occasion, and its new day, hour and place if it may
    be moved.
    """
    if v.meant is None:
        return dict.fromkeys(("occasion", *MOVED_FIELDS), LEFT_OUT)
    if "move" not in v.occasion_choices:
        moved = dict.fromkeys(MOVED_FIELDS, LEFT_OUT)
    else:
        today = v.situation.now.date()
        days = [f"{today + timedelta(days=each)}" for each in range(MOST_DAYS_AHEAD)]
        moved = {
            "new_day": MAY_BE_LEFT_OUT | one_of(["", *days]),
            "new_start": MAY_BE_LEFT_OUT | {"pattern": CLOCK_OR_NONE},
            "new_place": MAY_BE_LEFT_OUT | between(0, len(v.places)),
        }
    return {"occasion": one_of(v.occasion_choices), **moved}


def _drop_bounds(v: ReconsiderVars) -> Mapping[str, Keywords]:
    """Return the bounds for the lines of the plan that may be dropped."""
    open_lines = [number for number in v.open_lines if number <= len(v.plan)]
    if not open_lines:
        return {"drop": LEFT_OUT}
    return {"drop": MAY_BE_LEFT_OUT | at_most(MOST_DROPPED), "drop[]": one_of(open_lines)}


def _merge_numbers(_: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    """Return a reply without repeated numbers."""
    numbers = {"drop": reply.drop, "settled": reply.settled}
    once = {name: list(dict.fromkeys(given)) for name, given in numbers.items()}
    changed = {name: left for name, left in once.items() if left != numbers[name]}
    return reply.model_copy(update=changed) if changed else reply


def _postpone(v: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    """Return a reply that leaves for another day what is to begin after midnight, which the plan of
    today doesn't hold: at an hour more than half a day ago, or at 24:00.
    """
    start, now = clock_minutes(reply.start), minute_of_day(v.situation.now)
    if not reply.activity or (now - start <= DAY // 2 and start < DAY):
        return reply
    return reply.model_copy(
        update={"activity": "", "seen": "", "start": hhmm(now), "answer": "later"}
    )


def _move_start(v: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    """Return a reply whose start is not before the present, and before midnight."""
    start = min(max(clock_minutes(reply.start), minute_of_day(v.situation.now)), DAY - 1)
    if start == clock_minutes(reply.start):
        return reply
    return reply.model_copy(update={"start": hhmm(start)})


RECONSIDER = Prompt(
    "reconsider",
    ReconsiderVars,
    ReconsiderReply,
    fallback=lambda v: ReconsiderReply(
        activity="", start=hhmm(minute_of_day(v.situation.now)), minutes=SHORTEST
    ),
    narrow=_narrow,
    mend=(
        Rule("worded", _word_activity),
        Rule("postponed", _postpone),
        Rule("moved", _move_start),
        Rule("merged", _merge_numbers),
    ),
    persona="life",
    max_tokens=220,
    temperature=0.6,
    labels=lambda v: {"where": [name for _, name in v.places]},
)
