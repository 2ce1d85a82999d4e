"""A conversation that was held."""

from __future__ import annotations

from dataclasses import field, fields
from datetime import datetime, timedelta

from hometown.frozen import frozen


@frozen
class Line:
    """One utterance. `speaker` is an id; `call` names the model call it came from."""

    speaker: str
    text: str
    call: str = ""


@frozen
class Presence:
    """Somebody in a conversation: there for the lines from number `came` up to number `left`, which
    it does not hear.
    """

    who: str
    came: int
    left: int


@frozen
class Conversation:
    """`id` is `<step>-<opener>`; `partner` is whom the opener spoke to, `address` the arena where
    it was held.
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
    """"word" (nobody was left to talk with), "repetition", or "rounds" (as many lines as
    `chat_iter` allows).
    """

    @property
    def presences(self) -> tuple[Presence, ...]:
        """Who was there, and for which lines: the opener, the partner, then whoever joined them, in
        that order.
        """
        return tuple(Presence(who, 0, len(self.lines)) for who in (self.opener, self.partner))

    @property
    def people(self) -> tuple[str, ...]:
        return self.opener, self.partner

    def lines_for(self, who: str) -> tuple[Line, ...]:
        """The lines that somebody was there for."""
        return next(
            (self.lines[one.came : one.left] for one in self.presences if one.who == who), ()
        )

    def present_throughout(self, who: str) -> bool:
        """Whether somebody was there from the first line to the last."""
        return any(
            one.who == who and one.came == 0 and one.left == len(self.lines)
            for one in self.presences
        )

    @property
    def recounter(self) -> str:
        """Who says for all what was said: the opener, or if it left before the end, its partner,
        who has heard all of it then.
        """
        return self.opener if self.present_throughout(self.opener) else self.partner

    def among(self, presences: tuple[Presence, ...]) -> Conversation:
        """The same conversation, with who was there for which lines."""
        if presences == self.presences:
            return self
        return Company(
            *(getattr(self, one.name) for one in fields(Conversation)), company=presences
        )

    def until(self, who: str) -> datetime:
        """When somebody's part in it is over, who may have left before the others."""
        left = next(one.left for one in self.presences if one.who == who)
        return self.started + timedelta(minutes=self.minutes) * (
            left / len(self.lines) if self.lines else 1
        )

    def others(self, who: str) -> tuple[str, ...]:
        """All who were in it but one."""
        return tuple(other for other in self.people if other != who)


@frozen
class Company(Conversation):
    """A conversation of more than two."""

    company: tuple[Presence, ...] = field(kw_only=True)

    @property
    def presences(self) -> tuple[Presence, ...]:
        return self.company

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(presence.who for presence in self.company)
