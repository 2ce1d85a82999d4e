"""Retries without waiting, for servers behind real sockets: how long one is waited for depends on
the waits alone, not on the machine.
"""

from __future__ import annotations

import asyncio

import pytest

from hometown.model import retrying
from hometown.model.awake import AwakeClock


class WaitlessClock(AwakeClock):
    """Waits are over at once and count in full; nothing else takes any time."""

    def now(self) -> float:
        return self._awake

    async def sleep(self, seconds: float) -> None:
        end = self._awake + seconds
        await asyncio.sleep(0)
        self._awake = max(self._awake, end)


def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, models and embeddings are retried on such a clock."""
    monkeypatch.setattr(retrying, "AwakeClock", WaitlessClock)
