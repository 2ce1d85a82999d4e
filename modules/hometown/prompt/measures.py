"""The prompt that judges an activity by its effect on a happening."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.prompt import Prompt, Reply, Variables

Effect = Literal["helps", "useless", "worsens", "calls"]
"""The effect of an activity on a happening; one that `calls` brings help from outside."""


@frozen
class MeasureVars(Variables):
    """Variables for judging an activity.

    `happening` is its text, `means` are activities that help for certain, `helpers` those who could
    be called from outside, "" for none, `what` is the activity to judge, and
    `where` the place of the happening.
    """

    happening: str
    means: tuple[str, ...]
    helpers: str
    what: str
    where: str


class MeasureReply(Reply):
    effect: Effect = Field(description="The effect of the activity on what is going on.")


MEASURE = Prompt(
    "measure",
    MeasureVars,
    MeasureReply,
    fallback=lambda v: MeasureReply(effect="useless"),
    persona="nobody",
    max_tokens=30,
    temperature=0.0,
    judges=True,
)
