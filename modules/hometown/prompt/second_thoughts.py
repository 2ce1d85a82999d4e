"""The prompt for second thoughts: changing the day after an inner voice (Park et al. 2023, §3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from hometown.clock import DAY, hhmm, minute_of_day
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, text
from hometown.prompt.line import Line
from hometown.prompt.mending import in_words
from hometown.prompt.plans import ACTIVITY, CLOCK, LONGEST_ACTIVITY, clock_minutes
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables

SHORTEST, LONGEST = 10, 720
"""Minimum and maximum duration of a change of plan in minutes."""


@frozen
class ReconsiderVars(Variables):
    """Variables for the response to `voices`, oldest first.

    `plan` is the rest of today as (minute of the day, activity), the current entry first. `places`
    are those to choose from as (address, name), numbered from 1.
    """

    voices: tuple[str, ...]
    plan: tuple[tuple[int, str], ...]
    places: tuple[tuple[str, str], ...]
    memories: tuple[Concept, ...]


class ReconsiderReply(Reply):
    activity: Annotated[str, Line(LONGEST_ACTIVITY, 0)] = Field(
        description='What to do today because of it; "" if the plan stays as it is.'
    )
    start: str = Field(pattern=CLOCK, description="When to begin with it.")
    minutes: int = Field(ge=SHORTEST, le=LONGEST, description="For how long.")
    where: int = Field(0, description="Number of the place; 0 if it does not matter.")


def _still_today(v: ReconsiderVars) -> Mapping[str, Keywords]:
    """Return the keywords for times of the remaining hours and for the listed places."""
    hours = "|".join(f"{hour:02d}" for hour in range(v.situation.now.hour, 24))
    return {
        "activity": text(v.situation.lang, ACTIVITY, shortest=0),
        "start": {"pattern": f"^({hours}):[0-5][0-9]$"},
        "where": between(0, len(v.places)),
    }


def _worded(v: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    if not in_words(reply.activity):
        return reply if not reply.activity else reply.model_copy(update={"activity": ""})
    activity = v.situation.word_activity(reply.activity, ACTIVITY)
    return reply.model_copy(update={"activity": activity})


def _from_now_on(v: ReconsiderVars, reply: ReconsiderReply) -> ReconsiderReply:
    """Replace a start in the past by the present."""
    start = min(max(clock_minutes(reply.start), minute_of_day(v.situation.now)), DAY - 1)
    return (
        reply
        if start == clock_minutes(reply.start)
        else reply.model_copy(update={"start": hhmm(start)})
    )


RECONSIDER = Prompt(
    "reconsider", ReconsiderVars, ReconsiderReply,
    fallback=lambda v: ReconsiderReply(activity="", start=hhmm(minute_of_day(v.situation.now)), minutes=SHORTEST),
    narrow=_still_today, mend=(Rule("worded", _worded), Rule("moved", _from_now_on),),
    max_tokens=160, temperature=0.6,
    labels=lambda v: {"where": [name for _, name in v.places]},
)  # fmt: skip
