"""Slots and priorities, in simulated time: the town goes first, nothing is asked twice, and what is
asked ahead takes only what would be idle.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.model.llm import Completion
from hometown.model.queue import SETTLING_TURNS, VISITED, CallKey, CallQueue, Priority
from tests.support.examples import examples
from tests.support.simulated_time import simulate

TALKS, THINKS = (0, 0), (0, 1)


def ahead(steps: int) -> Priority:
    return steps, 1


def place(name: str, step: int = 1) -> CallKey:
    return CallKey(step, name, "react", 0)


@dataclass
class Server:
    """Answers each call with its name after some seconds; keeps who began when, and how many were
    under way.
    """

    queue: CallQueue
    began: list[tuple[float, str]] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    def call(
        self,
        name: str,
        priority: Priority,
        seconds: float = 1.0,
        step: int = 1,
        failure: Exception | None = None,
    ) -> asyncio.Task[Completion]:
        async def complete() -> Completion:
            self.began.append((asyncio.get_running_loop().time(), name))
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            try:
                await asyncio.sleep(seconds)
                if failure:
                    raise failure
            finally:
                self.under_way -= 1
            return Completion(name, 7, 3)

        return asyncio.create_task(self.queue.reply(place(name, step), priority, complete))

    @property
    def order(self) -> list[str]:
        return [name for _, name in self.began]


def served(slots: int, work: Callable[[Server], Coroutine[Any, Any, Any]]) -> Server:
    """The server after some work, without the calls that are still under way."""

    async def alone() -> Server:
        server = Server(CallQueue(slots))
        await work(server)
        return server

    return simulate(alone())


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_conversations_go_before_thoughts_and_those_before_all_that_is_ahead() -> None:
    async def work(server: Server) -> None:
        calls = [server.call("first", THINKS)]
        await turns(1)
        named: dict[str, Priority] = {
            "far": ahead(2),
            "near": ahead(1),
            "thinks": THINKS,
            "talks": TALKS,
        }
        calls += [server.call(name, priority) for name, priority in named.items()]
        await asyncio.gather(*calls)

    assert served(1, work).order == ["first", "talks", "thinks", "near", "far"]


def test_nothing_starts_while_a_visitor_is_answered_but_another_answer() -> None:
    async def work(server: Server) -> None:
        calls = [server.call("under way", THINKS, 1.5)]
        await turns(1)
        calls += [server.call(name, (0, VISITED)) for name in ("answer", "other")]
        calls += [server.call("ahead", ahead(1)), server.call("talks", TALKS)]
        await asyncio.gather(*calls)

    began = served(4, work).began
    assert began == [(0, "under way"), (0, "answer"), (0, "other"), (1, "talks"), (1, "ahead")]


@settings(max_examples=examples(25))
@given(data=st.data(), slots=st.integers(1, 4))
def test_slots_are_never_exceeded_and_nothing_starts_ahead_while_the_town_waits(
    data: st.DataObject, slots: int
) -> None:
    calls = data.draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(1, 5)),
            min_size=1,
            max_size=12,
        )
    )

    class Watched(CallQueue):
        def _start(self, call: Any) -> None:
            assert not (
                call.priority[0]
                and any(each.task is None and not each.priority[0] for each in self._calls.values())
            ), "the town waits"
            assert len(self.in_progress) < slots
            super()._start(call)

    async def work(server: Server) -> None:
        async def ask(number: int, steps: int, at: int, seconds: int) -> None:
            await asyncio.sleep(at)
            await server.call(str(number), (steps, 1), seconds)

        server.queue = Watched(slots)
        await asyncio.gather(*(ask(number, *call) for number, call in enumerate(calls)))

    server = served(slots, work)
    assert len(server.began) == len(calls), "each once"
    assert server.most <= slots


def test_what_a_reply_leads_to_has_the_slot_before_what_is_ahead_of_it() -> None:
    async def work(server: Server) -> None:
        later = [server.call("ahead", ahead(1)), server.call("other", THINKS, 9)]
        await server.call("asks", THINKS)
        await turns(SETTLING_TURNS // 2)
        await server.call("asks again", THINKS)
        with server.queue.pause_speculation():
            await asyncio.sleep(1)
        await server.call("asks after it has embedded something", THINKS)
        await asyncio.gather(*later)

    assert served(2, work).order == [
        "other",
        "asks",
        "asks again",
        "asks after it has embedded something",
        "ahead",
    ]


def test_a_reply_asked_ahead_is_not_asked_for_again() -> None:
    async def work(server: Server) -> None:
        for name, pause in (("done", 2.0), ("under way", 0.5)):
            before = server.call(name, ahead(2), step=3)
            await asyncio.sleep(pause)
            assert (await server.call(name, THINKS, step=3)).text == name
            await before
        assert server.queue.evict(3) == []

    assert served(2, work).order == ["done", "under way"]


def test_a_claim_brings_a_waiting_call_forward() -> None:
    async def work(server: Server) -> None:
        calls = [
            server.call("first", THINKS),
            server.call("ahead", ahead(1)),
            server.call("wanted", ahead(4)),
        ]
        await turns(2)
        await asyncio.gather(server.call("wanted", TALKS), *calls)

    assert served(1, work).order == ["first", "wanted", "ahead"]


def test_a_copy_that_is_stopped_loses_only_what_has_not_begun() -> None:
    async def work(server: Server) -> None:
        begun, waits = server.call("begun", ahead(1), 5), server.call("waits", ahead(1))
        await asyncio.sleep(1)
        begun.cancel()
        waits.cancel()
        await asyncio.sleep(1)
        assert (await server.call("begun", THINKS)).text == "begun"
        assert asyncio.get_running_loop().time() == 5

    assert served(1, work).order == ["begun"]


def test_a_call_that_the_town_has_given_up_is_stopped() -> None:
    async def work(server: Server) -> None:
        call = server.call("given up", THINKS, 100)
        await asyncio.sleep(1)
        call.cancel()
        await server.call("next", THINKS)
        assert asyncio.get_running_loop().time() == 2

    assert served(1, work).order == ["given up", "next"]


def test_what_fails_ahead_is_asked_again_by_the_town_and_what_fails_there_is_raised() -> None:
    async def work(server: Server) -> None:
        before = server.call("fails", ahead(1), failure=ValueError("ahead"))
        await asyncio.sleep(0.5)
        assert (await server.call("fails", THINKS)).text == "fails", (
            "claimed while it was under way"
        )
        assert (await before).text == "fails"
        with pytest.raises(ValueError, match="ahead"):
            await server.call("alone", ahead(1), failure=ValueError("ahead"))
        assert (await server.call("alone", THINKS)).text == "alone"
        with pytest.raises(ValueError, match="real"):
            await server.call("real", THINKS, failure=ValueError("real"))

    assert served(2, work).order == ["fails", "fails", "alone", "alone", "real"]


def test_what_nobody_claimed_is_forgotten_with_its_step_and_stopped() -> None:
    async def work(server: Server) -> None:
        done, running, later = (
            server.call("done", ahead(1)),
            server.call("running", ahead(1), 50),
            server.call("later", ahead(2), 3, step=2),
        )
        await done
        for call in (running, later):
            call.cancel()
        await turns(2)
        assert server.queue.evict(1) == [("react", Completion("done", 7, 3)), ("react", None)]
        assert (await server.call("later", THINKS, step=2)).text == "later"
        assert server.under_way == 0
        assert asyncio.get_running_loop().time() == 3

    assert served(3, work).order == ["done", "running", "later"]


def test_a_slot_is_idle_once_all_has_settled() -> None:
    async def work(server: Server) -> None:
        calls = [server.call("long", THINKS, 9), server.call("short", THINKS, 2)]
        await server.queue.idle(0)
        assert asyncio.get_running_loop().time() == 2
        await asyncio.gather(*calls)

    served(2, work)


def test_a_slot_that_is_idle_goes_to_the_nearest_copy_and_to_the_next_once_that_has_asked() -> None:
    async def work(server: Server) -> None:
        order = []

        async def copied(depth: int) -> None:
            await server.queue.idle(depth)
            order.append(depth)

        await asyncio.gather(*map(copied, (2, 0, 1)))
        assert order == [0, 1, 2]

    served(1, work)
