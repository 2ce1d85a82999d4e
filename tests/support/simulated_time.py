"""An event loop without waiting: its clock jumps to the next timer as soon as nothing else is left
to do.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Skipping(selectors.SelectSelector):
    """Counts the seconds for which it was to wait instead of waiting for them."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout if timeout is None else 0)
        if not ready:
            self.now += timeout or 0
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Its clock begins at 0. Nothing that runs in it may wait for another thread or process, which
    have no time to answer.
    """

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


def simulate(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that is alone in a simulated loop."""
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(work)
