"""The prompt for second thoughts: what an inner voice has said, and whether the day changes for it (Park et al. 2023, §3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from modules.clock import DAY, hhmm, minute_of_day
from modules.memory.concept import Concept
from modules.prompt.planning import CLOCK, clock_minutes
from modules.prompt.prompt import Prompt, Reply, Variables

SHORTEST, LONGEST = 10, 720
"""Minutes that a change of plan may take."""


@dataclass(frozen=True, slots=True)
class ReconsiderVars(Variables):
    """`voices`: what came to mind, oldest first; `plan`: the rest of today, as (minute of the day, activity), what is under way first.

    `places` are those that could be named, as (address, name).
    """

    voices: tuple[str, ...]
    plan: tuple[tuple[int, str], ...]
    places: tuple[tuple[str, str], ...]
    memories: tuple[Concept, ...]


class ReconsiderReply(Reply):
    activity: str = Field(pattern=r"^[^\x00-\x1f]{0,240}$", description='What to do today because of it; "" if the plan stays as it is.')
    start: str = Field(pattern=CLOCK, description="When to begin with it.")
    minutes: int = Field(ge=SHORTEST, le=LONGEST, description="For how long.")
    where: str = Field("", description='Address of the place, one of those listed; "" if it does not matter.')


def _addresses(v: ReconsiderVars) -> Mapping[str, Sequence[str]]:
    return {"where": ["", *(address for address, _ in v.places)]}


def _cannot_be(v: ReconsiderVars, reply: ReconsiderReply) -> str | None:
    if not reply.activity:
        return None
    if reply.where and all(address != reply.where for address, _ in v.places):
        return f"{reply.where!r} is not one of the places listed"
    if not minute_of_day(v.situation.now) <= clock_minutes(reply.start) < DAY:
        return f"{reply.start} is not between now, {v.situation.now:%H:%M}, and midnight"
    return None


RECONSIDER = Prompt(
    "reconsider", ReconsiderVars, ReconsiderReply,
    fallback=lambda v: ReconsiderReply(activity="", start=hhmm(minute_of_day(v.situation.now)), minutes=SHORTEST),
    choices=_addresses, objection=_cannot_be,
    max_tokens=160, temperature=0.6,
)  # fmt: skip
