"""Waiting for a server that is away: it is asked again, visibly, until it answers or patience runs out."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from modules.errors import ModelBusy, ModelUnavailable
from modules.model.llm import Completion, LanguageModel, Request, context_of
from modules.settings import Settings
from modules.text import catalogue, fill
from modules.world.world import Lang

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0
"""Seconds before the second attempt, and between attempts at most; each wait is twice the one before."""

Notify = Callable[[str], None]

log = logging.getLogger(__name__)


def say(text: str) -> None:
    """One line to the user, above the bar if there is one, and to the log."""
    from tqdm import tqdm

    tqdm.write(text, file=sys.stderr)
    log.warning(text)


class Patience:
    """Repeats what a server was too busy for, with growing waits.

    `notify` is told once for each wait, however many calls are waiting. The server has until `settings.llm.give_up_after`
    seconds after its first failure since its last answer.
    """

    def __init__(self, settings: Settings, notify: Notify) -> None:
        self._limit = settings.llm.give_up_after
        self._notify = notify
        self._random = Random()  # spreads waits; no part of the game
        self._failing_since: float | None = None
        self._told_until = 0.0

    async def ask(self, call: Callable[[], Awaitable[T]], lang: Lang) -> T:
        """What the call gives, as soon as it gives something. Raises ModelUnavailable."""
        wait = FIRST_WAIT
        while True:
            try:
                answer = await call()
            except ModelBusy as error:
                left = self._time_left(error)
                if left <= 0:
                    raise ModelUnavailable(
                        "{reason}; gave up after {limit:g} s without an answer (llm.give_up_after)", reason=error, limit=self._limit
                    ) from error
                pause = min(max(wait * self._random.uniform(0.5, 1.0), error.retry_after), left)
                self._tell(error, pause, left, lang)
                await asyncio.sleep(pause)
                wait = min(2 * wait, LONGEST_WAIT)
            else:
                self._failing_since = None
                return answer

    def _time_left(self, error: ModelBusy) -> float:
        """Seconds of patience left; they run from the first failure since the last answer to anybody."""
        now = asyncio.get_running_loop().time()
        if self._failing_since is None:
            self._failing_since = now - error.waited
        return self._failing_since + self._limit - now

    def _tell(self, error: ModelBusy, pause: float, left: float, lang: Lang) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._told_until:
            self._told_until = now + pause
            self._notify(fill(catalogue(lang, "model")["waiting"], {"error": error, "pause": f"{pause:.1f}", "left": f"{left:.0f}"}, lang))


class Patient:
    """Stands around any model and waits for it."""

    def __init__(self, model: LanguageModel, settings: Settings, notify: Notify = say) -> None:
        self.model = model
        self.name = model.name
        self._patience = Patience(settings, notify)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The model's reply, as soon as it has one. Raises ModelUnavailable."""
        return await self._patience.ask(lambda: self.model.complete(request, seed=seed, priority=priority), request.lang)

    def context(self, kind: str) -> float:
        """That of the model behind."""
        return context_of(self.model, kind)
