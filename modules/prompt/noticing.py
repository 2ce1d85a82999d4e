"""Prompts for what is seen: how much it matters, and whether to react to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from modules.memory.concept import Concept
from modules.prompt.prompt import Prompt, Reply, Variables

# poignancy ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Happening:
    """Something to rate. `kind` is the type of memory it will become; `about` holds residents' ids."""

    text: str
    kind: Literal["event", "thought", "chat", "plan"]
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoignancyVars(Variables):
    """Happenings to rate on the world's own scale, `rubric`: (poignancy, what deserves it), ascending."""

    happenings: tuple[Happening, ...]
    rubric: tuple[tuple[int, str], ...]


class PoignancyReply(Reply):
    ratings: list[int] = Field(min_length=1, description="One number from 1 to 10 for each, in order.")


def _bad_ratings(v: PoignancyVars, reply: PoignancyReply) -> str | None:
    if len(reply.ratings) != len(v.happenings):
        return f"{len(reply.ratings)} ratings for {len(v.happenings)} happenings; give one for each"
    outside = [rating for rating in reply.ratings if not 1 <= rating <= 10]
    return f"{outside[0]} is not a rating from 1 to 10" if outside else None


POIGNANCY = Prompt(
    "poignancy", PoignancyVars, PoignancyReply,
    fallback=lambda v: PoignancyReply(ratings=[3] * len(v.happenings)), objection=_bad_ratings,
    max_tokens=80, temperature=0.1,
)  # fmt: skip


# react -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Somebody in sight who could be spoken to. `relation` is what it is to me, "" for a stranger.

    `closeness` is 0 (stranger) to 10; `talks` and `last_talk` tell of earlier conversations in this run.
    """

    id: str
    name: str
    occupation: str
    doing: str
    relation: str
    closeness: int
    talks: int
    last_talk: datetime | None


@dataclass(frozen=True, slots=True)
class ReactVars(Variables):
    """`waiting_for` names a thing that somebody else is using and that I came to use, "" if none.

    `free_in` is for how many minutes more it will be in use, as far as one can tell. `memories` are those
    retrieved for the neighbours; `plan` is what comes next, as (minute of the day, activity).
    """

    neighbours: tuple[Neighbour, ...]
    waiting_for: str
    free_in: int
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]


class ReactReply(Reply):
    decision: Literal["continue", "talk", "wait"]
    whom: str = Field("", description="Id of the neighbour to talk to, if the decision is to talk.")
    topic: str = Field("", pattern=r"^[^\x00-\x1f]{0,200}$", description="What to talk about, a few words.")


def _nobody_there(v: ReactVars, reply: ReactReply) -> str | None:
    if reply.decision == "talk" and all(one.id != reply.whom for one in v.neighbours):
        return f"{reply.whom!r} is not among the people in sight"
    if reply.decision == "wait" and not v.waiting_for:
        return "there is nothing to wait for"
    return None


REACT = Prompt(
    "react", ReactVars, ReactReply,
    fallback=lambda v: ReactReply(decision="continue"), objection=_nobody_there,
    max_tokens=100, temperature=0.6,
)  # fmt: skip
