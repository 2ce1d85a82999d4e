"""Prompts for what is done in a town with a society: the steps of an entry of the schedule, and
which things that can be done they mean.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.schedule import Entry
from hometown.prompt.bounds import Keywords, at_most, between, exactly, one_of, text
from hometown.prompt.planning import ACTIVITY, LINE, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.wording import fitting

MOST_STEPS = 6
"""Steps of one entry."""

# steps -------------------------------------------------------------------------------------


@frozen
class StepsVars(Variables):
    """The entry to say the steps of, at most `most`.

    `low` are needs that are low, by name; `coins` what the house has, `stores` what is at hand, as
    (name, count); `duties` what one sees to; `season` its name, with the day's weather; `refused`
    what could not be done lately, as sentences; `reach` what can be done now, where and at what
    price. `choices` are the steps to choose from; empty where the model finds its own words.
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


class StepsReply(Reply):
    steps: list[str] = Field(min_length=1, description="Steps in order.")


def _few(v: StepsVars) -> Mapping[str, Keywords]:
    most = min(v.most, len(v.choices) or v.most)
    return {
        "steps": at_most(most),
        "steps[]": one_of(v.choices)
        if v.choices
        else {"pattern": LINE} | text(v.situation.lang, ACTIVITY),
    }


def _whole(v: StepsVars) -> StepsReply:
    return StepsReply(
        steps=[v.choices[0] if v.choices else fitting(v.entry.activity, LONGEST_ACTIVITY)]
    )


STEPS = Prompt(
    "steps", StepsVars, StepsReply,
    fallback=_whole, narrow=_few,
    mend=(Rule("merged", lambda _, reply: StepsReply(steps=list(dict.fromkeys(reply.steps)))),),
    persona="little", max_tokens=400,
)  # fmt: skip


# ground ------------------------------------------------------------------------------------


@frozen
class GroundVars(Variables):
    """`steps` are in free words; `options` what can be done now, by number from 1."""

    steps: tuple[str, ...]
    options: tuple[str, ...]


class GroundReply(Reply):
    numbers: list[int] = Field(
        min_length=1,
        description="For each step in order the number of what it means, 0 for nothing of that.",
    )


def _one_for_each(v: GroundVars) -> Mapping[str, Keywords]:
    return {"numbers": exactly(len(v.steps)), "numbers[]": between(0, len(v.options))}


GROUND = Prompt(
    "ground", GroundVars, GroundReply,
    fallback=lambda v: GroundReply(numbers=[0] * len(v.steps)), narrow=_one_for_each,
    persona="little", max_tokens=80, temperature=0.1,
)  # fmt: skip
