"""How much a process may ask of its model: so many calls, or so much time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from modules.model.llm import Completion, LanguageModel, Request, context_of


class BudgetSpent(Exception):
    """A call was due that the budget has no room for; the step under way is given up, but its replies are in the journal."""


class Budgeted:
    """A model that answers `calls` calls and for `seconds` seconds from now, 0 of either meaning no limit.

    What the journal of an interrupted step holds costs nothing, so a run gets on even if one step takes several budgets.
    """

    def __init__(self, model: LanguageModel, calls: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.model = model
        self.name = model.name
        self._left = calls or float("inf")
        self._clock = clock
        self._end = clock() + (seconds or float("inf"))
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Asks the model. Raises BudgetSpent where that is one call too many, or too late, once those under way are answered."""
        if self._left <= 0 or self._clock() >= self._end:
            await self._idle.wait()  # what has been paid for is let in first
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

    def context(self, kind: str) -> float:
        """That of the model behind."""
        return context_of(self.model, kind)
