"""The simulation: a fold, `state[n+1] = commit(state[n], think(state[n], model))`.

One step is what `Game.step` says it is. Thinking is concurrent and writes nothing; all else is one
ordered pass of effects. `docs/ARCHITECTURE.md` has the invariants.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from modules.agent.agent import think
from modules.agent.converse import converse, may_meet
from modules.agent.intent import Intent
from modules.agent.pairing import pair
from modules.agent.thinking import Circumstances, Moment, Thinking, together
from modules.model.caller import Caller, Journal
from modules.model.calls import Call
from modules.model.llm import Embedder, LanguageModel
from modules.model.stats import Stats
from modules.model.vectors import VectorTable
from modules.prompt.render import Templates
from modules.settings import Machine
from modules.storage.manifest import Manifest
from modules.storage.run import StepRecord
from modules.streams import stream
from modules.world.apply import apply
from modules.world.effects import Effect, Logged, TimePassed
from modules.world.furnish import furnished
from modules.world.interventions import Intervention, carry_out, ended, refuse_unfit
from modules.world.recipes import begin
from modules.world.rows import Answered
from modules.world.scene import Scene
from modules.world.state import State
from modules.world.walk import Walk
from modules.world.world import World


class Inbox(Protocol):
    """What the user wants to happen."""

    def due(self, step: int, answered: Answered) -> Sequence[Intervention]:
        """The requests to carry out in a step, in order, without those that are `answered` already."""
        ...


class Store(Protocol):
    """What a game needs of a run: how it began, where replies and vectors are kept, and a place for its steps; and of its user."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def vectors(self) -> VectorTable: ...

    @property
    def inbox(self) -> Inbox: ...

    def restore(self) -> State: ...

    def commit(self, record: StepRecord) -> str:
        """Keeps a step and gives its digest."""
        ...


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step that has been saved: its number, the game time at its end, its digest, and wall milliseconds by phase."""

    step: int
    now: datetime
    digest: str
    talks: int
    milliseconds: dict[str, float]


class Game:
    """A town that lives on from the last step of its run."""

    def __init__(self, run: Store, world: World, model: LanguageModel, embedder: Embedder, machine: Machine | None = None) -> None:
        self.run = run
        self.manifest = run.manifest
        self.state: State = run.restore()
        self.founded, self.world = world, furnished(world, self.state.rows)
        self.settings = run.manifest.settings.model_copy(update={"machine": machine or Machine()})
        self.caller = Caller(
            model, embedder, Templates(world.lang, lambda one: self.world.name_of(one), world.place_name), run.journal, run.vectors, self.settings
        )
        self.log: list[Logged] = []
        self.calls: list[Call] = []
        self.ordinals: dict[str, Counter[str]] = {}

    @property
    def stats(self) -> Stats:
        return self.caller.stats

    async def step(self) -> StepReport:
        """Lives one step: what the user asks for; then think, talk, commit, for all at once or one after the other; then walk, and save."""
        clock, watch = self.state.clock, Watch()
        moment = Moment(clock.step + 1, clock.now, self.manifest.stride)
        order = self.order(moment)
        self.log, self.calls, self.ordinals = [], [], {who: Counter() for who in order}
        await self.receive(moment)
        watch.lap("receive")
        for group in self.groups(order):
            minds = self.wake(group, moment)
            intents = await self.think(minds)
            watch.lap("think")
            await self.talk(minds, intents)
            watch.lap("talk")
            self.commit(minds, intents)
            watch.lap("commit")
        self.walk(order, moment)
        watch.lap("walk")
        return self.save(moment, watch)

    # the phases of a step -----------------------------------------------------------------

    def order(self, moment: Moment) -> list[str]:
        """The residents in an order drawn for this step, so that nobody always wins the last apple."""
        order = list(self.world.personas)
        stream(self.manifest.seed, moment.step, "order").shuffle(order)
        return order

    async def receive(self, moment: Moment) -> None:
        """The user's requests that are due come true, in order, before anybody thinks."""
        for ending in ended(self.state, moment.now):
            self.carry_out(Logged(ending, "", "rule:time"))
        for request in self.run.inbox.due(moment.step, self.state.answered):
            refuse_unfit(self.world, request)
            if request.kind == "tell":
                await self.caller.embed([request.text])
            for effect in carry_out(self.world, self.state, request, moment.now, self.settings.associate.expire_days):
                self.carry_out(Logged(effect, owner(effect), f"user:{request.number}"))
            self.world = furnished(self.founded, self.state.rows)

    def groups(self, order: Sequence[str]) -> Iterator[Sequence[str]]:
        """Who thinks on one snapshot: everybody, or one at a time."""
        if self.settings.turn_order == "simultaneous":
            yield order
        else:
            yield from ([who] for who in order)

    def wake(self, group: Sequence[str], moment: Moment) -> dict[str, Thinking]:
        """A mind for each of the group, on the town as it now stands."""
        self.around = Circumstances(self.world, self.state, Scene(self.world, self.state), moment, self.settings, self.manifest.seed, self.caller)
        return {who: self.mind(who) for who in group}

    def mind(self, who: str) -> Thinking:
        return Thinking(who, self.around, self.ordinals[who])

    async def think(self, minds: dict[str, Thinking]) -> dict[str, Intent]:
        """What each means to do. All think at once, on the same snapshot."""
        intents = await together(think(mind) for mind in minds.values())
        return dict(zip(minds, intents, strict=True))

    async def talk(self, minds: dict[str, Thinking], intents: dict[str, Intent]) -> None:
        """Requests become pairs, and their conversations are held at once. Who asked in vain takes its second choice."""
        for intent in list(intents.values()):
            if intent.partner and intent.partner not in minds:
                minds[intent.partner] = self.mind(intent.partner)
        pairs = pair(list(minds), intents, lambda asker, asked: may_meet(minds[asker], minds[asked]))
        await together(converse(minds[one.opener], minds[one.partner], one.intent) for one in pairs)
        talking = {who for one in pairs for who in (one.opener, one.partner)}
        for who, intent in list(intents.items()):
            if who in talking:
                del intents[who]
            elif intent.partner:
                assert intent.second is not None, f"{who} asked to talk without a second choice"
                intents[who] = intent.second

    def commit(self, minds: dict[str, Thinking], intents: dict[str, Intent]) -> None:
        """The one place where thoughts become facts, in the step's order."""
        for who, mind in minds.items():
            self.calls += mind.calls
            for logged in mind.effects:
                self.carry_out(logged)
            intent = intents.get(who)
            if intent is not None and intent.action is not None:
                for effect in begin(self.world, self.state, who, intent.action):
                    self.carry_out(Logged(effect, who, intent.cause))

    def walk(self, order: Sequence[str], moment: Moment) -> None:
        """Residents go their ways, tick by tick, and take what they came for."""
        for effect in Walk(self.world, self.state, order, moment.now, moment.stride, self.settings.percept.vision_r):
            self.carry_out(Logged(effect, owner(effect), "rule:walk"))

    def save(self, moment: Moment, watch: Watch) -> StepReport:
        """Time passes, and the step comes to exist: one transaction."""
        now = moment.now + timedelta(minutes=moment.stride)
        self.carry_out(Logged(TimePassed(now, moment.step), "", "rule:time"))
        changes = self.state.take_changes()
        stats = {"milliseconds": watch.laps, **Stats(self.calls).snapshot()}
        digest = self.run.commit(StepRecord(moment.step, now, changes, self.log, self.calls, stats))
        watch.lap("save")
        return StepReport(moment.step, now, digest, len(changes.talks), watch.laps)

    def carry_out(self, logged: Logged) -> None:
        apply(logged.effect, self.state)
        self.log.append(logged)


def owner(effect: Effect) -> str:
    """The resident an effect is about; "" for the town's own."""
    return getattr(effect, "who", "")


class Watch:
    """Wall milliseconds by phase; phases that come again add up."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self.laps[phase] = self.laps.get(phase, 0.0) + (now - self._last) * 1000
        self._last = now
