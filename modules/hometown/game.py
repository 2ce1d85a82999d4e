"""The simulation: a fold, `state[n+1] = commit(state[n], think(state[n], model))`.

`Game.step` is one step of the town. Residents think concurrently and write nothing; everything else
is one ordered pass of effects. `docs/ARCHITECTURE.md` lists the invariants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.mind.emotions import derive_feelings, find_triggers
from hometown.agent.minds import (
    LocalMinds,
    Minds,
    Thought,
    WorkersLost,
    count_reused,
)
from hometown.agent.working.society_plugin import society_in
from hometown.director import (
    as_event,
    as_stranger,
    ask_director,
    ask_stranger,
    carry_out_move,
    is_director_due,
    see_off_strangers,
)
from hometown.frozen import frozen
from hometown.hosting import BrokenOff, VisitorHost, Visitors, sort_acts
from hometown.model.caller import Caller
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.server_loads import ServerLoads
from hometown.model.stats import Stats
from hometown.optional_parts import load_plugin
from hometown.prompt.director_prompt import DIRECTOR_MOVE, as_move
from hometown.prompt.happening_drafts import HAPPENING, HappeningVars, as_course
from hometown.prompt.prompt import Prompt, R, Situation, V
from hometown.prompt.render import templates_for
from hometown.prompt.stranger_drafts import STRANGER
from hometown.reception import memory_texts, receive_events, receive_intervention
from hometown.records import Call
from hometown.rng import stream, stream_seed
from hometown.run_interface import Store
from hometown.settings import Machine
from hometown.speculation import Speculation, steps_ahead
from hometown.stopwatch import Stopwatch
from hometown.storage.step_record import StepRecord
from hometown.world.apply import apply
from hometown.world.befalling import course_of
from hometown.world.director_moves import DirectorMove
from hometown.world.effects import Logged, TimePassed, owner
from hometown.world.furnish import furnish_world
from hometown.world.happening_course import change_course
from hometown.world.happening_process import find_same
from hometown.world.incidents import ConditionSet, Course, LawChanged
from hometown.world.interventions import Intervention, refuse_unknown_target
from hometown.world.recipes import begin_action
from hometown.world.state import State
from hometown.world.walk import walk_step
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World


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
        """Reset the town to the last checkpoint of its run, and the world to that with the laws and
        things of then.
        """
        self.state: State = self.run.restore()
        self.world = furnish_world(self.founded, self.state.rows)

    @property
    def stats(self) -> Stats:
        return self.caller.stats

    async def step(self) -> StepReport:
        """Simulate and save one step. It restarts from the last checkpoint if workers are lost, and
        where a visitor speaks to a resident meanwhile.
        """
        self.visitors = Visitors(self.run.inbox)
        while True:
            try:
                return await self.live_step(Stopwatch())
            except (WorkersLost, BrokenOff):
                self.restore()

    async def live_step(self, watch: Stopwatch) -> StepReport:
        """Run the phases of a step: receive interventions; think, talk and commit, concurrently or
        one resident after the other; settle deferred questions; walk; work; save.
        """
        moment = self.begin_step()
        await self.receive(moment)
        order = self.draw_order(moment)
        present = self.in_town(order)
        await self.minds.begin(self.look(moment), order)
        watch.lap("receive")
        thoughts: Sequence[Thought] = ()
        for group in self.groups(self.thinkers(order)):
            self.commit(thoughts)
            watch.lap("commit")
            context = self.look(moment)
            async with self.ahead:
                thinking = self.minds.think(context, group)
                may_stop = self.minds.can_be_interrupted
                thoughts = await self.visitors.attend(context, thinking, may_stop)
            watch.lap("think")
        await self.review()  # what is asked about next is kept, even if these thoughts settle it
        self.commit(thoughts)
        await self.settle()
        watch.lap("commit")
        self.walk(present, moment)
        watch.lap("walk")
        self.run_economy(order, moment)
        watch.lap("work")
        return self.save(moment, watch)

    # the phases of a step -----------------------------------------------------------------

    def begin_step(self) -> Moment:
        """Clear the records of the step before, and return the moment of the next step."""
        clock = self.state.clock
        self.log, self.calls = [], []
        self.ends = clock.step + 1 >= self.run.planned_end
        return Moment(clock.step + 1, clock.now, self.manifest.stride)

    async def receive(self, moment: Moment) -> None:
        """Apply the events that are due, then the user's interventions that are due, which may
        change the world: its laws, things and residents; then the director's move, if one is due.
        The texts that residents remember are embedded before. Raises BadRun for an intervention
        whose target is unknown.
        """
        for logged in receive_events(self.world, self.state, moment):
            self.carry_out(logged)
        for effect in see_off_strangers(self.world, self.state, moment.now, moment.stride):
            self.carry_out(Logged(effect, owner(effect), "rule:stay"))
        days = self.settings.associate.expire_days
        due = self.run.inbox.due(moment.step, self.state.answered)
        acts, talks = sort_acts(due, self.state)
        for intervention in acts:
            refuse_unknown_target(self.world, intervention)
            if texts := memory_texts(self.world, intervention):
                await self.caller.embed(texts)
            course = await self.draft_course(intervention, moment)
            for effect in receive_intervention(
                self.founded,
                self.world,
                self.state,
                intervention,
                self.manifest.start,
                days,
                course,
            ):
                self.carry_out(Logged(effect, owner(effect), f"user:{intervention.number}"))
                if isinstance(effect, LawChanged):  # the effects that follow obey the new law
                    self.world = furnish_world(self.founded, self.state.rows)
            self.world = furnish_world(self.founded, self.state.rows)
        await self.receive_visitors(talks, moment)
        await self.direct(moment)

    async def receive_visitors(self, talks: Sequence[Intervention], moment: Moment) -> None:
        """Hold the conversations of visitors, all at the same time on one snapshot of the town;
        their calls go before all others. Raises BadRun for a visitor or a resident who is unknown.
        """
        if not talks:
            return
        for intervention in talks:
            refuse_unknown_target(self.world, intervention)
        self.ahead.drop_questions()
        context = replace(self.look(moment), caller=self.caller.visited())
        done, thoughts = await VisitorHost(context, self.visitors).host(talks)
        for logged in done:
            self.carry_out(logged)
        self.commit(thoughts)

    async def draft_course(self, intervention: Intervention, moment: Moment) -> Course | None:
        """Return the course of a user's happening, with the changes that the user made to it; None
        for other interventions. The model drafts it in one call, unless the same happening goes on,
        which has a course.
        """
        if intervention.kind != "event":
            return None
        going_on = find_same(self.state, intervention.target, intervention.text)
        if going_on is not None:
            return change_course(course_of(going_on, self.world.lang), intervention.memory)
        variables = HappeningVars(self.view(intervention.target, moment), intervention.text)
        reply, _, _ = await self.ask_outside(HAPPENING, variables, moment)
        course = as_course(reply, intervention.text, self.world.lang)
        return change_course(course, intervention.memory)

    async def direct(self, moment: Moment) -> None:
        """Ask the director for a move if one is due, and carry it out. It is an effect on the town,
        never on a mind.
        """
        if not is_director_due(self.settings, self.world, self.state, self.manifest.seed):
            return
        situation = self.view("", moment)
        variables = ask_director(self.world, self.state, situation, self.manifest.seed)
        reply, fitted, cause = await self.ask_outside(DIRECTOR_MOVE, variables, moment)
        move, planted = await self.draft_move(as_move(fitted, reply), moment)
        days = self.settings.associate.expire_days
        for effect in carry_out_move(self.world, self.state, move, planted, moment.now, days):
            self.carry_out(Logged(effect, owner(effect), cause))
            if isinstance(effect, LawChanged):  # a stranger enters
                self.world = furnish_world(self.founded, self.state.rows)

    async def draft_move(
        self, move: DirectorMove | None, moment: Moment
    ) -> tuple[DirectorMove | None, Course | str | None]:
        """Return a move of the director as it is carried out, with the course of a happening, or the
        file of a stranger, which the model drafts in one call; no move without a person.
        """
        if move is None or move.kind == "letter":
            return move, None
        if move.kind == "occasion":
            return move, await self.draft_course(as_event(move), moment)
        variables = ask_stranger(self.world, self.view(move.target, moment), move.text)
        reply, _, _ = await self.ask_outside(STRANGER, variables, moment)
        return as_stranger(self.world, move, reply)

    async def ask_outside(
        self, prompt: Prompt[V, R], variables: V, moment: Moment
    ) -> tuple[R, V, str]:
        """Return the reply of a reader outside the town, the variables as they fitted into the
        prompt, and the call as a cause; the call is recorded as one of no resident.
        """
        ordinal = sum(call.kind == prompt.kind for call in self.calls)
        reply, call, fitted = await self.caller.ask(
            prompt,
            variables,
            step=moment.step,
            who="",
            ordinal=ordinal,
            seed=stream_seed(self.manifest.seed, "", moment.step, prompt.kind, ordinal),
        )
        self.calls.append(call)
        return reply, fitted, call.ref

    def view(self, address: str, moment: Moment) -> Situation:
        """Return the situation at a place, "" for the whole town, for a reader outside the town."""
        (me, *_) = self.world.personas.values()
        place = self.world.place_name(address) if address else ""
        return Situation(me, "", moment.now, place, "", self.world.names, self.world.lang)

    def draw_order(self, moment: Moment) -> list[str]:
        """Return the residents in random order, so that no resident always wins the last apple."""
        order = list(self.world.personas)
        stream(self.manifest.seed, moment.step, "order").shuffle(order)
        return order

    def in_town(self, order: Sequence[str]) -> list[str]:
        """Return the residents who have not left town, in the same order."""
        return [who for who in order if not self.state.is_away(who)]

    def thinkers(self, order: Sequence[str]) -> list[str]:
        """Return those in town who think for themselves, which visitors do not, in the same order."""
        return [who for who in self.in_town(order) if not self.world.is_visitor(who)]

    def groups(self, order: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield the groups of residents who think on one snapshot: all at once, or one resident at
        a time, as `turn_order` says; one empty group without residents, since deferred questions
        are answered anyway.
        """
        if self.settings.turn_order == "simultaneous" or not order:
            yield order
        else:
            yield from ([who] for who in order)

    def look(self, moment: Moment) -> StepContext:
        """Return the context of the town's present state, for the residents who think on it, and
        keep it for the rest of the step.
        """
        scene = Whereabouts(self.world, self.state)
        seed = self.manifest.seed
        self.context = StepContext(
            self.world, self.state, scene, moment, self.settings, seed, self.caller
        )
        return self.context

    def commit(self, thoughts: Sequence[Thought]) -> None:
        """Apply thoughts to the town in the given order: the effects on the mind, then the action
        that the intention begins, and the end of work for it. No other code applies thoughts.
        """
        for thought in thoughts:
            who, intent = thought.who, thought.intent
            self.calls += thought.calls
            for logged in thought.effects:
                self.enter(logged)
            if intent is not None and intent.action is not None:
                for effect in begin_action(self.world, self.state, who, intent.action):
                    is_use = isinstance(effect, ConditionSet)
                    self.carry_out(Logged(effect, who, "rule:use" if is_use else intent.cause))
                for effect in society_in(self.world).leave_work(
                    self.world, self.state, who, intent
                ):
                    self.carry_out(Logged(effect, who, intent.cause))

    async def review(self) -> None:
        """Commit the answers to deferred questions, with the questions that they raise."""
        self.commit(await self.minds.review())

    async def settle(self) -> None:
        """Commit the effects of these answers on the minds as they now are."""
        self.commit(await self.minds.settle(replace(self.context, snapshot=self.state)))

    def walk(self, order: Sequence[str], moment: Moment) -> None:
        """Move residents towards their actions, tick by tick, and log what they see on the way;
        then set the clock to the end of the step.
        """
        vision_r = self.settings.percept.vision_r
        for effect in walk_step(self.world, self.state, order, moment.now, moment.stride, vision_r):
            self.carry_out(Logged(effect, owner(effect), "rule:walk"))
        end = moment.now + timedelta(minutes=moment.stride)
        self.carry_out(Logged(TimePassed(end, moment.step), "", "rule:time"))

    def run_economy(self, order: Sequence[str], moment: Moment) -> None:
        """Carry out the effects of the economy and of the story threads, with the residents in this
        order, which a town without a society lacks, and of the processes that are switched on.
        """
        for logged in society_in(self.world).work(
            self.world, self.state, self.manifest.seed, order, moment, self.log
        ):
            self.carry_out(logged)
        if self.settings.processes.are_on:
            for logged in load_plugin("processes")(
                self.world,
                self.state,
                self.settings.processes,
                self.manifest.seed,
                self.in_town(order),
                moment,
            ):
                self.carry_out(logged)

    def save(self, moment: Moment, watch: Stopwatch) -> StepReport:
        """Save the step in one transaction, with the times of its phases and the costs of its
        calls, and return a report of it.
        """
        now = self.state.clock.now
        changes = self.state.take_changes()
        costs = Stats(self.calls)
        costs.add(count_reused(self.log, self.caller.model.name, self.world))
        costs.add(self.caller.evict(moment.step))
        stats = {
            "milliseconds": watch.laps,
            **costs.snapshot(),
            **ServerLoads(self.calls).snapshot(),
            **self.minds.end(changes),
        }
        digest = self.run.commit(StepRecord(moment.step, now, changes, self.log, self.calls, stats))
        watch.lap("save")
        return StepReport(moment.step, now, digest, len(changes.talks), watch.laps)

    # effects ------------------------------------------------------------------------------

    def carry_out(self, logged: Logged) -> None:
        """Enter an effect that no mind has caused, with the feelings and opinions it triggers."""
        triggers = list(find_triggers(self.world, self.state, self.settings, logged.effect))
        self.enter(logged)
        for feeling in derive_feelings(self.world, self.state, self.settings, triggers):
            self.enter(feeling)

    def enter(self, logged: Logged) -> None:
        """Apply an effect to the town and log it."""
        apply(logged.effect, self.state)
        self.log.append(logged)
