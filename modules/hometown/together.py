"""Runs coroutines concurrently without a task for each: most thoughts end without waiting for
anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def run_concurrently(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines concurrently and return their results; the first failure cancels the rest and
    is raised.

    Each runs as far as it can before the next one starts. Until its first wait, none may use its
    current task, as `asyncio.timeout` and task groups do.
    """
    waiting = list(coroutines)
    if len(waiting) == 1:
        return [await waiting[0]]
    results: dict[int, T] = {}
    begun: list[_StartedCoroutine[T]] = []
    for number, coroutine in enumerate(waiting):
        try:
            begun.append(_StartedCoroutine(coroutine, number))
        except StopIteration as end:
            results[number] = end.value
        except BaseException:
            for other in waiting[number + 1 :]:
                other.close()
            await _cancel([asyncio.ensure_future(other) for other in begun])
            raise
    if len(begun) == 1:
        results[begun[0].number] = await begun[0]
    elif begun:
        results |= zip(
            (each.number for each in begun),
            await _results_of([asyncio.ensure_future(each) for each in begun]),
            strict=True,
        )
    return [results[number] for number in range(len(waiting))]


async def _results_of(tasks: list[asyncio.Task[T]]) -> list[T]:
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        return [task.result() for task in tasks if task.done()]
    except BaseException:
        await _cancel(tasks)
        raise


async def _cancel(tasks: list[asyncio.Task[T]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class _StartedCoroutine(Coroutine[Any, Any, T]):
    """A coroutine that was started and waits for a future. The constructor raises StopIteration
    with the result of one that waits for nothing, and any of its errors.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T], number: int) -> None:
        self.number = number
        self._coroutine = coroutine
        self._first = [self._mark(coroutine.send(None), False)]

    def send(self, value: Any) -> Any:
        return self._mark(self._first.pop(), True) if self._first else self._coroutine.send(value)

    def throw(self, *error: Any) -> Any:
        self._first.clear()
        return self._coroutine.throw(*error)

    def close(self) -> None:
        self._coroutine.close()

    def __await__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    @staticmethod
    def _mark(future: Any, handed_over: bool) -> Any:
        """Mark a future as handed over to a task or not; while it is not, other coroutines may
        start to wait for it.
        """
        if future is not None:
            future._asyncio_future_blocking = handed_over
        return future
