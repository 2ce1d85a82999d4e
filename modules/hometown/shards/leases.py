"""A budget of calls that shards share: each is granted a few at a time."""

from __future__ import annotations

import asyncio

from hometown.model.call_budget import BudgetSpent
from hometown.model.llm import Completion, LanguageModel, Request, context_of
from hometown.shards.outbox import Outbox


class LeasedModel:
    """A model that is asked only as often as was granted. More is asked for once nothing is left; a
    grant of 0 ends the step, as `BudgetedModel` does.
    """

    def __init__(self, model: LanguageModel, outbox: Outbox) -> None:
        self.model, self.name = model, model.name
        self._outbox = outbox
        self._left = 0
        self._wants = self._spent = False
        self._granted, self._idle = asyncio.Event(), asyncio.Event()
        self._under_way = 0
        self._idle.set()

    def grant(self, calls: int) -> None:
        """So many more calls; 0 if there are none any more."""
        self._left, self._wants, self._spent = self._left + calls, False, calls == 0
        self._granted.set()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Asks the model. Raises BudgetSpent once the limit is reached and all calls in progress
        have been answered.
        """
        while self._left <= 0:
            if self._spent:
                await self._idle.wait()
                raise BudgetSpent
            self._ask_for_more()
            await self._granted.wait()
        self._left -= 1
        self._under_way += 1
        self._idle.clear()
        try:
            return await self.model.complete(request, seed=seed, priority=priority)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    def _ask_for_more(self) -> None:
        self._granted.clear()
        if not self._wants:
            self._wants = True
            self._outbox.want_calls()

    def context(self, kind: str) -> float:
        """That of the wrapped model."""
        return context_of(self.model, kind)
