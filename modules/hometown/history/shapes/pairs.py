"""A comparison of two runs step by step: where and why they part, and how many residents."""

from __future__ import annotations

from typing import TypedDict


class Parting(TypedDict):
    """The first action that differs: the resident, its tick, and activity and place in this run
    (`here`) and in the original (`there`).
    """

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
