"""One shard: the minds of its residents, and all that they need for thinking. It changes nothing of the town; what it thinks, it hands over as effects.

A step goes through these operations, in this order: `begin`, `think` of each of its residents, conversations (`talk`, or its part in those with residents of
other shards) and what is overheard of them, `think_over`, `settle`, `keep`, `finish`. Each gives the effects that it has added.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hometown.agent.afterthoughts import Afterthoughts
from hometown.agent.agent import think
from hometown.agent.circle import Circle, Speaker
from hometown.agent.converse import SpeakingHere, hold_conversation
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, Moment, NewMemory, StepContext
from hometown.agent.outcome import Summed, keep_outcome
from hometown.agent.overhear import remember
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream, Vector
from hometown.model.caller import Caller
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.stats import Stats
from hometown.prompt.render import Templates
from hometown.records import Call
from hometown.shards.leases import LeasedModel
from hometown.shards.outbox import News, Outbox, ShardJournal, ShardTable
from hometown.shards.package import Charter, Package, expanded, filled
from hometown.shards.pickling import unpickled
from hometown.storage.tables import call_row, prompt_frame
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Accessed, Logged, Recalled, Remembered, Retired
from hometown.world.furnish import FURNITURE, furnished
from hometown.world.rows import Promise, Row
from hometown.world.scene import Scene
from hometown.world.state import State

OF_MEMORY = (Remembered, Accessed, Retired, Recalled)
"""Effects on the memory streams, which are nowhere but here."""

Effects = dict[str, list[Logged]]
"""New effects, by resident."""

Place = tuple[int, int | None, bool]
"""When somebody came to a conversation and left it, and whether it has rounded it off."""


@dataclass(frozen=True, slots=True)
class Records:
    """A step's calls as rows by phase and resident, the text of their prompts in a frame, in the same order, and what they cost.

    `load`: milliseconds of processor time that the shard took for the step, and its residents.
    """

    calls: list[tuple[int, str, list[tuple[Any, ...]]]]
    prompts: bytes
    stats: Stats
    load: tuple[float, int]


class _Streams(dict[str, MemoryStream]):
    """The memory streams of the shard's own residents; of others, it knows nothing."""

    def __missing__(self, who: str) -> MemoryStream:
        return MemoryStream()


class Shard:
    """The minds of some residents."""

    def __init__(self, charter: Charter, model: LanguageModel, embedder: Embedder, outbox: Outbox) -> None:
        self.charter, self._outbox = charter, outbox
        world, settings = charter.world, charter.settings
        self.world = world
        self._tiers = settings.faculties.consolidate
        self._journal, self._table = ShardJournal(outbox), ShardTable(outbox, embedder.name, self._tiers)
        whole = not settings.thrift.short_personas
        templates = Templates(world.lang, lambda who: self.world.name_of(who), world.place_name, whole_personas=whole, premise=world.premise)
        self.caller = Caller(model, embedder, templates, self._journal, self._table, settings)
        self.caller.listener = outbox if charter.listens else None
        self._clock = time.process_time()

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
            self._table.learn({concept.text: vector for concept, vector in zip(memories.concepts, memories.vectors, strict=True)})
        load = self._table.load if self._tiers else None
        streams = _Streams({who: filled(MemoryStream(load), memories) for who, memories in package.live.items()})
        for who, memories in package.cold.items():
            streams[who].cold = filled(MemoryStream(load), memories)
        self.state = State(package.rows, streams, self._table.get)
        self.world = furnished(self.charter.world, package.rows)
        self._journal.known = dict(package.replies)
        self.minds: dict[str, Mind] = {}
        self.settled: dict[str, Mind] = {}

    async def begin(
        self, moment: Moment, order: Sequence[str], public: bytes, own: Mapping[str, Row | None], given: Sequence[tuple[str, Concept, Vector]]
    ) -> None:
        """A step begins, on the town as it has become since the last operation. `given` are memories that the user has given."""
        self._catch_up(self.settled.values(), public, own)
        for who, memory, vector in given:
            self._table.learn({memory.text: vector})
            self.state.memories[who].add(memory, vector)
        self._journal.drop(moment.step - 1)
        self._table.trim()
        mine = [who for who in order if who in self.state.memories]
        self.ordinals: dict[str, Counter[str]] = {who: Counter() for who in mine}
        self.context = StepContext(self.world, self.state, Scene(self.world, self.state), moment, self.charter.settings, self.charter.seed, self.caller)
        self.minds, self.settled = {}, {}
        self.intents: dict[str, Intent] = {}
        self._circles: dict[str, Circle] = {}
        self._given: Counter[int] = Counter()
        self.afterthoughts = Afterthoughts(mine, self.context, partial(self._new_mind, self.context), lambda who, arisen: None)

    def _catch_up(self, minds: Iterable[Mind], public: bytes, own: Mapping[str, Row | None]) -> None:
        """What these minds have done to their memories, then the rows as they have become."""
        for mind in minds:
            for logged in mind.effects:
                if isinstance(logged.effect, OF_MEMORY):
                    apply(logged.effect, self.state)
        rows = expanded(public)
        for key, row in (rows | dict(own)).items():
            if row is None:
                self.state.rows.pop(key, None)
            else:
                self.state.rows[key] = row
        if any(key.startswith(FURNITURE) for key in rows):
            self.world = furnished(self.charter.world, self.state.rows)
        self.state.take_changes()

    def _new_mind(self, context: StepContext, who: str) -> Mind:
        return Mind(who, context, self.ordinals.get(who))

    def _mind(self, who: str) -> Mind:
        return self.minds.get(who) or self.minds.setdefault(who, self._new_mind(self.context, who))

    def _added(self, mind: Mind) -> list[Logged]:
        """Effects of a mind that were not given yet."""
        given, self._given[id(mind)] = self._given[id(mind)], len(mind.effects)
        return mind.effects[given:]

    # thinking and talking -----------------------------------------------------------------

    async def think(self, who: str) -> tuple[Intent, list[Logged]]:
        mind = self._mind(who)
        self.intents[who] = await think(mind)
        return self.intents[who], self._added(mind)

    async def talk(self, people: Sequence[str]) -> tuple[Conversation, Effects]:
        """A conversation of its own residents, the first of whom has asked for it."""
        opener, partner, *joining = (self._mind(who) for who in people)
        talk = await hold_conversation(opener, partner, joining, self.intents[opener.who])
        return talk, {who: self._added(self._mind(who)) for who in people}

    async def meet(self, people: Sequence[str], who: str) -> None:
        """A conversation with residents of other shards begins, of whom nothing is known here but what anybody sees."""
        opener, partner, *joining = (self._mind(each) if each in self.ordinals else self._new_mind(self.context, each) for each in people)
        topic = self.intents[opener.who].topic if opener.who in self.ordinals else ""
        circle = self._circles.setdefault(opener.who, Circle(opener, partner, joining, topic))
        await SpeakingHere().meet(*self._side(opener.who, who, circle.lines, []))

    async def utter(self, opener: str, who: str, lines: list[Line], places: Sequence[Place]) -> tuple[Line, bool]:
        return await SpeakingHere().utter(*self._side(opener, who, lines, places))

    async def urge(self, opener: str, who: str, lines: list[Line], places: Sequence[Place]) -> float:
        return await SpeakingHere().urge(*self._side(opener, who, lines, places))

    async def part(self, opener: str, who: str, lines: list[Line], places: Sequence[Place], talk: Conversation, cause: str) -> list[Logged]:
        await SpeakingHere().part(*self._side(opener, who, lines, places), talk, cause)
        return self._added(self.minds[who])

    def _side(self, opener: str, who: str, lines: list[Line], places: Sequence[Place]) -> tuple[Speaker, Circle]:
        """Somebody's side of a conversation, which has come to this."""
        circle = self._circles[opener]
        circle.lines = lines
        for speaker, place in zip(circle.speakers, places, strict=False):
            speaker.came, speaker.left, speaker.done = place
        return next(speaker for speaker in circle.speakers if speaker.who == who), circle

    async def overhear(self, who: str, memory: NewMemory, rating: int) -> list[Logged]:
        mind = self._mind(who)
        await remember(mind, memory, rating)
        return self._added(mind)

    # thinking over ------------------------------------------------------------------------

    async def think_over(self) -> Effects:
        await self.afterthoughts.live()
        return {who: self._added(mind) for who, mind in self.afterthoughts.minds.items()}

    async def settle(self, public: bytes, own: Mapping[str, Row | None]) -> tuple[Effects, list[tuple[Conversation, dict[str, Summed]]]]:
        """The thoughts have become facts. What comes of what was thought over, and what is known here of conversations with residents of other shards."""
        self._catch_up((*self.minds.values(), *self.afterthoughts.minds.values()), public, own)
        await self.afterthoughts.sum_up(self._now)
        sums = ((talk, self.afterthoughts.summed(talk)) for talk in self.afterthoughts.talks())
        far = [(talk, known) for talk, known in sums if len(known) < len(talk.people)]
        return {who: self._added(mind) for who, mind in self.settled.items()}, far

    def _now(self, who: str) -> Mind:
        """A mind as it is after the thoughts of the step."""
        return self.settled.get(who) or self.settled.setdefault(who, self._new_mind(replace(self.context, snapshot=self.state), who))

    async def keep(self, who: str, effects: Sequence[Logged], talk: Conversation, summary: str, promises: Sequence[Promise]) -> list[Logged]:
        """What such a conversation leaves with somebody, after these effects."""
        mind = self._now(who)
        self._absorb(mind, effects)
        await keep_outcome(mind, talk, summary, self.afterthoughts.summed(talk)[who], promises)
        return self._added(mind)

    def _absorb(self, mind: Mind, effects: Sequence[Logged]) -> None:
        for logged in effects:
            apply(logged.effect, mind.state)
        mind.effects += effects
        self._given[id(mind)] += len(effects)

    async def finish(self, effects: Effects) -> tuple[Effects, Records]:
        """What came of looking back, after these effects, and the step's calls."""
        for who, others in effects.items():
            self._absorb(self._now(who), others)
        await self.afterthoughts.reflect(self._now)
        added = {who: self._added(mind) for who, mind in self.settled.items()}
        return added, self._records()

    def _records(self) -> Records:
        phases = (self.minds, self.afterthoughts.minds, self.settled)
        made = [(phase, who, mind.calls) for phase, minds in enumerate(phases) for who, mind in minds.items() if mind.calls]
        calls: list[Call] = [call for _, _, calls in made for call in calls]
        stats = Stats(calls)
        stats.add(self.caller.forget(self.context.moment.step))
        before, self._clock = self._clock, time.process_time()
        rows = [(phase, who, [call_row(call, None) for call in calls]) for phase, who, calls in made]
        prompts = prompt_frame(calls) if self.charter.settings.record_prompts and calls else b""
        return Records(rows, prompts, stats, (1000 * (self._clock - before), len(self.ordinals)))
