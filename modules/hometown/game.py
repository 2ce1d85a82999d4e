"""The simulation: a fold, `state[n+1] = commit(state[n], think(state[n], model))`.

`Game.step` is one step of the town. Residents think concurrently and write nothing; everything else
is one ordered pass of effects. `docs/ARCHITECTURE.md` lists the invariants.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.mind.emotions import derive_feelings, find_triggers
from hometown.agent.minds import LocalMinds, Minds, Thought, WorkersLost, count_reused
from hometown.agent.working.errand_choice import leave_current_work
from hometown.frozen import frozen
from hometown.model.caller import Caller
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.reply_journal import Journal
from hometown.model.server_loads import ServerLoads
from hometown.model.stats import Stats
from hometown.model.text_vectors import VectorStorage
from hometown.prompt.render import templates_for
from hometown.records import Call
from hometown.rng import stream
from hometown.settings import Machine
from hometown.society.drama import Drama
from hometown.society.enactment import enact_law, memory_texts
from hometown.society.work_step import WorkStep, view_society
from hometown.speculation import Speculation, steps_ahead
from hometown.storage.manifest import Manifest
from hometown.storage.run import StepRecord
from hometown.world.apply import apply
from hometown.world.attendance import attendance
from hometown.world.effects import Effect, Logged, TimePassed
from hometown.world.furnish import furnish_world
from hometown.world.incidents import Answered, ConditionSet, LawChanged
from hometown.world.interventions import (
    Intervention,
    carry_out,
    end_happenings,
    refuse_unknown_target,
)
from hometown.world.learning import learn_passages
from hometown.world.recipes import begin_action
from hometown.world.sights import Sights
from hometown.world.state import State
from hometown.world.walk import Walk
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World


class InterventionSource(Protocol):
    """The user's interventions."""

    def due(self, step: int, answered: Answered) -> Sequence[Intervention]:
        """Return the interventions to apply in a step, in order, without the `answered` ones."""
        ...


class Store(Protocol):
    """The storage of a game: a run's manifest, reply journal, vectors, inbox and steps."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def vectors(self) -> VectorStorage: ...

    @property
    def inbox(self) -> InterventionSource: ...

    @property
    def planned_end(self) -> int:
        """The last step that the user has asked for."""
        ...

    def restore(self) -> State: ...

    def commit(self, record: StepRecord) -> str:
        """Save a step and return its digest."""
        ...


@frozen
class StepReport:
    """A saved step: its number, the game time at its end, its digest, the conversations begun in
    it, and wall milliseconds by phase.
    """

    step: int
    now: datetime
    digest: str
    conversations: int
    milliseconds: dict[str, float]


class Game:
    """A town that continues from the last step of its run."""

    def __init__(
        self,
        run: Store,
        world: World,
        model: LanguageModel,
        embedder: Embedder,
        machine: Machine | None = None,
        minds: Minds | None = None,
    ) -> None:
        self.run = run
        self.manifest = run.manifest
        self.founded = world
        self.restore()
        self.settings = run.manifest.settings.add_machine(machine or Machine())
        templates = templates_for(
            world, lambda resident: self.world.name_of(resident), self.settings
        )
        self.caller = Caller(model, embedder, templates, run.journal, run.vectors, self.settings)
        self.ahead = Speculation(0 if minds else steps_ahead(self.settings, model.name))
        self.minds = minds or LocalMinds(
            lambda: self.ahead.follow(self), lambda mind, arisen: self.ahead.ask(self, mind, arisen)
        )
        self.log: list[Logged] = []
        self.calls: list[Call] = []
        self.ends = False
        """True if no step is planned after the present one."""

    def restore(self) -> None:
        """Reset the town to the last checkpoint."""
        self.state: State = self.run.restore()
        self.world = furnish_world(self.founded, self.state.rows)

    @property
    def stats(self) -> Stats:
        return self.caller.stats

    async def step(self) -> StepReport:
        """Simulate and save one step. It restarts from the last checkpoint if workers are lost."""
        while True:
            try:
                return await self.live_step(Watch())
            except WorkersLost:
                self.restore()

    async def live_step(self, watch: Watch) -> StepReport:
        """Run the phases of a step: receive interventions; think, talk and commit, concurrently or
        one resident after the other; settle deferred questions; walk; work; save.
        """
        moment = self.begin_step()
        await self.receive(moment)
        order = self.draw_order(moment)
        present = self.in_town(order)
        await self.minds.begin(self.look(moment), order)
        watch.lap("receive")
        for group in self.groups(present):
            context = self.look(moment)
            async with self.ahead:
                thoughts = await self.minds.think(context, group)
            watch.lap("think")
            self.commit(thoughts)
            watch.lap("commit")
        await self.settle()
        watch.lap("commit")
        self.walk(present, moment)
        watch.lap("walk")
        self.work(order, moment)
        watch.lap("work")
        return self.save(moment, watch)

    # the phases of a step -----------------------------------------------------------------

    def begin_step(self) -> Moment:
        """Clear the records of the step before, and return the moment of the next step."""
        clock = self.state.clock
        self.log, self.calls = [], []
        self.ends = clock.step + 1 >= self.run.planned_end
        return Moment(clock.step + 1, clock.now, self.manifest.stride)

    def draw_order(self, moment: Moment) -> list[str]:
        """Return the residents in random order, so that no resident always wins the last apple."""
        order = list(self.world.personas)
        stream(self.manifest.seed, moment.step, "order").shuffle(order)
        return order

    def in_town(self, order: Sequence[str]) -> list[str]:
        """Return the residents who have not left town, in the same order."""
        return [who for who in order if not self.state.is_away(who)]

    async def receive(self, moment: Moment) -> None:
        """Apply the interventions that are due, in order, before residents think."""
        for ending in end_happenings(self.state, moment.now):
            self.carry_out(Logged(ending, "", "rule:time"))
        for effect in attendance(self.world, self.state, moment.now, moment.stride):
            self.carry_out(Logged(effect, "", "rule:occasion"))
        for intervention in self.run.inbox.due(moment.step, self.state.answered):
            refuse_unknown_target(self.world, intervention)
            if texts := memory_texts(self.world, intervention):
                await self.caller.embed(texts)
            for effect in self.effects_of(intervention, moment):
                self.carry_out(Logged(effect, owner(effect), f"user:{intervention.number}"))
                if isinstance(effect, LawChanged):
                    self.world = furnish_world(self.founded, self.state.rows)
            self.world = furnish_world(self.founded, self.state.rows)

    def effects_of(self, intervention: Intervention, moment: Moment) -> Iterator[Effect]:
        """Yield the effects of an intervention; apply each before taking the next."""
        days = self.settings.associate.expire_days
        if intervention.kind == "learn":
            return learn_passages(self.state, intervention, self.manifest.start)
        if intervention.kind == "law":
            return enact_law(self.founded, self.world, self.state, intervention, moment.now, days)
        return carry_out(self.world, self.state, intervention, moment.now, days)

    def groups(self, order: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield the groups of residents who think on one snapshot: all, or one at a time."""
        if self.settings.turn_order == "simultaneous":
            yield order
        else:
            yield from ([who] for who in order)

    def look(self, moment: Moment) -> StepContext:
        """Return the context of the town's present state, for the residents who think on it."""
        self.context = StepContext(
            self.world,
            self.state,
            Whereabouts(self.world, self.state),
            moment,
            self.settings,
            self.manifest.seed,
            self.caller,
        )
        return self.context

    def commit(self, thoughts: Sequence[Thought]) -> None:
        """Apply thoughts to the town, in the order of the step. No other code does so."""
        for thought in thoughts:
            who, intent = thought.who, thought.intent
            self.calls += thought.calls
            for logged in thought.effects:
                self.enter(logged)
            if intent is not None and intent.action is not None:
                for effect in begin_action(self.world, self.state, who, intent.action):
                    self.carry_out(
                        Logged(
                            effect,
                            who,
                            "rule:use" if isinstance(effect, ConditionSet) else intent.cause,
                        )
                    )
                for effect in leave_current_work(self.world, self.state, who, intent):
                    self.carry_out(Logged(effect, who, intent.cause))

    async def settle(self) -> None:
        """Commit the answers to deferred questions, and the memories that residents form of them."""
        self.commit(await self.minds.review())
        self.commit(await self.minds.settle(replace(self.context, snapshot=self.state)))

    def walk(self, order: Sequence[str], moment: Moment) -> None:
        """Move residents towards their actions, tick by tick; record what they use and pass."""
        walk = Walk(self.world, self.state, order, moment.now, moment.stride)
        walk.sights = sights = Sights(self.world, self.state, order, self.settings.percept.vision_r)
        for effect in walk:
            self.carry_out(Logged(effect, owner(effect), "rule:walk"))
        passed = {effect.who: effect for effect in sights.passed()}
        for who in order:
            for effect in walk.end(who):
                self.carry_out(Logged(effect, who, "rule:walk"))
            if who in passed:
                self.enter(Logged(passed[who], who, "rule:walk"))
        self.carry_out(
            Logged(
                TimePassed(moment.now + timedelta(minutes=moment.stride), moment.step),
                "",
                "rule:time",
            )
        )

    def work(self, order: Sequence[str], moment: Moment) -> None:
        """Run a society's economy for the step: jobs and processes end, bodies sleep and wake,
        errands are run, and shops close.
        """
        if society := view_society(self.world, self.state, self.manifest.seed):
            for effect in WorkStep(
                self.world, society, order, self.state.changes.talks, moment.stride
            ):
                self.carry_out(Logged(effect, owner(effect), "rule:work"))
            if society.book.threads:
                self.tell_threads(
                    Drama(self.world, society, [logged.effect for logged in self.log])
                )

    def tell_threads(self, drama: Drama) -> None:
        """Advance the story threads by the events of the step."""
        for effect in drama:
            self.carry_out(Logged(effect, "", "rule:drama"))

    def save(self, moment: Moment, watch: Watch) -> StepReport:
        """Save the step in one transaction."""
        now, changes = self.state.clock.now, self.state.take_changes()
        stats = (
            {"milliseconds": watch.laps}
            | self.costs(moment).snapshot()
            | ServerLoads(self.calls).snapshot()
            | self.minds.end(changes)
        )
        digest = self.run.commit(StepRecord(moment.step, now, changes, self.log, self.calls, stats))
        watch.lap("save")
        return StepReport(moment.step, now, digest, len(changes.talks), watch.laps)

    def costs(self, moment: Moment) -> Stats:
        """Return the cost of the step: its calls, the unused speculative ones, and the calls saved
        by reusing earlier days.
        """
        costs = Stats(self.calls)
        costs.add(count_reused(self.log, self.caller.model.name, self.world))
        costs.add(self.caller.evict(moment.step))
        return costs

    def carry_out(self, logged: Logged) -> None:
        """Enter an effect that no mind has caused, with the feelings and opinions it triggers."""
        stirred = list(find_triggers(self.world, self.state, self.settings, logged.effect))
        self.enter(logged)
        for after in derive_feelings(self.world, self.state, self.settings, stirred):
            self.enter(after)

    def enter(self, logged: Logged) -> None:
        apply(logged.effect, self.state)
        self.log.append(logged)


def owner(effect: Effect) -> str:
    """Return the resident whom an effect concerns; "" for an effect on the town."""
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
