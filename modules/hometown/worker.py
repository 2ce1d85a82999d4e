"""A thread with an event loop of its own, for callers without one (scripts) and for notebooks,
whose own loop is already running.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import wraps
from typing import Any, ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """Runs coroutines and functions in succession, all in the same thread, as SQLite's connections
    require.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hometown")
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine. Interrupted by Ctrl-C, it cancels the coroutine and
        waits for its end, unless it is interrupted again.
        """
        result = self.submit(coroutine)
        try:
            return result.result()
        except KeyboardInterrupt:
            loop = self._runner.get_loop()
            loop.call_soon_threadsafe(self._cancel_all, loop, result)
            wait([result])
            raise

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin a coroutine and return its future."""
        return self._thread.submit(self._runner.run, coroutine)

    def call(self, function: Callable[[], T]) -> T:
        """Return the result of a function."""
        return self._thread.submit(function).result()

    def close(self) -> None:
        """End the thread. The worker cannot be used afterwards."""
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    @staticmethod
    def _cancel_all(loop: asyncio.AbstractEventLoop, result: Future[Any]) -> None:
        """Cancel what runs for a result, unless that is there already, and another coroutine runs."""
        if not result.done():
            for task in asyncio.all_tasks(loop):
                task.cancel()


def for_asyncio(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return the counterpart for `asyncio` of a function that takes long: it does the same in a
    thread of its own, without blocking the event loop.
    """

    async def counterpart(*args: P.args, **named: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **named)

    wraps(work)(counterpart)
    counterpart.__name__ = f"{work.__name__}_async"
    counterpart.__qualname__ = f"{work.__qualname__}_async"
    counterpart.__doc__ = f"Do what `{work.__name__}` does, without blocking the event loop."
    return counterpart


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, which runs in a thread of its own, so that the caller may
    have an event loop.
    """
    with Worker() as worker:
        return worker.run(work)
