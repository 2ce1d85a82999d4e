"""Notices on a board: a row of the state, and the effect that sets it.
`modules/hometown/society/notice_boards.py` has the rules.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

Call = Literal["hands", "buys", "offers"]


@frozen
class Notice:
    """A house's notice: it offers work for `count` hours at its home `at`, or buys or sells `count`
    of a `kind` at its shop `at`.

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
        """The subject, of which a house has one notice at a time."""
        return self.house, self.call, self.at, self.kind


@frozen
class Board:
    """`board/<fixture>`: its notices, oldest first, at least one."""

    notices: tuple[Notice, ...]


@frozen
class BoardSet:
    """The notices at a board change: one has been posted, removed or read."""

    address: str
    notices: tuple[Notice, ...]
