"""Threads of a story: what has been planted, moves on, and is paid off or dropped. A row of the
state, and the effects that set it.

Which threads a world may have is in its book (`modules/hometown/world/book/plots.py`); what moves
them is in `modules/hometown/society/drama.py`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

from hometown.frozen import frozen

Stage = Literal["planted", "active", "paid_off", "dropped"]

Cast = tuple[tuple[str, str], ...]
"""Residents by their part in a thread, in the order in which they came into it."""


@frozen
class Fact:
    """Something that has happened, as the patterns of threads see it: `event`, to or by `who`, with
    `other`, about `what`, of so much; in which talk.
    """

    event: str
    who: str = ""
    other: str = ""
    what: str = ""
    amount: int = 0
    talk: str = ""


@frozen
class Thread:
    """A thread: its number in this run, which pattern of the book it follows, with whom, at which
    stage since when, and because of what.

    `seen` is how often what would move it on has been seen since, last `moved`; `omen` whether
    something has been let happen for it in this stage.
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
    """`threads/town`: the threads that are open, oldest first; how many were ever planted, of which
    patterns; and the day of the last omen, -1 for none.
    """

    items: tuple[Thread, ...] = ()
    planted: int = 0
    plots: tuple[str, ...] = ()
    omen: int = -1

    def after(self, effect: ThreadEffect) -> Threads:
        """With the thread as it then is; one that is over is not among them any more."""
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
    """A thread is planted, moves on or is over, or comes a step nearer to that."""

    thread: Thread


@frozen
class OmenCame:
    """Something has been let happen for a thread, which is an effect of its own, and nothing else
    will be on that day.
    """

    thread: Thread
    day: int


ThreadEffect = ThreadMoved | OmenCame
