"""Occasions: what people come together for, from a coffee for two to a party for the whole town.

An occasion is one thing in the state. It grows out of an agreement, or the world's author has set
it. Who knows of it, who has said that it comes and who came stand in it; each resident's promises
and schedule are its own.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from hometown.frozen import frozen

Part = Literal["told", "asked", "comes", "gives"]
PARTS: tuple[Part, ...] = ("told", "asked", "comes", "gives")
"""What somebody has to do with an occasion, in ascending order: was told of it, was asked by
whoever gives it, has agreed to come, gives it.
"""

ON_TIME = timedelta(minutes=10)
"""Who is there within this time of its beginning is on time."""

MANY = 3
"""People from whom on an occasion is a gathering."""


@frozen
class Guest:
    """Somebody who knows of an occasion, since when and from whom ("" for whoever gives it); `came`
    is when it was first there, None if it was not.
    """

    who: str
    since: datetime
    by: str = ""
    part: Part = "told"
    came: datetime | None = None


@frozen
class Occasion:
    """`occasion/<id>`: what for, at which arena, from when and for how many minutes; `story` is the
    storyline of the world that it belongs to, or "".
    """

    what: str
    address: str
    start: datetime
    minutes: int
    guests: tuple[Guest, ...] = ()
    story: str = ""

    @property
    def end(self) -> datetime:
        return self.start + timedelta(minutes=self.minutes)

    def is_on(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    @property
    def expected(self) -> tuple[str, ...]:
        """Who gives it, and who has agreed to come."""
        return tuple(guest.who for guest in self.guests if guest.part in ("comes", "gives"))

    @property
    def came(self) -> frozenset[str]:
        """Who has been there."""
        return frozenset(guest.who for guest in self.guests if guest.came)

    @property
    def gathers(self) -> bool:
        """Whether it brings many together, as against two who meet."""
        return bool(self.story) or len(self.expected) >= MANY

    def guest(self, who: str) -> Guest | None:
        """What somebody has to do with it; None for who does not know of it."""
        return next((guest for guest in self.guests if guest.who == who), None)

    def gives(self, who: str) -> bool:
        return (guest := self.guest(who)) is not None and guest.part == "gives"

    def is_late(self, guest: Guest) -> bool:
        return guest.came is not None and guest.came > self.start + ON_TIME

    def at_once_with(self, start: datetime, end: datetime) -> bool:
        """Whether it is under way at any time between these."""
        return self.start < end and start < self.end

    def along(self, new: Guest) -> Occasion:
        """With one more who knows of it; of what somebody has to do with it, the highest holds, and
        when it came first.
        """
        known = self.guest(new.who)
        if known is None:
            return replace(self, guests=(*self.guests, new))
        part = max(known.part, new.part, key=PARTS.index)
        came = min((moment for moment in (known.came, new.came) if moment), default=None)
        return replace(
            self,
            guests=tuple(
                replace(guest, part=part, came=came) if guest is known else guest
                for guest in self.guests
            ),
        )


@frozen
class Occasions:
    """`occasions/town`: the ids of those that are not over, in the order in which they were agreed
    on.
    """

    ids: tuple[str, ...] = ()
