"""Retries calls while a server is unavailable, visibly to the user, until it answers or a limit is
reached.

Two limits are separate: one for a call that fails while others are answered, one for a server that
answers no call.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from hometown.errors import CallFailed, ModelBusy, ModelUnavailable, ServerMisconfigured, TooLong
from hometown.language import Lang
from hometown.model.awake import MOMENT, AwakeClock
from hometown.model.llm import Completion, LanguageModel, Request, context_of
from hometown.model.notes import MODEL_NOTES
from hometown.records import Message
from hometown.settings import Settings
from hometown.text import fill, translate_all

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0
"""Seconds before the second attempt, and the most between attempts; each wait is twice the one
before.
"""

TRIES = 5
"""Attempts at one call while the server answers others, not counting failures that any call would
have met.
"""

PROBE_SECONDS = 30.0
"""Seconds to wait for a probe."""

PROBE_SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
PROBE_TOKENS = 16

Notify = Callable[[str], None]

log = logging.getLogger(__name__)


def notify_user(text: str) -> None:
    """Write a line for the user, above the progress bar if there is one, and to the log."""
    from tqdm import tqdm

    tqdm.write(text, file=sys.stderr)
    log.warning(text)


@dataclass(slots=True)
class _Failures:
    """The failures of one call: the time of the first on the policy's clock, their number, and the
    number of those that the call itself may have caused.
    """

    since: float
    tries: int = 0
    own: int = 0


class RetryPolicy:
    """Repeats calls that raise ModelBusy, with growing waits.

    `notify` is called once for each reason of an outage, however many calls are waiting, and at
    most once for each wait. The server is given up
    `settings.llm.give_up_after` seconds after the first failure since its last answer, but no call
    is given up that was tried only once.
    """

    def __init__(self, settings: Settings, notify: Notify) -> None:
        self._limit = settings.llm.give_up_after
        self._notify = notify
        self._clock = AwakeClock()
        self._random = Random()  # spreads waits; no part of the game
        self._answered = -1.0
        self._failing_since: float | None = None
        self._notified: set[str] = set()
        self._notified_until = 0.0

    async def ask(
        self,
        call: Callable[[], Awaitable[T]],
        lang: Lang,
        probe: Callable[[], Awaitable[object]] | None = None,
    ) -> T:
        """Return the result of a call, repeated until it has one.

        Args:
            call: The call to repeat.
            lang: The language of notices.
            probe: A request that any working server answers. It tells a server that fails from a
                call that it cannot answer; such a call is given up after `TRIES` attempts or
                `give_up_after` seconds.

        Raises:
            ModelUnavailable: The server is given up.
            CallFailed: Only this call is given up.
        """
        failures: _Failures | None = None
        wait = FIRST_WAIT
        with self._clock.ticking():
            while True:
                try:
                    answer = await call()
                except TooLong:
                    raise
                except ModelUnavailable as error:
                    failures = failures or _Failures(
                        self._clock.now() - (error.waited if isinstance(error, ModelBusy) else 0.0)
                    )
                    left = await self._time_left(error, failures, probe)
                    hint = error.retry_after if isinstance(error, ModelBusy) else 0.0
                    pause = min(max(wait * self._random.uniform(0.5, 1.0), hint), left)
                    self._notify_once(error, pause, left, lang)
                    await self._clock.sleep(pause)
                    wait = min(2 * wait, LONGEST_WAIT)
                else:
                    self._succeeded()
                    return answer

    async def _time_left(
        self,
        error: ModelUnavailable,
        failures: _Failures,
        probe: Callable[[], Awaitable[object]] | None,
    ) -> float:
        """Count a failure, and return the seconds until the server is given up.

        Raises:
            CallFailed: Only this call is given up: it was refused or failed too often, while the
                server answers others.
            ModelUnavailable: The server is given up: it has been misconfigured from the start,
                answers no request, or has failed for too long.
        """
        now = self._clock.now()
        failures.tries += 1
        if isinstance(error, ServerMisconfigured) and self._answered < 0:
            raise error
        if not isinstance(error, ModelBusy):  # this request would be refused again
            if await self._answers_others(now, probe):
                raise CallFailed(error.lines) from error
            raise error
        failures.own += not error.overloaded
        if self._failing_since is None:
            self._failing_since = failures.since
        left = self._failing_since + self._limit - now
        if failures.tries == 1 and left <= MOMENT:  # the server or this process was silent so long
            self._failing_since, left = now, self._limit
        is_used_up = failures.own >= TRIES or now - failures.since >= self._limit or left <= MOMENT
        if failures.tries > 1 and is_used_up and await self._answers_others(failures.since, probe):
            raise CallFailed(error.lines) from error
        if left <= MOMENT:  # too short to wait for: the call would be repeated without end
            raise ModelUnavailable(
                "{reason}; gave up after {limit:g} s (llm.give_up_after)"
                if error.has_responded
                else "{reason}; gave up after {limit:g} s without a response (llm.give_up_after)",
                reason=error,
                limit=self._limit,
            ) from error
        return left

    async def _answers_others(
        self, since: float, probe: Callable[[], Awaitable[object]] | None
    ) -> bool:
        """Return True if the server has answered another call since then, or else answers the
        probe.
        """
        if probe is None:
            return False
        if self._answered <= since:
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    await probe()
            except (ModelUnavailable, TimeoutError):
                return False
            self._succeeded()
        return True

    def _succeeded(self) -> None:
        """Record that the server has answered, which ends an outage."""
        self._answered = self._clock.now()
        self._failing_since = None
        self._notified.clear()

    def _notify_once(self, error: ModelUnavailable, pause: float, left: float, lang: Lang) -> None:
        """Tell the user of an outage and of the seconds left, unless this reason was told before,
        or another one within the present wait.
        """
        now = self._clock.now()
        if now < self._notified_until or str(error) in self._notified:
            return
        self._notified_until = now + pause
        self._notified.add(str(error))
        values = {"error": error, "left": f"{left:.0f}"}
        self._notify(fill(translate_all(MODEL_NOTES, lang)["waiting"], values, lang))


class RetryingModel:
    """A model whose calls are repeated while its server is busy."""

    def __init__(
        self, model: LanguageModel, settings: Settings, notify: Notify = notify_user
    ) -> None:
        self.model = model
        self.name = model.name
        self._notify = notify
        self._policy = RetryPolicy(settings, notify)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the model's reply, as late as the policy allows. Raises ModelUnavailable, or
        CallFailed if only this request has no reply.
        """
        try:
            return await self._policy.ask(
                lambda: self.model.complete(request, seed=seed, priority=priority),
                request.lang,
                lambda: self.model.complete(probe_for(request), seed=0),
            )
        except CallFailed as error:
            values = {"error": error, "kind": request.kind}
            self._notify(
                fill(translate_all(MODEL_NOTES, request.lang)["call_failed"], values, request.lang)
            )
            raise

    def context(self, kind: str) -> float:
        """Return the context of the wrapped model, in tokens."""
        return context_of(self.model, kind)


def probe_for(request: Request) -> Request:
    """Return a request of the same kind that takes the model hardly any work."""
    messages = (Message("user", translate_all(MODEL_NOTES, request.lang)["probe"]),)
    return replace(
        request,
        variables=None,
        messages=messages,
        schema=PROBE_SCHEMA,
        max_tokens=PROBE_TOKENS,
        on_text=None,
        on_places=None,
    )
