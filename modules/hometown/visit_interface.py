"""The public interface to visits: a person walks through a town that is being simulated, and speaks
with its residents.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar, cast

from hometown.errors import BadRun
from hometown.history.visitor_view import TownVisit, VisitorView
from hometown.session import same_cast
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_of
from hometown.worker import Worker
from hometown.world.conversation import Line

T = TypeVar("T")

LOOK_SECONDS = 0.1
"""Seconds between two looks at the run."""


class VisitHost:
    """The visit of a person to a run that a process simulates: an act is waited for until it is
    carried out and saved. `partner` is the resident in conversation with the visitor, "" for none;
    `addressed` the line with which a resident has addressed them between the two latest looks.

    Each act raises BadInput for a name that is unknown, and BadRun if the simulation ends meanwhile.
    """

    def __init__(self, name: str, visitor: str, results: Path, worlds: Path) -> None:
        self.run = RunFile.open(results, name)
        try:
            self._refuse_resting()
            founded = same_cast(world_of(self.run, worlds), self.run.manifest)
            self.visit = TownVisit(self.run, founded, visitor)
        except BaseException:
            self.run.close()
            raise
        self.partner, self.addressed = "", cast(Line | None, None)
        self._seen = self.run.last.step

    async def enter(self) -> VisitorView:
        """Enter the town, and return what the visitor sees."""
        await self._wait(self.visit.enter())
        return self.look()

    async def walk(self, place: str) -> VisitorView:
        """Set out for a place by its name or address, and return what the visitor sees then."""
        await self._wait(self.visit.walk(place))
        return self.look()

    async def give(self, resident: str, thing: str) -> VisitorView:
        """Hand something over to a resident, and return what the visitor sees then."""
        await self._wait(self.visit.give(resident, thing))
        return self.look()

    async def say(self, resident: str, words: str) -> str:
        """Say words to a resident, and return their answer, "" without one."""
        other = self.visit.resolve_resident(resident)
        before, heard = self.run.last.step, self.visit.hear(other)
        number = self.visit.say(other, words)
        self.partner = other
        answer = await self._wait(number, lambda: _unless(self.visit.hear(other), heard))
        if answer:
            return answer
        self.partner = ""
        lines = self.visit.list_latest_lines(before)
        has_answered = bool(words and lines) and lines[-1].speaker == other
        return _unless(lines[-1].text, heard) if has_answered else ""

    async def leave(self) -> None:
        """Leave the town."""
        await self._wait(self.visit.leave())

    def look(self) -> VisitorView:
        """Return what the visitor sees after the last step."""
        last = self.run.last.step
        self.addressed, self._seen = self.visit.find_address(self._seen), last
        return self.visit.look()

    async def _wait(self, number: int, hear: Callable[[], str] = str) -> str:
        """Wait until an intervention is carried out and saved, or until something is heard, which is
        returned. Raises BadRun if the run ends meanwhile.
        """
        while not self.visit.is_done(number):
            if said := hear():
                return said
            self._refuse_resting()
            await asyncio.sleep(LOOK_SECONDS)
        return ""

    def _refuse_resting(self) -> None:
        """Raise BadRun if no process simulates the run."""
        if not is_held(self.run.file.parent):
            raise BadRun(
                "nothing happens in run {name!r} now: let it go on in another terminal, with hometown resume {name} --step 144 --pace 5",
                name=self.run.manifest.name,
            )


class Visit:
    """The visit of a person to a town that another process simulates, or this one by `step_async`.
    What they do is waited for until it is carried out, in the step under way or the next one. Use it
    as a context manager, so that they leave town in the end, or call `leave`.

    Acts raise BadInput for a name that is unknown, and BadRun if the simulation ends meanwhile.
    """

    def __init__(self, open_host: Callable[[], VisitHost]) -> None:
        self._worker = Worker()
        try:
            self._host = self._worker.call(open_host)
        except BaseException:
            self._worker.close()
            raise

    def enter(self) -> VisitorView:
        """Enter the town by the road, as a context manager does, and return what the visitor sees."""
        return self._worker.run(self._host.enter())

    async def enter_async(self) -> VisitorView:
        """Do what `enter` does, without blocking the event loop."""
        return await self._wait_for(self._host.enter())

    def look(self) -> VisitorView:
        """Return what the visitor sees after the last step: the game time, their place, who is near
        and what they do, and the public places, as `walk` takes them.
        """
        return self._worker.call(self._host.look)

    def walk(self, place: str) -> VisitorView:
        """Set out for a place by its name or address, and return what the visitor sees a step later,
        who may still be on their way.
        """
        return self._worker.run(self._host.walk(place))

    async def walk_async(self, place: str) -> VisitorView:
        """Do what `walk` does, without blocking the event loop."""
        return await self._wait_for(self._host.walk(place))

    def say(self, resident: str, words: str) -> str:
        """Say words to a resident who is near, and return their answer, "" without one; "" as words
        ends the conversation. Those within hearing overhear both.
        """
        return self._worker.run(self._host.say(resident, words))

    async def say_async(self, resident: str, words: str) -> str:
        """Do what `say` does, without blocking the event loop."""
        return await self._wait_for(self._host.say(resident, words))

    def give(self, resident: str, thing: str) -> VisitorView:
        """Hand something over to a resident who is near, and return what the visitor sees then."""
        return self._worker.run(self._host.give(resident, thing))

    async def give_async(self, resident: str, thing: str) -> VisitorView:
        """Do what `give` does, without blocking the event loop."""
        return await self._wait_for(self._host.give(resident, thing))

    @property
    def addressed(self) -> Line | None:
        """The line with which a resident has addressed the visitor between the two latest looks;
        `say` answers them.
        """
        return self._host.addressed

    def leave(self) -> None:
        """Leave the town, which ends the visit."""
        try:
            self._worker.run(self._host.leave())
        finally:
            self._end()

    async def leave_async(self) -> None:
        """Do what `leave` does, without blocking the event loop."""
        try:
            await self._wait_for(self._host.leave())
        finally:
            self._end()

    async def _wait_for(self, act: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(self._worker.submit(act))

    def _end(self) -> None:
        self._worker.call(self._host.run.close)
        self._worker.close()

    def __enter__(self) -> Self:
        try:
            self.enter()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.leave()

    async def __aenter__(self) -> Self:
        try:
            await self.enter_async()
        except BaseException:
            self._end()
            raise
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        await self.leave_async()


def _unless(line: str, before: str) -> str:
    """Return a line; "" if it is the one before."""
    return "" if line == before else line
