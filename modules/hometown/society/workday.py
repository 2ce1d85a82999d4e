"""The work of a step, in a town whose residents have minds: after walking, residents do the errands
for which they have arrived.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from hometown.society.affairs import Affairs
from hometown.society.beliefs import looked, news_from
from hometown.society.bodies import rested
from hometown.society.deals import settle_deals
from hometown.society.errands import closing, due, go_on, refused
from hometown.society.mood import mood
from hometown.society.notices import at_boards
from hometown.society.pairs import begin_together
from hometown.society.refusals import Refusal
from hometown.society.work import fall_asleep, leave_work
from hometown.world.conversation import Conversation
from hometown.world.effects import Effect
from hometown.world.labour import CourseSet, NeedsSet, WorkPaused
from hometown.world.state import State
from hometown.world.world import World, arena_of


def affairs_of(world: World, state: State, seed: int = 0) -> Affairs | None:
    """Return the view of a town's society; None in a town without one.

    Args:
        seed: The run's seed, for random outcomes.
    """

    def pleasure(who: str) -> int:
        feel = state.feel(who)
        return mood(world.temperaments[who], feel, state.clock.now)[0] if feel else 0

    def place(who: str) -> str:
        return "" if state.away(who) else world.maze.arena_at(state.body(who).tile)

    return Affairs(world.book, state, world.start, seed, pleasure, place) if world.book else None


class Workday:
    """The work of one step. Iterate it, and apply each effect before taking the next.

    Args:
        order: The order in which residents act.
        talks: The conversations that began in the step.
        stride: The minutes of the step.
    """

    def __init__(
        self,
        world: World,
        affairs: Affairs,
        order: Sequence[str],
        talks: Sequence[Conversation],
        stride: int,
    ) -> None:
        self.world, self.affairs, self.state = world, affairs, affairs.state
        self.order, self.talks, self.stride = order, talks, stride
        self._rooms = defaultdict[str, list[str]](list)
        for address in affairs.book.fixtures:
            self._rooms[arena_of(address)].append(address)

    def __iter__(self) -> Iterator[Effect]:
        for talk in self.talks:
            yield from news_from(self.world, self.affairs, talk)
            for who in talk.people:
                if deed := self.state.deed(who):
                    yield WorkPaused(who, _minutes(talk, who))
                    if deed.partner and deed.partner not in talk.people:
                        yield WorkPaused(deed.partner, _minutes(talk, who))
        yield from settle_deals(self.affairs)
        yield from due(self.affairs)
        for who in self.order:
            yield from self._live(who)
        yield from begin_together(self.affairs, self.world.lang, self._is_ready)
        yield from closing(self.affairs, self.stride)

    def _live(self, who: str) -> Iterator[Effect]:
        """Yield the effects of a resident's step: sleep, errands and sights. Absent residents are
        cared for.
        """
        deed, asleep = self.state.deed(who), self.state.asleep(who)
        if deed and (
            self.state.away(who) or (deed.at and deed.at not in self.affairs.book.fixtures)
        ):
            yield from leave_work(self.affairs, who, deed)
        if self.state.away(who):
            yield NeedsSet(who, rested(self.affairs.book, self.affairs.now))
        elif self.state.needs(who).asleep != asleep:
            yield from fall_asleep(self.affairs, who, asleep)
        is_here = self._where(who)
        if not asleep and self._stands_still(who):
            yield from self._turned_away(who)
            yield from go_on(self.affairs, who, is_here)
        if not asleep and not self.state.away(who):
            yield from looked(self.affairs, who, self._in_view(who))
            yield from at_boards(self.affairs, who, is_here)

    def _where(self, who: str) -> Callable[[str], bool]:
        """Return a function that tells whether a fixture is in the resident's arena, or in use by
        them.
        """
        arena, used = self._spot(who)
        return lambda address: arena_of(address) == arena or address == used

    def _in_view(self, who: str) -> list[str]:
        """Return the fixtures in the resident's arena, and the one that they use."""
        arena, used = self._spot(who)
        here = self._rooms[arena]
        return (
            here
            if used in here or used not in self.affairs.book.fixtures
            else [at for at in self.affairs.book.fixtures if at in here or at == used]
        )

    def _spot(self, who: str) -> tuple[str, str]:
        """Return the arena in which a resident is, and the thing that they use; "" for none."""
        body = self.state.body(who)
        return self.world.maze.arena_at(body.tile), "" if body.refused else self.state.action(
            who
        ).address

    def _stands_still(self, who: str) -> bool:
        """Return whether a resident is in town, free and not walking."""
        busy = self.state.away(who) or self.state.talking(who) or self.state.deed(who)
        return (
            not busy
            and not self.state.body(who).path
            and (self.state.action(who).started is not None or bool(self.state.body(who).refused))
        )

    def _is_ready(self, who: str, address: str) -> bool:
        """Return whether a resident has arrived at a place and is free."""
        return not self.state.asleep(who) and self._stands_still(who) and self._where(who)(address)

    def _turned_away(self, who: str) -> Iterator[Effect]:
        """Yield the refusal for a resident who came to work at an occupied fixture."""
        errands = self.state.course(who)
        if (
            errands
            and errands[0].verb == "do"
            and self.state.body(who).refused
            and self.state.action(who).address == errands[0].at
        ):
            yield CourseSet(who, ())
            yield from refused(
                self.affairs, who, errands[0], Refusal("BUSY", (("at", errands[0].at),))
            )


def _minutes(talk: Conversation, who: str) -> int:
    """How long somebody talks, begun minutes too."""
    return -(-int((talk.until(who) - talk.started).total_seconds()) // 60)
