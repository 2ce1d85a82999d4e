"""Wishes: what an inner voice makes a resident want, followed until it has an outcome."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

Outcome = Literal["done", "refused", "forgotten", "overtaken"]
"""The end of a wish: carried out, refused in somebody's words, forgotten for other matters, or
overtaken by events.
"""

WishEvent = Literal["heard", "planned", "left", "begun", "sought", "missed", "talked", Outcome]
"""An event in the course of a wish: it came to mind, entered the plan, left the plan as it is, was
begun, made its owner look for or speak to somebody, failed for their absence, or did not come up in
a conversation with them.
"""

OUTCOMES: frozenset[str] = frozenset(get_args(Outcome))
"""The events that end a wish."""


@frozen
class WishStep:
    """An event in the course of a wish.

    Attributes:
        when: The time.
        event: The kind of event.
        why: The reason in the town's language; "" if the kind says everything.
        memory: The number of the owner's memory that shows it; 0 for none.
    """

    when: datetime
    event: WishEvent
    why: str = ""
    memory: int = 0


@frozen
class Wish:
    """A wish of a resident.

    Attributes:
        memory: The number of the memory of the inner voice.
        text: The words of that memory.
        until: The time after which it counts as forgotten.
        people: The ids of the residents whom it concerns.
        address: The room that it names; "" for none.
        start: The time for which it is dated; None for any time.
        is_alone: True if no one else is to hear it.
        is_refraining: True if it is a wish not to do something.
        steps: Its course, the earliest event first.
    """

    memory: int
    text: str
    until: datetime
    people: tuple[str, ...] = ()
    address: str = ""
    start: datetime | None = None
    is_alone: bool = False
    is_refraining: bool = False
    steps: tuple[WishStep, ...] = ()

    @property
    def hearing_time(self) -> datetime:
        """Return the time at which it came to mind."""
        return self.steps[0].when

    @property
    def is_open(self) -> bool:
        """Return True until it has an outcome."""
        return self.steps[-1].event not in OUTCOMES

    def is_due(self, moment: datetime) -> bool:
        """Return True from the time on for which it is dated, unless it is not to be done at all."""
        return not self.is_refraining and (self.start is None or self.start <= moment)

    @property
    def is_pursued(self) -> bool:
        """Return True if its owner has begun it, or has looked for or spoken to those concerned."""
        return any(step.event in ("begun", "sought", "talked") for step in self.steps)

    def has(self, event: WishEvent) -> bool:
        """Return True if an event of this kind belongs to its course."""
        return any(step.event == event for step in self.steps)

    def along(self, step: WishStep) -> Wish:
        """Return the wish with one event more."""
        return replace(self, steps=(*self.steps, step))


@frozen
class Wishes:
    """`wishes/<resident>`: the wishes that inner voices have given to a resident, oldest first."""

    items: tuple[Wish, ...] = ()


@frozen
class WishSet:
    """A wish arises, or its course goes on; `wish` replaces the one of the same memory."""

    who: str
    wish: Wish
