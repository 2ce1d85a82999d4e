"""The progress of a run on a terminal."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import cast

import pytest

from hometown.cli import step_loop
from hometown.cli.progress_display import Bar
from hometown.cli.texts import Text
from hometown.game import Game
from hometown.model.stats import Counts


class Busy:
    """A game in the midst of its first step: each look finds one more call answered; the third ends
    the waiting.
    """

    def __init__(self, enough: Callable[[], object]) -> None:
        self.stats, self._calls, self._enough = self, 0, enough

    @property
    def total(self) -> Counts:
        self._calls += 1
        if self._calls == 3:
            self._enough()
        return Counts(ok=self._calls, prompt_tokens=100 * self._calls)


async def test_the_bar_moves_in_the_midst_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_loop, "TICK", 0.0)
    out, enough = io.StringIO(), asyncio.Event()
    bar = Bar(Text("en"), 0, 108, out)
    ticking = asyncio.create_task(step_loop._tick(bar, cast(Game, Busy(enough.set)), Counts()))
    await enough.wait()
    ticking.cancel()
    bar.close()
    assert "| 0/108 " in out.getvalue()
    assert "calls 1, tokens 100, fallbacks 0.0%" in out.getvalue()
    assert "calls 2, tokens 200, fallbacks 0.0%" in out.getvalue()
