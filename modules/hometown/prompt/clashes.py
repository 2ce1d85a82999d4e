"""The prompt for two agreements at one time, of which a resident can keep only one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.bounds import Keywords, between
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Variables
from hometown.world.rows import Promise

EXCUSE_LENGTH = 200
"""Maximum length of what the others are told, in English characters."""


@frozen
class ClashVars(Variables):
    """Variables for the choice between `kept`, agreements made before, and `new`, one for the same
    time, or what the resident alone has resolved to do then. `hosted` is the number of the one that
    the resident gives as its host, which has to be kept; 0 for none.
    """

    kept: tuple[Promise, ...]
    new: Promise
    hosted: int = 0

    @property
    def options(self) -> tuple[Promise, ...]:
        """Return the agreements to which the numbers refer, from 1; the new one is the last."""
        return (*self.kept, self.new)


class ClashReply(Reply):
    """The number of the agreement that is kept, and the words for those who are let down."""

    keep: int = Field(1, ge=1, description="Number of the agreement that I keep.")
    say: Annotated[str, OneLine(EXCUSE_LENGTH, shortest=0)] = Field(
        "",
        description="What I let those know whom I let down, only the words.",
    )

    def keeps_new(self, asked: ClashVars) -> bool:
        """Return True if the new agreement is kept."""
        return self.keep == len(asked.options)


def _narrow(v: ClashVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the numbers of the agreements, and the length of the words."""
    return {
        "keep": between(v.hosted or 1, v.hosted or len(v.options)),
        "say": v.situation.text(EXCUSE_LENGTH),
    }


CLASH = Prompt(
    "clash",
    ClashVars,
    ClashReply,
    fallback=lambda v: ClashReply(keep=v.hosted or 1),
    narrow=_narrow,
    persona="life",
    max_tokens=160,
    temperature=0.6,
)
