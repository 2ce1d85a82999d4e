"""The current action of a resident."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime, timedelta
from typing import Literal

from hometown.frozen import frozen

ActionKind = Literal["sleep", "act", "wait", "away"]
"""The kind of an action; a resident who is `away` has left town and has no position in it."""


@frozen
class Action:
    """An activity at an address, for a duration that counts from arrival.

    `address` is that of a thing, or of an arena if no thing is used. `thing_state` is the state of
    the thing while it is used. `started` is None until the resident has arrived.
    """

    kind: ActionKind
    activity: str
    address: str
    minutes: int
    emoji: str = ""
    thing_state: str = ""
    started: datetime | None = None

    def over(self, now: datetime) -> bool:
        """Return True if the duration has passed since arrival; False while the resident is on the
        way.
        """
        return self.started is not None and now >= self.started + timedelta(minutes=self.minutes)

    def seen_as(self, outside: str) -> Action:
        """Return the action with the act that others see in its place; the same action for ""."""
        return (
            DiscreetAction(
                self.kind,
                self.activity,
                self.address,
                self.minutes,
                self.emoji,
                self.thing_state,
                self.started,
                outside=outside,
            )
            if outside
            else self
        )


@frozen
class DiscreetAction(Action):
    """An action whose words only its owner knows. Others see the act `outside`."""

    outside: str = field(kw_only=True)


def outside_of(action: Action) -> str:
    """Return the act that others see, in the owner's words; "" if the owner has not worded it."""
    return action.outside if isinstance(action, DiscreetAction) else ""
