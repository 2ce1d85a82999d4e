"""The work of a step, in a town whose residents have minds: after walking, residents do the errands
for which they have arrived.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from hometown.agent.mind import Mind
from hometown.agent.mind.mood import current_mood
from hometown.society.bodies import satisfied_needs
from hometown.society.deals import carry_out_deals
from hometown.society.errands import (
    advance_due_events,
    do_errands,
    handle_refusal,
    post_closing_prices,
)
from hometown.society.jobs import leave_work, set_asleep
from hometown.society.joint_work import begin_joint_work
from hometown.society.knowledge import learn_from_conversation, look_around
from hometown.society.notice_boards import visit_boards
from hometown.society.refusals import build_refusal
from hometown.society.society_view import SocietyView, room_of
from hometown.world.conversation import Conversation
from hometown.world.effects import Effect
from hometown.world.labour import CourseSet, NeedsSet, Verb, WorkPaused
from hometown.world.state import State
from hometown.world.world import World, arena_of


def view_society(world: World, state: State, seed: int = 0) -> SocietyView:
    """Return the view of a town's society.

    Args:
        seed: The run's seed, for random outcomes.
    """
    assert world.book is not None, f"{world.id} has no society"

    def pleasure(who: str) -> int:
        feel = state.feel(who)
        return current_mood(world.temperaments[who], feel, state.clock.now)[0] if feel else 0

    def place(who: str) -> str:
        return "" if state.is_away(who) else room_of(world.maze.arena_at(state.body(who).tile))

    return SocietyView(world.book, state, world.start, seed, pleasure, place)


def society_of(mind: Mind) -> SocietyView:
    """Return the society's rules and state as of the effects of a resident's own mind."""
    return view_society(mind.world, mind.state)


class WorkStep:
    """The work of one step. Iterate it, and apply each effect before taking the next.

    Args:
        order: The order in which residents act.
        talks: The conversations that began in the step.
        stride: The minutes of the step.
    """

    def __init__(
        self,
        world: World,
        society: SocietyView,
        order: Sequence[str],
        talks: Sequence[Conversation],
        stride: int,
    ) -> None:
        self.world, self.society, self.state = world, society, society.state
        self.order, self.talks, self.stride = order, talks, stride
        self._fixtures_by_arena = defaultdict[str, list[str]](list)
        for address in society.book.fixtures:
            self._fixtures_by_arena[arena_of(address)].append(address)

    def __iter__(self) -> Iterator[Effect]:
        """Yield, in this order, the knowledge and the pauses of work from conversations, the deals
        agreed in them, the events due, each resident's step, joint work, and shops' new prices.
        """
        for talk in self.talks:
            yield from learn_from_conversation(self.world, self.society, talk)
            for who in talk.people:
                if job := self.state.job(who):
                    yield WorkPaused(who, _talk_minutes(talk, who))
                    if job.partner and job.partner not in talk.people:
                        yield WorkPaused(job.partner, _talk_minutes(talk, who))
        yield from carry_out_deals(self.society)
        yield from advance_due_events(self.society)
        for who in self.order:
            if self.society.is_member(who):
                yield from self._live_step(who)
        yield from begin_joint_work(self.society, self.world.lang, self._is_ready)
        yield from post_closing_prices(self.society, self.stride)

    def _live_step(self, who: str) -> Iterator[Effect]:
        """Yield the effects of a resident's step: they leave work that has become impossible, fall
        asleep or wake, do errands, look around and visit boards. Absent residents only have all
        their needs satisfied.
        """
        job = self.state.job(who)
        asleep = self.state.is_asleep(who)
        if job and (
            self.state.is_away(who) or (job.at and job.at not in self.society.book.fixtures)
        ):
            yield from leave_work(self.society, who, job)
        if self.state.is_away(who):
            yield NeedsSet(who, satisfied_needs(self.society.book, self.society.now))
        elif self.state.needs(who).asleep != asleep:
            yield from set_asleep(self.society, who, asleep)
        is_here = self._reach_of(who)
        if not asleep and self._is_idle(who):
            yield from self._handle_occupied(who)
            yield from do_errands(self.society, who, is_here)
        if not asleep and not self.state.is_away(who):
            yield from look_around(self.society, who, self._visible_fixtures(who))
            yield from visit_boards(self.society, who, is_here)

    def _reach_of(self, who: str) -> Callable[[str], bool]:
        """Return a function that tells whether a fixture is in the resident's arena, or in use by
        them.
        """
        arena, used = self._location(who)
        return lambda address: arena_of(address) == arena or address == used

    def _visible_fixtures(self, who: str) -> list[str]:
        """Return the fixtures in the resident's arena, and the one that they use."""
        arena, used = self._location(who)
        here = self._fixtures_by_arena[arena]
        return (
            here
            if used in here or used not in self.society.book.fixtures
            else [at for at in self.society.book.fixtures if at in here or at == used]
        )

    def _location(self, who: str) -> tuple[str, str]:
        """Return the arena in which a resident is, and the thing that they use; "" for none."""
        body = self.state.body(who)
        used = "" if body.refused else self.state.action(who).address
        return self.world.maze.arena_at(body.tile), used

    def _is_idle(self, who: str) -> bool:
        """Return True if a resident is in town, free and not walking."""
        busy = self.state.is_away(who) or self.state.talking(who) or self.state.job(who)
        return (
            not busy
            and not self.state.body(who).path
            and (self.state.action(who).started is not None or bool(self.state.body(who).refused))
        )

    def _is_ready(self, who: str, address: str) -> bool:
        """Return True if a resident has arrived at a place and is free."""
        return not self.state.is_asleep(who) and self._is_idle(who) and self._reach_of(who)(address)

    def _handle_occupied(self, who: str) -> Iterator[Effect]:
        """Yield the refusal for a resident who came to work at an occupied fixture."""
        errands = self.state.errand_queue(who)
        if (
            errands
            and errands[0].verb == Verb.DO
            and self.state.body(who).refused
            and self.state.action(who).address == errands[0].at
        ):
            yield CourseSet(who, ())
            yield from handle_refusal(
                self.society, who, errands[0], build_refusal("BUSY", at=errands[0].at)
            )


def _talk_minutes(talk: Conversation, who: str) -> int:
    """Return the minutes for which a resident talks, rounded up."""
    return -(-int((talk.until(who) - talk.started).total_seconds()) // 60)
