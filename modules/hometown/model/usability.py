"""The end of a session whose model gives too few replies that can be used."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from hometown.errors import ModelUnavailable, ModelUnusable
from hometown.model.routing import usual_name
from hometown.own_commands import doctor_command
from hometown.records import Attempt
from hometown.text import excerpt

WINDOW = 200
"""Number of latest calls over which the share of fallbacks is computed."""

MIN_CALLS = 40
"""The least number of calls for which that share is meaningful."""

FIRST_REPLIES = 10
"""Replies after which a model of which none could be used is given up."""


@dataclass(slots=True)
class _FirstReplies:
    """The number of replies so far, and whether any could be used."""

    count: int = 0
    has_usable: bool = False


class Usability:
    """The usable and unusable replies of a model so far. At most `max_fallback_share` of the latest
    calls may need a fallback; 1 permits that all do.
    """

    def __init__(self, max_fallback_share: float) -> None:
        self._limit = max_fallback_share
        self._latest: deque[bool] = deque(maxlen=WINDOW)
        self._first = _FirstReplies()

    def speculative(self) -> Usability:
        """Return a copy that shares the first replies, and counts fallbacks on its own."""
        other = copy(self)
        other._latest = deque(maxlen=WINDOW)
        return other

    def check(self, model: str, attempts: Sequence[Attempt], is_fallback: bool) -> None:
        """Record a call to a model, by its name. Raises ModelUnusable or ModelUnavailable."""
        self._check_first_replies(model, attempts)
        self._check_fallbacks(model, is_fallback)

    def _check_first_replies(self, model: str, attempts: Sequence[Attempt]) -> None:
        """Raise ModelUnusable if none of the model's first `FIRST_REPLIES` replies could be used,
        unless all calls may need a fallback.
        """
        first = self._first
        first.count += len(attempts)
        first.has_usable = first.has_usable or any(not attempt.error for attempt in attempts)
        if first.has_usable or first.count < FIRST_REPLIES or self._limit >= 1:
            return
        reply = excerpt(attempts[-1].text)
        raise ModelUnusable(
            "{name}: none of its first {count} replies could be used ({error}), such as this one: {reply}"
            " – take another model, or find out why: {command}"
            if reply
            else "{name}: none of its first {count} replies held an answer: it only reasons, or its server keeps the answer"
            " – take a model that answers without reasoning, or find out why: {command}",
            name=model,
            count=first.count,
            error=attempts[-1].error,
            reply=reply,
            command=doctor_command(usual_name(model)),
        )

    def _check_fallbacks(self, model: str, is_fallback: bool) -> None:
        """Record if the latest call used a fallback. Raise ModelUnavailable if, among the latest
        `MIN_CALLS` to `WINDOW` calls, more than the permitted share did.
        """
        self._latest.append(is_fallback)
        count, failed = len(self._latest), sum(self._latest)
        if count >= MIN_CALLS and failed > self._limit * count:
            raise ModelUnavailable(
                "{name}: {failed} of the last {count} replies could not be used (llm.max_fallback_share is {limit:g});"
                " all completed steps are saved: check the model, then continue with hometown resume (start.py --resume)",
                name=model,
                failed=failed,
                count=count,
                limit=self._limit,
            )
