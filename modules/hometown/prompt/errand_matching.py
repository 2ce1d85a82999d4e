"""Prompts for work in a society: the steps of a schedule entry, and the errands that they mean."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry
from hometown.prompt.bounds import Keywords, at_most, between, exactly, one_of, text
from hometown.prompt.plans import ACTIVITY, LINE, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting

MOST_STEPS = 6
"""Maximum number of steps of one entry."""

# steps -------------------------------------------------------------------------------------


@frozen
class SpokenWay:
    """A way to serve a purpose, which a resident knows: `steps` in order. `purpose` is a phrase, and
    `kind` says if it is the name of a need, a duty, care for another, or other work.
    """

    kind: Literal["need", "duty", "care", "work"]
    purpose: str
    steps: tuple[str, ...]


@frozen
class StepsVars(Variables):
    """Variables for the steps of an entry, at most `most`.

    `low` are the names of low needs. `coins` are those of the house, `stores` its goods as (name,
    count). `duties` are the resident's, `season` includes the day's weather, `refused` are
    sentences about errands that failed lately, and `reach` are errands that are possible now, with
    site and price. `choices` are the steps to choose from; empty if the model is free. If only what
    the reply says is done, `is_literal` is set, `ways` are what the resident knows to do, and
    `prices` those that they know, as (shop, goods, coins); `low` are then needs that will be low by
    the end of the entry. `goals` are what the resident works towards over days, and `under_way` the
    processes of their house, as (goods and their place, when they are due). `in_sight` are the ids of
    things that steps may name, with their names. `realms` are the resident's, as (name, the least
    level of the next, its name), with 0 and "" for the highest. `remembered` are memories of the
    kind of the activity, which is named `memory_kind`.
    """

    entry: Entry
    most: int
    low: tuple[str, ...]
    coins: int
    stores: tuple[tuple[str, int], ...]
    duties: tuple[str, ...]
    season: str
    refused: tuple[str, ...]
    reach: tuple[str, ...]
    choices: tuple[str, ...] = ()
    is_literal: bool = False
    ways: tuple[SpokenWay, ...] = ()
    prices: tuple[tuple[str, str, int], ...] = ()
    goals: tuple[str, ...] = ()
    under_way: tuple[tuple[str, datetime], ...] = ()
    in_sight: tuple[tuple[str, str], ...] = ()
    realms: tuple[tuple[str, int, str], ...] = ()
    remembered: tuple[Concept, ...] = ()
    memory_kind: str = ""


class StepsReply(Reply):
    """The steps of the entry, in order."""

    steps: list[Annotated[str, LINE]] = Field(min_length=1, description="Steps in order.")


def _narrow_steps(v: StepsVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: at most so many steps as the entry has room for, each a choice
    or a short text.
    """
    most = min(v.most, len(v.choices) or v.most)
    return {
        "steps": at_most(most),
        "steps[]": one_of(v.choices) if v.choices else text(v.situation.lang, ACTIVITY),
    }


def _fall_back_to_one_step(v: StepsVars) -> StepsReply:
    """Return the first choice, or else the entry's activity, as the only step."""
    return StepsReply(
        steps=[v.choices[0] if v.choices else fitting(v.entry.activity, LONGEST_ACTIVITY)]
    )


def _word_steps(v: StepsVars, reply: StepsReply) -> StepsReply:
    """Return the steps in the form of all activities, unless they are choices."""
    if v.choices:
        return reply
    return StepsReply(steps=[v.situation.word_activity(step, ACTIVITY) for step in reply.steps])


STEPS = Prompt(
    "steps",
    StepsVars,
    StepsReply,
    fallback=_fall_back_to_one_step,
    narrow=_narrow_steps,
    mend=(
        Rule("worded", _word_steps),
        Rule("merged", lambda _, reply: StepsReply(steps=list(dict.fromkeys(reply.steps)))),
    ),
    persona="little",
    max_tokens=400,
)


# ground ------------------------------------------------------------------------------------


@frozen
class GroundVars(Variables):
    """Variables for matching `steps` in free words to possible errands, which are numbered from 1."""

    steps: tuple[str, ...]
    options: tuple[str, ...]


class GroundReply(Reply):
    """The number of the errand that each step means."""

    numbers: list[int] = Field(
        min_length=1,
        description="For each step in order the number of what it means, 0 for nothing of that.",
    )


def _narrow_numbers(v: GroundVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: a number of an option, or 0, for each step."""
    return {"numbers": exactly(len(v.steps)), "numbers[]": between(0, len(v.options))}


GROUND = Prompt(
    "ground",
    GroundVars,
    GroundReply,
    fallback=lambda v: GroundReply(numbers=[0] * len(v.steps)),
    narrow=_narrow_numbers,
    persona="little",
    max_tokens=80,
    temperature=0.1,
)
