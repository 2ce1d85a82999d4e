"""The minds of a town that are spread over shards, as the process of the run sees them.

Shards think and speak. The process of the run has the whole state: it pairs those who talk, and
settles the answers to the questions of the step before, as with minds of its own.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, Self

from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.deferred import DeferredQuestions
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.minds import LocalMinds, Phase, Thought, WorkersLost
from hometown.agent.thinking_group import ThinkingGroup
from hometown.errors import ModelUnavailable
from hometown.model.call_budget import BudgetSpent
from hometown.model.notes import MODEL_NOTES
from hometown.shards.reports import ShardReport
from hometown.shards.update import Rows, Update, collect_state, make_updates, merge
from hometown.storage.run import RunFile
from hometown.text import translate_all
from hometown.together import run_concurrently
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.state import Changes

MAX_LOSSES = 5
"""Losses of shards in one step after which the session ends."""

FINISH_SECONDS = 5.0
"""The longest time to wait for the last reports at the end of a session, in seconds."""


class RemoteShard(Protocol):
    """A shard in another process."""

    async def call(self, method: str, *arguments: Any) -> tuple[Any, ShardReport]:
        """Call a method of the shard; return its value with a report. Raises what it raises, and
        WorkersLost.
        """
        ...


class Cluster(Protocol):
    """The processes of all shards."""

    async def start(self) -> Sequence[RemoteShard]:
        """Start all shards anew, and return them in order."""
        ...

    def share(self, value: Any) -> Any:
        """Return an argument for calls of several shards that travels once."""
        ...


class RemoteMinds(LocalMinds):
    """Minds on shards. `homes` has the number of each resident's shard, from 0."""

    def __init__(
        self, cluster: Cluster, homes: Mapping[str, int], run: RunFile, say: Callable[[str], None]
    ) -> None:
        """Create the minds; the shards are started in the first step. `say` receives messages for
        the user.
        """
        super().__init__()
        self.homes = dict(homes)
        self._count = max(homes.values()) + 1
        self._cluster, self._run, self._say = cluster, run, say
        self._workers: Sequence[RemoteShard] = ()
        self._followers: list[asyncio.Task[None]] = []
        self._milliseconds = [0.0] * self._count
        self._losses = 0
        self._changes = Changes()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Keep the replies that shards have had, waiting FINISH_SECONDS at most; where the budget
        is spent, wait for those to all calls that are paid for.
        """
        is_spent = isinstance(error, BudgetSpent)
        with suppress(WorkersLost, TimeoutError):
            async with asyncio.timeout(None if is_spent else FINISH_SECONDS):
                for number in range(len(self._workers)):
                    await self.call(number, "finish", is_spent)
        self._stop_following()

    # a step -------------------------------------------------------------------------------

    async def begin(self, context: StepContext, order: Sequence[str]) -> None:
        """Begin a step: assign a resident who has moved in to the shard with the fewest residents,
        and send all shards the changes of the town. Raises WorkersLost.
        """
        await super().begin(context, order)
        self._context, self._order = context, order
        for who in order:
            if who not in self.homes:  # has moved in
                sizes = Counter(self.homes.values())
                self.homes[who] = min(range(self._count), key=sizes.__getitem__)
        public, updates = await self._make_updates()
        shared = self._cluster.share(public)
        await run_concurrently(
            self.call(number, "begin", context.moment, order, shared, update)
            for number, update in enumerate(updates)
        )

    def _make_questions(self, context: StepContext, order: Sequence[str]) -> RemoteQuestions:
        return RemoteQuestions(order, context, lambda who: self._mind(who, context), self)

    def _make_group(self, context: StepContext, minds: dict[str, Mind]) -> RemoteGroup:
        return RemoteGroup(minds, lambda who: self._mind(who, context), self)

    @property
    def can_be_interrupted(self) -> bool:
        """Return False: shards think on."""
        return False

    def end(self, changes: Changes) -> dict[str, Any]:
        """End a step with the changes that it made, which shards get in the next one; return, under
        `shards`, the residents of each shard (their number) and its milliseconds of processor time
        in the step.
        """
        self._enter(Phase.END)
        self._losses, self._changes = 0, changes
        sizes = Counter(self.homes[who] for who in self._order)
        spent, self._milliseconds = self._milliseconds, [0.0] * self._count
        loads = [{"residents": sizes[at], "ms": round(ms, 1)} for at, ms in enumerate(spent)]
        return {"shards": loads}

    # shards -------------------------------------------------------------------------------

    def add(self, mind: Mind, thought: Thought) -> None:
        """Apply the effects that a shard has handed over to a mind's state, add them and the calls
        to the mind, and count the calls.
        """
        for logged in thought.effects:
            apply(logged.effect, mind.state)
        mind.effects += thought.effects
        mind.calls += thought.calls
        for call in thought.calls:
            mind.ordinals[call.kind] += 1
            self._context.caller.stats.count(call)

    async def call(self, number: int, method: str, *arguments: Any) -> Any:
        """Call a method of a shard, receive its report, and return its value. Raises whatever the
        method raises, and WorkersLost, after which all shards count as lost.
        """
        if not (workers := self._workers):
            raise WorkersLost("another shard was lost")
        try:
            value, report = await workers[number].call(method, *arguments)
        except WorkersLost:
            if self._workers is workers:  # they are not replaced yet
                self._lose()
            raise
        self._receive_report(number, report)
        return value

    async def call_all(self, method: str) -> list[Any]:
        """Call a method of all shards at once, and return the values in their order."""
        return await run_concurrently(self.call(number, method) for number in range(self._count))

    def _receive_report(self, number: int, report: ShardReport) -> None:
        """Store the replies of a shard's report to calls of the step in progress, and its vectors;
        pass its speech and messages on to listener and user.
        """
        self._milliseconds[number] += report.milliseconds
        for reply in report.replies:
            if reply[0] > self._run.last.step:
                self._run.journal.put(*reply)
        self._run.vectors.put_many(report.vectors)
        if listener := self._context.caller.listener:
            for who, (partner, text) in report.speech.items():
                listener.hear(who, partner, text)
        for message in report.messages:
            self._say(message)

    async def _follow(self, number: int) -> None:
        """Ask a shard for its news again and again, until it is lost or the task is cancelled."""
        with suppress(WorkersLost):  # the next call tells
            while True:
                await self.call(number, "wait_for_news")

    def _lose(self) -> None:
        """Count a loss of shards; the next step to begin starts all of them anew."""
        self._losses += 1
        self._workers = ()
        self._stop_following()

    def _stop_following(self) -> None:
        for task in self._followers:
            task.cancel()
        self._followers = []

    async def _make_updates(self) -> tuple[Rows, list[Update]]:
        """Return an update for all shards, and for each. It has the whole town where they are
        started, else the changes since the last one, some of which may have been in that.
        """
        state, vector = self._context.snapshot, self._context.caller.vector
        if self._workers:
            changes = merge(self._changes, state.changes)
            look_up = partial(map, vector)
            return make_updates(changes, self.homes, self._count, look_up, {})
        await self._start()
        load, replies = self._run.vectors.load, self._run.journal.replies
        return make_updates(collect_state(state), self.homes, self._count, load, replies)

    async def _start(self) -> None:
        """Start all shards and follow their news, with a message to the user if any were lost.
        Raises WorkersLost, and ModelUnavailable after MAX_LOSSES losses in one step.
        """
        step = self._context.moment.step
        if self._losses:
            text = translate_all(MODEL_NOTES, self._context.world.lang)["shards_lost"]
            self._say(text.format(step=step))
        if self._losses >= MAX_LOSSES:
            raise ModelUnavailable(
                "shards were lost {count} times in step {step}; all completed steps are saved: look for what ends them, such as too little memory, then"
                " continue with hometown resume (start.py --resume)",
                count=self._losses,
                step=step,
            )
        try:
            self._workers = await self._cluster.start()
        except WorkersLost:
            self._lose()
            raise
        self._followers = [
            asyncio.create_task(self._follow(number)) for number in range(self._count)
        ]


class RemoteGroup(ThinkingGroup):
    """A group whose minds are on shards. Each shard is asked once for all of its residents in an
    arena. Conversations are held here; each side speaks on its own shard.
    """

    def __init__(
        self, minds: dict[str, Mind], mind_of: Callable[[str], Mind], remote: RemoteMinds
    ) -> None:
        super().__init__(minds, mind_of)
        self._remote, self._speaking = remote, RemoteSpeaking(remote)

    async def _decide(self, here: Sequence[str]) -> None:
        by_shard: dict[int, list[str]] = defaultdict(list)
        for who in here:
            by_shard[self._remote.homes[who]].append(who)
        await run_concurrently(self._decide_on_shard(*each) for each in by_shard.items())

    async def _decide_on_shard(self, number: int, people: Sequence[str]) -> None:
        """Store the intentions of a shard's residents, and the effects of thinking."""
        thoughts: list[Thought] = await self._remote.call(number, "think", people)
        self.intents |= {thought.who: thought.intent for thought in thoughts if thought.intent}
        for thought in thoughts:
            self._remote.add(self.minds[thought.who], thought)


class RemoteQuestions(DeferredQuestions):
    """The deferred questions of a step, which shards ask; the answers are settled here."""

    def __init__(
        self,
        order: Sequence[str],
        context: StepContext,
        mind_of: Callable[[str], Mind],
        remote: RemoteMinds,
    ) -> None:
        super().__init__((), context, mind_of)
        self._order, self._snapshot, self._mind_of = order, context.snapshot, mind_of
        self._remote = remote

    async def live(self) -> None:
        """Have all shards ask at once, and add the effects to new minds, in the step's order."""
        reviews = await self._remote.call_all("review")
        answers = {who: each for review in reviews for who, each in review.items()}
        for who in filter(answers.__contains__, self._order):
            thought, self.answers[who] = answers[who]
            self._questions[who] = self._snapshot.questions(who)
            self.minds[who] = self._mind_of(who)
            self._remote.add(self.minds[who], thought)


class RemoteSpeaking:
    """Speaking of residents on shards. Nothing of a mind reaches another shard but the lines that
    are spoken.
    """

    def __init__(self, remote: RemoteMinds) -> None:
        self._remote = remote

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        await self._speak("meet", speaker, circle)

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool]:
        line: tuple[Line, bool, bool] = await self._speak("utter", speaker, circle)
        return line

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        urge: float = await self._speak("urge", speaker, circle)
        return urge

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        await self._speak("part", speaker, circle, talk, cause)

    async def _speak(self, method: str, speaker: Speaker, circle: Circle, *arguments: Any) -> Any:
        """Return the value of a method of speaking, called on the speaker's shard with the lines so
        far; the effects are added to the speaker's mind.
        """
        who, home = speaker.who, self._remote.homes[speaker.who]
        people = {each.who: (each.came, each.left, each.done) for each in circle.speakers}
        turn = (who, speaker.topic, people, circle.lines, method, *arguments)
        value, thought = await self._remote.call(home, "take_turn", *turn)
        self._remote.add(speaker.mind, thought)
        return value
