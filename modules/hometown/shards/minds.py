"""The minds of a town that are spread over shards, as the process of the run sees them.

This process knows all rows of the state, and of memories which there are; so it pairs those who
talk, and agrees on what is promised, on minds that it puts together from rows and from the effects
that the shards hand over. Whatever takes a memory, a prompt or a model is asked of the mind's own
shard.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from hometown.agent.conversation.aftermath import SideSummary, enter_outcomes
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.minds import Elsewhere, MindsLost, Thought
from hometown.errors import ModelUnavailable
from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector
from hometown.model.server_loads import ServerLoads
from hometown.model.stats import Stats
from hometown.shards.folding import FarRows, FarSeen, FarThought, hand
from hometown.shards.gathering import FarGathering, KnownMinds
from hometown.shards.outbox import News
from hometown.shards.package import Register, compressed, packed, split
from hometown.shards.pickling import pickled
from hometown.shards.shard import Records
from hometown.shards.talking import Parts
from hometown.shards.wire import Line, Link
from hometown.storage.codec import RowData, encode_rows
from hometown.text import catalogue
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation
from hometown.world.rows import Promise, Row
from hometown.world.state import State
from hometown.world.walk import Walk

Value = TypeVar("Value")

_NOWHERE: Vector = np.zeros(0, np.float32)
"""What stands for the vector of a memory in this process, which searches none."""


LOSSES = 5
"""Losses of shards in one step after which the session ends."""


@frozen
class Put:
    """Rows, and what the table has of them."""

    rows: dict[str, Row | None]
    data: RowData


class Run(Protocol):
    """What shards need of a run: the replies that were kept, and where new replies and vectors go."""

    @property
    def journal(self) -> Any: ...

    @property
    def vectors(self) -> Any: ...


class Host(Protocol):
    """What starts shards, and starts them again."""

    async def raised(self) -> Sequence[Link]:
        """All shards, with their charters, in order: those that are gone are started again, and the
        others are stopped in whatever they do.
        """
        ...


class Shards:
    """Minds on shards. `home` says on which each resident's is, by number."""

    def __init__(
        self,
        host: Host,
        home: Mapping[str, int],
        run: Run,
        say: Callable[[str], None],
        grant: Callable[[], int] = lambda: 0,
    ) -> None:
        self.home = dict(home)
        self.count = max(home.values()) + 1
        self.lines: list[Line] = []
        self.broadcast = self.steps = 0
        """Bytes of rows for everybody, and steps, so far."""
        self.milliseconds = 0.0
        """Processor time of all shards so far."""
        self._host, self._run, self._say, self._grant = host, run, say, grant
        self._founded = False
        self._losses = 0
        self._over: Parts = {}
        self._filed: Elsewhere | None = None

    # a step -------------------------------------------------------------------------------

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        state, self._caller = context.snapshot, context.caller
        self._order, self._filed = order, None
        for who in order:
            if who not in self.home:  # has moved in since
                self.home[who] = min(range(self.count), key=Counter(self.home.values()).__getitem__)
        memories = [
            (who, memory) for who, each in state.changes.memories.items() for memory in each
        ]
        if not self._founded:
            self._count_loss(context)
            await self._found(state)
            memories = []
        self._founded = True
        await self._send("begin", _put(state), context.moment, order, memories=memories)

    async def think(self, context: StepContext, group: Sequence[str]) -> list[Thought]:
        self.known = KnownMinds(group, context)
        gathering = FarGathering(self.known, self)
        over = [self.ask(number, "think_over") for number in range(self.count)]
        _, *answers = await run_concurrently([gathering.live(), *over])
        self._over = _merged(answers)
        return self.known.thoughts(group, gathering.intents)

    async def thought_over(self) -> list[Thought]:
        return [
            FarThought(who, (), parts=[self._over[who]]) for who in self._order if who in self._over
        ]

    async def settle(self, context: StepContext) -> list[Thought]:
        answers = await self._send("settle", _put(context.snapshot))
        hand(context.snapshot, _merged(rows for rows, _, _ in answers))
        cast(FarRows, context.snapshot.rows).handed.clear()  # what comes from now on rests on these
        self.known = KnownMinds(self._order, context)
        for who, part in _merged(parts for _, parts, _ in answers).items():
            self.known.add(who, part)
        talks: dict[str, tuple[Conversation, dict[str, SideSummary]]] = {}
        for talk, sums in (each for _, _, far in answers for each in far):
            talks.setdefault(talk.id, (talk, {}))[1].update(sums)
        await run_concurrently(self._conclude(*talks[number]) for number in sorted(talks))
        await self._finish()
        return self.known.thoughts(self._order)

    def set_out(self, walk: Walk, vision_r: int) -> None:
        self._before = _put(walk.state)

    async def see(self, walk: Walk) -> FarSeen:
        """Each shard repeats the walk on the rows with which it began, so that what it has changed
        of public ones need not be sent.
        """
        seen = await self._send("see", self._before, walk.refused)
        self._losses = 0  # nothing more is asked of them in this step
        cast(FarRows, walk.state.rows).leave_public()
        return FarSeen({}, _merged(each.rows for each in seen), _merged(each.log for each in seen))

    def filed(self) -> Elsewhere | None:
        return self._filed

    def forget_costs(self) -> None:
        """Counts anew what is sent, and what it takes."""
        self.broadcast, self.steps, self.milliseconds = 0, 0, 0.0
        for line in self.lines:
            line.sent = line.received = 0

    # what is left of conversations across shards ------------------------------------------

    async def _conclude(self, talk: Conversation, sums: dict[str, SideSummary]) -> None:
        if len(sums) == len(talk.people):
            await enter_outcomes(
                talk, sums, {who: self.known[who] for who in talk.people}, self._keep
            )

    async def _keep(
        self,
        mind: Mind,
        talk: Conversation,
        summary: str,
        summed: SideSummary,
        promises: Sequence[Promise],
    ) -> None:
        self.known.add(
            mind.who,
            await self.ask(
                self.home[mind.who],
                "keep",
                mind.who,
                self.known.take_done(mind.who),
                talk,
                summary,
                promises,
            ),
        )

    async def _finish(self) -> None:
        left = {who: done for who in self._order if (done := self.known.take_done(who))}
        per_shard = [
            {who: effects for who, effects in left.items() if self.home[who] == number}
            for number in range(self.count)
        ]
        answers: list[tuple[Parts, Records]] = await run_concurrently(
            self.ask(number, "finish", per_shard[number]) for number in range(self.count)
        )
        for who, part in _merged(parts for parts, _ in answers).items():
            self.known.add(who, part)
        self.milliseconds += sum(records.load[0] for _, records in answers)
        self.steps += 1
        self._filed = _elsewhere([records for _, records in answers])

    # messages -----------------------------------------------------------------------------

    async def ask(self, number: int, method: str, *arguments: Any) -> Any:
        """Does something on a shard."""
        try:
            return await self.lines[number].call(method, *arguments)
        except MindsLost:
            self._founded = False
            raise

    async def _send(
        self, method: str, put: Put, *arguments: Any, memories: Sequence[Any] | None = None
    ) -> list[Any]:
        """Rows that have changed here, for everybody and for each shard, with an operation."""
        public, own = split(put.rows, self.home, self.count)
        blob = compressed({key: put.data[key] for key in public})
        self.broadcast += len(blob)
        told = [
            (self.home[who], (who, memory, self._caller.vector(memory.text)))
            for who, memory in memories or ()
        ]
        extra = (
            []
            if memories is None
            else [[[each for number, each in told if number == at]] for at in range(self.count)]
        )
        calls = (
            self.ask(
                at,
                method,
                *arguments,
                blob,
                {key: put.data[key] for key in own[at]},
                *(extra[at] if extra else ()),
            )
            for at in range(self.count)
        )
        return await run_concurrently(calls)

    def _count_loss(self, context: StepContext) -> None:
        """Tells that shards were lost. Raises ModelUnavailable where they are whatever is done."""
        if self.lines:
            self._losses += 1
            self._say(
                catalogue(context.world.lang, "model")["shards_lost"].format(
                    step=context.moment.step
                )
            )
        if self._losses >= LOSSES:
            raise ModelUnavailable(
                "shards were lost {count} times in step {step}; all completed steps are saved: look for what ends them, such as too little memory, then"
                " continue with hometown resume (start.py --resume)", count=self._losses, step=context.moment.step
            )  # fmt: skip

    async def _found(self, state: State) -> None:
        """Gives all shards the town as it stands, and keeps of memories only which there are."""
        for line in self.lines:
            line.close()
        self.lines = [
            Line(number, link, self._hear, self._lose)
            for number, link in enumerate(await self._host.raised())
        ]
        public, own = split(state.rows, self.home, self.count)
        people = [
            [who for who, at in self.home.items() if at == number] for number in range(self.count)
        ]
        rows: list[dict[str, Any]] = [public | own[number] for number in range(self.count)]
        for number in range(self.count):
            package = packed(state, people[number], rows[number], self._run.journal.replies)
            await self.ask(number, "restore", pickled(package))
        state.rows = FarRows(state.rows)
        state.row = state.rows.__getitem__  # type: ignore[method-assign, assignment]  # a hundred rows are read for a resident's step
        state.new_stream = lambda: Register(())
        state.memories = {
            who: Register(stream.concepts.values()) for who, stream in state.memories.items()
        }
        state.vector = lambda text: _NOWHERE

    def _lose(self, error: Exception) -> None:
        """One shard is gone, and others may be waiting for it: nothing more is expected of any of
        them.
        """
        for line in self.lines:
            line.lose(error)

    def _hear(self, number: int, news: News) -> None:
        for reply in news.replies:
            self._run.journal.put_row(reply)
        self._run.vectors.put_rows(news.vectors)
        if self._caller.listener is not None:
            for who, (partner, text) in news.speech.items():
                self._caller.listener.hear(who, partner, text)
        for line in news.says:
            self._say(line)
        if news.wants_calls:
            task = asyncio.get_running_loop().create_task(self.ask(number, "grant", self._grant()))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _put(state: State) -> Put:
    """The rows that have changed here since they were last sent. Those of this step are encoded for
    its saving as well.
    """
    rows = cast(FarRows, state.rows).take_put()
    data = encode_rows(rows)
    state.changes.hand({key: data[key] for key in rows.keys() & state.changes.rows.keys()})
    return Put(rows, data)


def _merged(parts: Iterable[Mapping[str, Value]]) -> dict[str, Value]:
    merged = dict[str, Value]()
    for part in parts:
        merged |= part
    return merged


def _elsewhere(records: Sequence[Records]) -> Elsewhere:
    """What all shards have filed, and what it took."""
    stats, servers = Stats(), ServerLoads()
    for record in records:
        stats.add(record.stats)
        servers.add(record.servers)
    loads = [
        {"residents": residents, "ms": round(ms, 1)}
        for ms, residents in (record.load for record in records)
    ]
    return Elsewhere([record.filed for record in records], stats, loads, servers)
