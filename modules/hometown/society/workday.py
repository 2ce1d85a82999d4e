"""The work of a step, in a town whose residents have minds: after they have walked, those who are
where they meant to go do what they came for.
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
    """How things stand in a town; None in one without a society. What chance decides needs the
    run's seed.
    """

    def pleasure(who: str) -> int:
        feel = state.feel(who)
        return mood(world.temperaments[who], feel, state.clock.now)[0] if feel else 0

    def place(who: str) -> str:
        return "" if state.away(who) else world.maze.arena_at(state.body(who).tile)

    return Affairs(world.book, state, world.start, seed, pleasure, place) if world.book else None


class Workday:
    """The work of one step of `stride` minutes, in which the conversations `talks` were begun.
    Iterate it, and apply each effect before taking the next.
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
        """A body that sleeps or wakes, and whoever has come to where it meant to be. Who is out of
        town is looked after.
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
        """Says of a fixture whether somebody, who does not walk any more in this step, is in its
        room, or where it is used.
        """
        arena, used = self._spot(who)
        return lambda address: arena_of(address) == arena or address == used

    def _in_view(self, who: str) -> list[str]:
        """The fixtures of which that is so."""
        arena, used = self._spot(who)
        here = self._rooms[arena]
        return (
            here
            if used in here or used not in self.affairs.book.fixtures
            else [at for at in self.affairs.book.fixtures if at in here or at == used]
        )

    def _spot(self, who: str) -> tuple[str, str]:
        """The room in which somebody is, and what it uses, "" for nothing."""
        body = self.state.body(who)
        return self.world.maze.arena_at(body.tile), "" if body.refused else self.state.action(
            who
        ).address

    def _stands_still(self, who: str) -> bool:
        """In town, at nothing else, and not on the way."""
        busy = self.state.away(who) or self.state.talking(who) or self.state.deed(who)
        return (
            not busy
            and not self.state.body(who).path
            and (self.state.action(who).started is not None or bool(self.state.body(who).refused))
        )

    def _is_ready(self, who: str, address: str) -> bool:
        """Whether somebody has come to a place, and does nothing else."""
        return not self.state.asleep(who) and self._stands_still(who) and self._where(who)(address)

    def _turned_away(self, who: str) -> Iterator[Effect]:
        """Whoever came to work at something that cannot be used now."""
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
