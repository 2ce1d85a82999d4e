"""The prompt by which the world editor drafts one change of a town's rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.law_drafts import MOST_CHANGES, BookChange, BookEntry
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Variables

REASON_LENGTH = 200
"""Maximum length of a reason, in characters."""


@frozen
class GoodsFigure:
    """Goods of the kind `kind` in all shops: their number, the highest price now, and the usual one."""

    kind: str
    name: str
    count: int
    price: int
    usual: int


@frozen
class WorldEditVars(Variables):
    """Variables for a change of the rules: the town's figures, and all `entries`.

    `needs` are (name, the lowest level of any resident, 0 to 1000), `houses` are (name, coins), and
    `earlier` are the changes proposed before, with their outcomes. `faults` are those of the
    previous draft, "" for the first.
    """

    needs: tuple[tuple[str, int], ...]
    goods: tuple[GoodsFigure, ...]
    houses: tuple[tuple[str, int], ...]
    entries: tuple[BookEntry, ...]
    earlier: tuple[str, ...] = ()
    faults: str = ""


class WorldEditReply(Reply):
    why: Annotated[str, OneLine(REASON_LENGTH, 0)] = Field(
        description="Which figure the change is to better, and how."
    )
    changes: list[BookChange] = Field(
        max_length=MOST_CHANGES, description="The values of one change; nothing for none."
    )


WORLD_EDIT = Prompt(
    "world_edit",
    WorldEditVars,
    WorldEditReply,
    fallback=lambda v: WorldEditReply(why="", changes=[]),
    persona="nobody",
    max_tokens=4200,
    temperature=0.4,
    judges=True,
)
