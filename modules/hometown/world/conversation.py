"""A conversation that has been held."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import field, fields
from datetime import datetime, timedelta

from hometown.frozen import frozen


@frozen
class Line:
    """An utterance. `speaker` is an id; `call` is the model call of its origin."""

    speaker: str
    text: str
    call: str = ""


@frozen
class Presence:
    """A participant's presence: from line number `came`, from 0, to before number `left`."""

    who: str
    came: int
    left: int


@frozen
class Conversation:
    """A conversation. `id` is `<step>-<opener>`, `partner` the first addressee, `address` the
    arena.
    """

    id: str
    step: int
    opener: str
    partner: str
    address: str
    started: datetime
    minutes: int
    lines: tuple[Line, ...]
    summary: str
    ended_by: str
    """"word" (no partner was left), "repetition", "rounds" (the limit `chat_iter`), or "silence" (of
    a visitor).
    """

    @property
    def presences(self) -> tuple[Presence, ...]:
        """The participants' presences: the opener's, the partner's, then those of others in order
        of arrival.
        """
        return tuple(Presence(who, 0, len(self.lines)) for who in (self.opener, self.partner))

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of the participants, the opener's first."""
        return self.opener, self.partner

    def lines_for(self, who: str) -> tuple[Line, ...]:
        """Return the lines for which a resident was present."""
        return next(
            (self.lines[one.came : one.left] for one in self.presences if one.who == who), ()
        )

    def present_throughout(self, who: str) -> bool:
        """Return True if a resident was present from the first line to the last."""
        return any(
            one.who == who and one.came == 0 and one.left == len(self.lines)
            for one in self.presences
        )

    def find_recounter(self, among: Container[str]) -> str:
        """Return the resident whose summary stands for all: the opener, or the partner if the opener
        left early, and of these one `among` those who sum up, which visitors do not.
        """
        first = [who for who in self.people[:2] if who in among]
        return next((who for who in first if self.present_throughout(who)), first[-1])

    def among(self, presences: tuple[Presence, ...]) -> Conversation:
        """Return the same conversation with other presences."""
        if presences == self.presences:
            return self
        return Company(
            *(getattr(self, one.name) for one in fields(Conversation)), company=presences
        )

    def until(self, who: str) -> datetime:
        """Return the end of a resident's participation, which may be before that of the others."""
        left = next(one.left for one in self.presences if one.who == who)
        return self.started + timedelta(minutes=self.minutes) * (
            left / len(self.lines) if self.lines else 1
        )

    def others(self, who: str) -> tuple[str, ...]:
        """Return all participants except one."""
        return tuple(other for other in self.people if other != who)


@frozen
class Company(Conversation):
    """A conversation of more than two residents."""

    company: tuple[Presence, ...] = field(kw_only=True)

    @property
    def presences(self) -> tuple[Presence, ...]:
        return self.company

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(presence.who for presence in self.company)
