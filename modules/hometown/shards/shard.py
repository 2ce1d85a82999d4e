"""One shard: the minds of its residents, and all that they need for thinking. It changes nothing of
the town; what it thinks, it hands over as effects.

A step goes through these operations, in this order: `begin`, `think` of each of its residents,
conversations (`talk`, or `take_part` in those that another shard leads) and what is overheard of
them, `think_over`, `settle`, `keep`, `finish`, `see`. Each hands over what it has added.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Literal, cast

from hometown.agent.afterthoughts import Afterthoughts
from hometown.agent.agent import think
from hometown.agent.context import Moment, StepContext
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind
from hometown.agent.minds import reused, seen_in
from hometown.agent.outcome import Summed, keep_outcome
from hometown.agent.overhear import overhear
from hometown.frozen import frozen
from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.model.caller import Caller
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.server_loads import ServerLoads
from hometown.model.stats import Stats
from hometown.prompt.prompt import Situation
from hometown.prompt.render import templates_for
from hometown.shards.folding import (
    OF_MEMORY,
    EncodedRows,
    FarSeen,
    Fold,
    Handed,
    handed,
    seen_from_afar,
)
from hometown.shards.leases import LeasedModel
from hometown.shards.neighbours import Neighbours
from hometown.shards.outbox import News, Outbox, ShardJournal, ShardTable
from hometown.shards.package import Charter, Package, expanded, filled, owner_of
from hometown.shards.pickling import unpickled
from hometown.shards.talking import Conversations, Parts
from hometown.storage.codec import RowData, encoded
from hometown.storage.filed import Filed, filed
from hometown.together import together
from hometown.world.apply import apply
from hometown.world.conversation import Conversation
from hometown.world.effects import Logged
from hometown.world.furnish import FURNITURE, furnish_world
from hometown.world.recipes import Way, way_to
from hometown.world.rows import Promise, Row
from hometown.world.scene import Scene
from hometown.world.sights import Sights
from hometown.world.state import Changes, State
from hometown.world.walk import Walk

Effects = dict[str, list[Logged]]
"""Effects that the process of the run has let happen, by resident."""


@frozen
class Records:
    """What a shard has filed of a step, and what its calls cost.

    `load`: milliseconds of processor time that the shard took since it last told, and its
    residents. `servers`: what model servers did for it.
    """

    filed: Filed
    stats: Stats
    load: tuple[float, int]
    servers: ServerLoads


class _Streams(dict[str, MemoryStream]):
    """The memory streams of the shard's own residents; of others, it knows nothing."""

    def __missing__(self, who: str) -> MemoryStream:
        return MemoryStream()


def _in_short(summed: Summed) -> Summed:
    """As much of what a conversation leaves with somebody as it takes to agree on something:
    nothing of what was in its mind.
    """
    nothing = cast(Situation, None)
    return replace(
        summed,
        asked=replace(
            summed.asked,
            situation=nothing,
            company=(),
            memories=(),
            lines=(),
            plan=(),
            free=(),
            pronouns=(),
        ),
    )


class Shard:
    """The minds of some residents."""

    def __init__(
        self, charter: Charter, model: LanguageModel, embedder: Embedder, outbox: Outbox
    ) -> None:
        self.charter, self._outbox = charter, outbox
        world, settings = charter.world, charter.settings
        self.world = world
        self._tiers = settings.faculties.consolidate
        self._folds_itself = world.book is None
        self._journal, self._table = (
            ShardJournal(outbox),
            ShardTable(outbox, embedder.name, self._tiers),
        )
        self._load = self._table.load if self._tiers else None
        templates = templates_for(world, lambda who: self.world.name_of(who), settings)
        self.caller = Caller(model, embedder, templates, self._journal, self._table, settings)
        self.caller.listener = outbox if charter.listens else None
        self._clock = time.process_time()
        self.neighbours: Neighbours

    @property
    def bell(self) -> Any:
        return self._outbox.ring

    @bell.setter
    def bell(self, ring: Any) -> None:
        self._outbox.ring = ring

    def news(self) -> News:
        return self._outbox.take()

    async def grant(self, calls: int) -> None:
        """So many more calls of the budget."""
        if isinstance(self.caller.model, LeasedModel):
            self.caller.model.grant(calls)

    # the town -----------------------------------------------------------------------------

    async def restore(self, data: bytes) -> None:
        """The town is as this package has it."""
        package: Package = unpickled(data)
        for memories in (*package.live.values(), *package.cold.values()) if self._tiers else ():
            self._table.learn(
                {
                    concept.text: vector
                    for concept, vector in zip(memories.concepts, memories.vectors, strict=True)
                }
            )
        streams = _Streams(
            {who: filled(self._stream(), memories) for who, memories in package.live.items()}
        )
        for who, memories in package.cold.items():
            streams[who].cold = filled(MemoryStream(self._load), memories)
        self._rows = EncodedRows(package.rows)
        self.state = State(self._rows, streams, self._table.get)
        self.world = furnish_world(self.charter.world, package.rows)
        self._journal.known = dict(package.replies)
        self.minds: dict[str, Mind] = {}
        self.settled: dict[str, Mind] = {}

    def _stream(self) -> MemoryStream:
        """A memory stream without memories."""
        stream = MemoryStream(self._load)
        stream.cold = MemoryStream(self._load) if self._tiers else None
        return stream

    async def begin(
        self,
        moment: Moment,
        order: Sequence[str],
        public: bytes,
        own: RowData,
        given: Sequence[tuple[str, Concept, Vector]],
    ) -> None:
        """A step begins, on the town as it has become since the last operation. `given` are
        memories that the user has given.
        """
        self._catch_up(public, own)
        for who in {owner_of(key) for key in own} - {"", *self.state.memories}:  # has moved in
            self.state.memories[who] = self._stream()
        for who, memory, vector in given:
            self._table.learn({memory.text: vector})
            self.state.memories[who].add(memory, vector)
        self._journal.drop(moment.step - 1)
        self._table.trim()
        mine = [who for who in order if who in self.state.memories]
        self._present = [who for who in order if not self.state.is_away(who)]
        self.ordinals: dict[str, Counter[str]] = {who: Counter() for who in mine}
        self.context = StepContext(
            self.world,
            self.state,
            Scene(self.world, self.state),
            moment,
            self.charter.settings,
            self.charter.seed,
            self.caller,
        )
        self.minds, self.settled = {}, {}
        self.intents: dict[str, Intent] = {}
        self._conversations = Conversations(self)
        self._given: Counter[int] = Counter()
        self._returned: Counter[int] = Counter()
        self._folds: dict[int, Fold] = {}
        self.afterthoughts = Afterthoughts(
            mine,
            self.context,
            partial(self._new_mind, self.context),
            lambda mind, arisen: None,
            lambda: None,
        )

    def _fold(self, minds: Iterable[Mind]) -> dict[str, Row | None]:
        """What these minds have done to their memories and to their own rows. Where somebody's
        second has changed a row that its first has changed, too, gives the rows of the second, as
        they are after both.
        """
        changed, both = set[str](), dict[str, Row | None]()
        for mind in minds:
            for logged in mind.effects:
                if isinstance(logged.effect, OF_MEMORY):
                    apply(logged.effect, self.state)
            if fold := self._folds.get(id(mind)):
                rows = {
                    key: row for key, row in fold.changes.rows.items() if owner_of(key) == mind.who
                }
                touched = rows.keys()
                if again := not changed.isdisjoint(touched):
                    rows = Fold(self.state, mind.who).after(mind.effects)
                self._rows.update(rows)
                if again:
                    both |= {key: self._rows[key] for key in touched}
                changed |= touched
        return both

    def _catch_up(self, public: bytes, own: RowData) -> None:
        """The rows as they have become in the process of the run."""
        rows = expanded(public)
        self._rows.hand(rows | own)
        if any(key.startswith(FURNITURE) for key in rows):
            self.world = furnish_world(self.charter.world, self.state.rows)

    def _new_mind(self, context: StepContext, who: str) -> Mind:
        return Mind(who, context, self.ordinals.get(who))

    def lives_here(self, who: str) -> bool:
        return who in self.ordinals

    def stranger(self, who: str) -> Mind:
        """Somebody of another shard, of whom nothing is known here but what anybody sees."""
        return self._new_mind(self.context, who)

    def mind(self, who: str) -> Mind:
        """One of its own residents as it began to think in this step."""
        return self.minds.get(who) or self.minds.setdefault(who, self._new_mind(self.context, who))

    def added(self, mind: Mind) -> Handed:
        """What a mind has come to that was not handed over yet."""
        given, self._given[id(mind)] = self._given[id(mind)], len(mind.effects)
        new, returned = mind.effects[given:], self._returned.pop(id(mind), 0)
        if not self._folds_itself:
            return Handed(new, returned=returned)
        fold = self._folds.get(id(mind)) or self._folds.setdefault(
            id(mind), Fold(mind.context.snapshot, mind.who)
        )
        return handed(fold, new, returned)

    # thinking and talking -----------------------------------------------------------------

    async def think(self, people: Sequence[str]) -> list[tuple[Intent, Handed, Way | None]]:
        """Of each of these: what it means to do, what it has come to, and the way that it will
        take, so that the process of the run need not look for it.
        """
        return await together(self._think(who) for who in people)

    async def _think(self, who: str) -> tuple[Intent, Handed, Way | None]:
        mind = self.mind(who)
        intent = self.intents[who] = await think(mind)
        return (
            intent,
            self.added(mind),
            way_to(self.world, self.state, who, intent.action) if intent.action else None,
        )

    async def talk(
        self, people: Sequence[str], away: Mapping[str, int]
    ) -> tuple[Conversation, Parts]:
        """A conversation that one of its own residents, the first of these, has asked for; `away`
        are the shards of those who live on others.
        """
        return await self._conversations.lead(people, away)

    async def take_part(
        self, method: Literal["meet", "utter", "urge", "part"], *arguments: Any
    ) -> Any:
        """One of its own residents does something in a conversation that another shard leads."""
        return await getattr(self._conversations, method)(*arguments)

    async def overhear(self, talks: Sequence[tuple[Conversation, Sequence[str]]]) -> Parts:
        """Those of its residents who are within earshot of these conversations may remember
        something of them.
        """
        for talk, within in talks:
            await overhear(talk, within, self.mind)
        return {
            who: self.added(self.mind(who))
            for who in dict.fromkeys(who for _, within in talks for who in within)
        }

    # thinking over ------------------------------------------------------------------------

    async def think_over(self) -> Parts:
        await self.afterthoughts.live()
        return {who: self.added(mind) for who, mind in self.afterthoughts.minds.items()}

    async def settle(
        self, public: bytes, own: RowData
    ) -> tuple[RowData, Parts, list[tuple[Conversation, dict[str, Summed]]]]:
        """The thoughts have become facts. The rows that both they and what was thought over have
        changed, what comes of the latter, and what is known here of conversations with residents of
        other shards.
        """
        both = self._fold((*self.minds.values(), *self.afterthoughts.minds.values()))
        self._catch_up(public, own)
        await self.afterthoughts.sum_up(self._now)
        sums = ((talk, self.afterthoughts.summed(talk)) for talk in self.afterthoughts.talks())
        far = [
            (talk, {who: _in_short(summed) for who, summed in known.items()})
            for talk, known in sums
            if len(known) < len(talk.people)
        ]
        again = encoded({key: row for key, row in both.items() if key not in own})
        return again, {who: self.added(mind) for who, mind in self.settled.items()}, far

    def _now(self, who: str) -> Mind:
        """A mind as it is after the thoughts of the step."""
        return self.settled.get(who) or self.settled.setdefault(
            who, self._new_mind(replace(self.context, snapshot=self.state), who)
        )

    async def keep(
        self,
        who: str,
        effects: Sequence[Logged],
        talk: Conversation,
        summary: str,
        promises: Sequence[Promise],
    ) -> Handed:
        """What such a conversation leaves with somebody, after these effects."""
        mind = self._now(who)
        self._absorb(mind, effects)
        await keep_outcome(mind, talk, summary, self.afterthoughts.summed(talk)[who], promises)
        return self.added(mind)

    def _absorb(self, mind: Mind, effects: Sequence[Logged]) -> None:
        for logged in effects:
            apply(logged.effect, mind.state)
        mind.effects += effects
        self._returned[id(mind)] += len(effects)

    async def finish(self, effects: Effects) -> tuple[Parts, Records]:
        """What came of looking back, after these effects, and the step's calls."""
        for who, others in effects.items():
            self._absorb(self._now(who), others)
        await self.afterthoughts.reflect(self._now)
        added = {who: self.added(mind) for who, mind in self.settled.items()}
        self._fold(self.settled.values())
        return added, self._records()

    def _records(self) -> Records:
        phases, step, changes = (
            (self.minds, self.afterthoughts.minds, self.settled),
            self.context.moment.step,
            self.state.take_changes(),
        )
        calls = [call for minds in phases for mind in minds.values() for call in mind.calls]
        stats = Stats(calls)
        stats.add(self.caller.forget(step))
        if self._folds_itself:
            stats.add(
                reused(
                    (
                        logged
                        for minds in phases
                        for mind in minds.values()
                        for logged in mind.effects
                    ),
                    self.caller.model.name,
                    self.world,
                )
            )
        else:
            changes = Changes()  # the process of the run knows them
        before, self._clock = self._clock, time.process_time()
        part = filed(step, changes, calls, prompts=self.charter.settings.record_prompts)
        return Records(
            part, stats, (1000 * (self._clock - before), len(self.ordinals)), ServerLoads(calls)
        )

    # seeing on the way --------------------------------------------------------------------

    async def see(self, refused: Mapping[str, str], public: bytes, own: RowData) -> FarSeen:
        """Everybody walks as in the process of the run, which tells who was `refused` what it came
        for; whom and what its own residents pass on that walk.
        """
        self._catch_up(public, own)
        moment, vision_r = self.context.moment, self.charter.settings.percept.vision_r
        walk = Walk(self.world, self.state, self._present, moment.now, moment.stride, refused)
        walk.sights = Sights(self.world, self.state, self._present, vision_r, self.ordinals)
        for effect in chain(walk, *map(walk.end, self._present)):
            apply(effect, self.state)
        seen = seen_in(walk.sights)
        seen.enter(self.state)
        return seen_from_afar(seen, self.state)
