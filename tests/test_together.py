"""Coroutines that run at once, each begun without a task."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from hometown.together import run_concurrently

Trace = list[str]


async def working(name: str, trace: Trace, turns: int, failure: BaseException | None = None) -> str:
    """Waits for so many turns of the loop, then fails or gives its name; says in `trace` what
    becomes of it.
    """
    trace.append(f"{name} begins")
    try:
        for _ in range(turns):
            await asyncio.sleep(0)
        if failure:
            raise failure
    except asyncio.CancelledError:
        await asyncio.sleep(0)
        trace.append(f"{name} is cancelled")
        raise
    trace.append(f"{name} ends")
    return name


async def forever(name: str, trace: Trace) -> str:
    try:
        await asyncio.get_running_loop().create_future()
    except asyncio.CancelledError:
        trace.append(f"{name} is cancelled")
        raise
    return name


@pytest.mark.parametrize("turns", [(0, 0, 0), (2, 0, 0), (0, 3, 1), (1, 2, 3), (3, 1, 2), (1,), ()])
def test_results_come_in_order_whoever_waits(turns: tuple[int, ...]) -> None:
    trace: Trace = []

    async def all_at_once() -> list[str]:
        return await run_concurrently(
            working(str(number), trace, count) for number, count in enumerate(turns)
        )

    names = [str(number) for number in range(len(turns))]
    assert asyncio.run(all_at_once()) == names
    assert [line.split()[0] for line in trace if "begins" in line] == names


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_the_first_failure_cancels_the_rest_and_is_raised_as_it_is(turns: int) -> None:
    trace: Trace = []

    async def all_at_once() -> None:
        await run_concurrently(
            [
                forever("a", trace),
                working("b", trace, turns, LookupError("no")),
                forever("c", trace),
                working("d", trace, 9),
            ]
        )

    with pytest.raises(LookupError, match="no"):
        asyncio.run(all_at_once())
    began = {"d is cancelled", "c is cancelled"} if turns else set()
    assert {line for line in trace if "cancelled" in line} == {"a is cancelled", *began}


@pytest.mark.parametrize(
    "parts",
    [
        lambda trace: [forever("a", trace)],
        lambda trace: [forever("a", trace), working("b", trace, 0)],
        lambda trace: [forever("a", trace), forever("b", trace)],
    ],
)
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_whoever_is_cancelled_cancels_them_all_and_waits_for_them(
    parts: Callable[[Trace], list[Coroutine[Any, Any, str]]], turns: int
) -> None:
    trace: Trace = []

    async def nested() -> list[str]:
        return await run_concurrently([together_of_parts(), working("z", trace, 0)])

    async def together_of_parts() -> str:
        return "".join(await run_concurrently(parts(trace)))

    async def main() -> None:
        task = asyncio.ensure_future(nested())
        for _ in range(turns + 1):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert "a is cancelled" in trace


def test_what_waits_for_another_hears_of_it() -> None:
    async def main() -> list[int]:
        ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def waits() -> int:
            return 1 + await ready

        async def tells() -> int:
            ready.set_result(1)
            return 1

        return await run_concurrently([waits(), waits(), tells()])

    assert asyncio.run(main()) == [2, 2, 1]
