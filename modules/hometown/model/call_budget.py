"""Limits on the model calls of one process: a number of calls, or a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from hometown.model.llm import Completion, LanguageModel, Request, context_of

UNLIMITED = 1_000_000
"""The number of calls that stands for "no limit"."""


class BudgetSpent(Exception):
    """The budget is used up; the current step is abandoned, but its replies are kept in the
    journal.
    """


class BudgetedModel:
    """A model that answers at most `calls` calls, and for `seconds` seconds from now; 0 means no
    limit.

    Replies in the journal of an interrupted step cost nothing, so a run makes progress even if one
    step takes several budgets.
    """

    def __init__(
        self,
        model: LanguageModel,
        calls: int,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model = model
        self.name = model.name
        self._left = calls or float("inf")
        self._clock = clock
        self._end = clock() + (seconds or float("inf"))
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Ask the model. Raises BudgetSpent once the limit is reached and all calls in progress
        have been answered.
        """
        if self._left <= 0 or self._clock() >= self._end:
            await self._idle.wait()  # replies that have been paid for are kept first
            raise BudgetSpent
        self._left -= 1
        self._under_way += 1
        self._idle.clear()
        try:
            return await self.model.complete(request, seed=seed, priority=priority)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    @property
    def is_limited(self) -> bool:
        """Return whether any limit is set."""
        return self._left != float("inf") or self._end != float("inf")

    def take(self, share: Callable[[float], int]) -> int:
        """Reserve calls for another process and return their number.

        `share` computes it from the number of calls left; the result is 0 once the limit is
        reached.
        """
        if self._left <= 0 or self._clock() >= self._end:
            return 0
        taken = share(min(self._left, UNLIMITED))
        self._left -= taken
        return taken

    def context(self, kind: str) -> float:
        """Return the context of the wrapped model, in tokens."""
        return context_of(self.model, kind)
