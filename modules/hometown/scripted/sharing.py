"""Shares of the phrases of a day, so that neither a resident nor a town repeats itself.

Each day puts phrases and residents in an order of its own. Residents are seated along the phrases
at equal distances, and a resident's share begins at their seat; it is as long as leaves each phrase
to `SHARERS` residents.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from hashlib import blake2b

SHARERS = 2
"""Number of residents in whose shares a phrase is, if there are enough phrases."""


class PhraseShare:
    """A resident's share of each group of phrases on a day.

    Args:
        me: id of the resident.
        residents: ids of all residents known by name.
        day: the day.
    """

    def __init__(self, me: str, residents: Iterable[str], day: date) -> None:
        places = _places(tuple(residents), day)
        self._day = day
        self._seat, self._seats = places.get(me, 0), max(1, len(places))

    def place(self, phrase: str, group: tuple[str, ...]) -> tuple[bool, int]:
        """Return True if a phrase of a group is beyond the seat's share, with its distance from the
        seat.

        Of residents who outnumber the phrases of a small group, those seated last have no share.
        """
        size = len(group)
        nearest = self._seat * size // self._seats
        distance = (_places(group, self._day)[phrase] - nearest) % size
        neighbours = self._seat + nearest * self._seats // -size
        beyond = distance >= max(1, SHARERS * size // self._seats) or neighbours >= SHARERS
        return beyond, distance


def hash_text(text: str) -> bytes:
    """Return a key that puts texts in an arbitrary, fixed order."""
    return blake2b(text.encode(), digest_size=8).digest()


@lru_cache(maxsize=4096)
def _places(group: tuple[str, ...], day: date) -> dict[str, int]:
    """Return the place of each member in the day's order."""
    ordered = sorted(group, key=lambda member: hash_text(f"{day:%m-%d}>{member}"))
    return {member: place for place, member in enumerate(ordered)}
