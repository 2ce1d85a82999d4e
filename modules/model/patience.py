"""Waiting for a model that is away: calls are repeated, visibly, until it answers or patience runs out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from modules.errors import ModelBusy, ModelUnavailable
from modules.model.llm import Completion, LanguageModel, Request, context_of
from modules.settings import Settings
from modules.text import catalogue

FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0
"""Seconds before the second attempt, and between attempts at most; each wait is twice the one before."""


class Patient:
    """Stands around any model and repeats what it was too busy for, with growing waits.

    `notify` is told, in the run's language, once for each wait, however many calls are waiting. The model has until
    `settings.llm.give_up_after` seconds after the first failure since its last answer; then ModelUnavailable is raised.
    """

    def __init__(self, model: LanguageModel, settings: Settings, notify: Callable[[str], None]) -> None:
        self.model = model
        self.name = model.name
        self._limit = settings.llm.give_up_after
        self._notify = notify
        self._random = Random()  # spreads waits; no part of the game
        self._failing_since: float | None = None
        self._told_until = 0.0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The model's reply, as soon as it has one. Raises ModelUnavailable."""
        wait = FIRST_WAIT
        while True:
            try:
                completion = await self.model.complete(request, seed=seed, priority=priority)
            except ModelBusy as error:
                left = self._time_left()
                if left <= 0:
                    raise ModelUnavailable(f"{error}; gave up after {self._limit:g} s without an answer (llm.give_up_after)") from error
                pause = min(max(wait * self._random.uniform(0.5, 1.0), error.retry_after), left)
                self._tell(request, error, pause, left)
                await asyncio.sleep(pause)
                wait = min(2 * wait, LONGEST_WAIT)
            else:
                self._failing_since = None
                return completion

    def context(self, kind: str) -> float:
        """That of the model behind."""
        return context_of(self.model, kind)

    def _time_left(self) -> float:
        """Seconds of patience left; they run from the first failure since the last answer to anybody."""
        now = asyncio.get_running_loop().time()
        if self._failing_since is None:
            self._failing_since = now
        return self._failing_since + self._limit - now

    def _tell(self, request: Request, error: ModelBusy, pause: float, left: float) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._told_until:
            self._told_until = now + pause
            self._notify(catalogue(request.lang, "model")["waiting"].format(error=error, pause=f"{pause:.1f}", left=f"{left:.0f}"))
