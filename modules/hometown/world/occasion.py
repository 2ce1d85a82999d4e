"""Occasions: meetings of any size, from a coffee for two to a party for the whole town.

An occasion is one object of the state, from an agreement or from the world's author. It records who
knows of it, has accepted and has come; promises and schedules are the residents' own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from hometown.frozen import frozen

Fate = Literal["", "called off", "moved", "fell through"]
"""The difference of an occasion from what was announced; "" for none. One falls through whose hosts do
not come.
"""

OCCASION_ORIGIN = "occasion:"
"""Prefix of the origin of entries for an occasion; its id follows."""

Part = Literal["told", "asked", "comes", "gives"]
PARTS: tuple[Part, ...] = ("told", "asked", "comes", "gives")
"""A resident's part in an occasion, in ascending order: informed, invited by the host, accepted,
host.
"""

ON_TIME = timedelta(minutes=10)
"""The tolerance within which a guest is on time."""

MANY = 3
"""The number of guests from which an occasion is a gathering."""


@frozen
class Guest:
    """A resident who knows of an occasion, since when and from whom ("" for the host); `came` is
    the first arrival, None if there is none. `unaware` is True until they learn that it was moved or
    called off.
    """

    who: str
    since: datetime
    by: str = ""
    part: Part = "told"
    came: datetime | None = None
    unaware: bool = False


@frozen
class Occasion:
    """`occasion/<id>`: subject, arena, start and minutes; `story` is the storyline it belongs to,
    or "". `fate` is how it differs from what was announced, and `why` the reason. Of a moved one,
    `moved_from` and `moved_out_of` are the start and the arena that were announced before.
    """

    what: str
    address: str
    start: datetime
    minutes: int
    guests: tuple[Guest, ...] = ()
    story: str = ""
    fate: Fate = ""
    why: str = ""
    moved_from: datetime | None = None
    moved_out_of: str = ""

    @property
    def end(self) -> datetime:
        return self.start + timedelta(minutes=self.minutes)

    @property
    def as_announced(self) -> Occasion:
        """Return it at the place and time at which it was to be before it was moved."""
        start, address = self.moved_from or self.start, self.moved_out_of or self.address
        return replace(self, start=start, address=address)

    def is_on(self, moment: datetime) -> bool:
        """Return True if a moment is from its start until before its end."""
        return self.start <= moment < self.end

    @property
    def expected(self) -> tuple[str, ...]:
        """The host, and the guests who have accepted."""
        return tuple(guest.who for guest in self.guests if guest.part in ("comes", "gives"))

    @property
    def came(self) -> frozenset[str]:
        """The guests who have come."""
        return frozenset(guest.who for guest in self.guests if guest.came)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The residents who give it."""
        return tuple(guest.who for guest in self.guests if guest.part == "gives")

    def lacks_host(self, moment: datetime) -> bool:
        """Return True if it is a gathering of a storyline that goes on, and to which none of those who
        give it have come in time.
        """
        is_late = self.start + ON_TIME <= moment < self.end
        return bool(self.story and self.hosts) and is_late and self.came.isdisjoint(self.hosts)

    @property
    def gathers(self) -> bool:
        """True for a gathering, as opposed to a meeting of two: one of a storyline, or with at
        least `MANY` residents expected.
        """
        return bool(self.story) or len(self.expected) >= MANY

    def spans_of(self, moments: Sequence[str]) -> Iterator[tuple[datetime, datetime, str]]:
        """Yield its moments as (start, end, moment): in order, and of equal length."""
        length = (self.end - self.start) / max(len(moments), 1)
        for nth, moment in enumerate(moments):
            start = self.start + nth * length
            yield start, start + length, moment

    def guest(self, who: str) -> Guest | None:
        """Return a resident's part in it; None for a resident who does not know of it."""
        return next((guest for guest in self.guests if guest.who == who), None)

    def talked_at_since(self, who: str, other: str) -> datetime:
        """Return the time from which a conversation of two guests is one of its own: its start, or
        before it when both have known of it and come.
        """
        came = [
            max(guest.since, guest.came)
            for guest in (self.guest(who), self.guest(other))
            if guest and guest.came
        ]
        return min(self.start, max(came)) if len(came) > 1 else self.start

    def gives(self, who: str) -> bool:
        """Return True if a resident is a host of it."""
        return (guest := self.guest(who)) is not None and guest.part == "gives"

    def is_late(self, guest: Guest) -> bool:
        """Return True if a guest came later than `ON_TIME` after the start."""
        return guest.came is not None and guest.came > self.start + ON_TIME

    def without(self, who: str) -> Occasion:
        """Return it without one of its guests."""
        return replace(self, guests=tuple(guest for guest in self.guests if guest.who != who))

    def at_once_with(self, start: datetime, end: datetime) -> bool:
        """Return True if it overlaps with an interval."""
        return self.start < end and start < self.end

    def along(self, new: Guest) -> Occasion:
        """Return the occasion with one more guest. Of a guest who was in already, the higher part
        counts, and the first arrival; what they have learnt they know.
        """
        known = self.guest(new.who)
        if known is None:
            return replace(self, guests=(*self.guests, new))
        part = max(known.part, new.part, key=PARTS.index)
        came = min((moment for moment in (known.came, new.came) if moment), default=None)
        return replace(
            self,
            guests=tuple(
                replace(guest, part=part, came=came, unaware=known.unaware and new.unaware)
                if guest is known
                else guest
                for guest in self.guests
            ),
        )

    def changed_by(self, who: str, fate: Fate, why: str) -> Occasion:
        """Return it with another fate, of which all guests but one have yet to learn."""
        guests = tuple(replace(guest, unaware=guest.who != who) for guest in self.guests)
        return replace(self, guests=guests, fate=fate, why=why)


@frozen
class Occasions:
    """`occasions/town`: the ids of the occasions that are not over, in order of agreement, and of
    those that were called off lately.
    """

    ids: tuple[str, ...] = ()
    called_off: tuple[str, ...] = ()

    def with_new(self, number: str) -> Occasions:
        """Return the value with one more occasion."""
        return replace(self, ids=(*self.ids, number))

    def without(self, number: str) -> Occasions:
        """Return the value without an occasion that is over or called off."""
        return replace(self, ids=tuple(each for each in self.ids if each != number))
