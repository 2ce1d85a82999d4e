"""The drama manager: advances the threads of stories by the facts of a step, and triggers omens.

It has no access to minds. Its only influence is one happening a day at most, which residents
perceive like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from hometown.clock import minute_of_day
from hometown.society.sifting import derive_facts, match_cast
from hometown.society.society_view import SocietyView
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.book.plots import ActivePart, BeatPart, OmenPart, PaidOffPart, ThreadPart
from hometown.world.cast_names import fill_in_names
from hometown.world.effects import Effect
from hometown.world.incidents import HappeningBegan
from hometown.world.threads import Cast, Fact, OmenCame, Stage, Thread, ThreadMoved
from hometown.world.world import World, arena_of

MAX_OPEN_THREADS = 3
"""The largest number of open threads of one pattern."""

OMEN_MINUTES = (8 * 60, 21 * 60)
"""The time of day within which an omen may come, in minutes of the day."""


@dataclass(frozen=True)
class Drama:
    """The changes of a town's threads after a step with these effects.

    Iterate it, and apply each effect before taking the next.
    """

    world: World
    society: SocietyView
    effects: Sequence[Effect]

    def __iter__(self) -> Iterator[Effect]:
        yield from self._drop_threads()
        yield from self._advance_threads()
        yield from self._trigger_omen()

    def _advance_threads(self) -> Iterator[Effect]:
        """Yield the threads that the step's facts plant or advance, each once at most."""
        moved = set[int]()
        for fact in (
            fact
            for effect in self.effects
            for fact in derive_facts(self.world, self.society.book, effect)
        ):
            threads = [
                thread for thread in self.society.state.threads.items if thread.number not in moved
            ]
            on = [
                (thread, further) for thread in threads if (further := self._advance(thread, fact))
            ]
            moved |= {thread.number for thread, _ in on}
            yield from (ThreadMoved(further) for _, further in on)
            if planted := self._plant(fact, [thread.plot for thread, _ in on]):
                moved.add(planted.number)
                yield ThreadMoved(planted)

    def _trigger_omen(self) -> Iterator[Effect]:
        """Yield today's omen and the happening that is its sign, at most one a day and within
        `OMEN_MINUTES`: for the thread that has rested longest of those that are due one, have had
        none in this stage, and at whose place a resident is awake.
        """
        threads, now = self.society.state.threads, self.society.now
        if (
            threads.omen == self.society.day
            or not OMEN_MINUTES[0] <= minute_of_day(now) < OMEN_MINUTES[1]
        ):
            return
        for thread in sorted(threads.items, key=lambda each: (each.moved, each.number)):
            omen = self._omen(thread)
            if (
                omen
                and not thread.omen
                and now - thread.moved >= timedelta(hours=omen.hours)
                and self._is_seen(omen.at)
            ):
                text = fill_in_names(self.world, omen.text[self.world.lang], thread.cast)
                course = usual_course(text, self.world.lang)
                yield HappeningBegan(begin_happening(omen.at, text, course, now))
                yield OmenCame(replace(thread, omen=True), self.society.day)
                return

    def _drop_threads(self) -> Iterator[Effect]:
        """Yield the end of threads whose pattern is gone or which have rested too long."""
        for thread in self.society.state.threads.items:
            plot = self._plot(thread)
            if plot is None or self.society.now - thread.moved >= timedelta(days=plot.dropped.days):
                yield ThreadMoved(
                    replace(
                        thread,
                        stage="dropped",
                        moved=self.society.now,
                        because=Fact("dropped"),
                        seen=0,
                    )
                )

    def _advance(self, thread: Thread, fact: Fact) -> Thread | None:
        """Return a thread as a fact advances it: seen once more or, if that was often enough, in
        its next stage. None if the fact does not fit.
        """
        plot = self._plot(thread)
        if plot is None:
            return None
        awaited: ActivePart | PaidOffPart = (
            plot.active if thread.stage == "planted" else plot.paid_off
        )
        cast = self._match_beats(awaited.when, fact, thread.cast)
        if cast is None:
            return None
        advanced = replace(thread, cast=cast, moved=self.society.now, because=fact)
        if thread.seen + 1 < awaited.times:
            return replace(advanced, seen=thread.seen + 1)
        stage: Stage = "active" if thread.stage == "planted" else "paid_off"
        return replace(advanced, stage=stage, seen=0, omen=False)

    def _plant(self, fact: Fact, moved: Sequence[str]) -> Thread | None:
        """Return the first new thread that a fact plants; None if there is none.

        A pattern plants none where the fact has advanced one of its threads (`moved`), it may occur
        only once and has, `MAX_OPEN_THREADS` of it are open, or one with the same cast is.
        """
        threads = self.society.state.threads
        for name, plot in self.society.book.threads.items():
            open_ones = [thread for thread in threads.items if thread.plot == name]
            is_over = plot.once and name in threads.plots
            if is_over or name in moved or len(open_ones) >= MAX_OPEN_THREADS:
                continue
            cast = self._match_beats(plot.planted.when, fact, ())
            if cast is not None and all(
                _cast_members(thread.cast) != _cast_members(cast) for thread in open_ones
            ):
                return Thread(threads.planted + 1, name, cast, "planted", self.society.now, fact)
        return None

    def _match_beats(self, beats: Sequence[BeatPart], fact: Fact, cast: Cast) -> Cast | None:
        """Return the cast after a fact matches the first of some beats that it can; None if it
        matches none.
        """
        fitting = (match_cast(self.society.book, beat, fact, cast) for beat in beats)
        return next((found for found in fitting if found is not None), None)

    def _plot(self, thread: Thread) -> ThreadPart | None:
        return self.society.book.threads.get(thread.plot)

    def _omen(self, thread: Thread) -> OmenPart | None:
        """Return the omen of a thread's present stage; None if there is none."""
        plot = self._plot(thread)
        if plot is None:
            return None
        return plot.planted.omen if thread.stage == "planted" else plot.active.omen

    def _is_seen(self, address: str) -> bool:
        """Return True if a resident is awake in the arena of an address."""
        state, maze = self.society.state, self.world.maze
        there = (
            who
            for who in self.world.personas
            if maze.arena_at(state.body(who).tile) == arena_of(address)
        )
        return any(not state.is_asleep(who) and not state.is_away(who) for who in there)


def _cast_members(cast: Cast) -> set[str]:
    return {who for _, who in cast}
