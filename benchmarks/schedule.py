"""How long a day takes by a time model: each step waiting for all, running ahead, and at best.
`python -m benchmarks.schedule [LANG [RESIDENTS]]`.

A call takes a slot for `seconds_of` it; Hometown itself takes no time. The rows, each also as a
share of the oracle's speed:

    barrier         nobody goes on before all have thought, nobody before all have talked
    ahead 0         what the engine does without running ahead: pairs talk as soon as their arena has thought
    ahead 1 to 4    what it does with so many steps ahead, and the calls that nobody needed as a share of all
    oracle          who waits only for those it sees, has passed or talks with, in the best order known; no engine can know all that beforehand
    work ÷ slots    all slots always busy

Barrier and oracle are schedules of the calls recorded in a day, the others are days lived on the
same replies in virtual time. The morning's first step, in which all plan their day, is left out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from benchmarks.kept_prompts import shared_length
from benchmarks.scheduling import Node, scheduled
from benchmarks.slots import Loop, Meter
from benchmarks.towns import STRIDE, new_run, town_of
from benchmarks.turns import CARD_12_GB
from hometown.agent import agent, deferred, thinking_group
from hometown.agent.conversation import converse
from hometown.agent.deferred import DeferredQuestions
from hometown.agent.mind import Mind, mind
from hometown.clock import DAY, minute_of_day
from hometown.config import combine
from hometown.game import Game
from hometown.language import Lang
from hometown.model.caller import Caller
from hometown.model.llm import Completion, Request
from hometown.model.reply_journal import request_hash
from hometown.scripted.model import ScriptedModel
from hometown.speculation import Speculation
from hometown.world.whereabouts import Whereabouts
from hometown.world.world import World

OVERHEAD = 0.1
"""Seconds of a call besides."""

TOWNS = {25: (8, 4), 100: (8,)}
"""Residents of the Ville, and the numbers of slots they are measured with."""

DEPTHS = (0, 1, 2, 3, 4)


@dataclass
class Server:
    """The scripted model behind the time model. It answers and times the same request the same way
    in every schedule.
    """

    name = "scripted"
    model: ScriptedModel = field(default_factory=ScriptedModel)
    known: dict[bytes, tuple[Completion, float]] = field(default_factory=dict)
    latest: dict[tuple[str, str], str] = field(default_factory=dict)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        asked = request_hash(self.name, request, seed)
        if asked not in self.known:
            completion = await self.model.complete(request, seed=seed)
            self.known[asked] = completion, self.seconds_of(request, completion)
        completion, seconds = self.known[asked]
        await asyncio.sleep(seconds)
        return completion

    def seconds_of(self, request: Request, completion: Completion) -> float:
        """Seconds of a call: what the resident's latest prompt, or its latest of this kind, does
        not begin with is read, then the reply is written.
        """
        who, text = (
            request.variables.situation.me.id,
            "\0".join(message.content for message in request.messages),
        )
        cached = max(
            shared_length(self.latest.get((who, kind), ""), text) for kind in (request.kind, "")
        )
        self.latest[who, request.kind] = self.latest[who, ""] = text
        return (
            OVERHEAD
            + completion.prompt_tokens * (1 - cached / len(text)) / CARD_12_GB.read
            + completion.reply_tokens / CARD_12_GB.written
        )


# the calls of a day, and what each had to wait for ------------------------------------------

_latest: ContextVar[tuple[Node, ...]] = ContextVar("latest", default=())
"""The calls for whose replies this train of thought has waited last."""


@dataclass
class Recording:
    """The calls of a day with their seconds and the calls before them; for each step, who thought,
    talked, and was seen or passed by whom.
    """

    seconds: dict[Node, float] = field(default_factory=dict)
    before: dict[Node, set[Node]] = field(default_factory=lambda: defaultdict(set))
    seen: dict[tuple[int, str], set[str]] = field(default_factory=dict)
    pairs: dict[tuple[int, str], Node] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    settled: dict[tuple[int, str], set[Node]] = field(default_factory=lambda: defaultdict(set))

    def look(self, game: Game) -> None:
        """Whom everybody sees at the beginning of a step, or has passed in the one before."""
        step, scene, radius = (
            game.state.clock.step + 1,
            Whereabouts(game.world, game.state),
            game.settings.percept.vision_r,
        )
        self.steps.append(step)
        for who in game.world.personas:
            passed = {sighting.other for sighting in game.state.passed(who).people}
            self.seen[step, who] = passed | {other for _, other in scene.neighbours(who, radius)}

    async def thinking(self, think: Callable[[Mind], Coroutine[Any, Any, Any]], mind: Mind) -> Any:
        _latest.set((("begins", mind.moment.step, mind.who),))
        intent = await think(mind)
        self.before["thought", mind.moment.step, mind.who] |= {*_latest.get()}
        return intent

    async def answering(
        self,
        answer: Callable[..., Coroutine[Any, Any, None]],
        of: DeferredQuestions,
        mind: Mind,
        number: int,
    ) -> None:
        """What is thought over has to be known at the end of the step, to all whom it concerns."""
        question = mind.state.questions(mind.who)[number]
        talk = question.talk and mind.state.unsummed(question.talk)
        await answer(of, mind, number=number)
        for who in talk.people if talk else (mind.who,):
            self.settled[mind.moment.step, who] |= {*_latest.get()}

    def arising(
        self, ask: Callable[..., None], ahead: Speculation, game: Any, who: str, arisen: Any
    ) -> None:
        """What arises without a call before it does so as the step begins."""
        token = _latest.set(_latest.get() or (("begins", game.context.moment.step, who),))
        ask(ahead, game, who, arisen)
        _latest.reset(token)

    async def talking(
        self,
        hold: Callable[..., Coroutine[Any, Any, Any]],
        opener: Mind,
        partner: Mind,
        joining: Sequence[Mind],
        *how: Any,
    ) -> Any:
        step, everybody = (
            opener.moment.step,
            (opener.who, partner.who, *(other.who for other in joining)),
        )
        meets, parts = (
            ("meets", step, opener.who, partner.who),
            ("parts", step, opener.who, partner.who),
        )
        _latest.set((meets,))
        conversation = await hold(opener, partner, joining, *how)
        self.before[parts] |= {*_latest.get()}
        self.before[meets] = {("thought", step, who) for who in everybody}
        self.pairs |= {(step, who): parts for who in everybody}
        return conversation

    async def asking(
        self,
        complete: Callable[..., Coroutine[Any, Any, Completion]],
        server: Server,
        caller: Caller,
        request: Request,
        *place: Any,
    ) -> Completion:
        at, attempt, seed, _ = place
        call = ("call", *at[:4], attempt)
        if call not in self.seconds:  # what is asked beforehand is asked again
            self.before[call] |= {*_latest.get()}
        completion = await complete(caller, request, *place)
        self.seconds[call] = server.known[request_hash(server.name, request, seed)][1]
        _latest.set((call,))
        return completion

    @contextmanager
    def of(self, server: Server) -> Iterator[None]:
        """Whatever is lived meanwhile is recorded."""

        def wrapped(function: Any, recorder: Any, *first: Any) -> Any:
            async def recorded(*arguments: Any, **named: Any) -> Any:
                return await recorder(function, *first, *arguments, **named)

            return recorded

        with (
            patch.object(thinking_group, "think", wrapped(agent.think, self.thinking)),
            patch.object(
                DeferredQuestions, "_answer", wrapped(DeferredQuestions._answer, self.answering)
            ),
            patch.object(
                Speculation,
                "ask",
                lambda *arguments, ask=Speculation.ask: self.arising(ask, *arguments),
            ),
            patch.object(deferred, "run_concurrently", _joined),
            patch.object(
                thinking_group,
                "hold_conversation",
                wrapped(converse.hold_conversation, self.talking),
            ),
            patch.object(Caller, "_complete", wrapped(Caller._complete, self.asking, server)),
            patch.object(thinking_group, "run_concurrently", _joined),
            patch.object(mind, "run_concurrently", _joined),
            patch.object(converse, "run_concurrently", _joined),
        ):
            yield

    def graph(self, *, barrier: bool) -> dict[Node, set[Node]]:
        """What each call and moment waits for: for all, or only for those whom it concerns."""
        before = {node: set(nodes) for node, nodes in self.before.items()}
        people = {who for _, who in self.seen}
        for step in self.steps:
            for who in people:
                awaited = people if barrier else {who, *self.seen[step, who]}
                before["begins", step, who] = (
                    {("ends", step - 1, other) for other in awaited}
                    if step > self.steps[0]
                    else set()
                )
                before["ends", step, who] = {
                    ("thought", step, who),
                    self.pairs.get((step, who), ("thought", step, who)),
                    *self.settled[step, who],
                }
        if barrier:
            for node in [node for node in before if node[0] == "meets"]:
                before[node] = {("thought", node[1], who) for who in people}
        return before


async def _joined(coroutines: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    """`together`, each in a context of its own, after which a train of thought has waited for all
    that its parts have waited for.
    """

    async def ended(coroutine: Coroutine[Any, Any, Any]) -> tuple[Any, tuple[Node, ...]]:
        return await coroutine, _latest.get()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ended(coroutine)) for coroutine in coroutines]
    results = [task.result() for task in tasks]
    if results:
        _latest.set(tuple(dict.fromkeys(node for _, nodes in results for node in nodes)))
    return [result for result, _ in results]


# days ---------------------------------------------------------------------------------------


def lived(
    world: World,
    steps: int,
    server: Server,
    slots: int,
    ahead: int,
    recording: Recording | None = None,
) -> tuple[float, float]:
    """Seconds of so many steps after the first, and the unused calls as a share of all."""
    meter = Meter()
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: Loop(meter)) as runner,
    ):
        return runner.run(
            _live(
                Path(folder),
                world,
                steps,
                server,
                meter,
                {"slots": slots, "ahead": ahead},
                recording,
            )
        )


async def _live(
    folder: Path,
    world: World,
    steps: int,
    server: Server,
    meter: Meter,
    machine: Mapping[str, int],
    recording: Recording | None,
) -> tuple[float, float]:
    settings = combine([{"machine": {**machine, "synchronous": "NORMAL"}}], world.settings)
    run, game = await new_run(folder, world, steps=steps, model=server, settings=settings)
    with run:
        await game.step()
        began, calls = meter.now, game.stats.total.calls
        for _ in range(1, steps):
            if recording:
                recording.look(game)
                with recording.of(server):
                    await game.step()
            else:
                await game.step()
        total = game.stats.total
        return meter.now - began, total.unused / (total.calls - calls)


def measure(lang: Lang = "en", towns: Iterable[int] = TOWNS) -> dict[str, float]:
    """Seconds by town, slots and schedule, each with its share of the oracle's speed, and the share
    of unused calls.
    """
    figures: dict[str, float] = {}
    for people in towns:
        world, server, recording = town_of("ville", people, lang), Server(), Recording()
        count = (DAY - minute_of_day(world.start)) // STRIDE
        lived(world, count, server, sum(TOWNS) * 10, 0, recording)
        for slots in TOWNS[people]:
            rows = {
                "barrier": scheduled(
                    recording.graph(barrier=True), recording.seconds, slots, in_steps=True
                )
            }
            shares = {}
            for depth in DEPTHS:
                rows[f"ahead {depth}"], shares[depth] = lived(world, count, server, slots, depth)
            rows["oracle"] = scheduled(
                recording.graph(barrier=False), recording.seconds, slots, in_steps=False
            )
            rows["work / slots"] = sum(recording.seconds.values()) / slots
            report(people, slots, rows, shares)
            figures |= {
                f"schedule_{name.replace(' ', '_')}_{people}_{slots}": seconds
                for name, seconds in rows.items()
            }
            figures |= {
                f"schedule_unused_{depth}_{people}_{slots}": share
                for depth, share in shares.items()
            }
    return figures


def report(people: int, slots: int, rows: Mapping[str, float], unused: Mapping[int, float]) -> None:
    print(f"{people} residents, {slots} slots", flush=True)
    for name, seconds in rows.items():
        share = unused.get(int(name.split()[1])) if name.startswith("ahead") else None
        wasted = f"  {share:6.1%} unused" if share else ""
        print(
            f"    {name:14} {seconds:9.1f} s  {rows['oracle'] / seconds:6.1%} of the oracle{wasted}",
            flush=True,
        )


if __name__ == "__main__":
    measure(
        cast(Lang, sys.argv[1]) if len(sys.argv) > 1 else "en",
        map(int, sys.argv[2:]) if len(sys.argv) > 2 else TOWNS,
    )
