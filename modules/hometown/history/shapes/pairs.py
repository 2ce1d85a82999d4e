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
    """A comparison with another run, the original: `parted` is the number of residents with another
    activity or place in each step, `cause` the reason in words for which the runs differ from
    `tick` on; "" and None where they never do.
    """

    tick: int | None
    cause: str
    first: Parting | None
    parted: list[int]
