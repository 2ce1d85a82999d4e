"""Who talks to whom: requests to talk become meetings, in the step's order, and others join them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hometown.agent.mind.intent import Intent

MAX_PARTICIPANTS = 6
"""People in a conversation, at most."""


@dataclass(slots=True)
class Meeting:
    """`opener` asked `partner`, or asked first; `intent` is its request. `joining` are those who
    come up to them, in order.
    """

    opener: str
    partner: str
    intent: Intent
    joining: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        return (self.opener, self.partner, *self.joining)


def pair_up(
    order: Sequence[str], intents: Mapping[str, Intent], may_meet: Callable[[str, str], bool]
) -> list[Meeting]:
    """Meetings of two, in which nobody is twice. Of two who ask each other, the earlier in order
    opens.

    >>> asks = {"ann": Intent(partner="bob"), "bob": Intent(partner="ann"), "cat": Intent(partner="ann")}
    >>> [match.people for match in pair_up(["bob", "cat", "ann"], asks, lambda asker, asked: True)]
    [('bob', 'ann')]
    """
    pairs: list[Meeting] = []
    taken: set[str] = set()
    for who in order:
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
    """Lets everybody else, in order, join the first meeting that it wants to join, while there is
    room.

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
