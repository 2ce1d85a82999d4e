"""Two runs on one clock."""

from __future__ import annotations

from typing import TypedDict


class Parting(TypedDict):
    """The first action that differs: the resident, and the activity and place in either run."""

    who: str
    tick: int
    here: str
    there: str


class Beside(TypedDict):
    """A run beside another, the original: `parted` says for each step how many residents do or are
    elsewhere than they are there, `cause` in words why the runs part, at `tick`; "" and None where
    they never do.
    """

    tick: int | None
    cause: str
    first: Parting | None
    parted: list[int]
