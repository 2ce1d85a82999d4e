"""Ctrl-C while a worker's thread is busy."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hometown.worker import Worker
from tests.support.hang import HANG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals a thread")


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """Ctrl-C interrupts also where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(began: threading.Event, work: Callable[[], Any]) -> None:
    """Press Ctrl-C once something that a worker is given has begun."""

    def press() -> None:
        assert began.wait(HANG)
        time.sleep(0.3)  # by then, whoever gave the work waits for its end
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    thread.join()


async def told(word: str) -> str:
    await asyncio.sleep(0)
    return word


def test_a_function_that_is_interrupted_leaves_nothing_to_the_next_coroutine() -> None:
    began, may_end = threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        may_end.wait(HANG)

    with Worker() as worker:
        worker.run(told("first"))
        interrupted(began, lambda: worker.call(work))
        may_end.set()
        assert worker.run(told("next")) == "next"


def test_a_coroutine_that_is_interrupted_has_ended_before_the_interruption_is_told() -> None:
    began, ended = threading.Event(), threading.Event()

    async def work() -> None:
        try:
            began.set()
            await asyncio.sleep(HANG)
        finally:
            time.sleep(0.1)  # as what takes a moment to close
            ended.set()

    with Worker() as worker:
        interrupted(began, lambda: worker.run(work()))
        assert ended.is_set()
        assert worker.run(told("next")) == "next"
