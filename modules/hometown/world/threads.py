"""Threads of a story, from planted to paid off or dropped: a row of the state, and its effects.

Their patterns are in the rules (`modules/hometown/world/book/plots.py`), and
`modules/hometown/society/drama.py` advances them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

Stage = Literal["planted", "active", "paid_off", "dropped"]

Cast = tuple[tuple[str, str], ...]
"""The residents of a thread by part, in order of casting."""


@frozen
class Fact:
    """An event for the patterns of threads: `event`, by or to `who`, with `other`, about `what`,
    with an amount and a talk.
    """

    event: str
    who: str = ""
    other: str = ""
    what: str = ""
    amount: int = 0
    talk: str = ""


@frozen
class Thread:
    """A thread: number, pattern, cast, stage with its start, and cause.

    `seen` counts matching beats, `moved` is the time of the last one, and `omen` tells whether one
    has come in this stage.
    """

    number: int
    plot: str
    cast: Cast
    stage: Stage
    moved: datetime
    because: Fact
    seen: int = 0
    omen: bool = False


@frozen
class Threads:
    """`threads/town`: the open threads, oldest first; the number of threads planted so far, and
    their patterns; and the day of the last omen, -1 for none.
    """

    items: tuple[Thread, ...] = ()
    planted: int = 0
    plots: tuple[str, ...] = ()
    omen: int = -1

    def after(self, effect: ThreadEffect) -> Threads:
        """Return the threads with one added or changed; a finished one is removed. An omen sets the
        day of the last one.
        """
        thread = effect.thread
        omen = effect.day if isinstance(effect, OmenCame) else self.omen
        kept = (thread,) if thread.stage in ("planted", "active") else ()
        if thread.number > self.planted:
            return replace(
                self,
                omen=omen,
                items=(*self.items, *kept),
                planted=thread.number,
                plots=tuple(sorted({*self.plots, thread.plot})),
            )
        at = [each.number for each in self.items].index(thread.number)
        return replace(self, omen=omen, items=(*self.items[:at], *kept, *self.items[at + 1 :]))


@frozen
class ThreadMoved:
    """A thread is planted, advances or ends, or matches one of several beats."""

    thread: Thread


@frozen
class OmenCame:
    """An omen has come for a thread, the only one of the day. The happening is an effect of its
    own.
    """

    thread: Thread
    day: int


ThreadEffect = ThreadMoved | OmenCame
