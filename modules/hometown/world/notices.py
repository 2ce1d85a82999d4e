"""Notices on a board: a row of the state, and the effect that sets it. Who puts them up and takes
them down is in `modules/hometown/society/notice_boards.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

Call = Literal["hands", "buys", "offers"]


@frozen
class Notice:
    """What a house makes known since some moment: that it is looking for hands, for `count` hours
    at its home `at`, or that it buys or offers so many of a `kind` at its shop `at`.

    `coins` are for an hour, or for one of the kind. `readers` have read it.
    """

    house: str
    call: Call
    at: str
    kind: str
    count: int
    coins: int
    since: datetime
    readers: tuple[str, ...] = ()

    @property
    def about(self) -> tuple[str, str, str, str]:
        """What it is about: no house has two notices about the same."""
        return self.house, self.call, self.at, self.kind


@frozen
class Board:
    """`board/<fixture>`: the notices that hang there, oldest first, never none."""

    notices: tuple[Notice, ...]


@frozen
class BoardSet:
    """From now on these notices hang at a board: one has been put up, taken down or read."""

    address: str
    notices: tuple[Notice, ...]
