"""Limits on what a session may ask of its model: a number of calls, or a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from math import inf
from typing import Protocol

from hometown.model.llm import Completion, LanguageModel, Request, context_of
from hometown.model.queue import SETTLING_TURNS


class BudgetSpent(Exception):
    """The budget is used up; the current step is abandoned, but its replies are kept in the
    journal.
    """


class CallAllowance(Protocol):
    """A budget of calls, from which several models may draw."""

    async def take(self) -> bool:
        """Take one call; return False if there is none left."""
        ...


class CallBudget:
    """A budget of `calls` calls within `seconds` seconds from now; 0 means no limit."""

    def __init__(
        self, calls: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.calls_left = calls or inf
        self._clock = clock
        self._end = clock() + (seconds or inf)

    async def take(self) -> bool:
        """Take one call; return False if none is left or the time is over."""
        if self.calls_left <= 0 or self._clock() >= self._end:
            return False
        self.calls_left -= 1
        return True

    @property
    def seconds_left(self) -> float:
        return self._end - self._clock()

    @property
    def is_limited(self) -> bool:
        """Return True if there is a limit at all."""
        return self.calls_left != inf or self._end != inf


class BudgetedModel:
    """A model that answers as many calls as a budget has. Requests that find out how the model is
    asked count as well.

    Replies in the journal of an interrupted step cost nothing, so a run makes progress even if one
    step takes several budgets.
    """

    def __init__(self, model: LanguageModel, budget: CallAllowance) -> None:
        self.model, self.budget = model, budget
        self.name = model.name
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the model's reply, and count the call. Raises BudgetSpent once the limit is
        reached and all calls in progress have been answered.
        """
        if not await self.budget.take():
            await self.wait_until_idle()  # replies that have been paid for are kept first
            raise BudgetSpent
        self._under_way += 1
        self._idle.clear()
        try:
            completion = await self.model.complete(request, seed=seed, priority=priority)
            # A plug-in may return anything; the caller checks it.
            for _ in range(getattr(completion, "trials", 0)):
                await self.budget.take()
            return completion
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    async def wait_until_idle(self) -> None:
        """Wait until all calls in progress have been answered, and their replies kept."""
        await self._idle.wait()
        for _ in range(SETTLING_TURNS):  # by then, those who asked have put them into the journal
            await asyncio.sleep(0)

    def context(self, kind: str) -> float:
        """Return the context of the wrapped model, in tokens."""
        return context_of(self.model, kind)
