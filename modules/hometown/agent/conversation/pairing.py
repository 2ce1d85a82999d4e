"""Pairing: requests to talk become meetings, in step order, and other residents join them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hometown.agent.mind.intent import GO_ON, MET_CAUSE, Intent

MAX_PARTICIPANTS = 6
"""Maximum number of participants of a conversation."""


@dataclass(slots=True)
class Meeting:
    """A meeting of `opener` and `partner` by the opener's `intent`, and residents who join them, in
    order.

    `requests` are the requests of the others who wanted to talk with one of these themselves.
    """

    opener: str
    partner: str
    intent: Intent
    joining: tuple[str, ...] = ()
    requests: dict[str, Intent] = field(default_factory=dict)

    @property
    def people(self) -> tuple[str, ...]:
        return (self.opener, self.partner, *self.joining)

    def keep_requests(self, intents: Mapping[str, Intent]) -> None:
        """Keep the requests of those who wanted to talk with another participant as well."""
        self.requests = {
            who: intent
            for who in self.people[1:]
            if (intent := intents.get(who)) and intent.partner in self.people
        }

    @property
    def topics(self) -> dict[str, str]:
        """Return the topic of each participant who asked for a conversation."""
        wanted = {who: each.topic for who, each in self.requests.items()}
        return wanted | {self.opener: self.intent.topic}

    @property
    def gifts(self) -> Iterator[tuple[str, Intent]]:
        """Yield those who have something to hand over to another participant, with their requests."""
        for who, intent in ((self.opener, self.intent), *self.requests.items()):
            if intent.gift:
                yield who, intent


def pair_up(
    order: Sequence[str], intents: Mapping[str, Intent], may_meet: Callable[[str, str], bool]
) -> list[Meeting]:
    """Return meetings of two residents, none of whom is in two: those by agreement first, then those
    of two who ask each other, of whom the first in order opens.

    >>> asks = {"ann": Intent(partner="bob"), "bob": Intent(partner="ann"), "cat": Intent(partner="ann")}
    >>> [match.people for match in pair_up(["bob", "cat", "ann"], asks, lambda asker, asked: True)]
    [('bob', 'ann')]
    >>> [match.people for match in pair_up(["cat", "bob", "ann"], asks, lambda asker, asked: True)]
    [('bob', 'ann')]
    """
    pairs: list[Meeting] = []
    taken: set[str] = set()

    def comes_late(who: str) -> tuple[bool, bool]:
        intent = intents.get(who, GO_ON)
        is_asked_back = intents.get(intent.partner, GO_ON).partner == who
        return intent.cause != MET_CAUSE, not is_asked_back

    for who in sorted(order, key=comes_late):
        intent = intents.get(who)
        if intent is None or not intent.partner or {who, intent.partner} & taken:
            continue
        if may_meet(who, intent.partner):
            pairs.append(Meeting(who, intent.partner, intent))
            taken |= {who, intent.partner}
    return pairs


def let_others_join(
    order: Sequence[str], meetings: Sequence[Meeting], joins: Callable[[str, Meeting], bool]
) -> None:
    """Add all other residents, in order, to the first meeting with room that they want to join.

    >>> meeting = Meeting("ann", "bob", Intent(partner="bob"))
    >>> let_others_join(["cat", "ann", "dan"], [meeting], lambda who, _: who != "dan")
    >>> meeting.people
    ('ann', 'bob', 'cat')
    """
    taken = {who for meeting in meetings for who in meeting.people}
    for who in order:
        if who in taken:
            continue
        wanted = (
            meeting
            for meeting in meetings
            if len(meeting.people) < MAX_PARTICIPANTS and joins(who, meeting)
        )
        if (meeting := next(wanted, None)) is not None:
            meeting.joining += (who,)
