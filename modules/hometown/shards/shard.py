"""One shard: the minds of its residents, and all that they need for thinking.

A shard changes nothing of the town. Each step it gets what has changed (`begin`), returns the
effects of thinking and talking (`think`, `take_turn`), and answers the questions of the step before
(`review`). Shards know nothing of each other.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hometown.agent.agent import think
from hometown.agent.conversation.circle import Circle
from hometown.agent.conversation.converse import LocalSpeaking
from hometown.agent.deferred import Answer, DeferredQuestions
from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.mind.intent import Intent
from hometown.agent.minds import Thought, collect_thoughts
from hometown.backends import choose_model
from hometown.frozen import frozen
from hometown.memory.stream import MemoryStream
from hometown.model.call_budget import BudgetedModel, CallAllowance
from hometown.model.caller import Caller
from hometown.model.embedding import make_embedder
from hometown.model.llm import LanguageModel
from hometown.prompt.render import templates_for
from hometown.settings import Settings
from hometown.shards.reports import Outbox, ShardReport
from hometown.shards.update import Rows, Update, update_stream
from hometown.together import run_concurrently
from hometown.world.conversation import Line
from hometown.world.furnish import FURNITURE, furnish_world
from hometown.world.state import State
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World

REPORT_SECONDS = 0.04
"""The time after which news are reported if no answer takes them along, in seconds."""


@frozen
class ShardConfig:
    """The fixed part of a shard. `settings.machine.slots` are its own; `listens`: lines are followed
    while they are spoken.
    """

    world: World
    settings: Settings
    seed: int
    llm: str
    embedding: str
    listens: bool = False


Review = list[Answer | None]
"""A resident's answers to the questions of the step before."""

Place = tuple[int, int | None, bool]
"""For a speaker, the first line that it heard, the line at which it left, and whether it has
rounded the conversation off.
"""


class _Streams(dict[str, MemoryStream]):
    """The memory streams of the shard's own residents; those of others are empty."""

    def __missing__(self, who: str) -> MemoryStream:
        return MemoryStream()


class Shard:
    """The minds of some residents."""

    async def open(self, config: ShardConfig, budget: CallAllowance | None) -> None:
        """Make the shard, with the model and the embedding that its configuration names. Raises
        BadInput or ModelUnavailable as for any run.
        """
        self._config, self._world, settings = config, config.world, config.settings
        has_tiers = settings.faculties.consolidate
        self._outbox = box = Outbox(keeps_all=has_tiers)
        model = await self._choose_model()
        self._model = BudgetedModel(model, budget) if budget else model
        embedder = make_embedder(config.embedding, settings, self._world.lang)
        templates = templates_for(self._world, lambda who: self._world.name_of(who), settings)
        self._caller = Caller(self._model, embedder, templates, box, box, settings)
        self._caller.listener = box if config.listens else None
        load = box.load if has_tiers else None
        new_stream = partial(MemoryStream, load, is_tiered=has_tiers)
        self.state = State({}, _Streams(), box.vectors.__getitem__, new_stream)

    async def _choose_model(self) -> LanguageModel:
        """Return the model that the configuration names; messages for the user are reported."""
        config = self._config
        model, _ = await choose_model(
            config.llm, config.settings, config.world.lang, self._outbox.say
        )
        return model

    async def call(self, method: str, *arguments: Any) -> tuple[Any, ShardReport]:
        """Call a method of this shard by its name; return its result, and the news since the last
        report, which this call takes along.
        """
        return await getattr(self, method)(*arguments), self._outbox.take()

    async def wait_for_news(self) -> None:
        """Wait for replies and speech that no answer takes along in time."""
        await self._outbox.has_news.wait()
        await asyncio.sleep(REPORT_SECONDS)

    # a step -------------------------------------------------------------------------------

    async def begin(
        self, moment: Moment, order: Sequence[str], public: Rows, update: Update
    ) -> None:
        """Begin a step on the town as it has become: enter the changes, and make minds and
        conversations anew.
        """
        self._outbox.restore(update.replies, update.vectors, moment.step)
        self._apply_rows(public | update.changes.rows)
        for who in update.residents:
            if who not in self.state.memories:
                self.state.memories[who] = self.state.new_stream()
            update_stream(update, who, self.state.memories[who])
        self._ordinals = {who: Counter[str]() for who in order if who in self.state.memories}
        config, scene = self._config, Whereabouts(self._world, self.state)
        self._context = StepContext(
            self._world, self.state, scene, moment, config.settings, config.seed, self._caller
        )
        self._minds: dict[str, Mind] = {}
        self._taken: dict[str, tuple[int, int]] = {}
        self._circles: dict[str, Circle] = {}
        self._afterthoughts = DeferredQuestions(self._ordinals, self._context, self._new_mind)

    async def think(self, people: Sequence[str]) -> list[Thought]:
        """Return the intention of each of these residents, and the effects of thinking."""
        intents = await run_concurrently(think(self._mind(who)) for who in people)
        return list(map(self._take_thought, people, intents))

    async def take_turn(
        self,
        who: str,
        topic: str,
        people: Mapping[str, Place],
        lines: list[Line],
        method: str,
        *arguments: Any,
    ) -> tuple[Any, Thought]:
        """Speak for a resident, by a method of `Speaking`, in a conversation that has come to these
        lines; return its value with the effects. `topic` is the resident's reason to talk.
        """
        opener, partner, *joining = map(self._mind, people)
        if opener.who not in self._circles:
            self._circles[opener.who] = Circle(opener, partner, joining, {})
        circle = self._circles[opener.who]
        circle.lines = lines
        for each in circle.speakers:
            each.came, each.left, each.done = people[each.who]
        speaker = next(each for each in circle.speakers if each.who == who)
        speaker.topic = topic
        value = await getattr(LocalSpeaking(), method)(speaker, circle, *arguments)
        return value, self._take_thought(who)

    async def review(self) -> dict[str, tuple[Thought, Review]]:
        """Return the effects of answering the questions of the step before, and the answers, by
        resident.
        """
        await self._afterthoughts.live()
        answers = self._afterthoughts.answers
        return {
            thought.who: (thought, [_without_situation(each) for each in answers[thought.who]])
            for thought in collect_thoughts(self._afterthoughts.minds)
        }

    async def finish(self, waits: bool) -> None:
        """End the session; if it `waits`, once all calls in progress have been answered. The report
        repeats all replies of the step: a report is lost where its call was cancelled on the way.
        """
        if waits and isinstance(self._model, BudgetedModel):
            await self._model.wait_until_idle()
        self._outbox.repeat_replies()

    # state and minds ----------------------------------------------------------------------

    def _apply_rows(self, rows: Rows) -> None:
        """Write rows into the state, removing those that are None; furniture among them furnishes
        the world anew.
        """
        for key, row in rows.items():
            if row is None:
                self.state.rows.pop(key, None)
            else:
                self.state.rows[key] = row
        if any(key.startswith(FURNITURE) for key in rows):
            self._world = furnish_world(self._config.world, self.state.rows)

    def _new_mind(self, who: str) -> Mind:
        return Mind(who, self._context, self._ordinals.get(who))

    def _mind(self, who: str) -> Mind:
        """Return a resident's mind in this step; those of other shards know what is public."""
        return self._minds.get(who) or self._minds.setdefault(who, self._new_mind(who))

    def _take_thought(self, who: str, intent: Intent | None = None) -> Thought:
        """Return an intention, and the effects and calls of a mind since the last call."""
        mind, (effects, calls) = self._mind(who), self._taken.get(who, (0, 0))
        self._taken[who] = len(mind.effects), len(mind.calls)
        return Thought(who, mind.effects[effects:], mind.calls[calls:], intent)


def _without_situation(answer: Answer | None) -> Answer | None:
    """Return an answer without the situation in which it was given (None for none): that is large,
    and nothing that the answer leaves depends on it.
    """
    nowhere: Any = None
    return answer and (answer[0], answer[1], replace(answer[2], situation=nowhere))
