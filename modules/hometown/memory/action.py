"""What a resident is doing now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from hometown.frozen import frozen

ActionKind = Literal["sleep", "act", "wait", "away"]
"""What kind of action it is; who is `away` has left town, and is nowhere in it."""


@frozen
class Action:
    """An activity at an address, for a duration that counts from arrival.

    `address` is a thing's, or an arena's where no thing is used. `thing_state` is what the
    thing shows while it is used. `started` is None until the resident has arrived.
    """

    kind: ActionKind
    activity: str
    address: str
    minutes: int
    emoji: str = ""
    thing_state: str = ""
    started: datetime | None = None

    def over(self, now: datetime) -> bool:
        """Return True once the duration has passed since arrival; False while still on the way."""
        return self.started is not None and now >= self.started + timedelta(minutes=self.minutes)
