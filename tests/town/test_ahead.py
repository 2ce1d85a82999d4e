"""Copies of the town that run ahead of it: the town is the same with any number of them, and
nothing of them is left but what it asks for itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.agent.mind.context import Moment, StepContext
from hometown.agent.minds import Thought
from hometown.clock import minute_of_day
from hometown.config import combine
from hometown.errors import ModelUnavailable
from hometown.game import Game
from hometown.memory.arithmetic import Vector
from hometown.memory.schedule import Entry, EntryKind, Schedule
from hometown.model.call_budget import BudgetedModel, BudgetSpent, CallBudget
from hometown.model.embedding import make_embedder
from hometown.model.llm import Completion, Embedder, LanguageModel, Request
from hometown.model.reply_journal import request_hash
from hometown.new_run import create_run
from hometown.scripted.model import ScriptedModel
from hometown.settings import Machine, Settings
from hometown.speculation import CAREFUL_SECONDS, USUAL_STEPS, _find_near, steps_ahead
from hometown.storage.digest import state_hash
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.rows import Body
from hometown.world.world import World
from tests.support.examples import examples
from tests.support.simulated_time import simulate
from tests.support.town import MORNING, game_on, live, minitown

EAGER = {"chat": {"cooldown_minutes": 10}, "think": {"poignancy_max": 30}}
REACTING = frozenset({"react", "approach", "poignancy"})
PLANNING = frozenset({"schedule_decompose", "place"})
"""The kinds of prompts of the two trains of thought of a resident who acts."""

INNER = {"faculties": {"feel": True, "consolidate": True}}
"""What residents of towns with an even seed have beside the others."""


class Server(ScriptedModel):
    """The scripted model, which takes seconds drawn by request, or the same for all. Keeps the
    hashes of what it was asked, and the most calls at once.
    """

    def __init__(self, order: int = 0, seconds: float = 0.0) -> None:
        self.order, self.seconds = order, seconds
        self.asked: list[bytes] = []
        self.under_way = self.most = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.asked.append(request_hash(self.name, request, seed))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(self.seconds or Random(f"{self.order} {seed}").lognormvariate(0, 1))
        finally:
            self.under_way -= 1
        return await super().complete(request, seed=seed)


class WatchedGame(Game):
    """Sees to it that the state is the same when all have thought as before, and that the journal
    holds what this step asks, and the next is sure to.
    """

    checked = 0

    def look(self, moment: Moment) -> StepContext:
        if not self.caller.depth:
            self.before = state_hash(self.state)
        return super().look(moment)

    def commit(self, thoughts: Sequence[Thought]) -> None:
        if not self.caller.depth and self.checked != self.context.moment.step:
            self.checked = self.context.moment.step
            assert state_hash(self.state) == self.before
            assert {place[0] for place in self.run.journal.replies} <= {  # type: ignore[attr-defined]
                self.context.moment.step,
                self.context.moment.step + 1,
            }
        super().commit(thoughts)


class SlowEmbedder:
    """An embedder that takes some seconds."""

    def __init__(self, embedder: Embedder, seconds: float) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self._embedder, self._seconds = embedder, seconds

    async def embed(self, texts: Sequence[str]) -> Vector:
        if self._seconds:
            await asyncio.sleep(self._seconds)
        return await self._embedder.embed(texts)


@dataclass
class Life:
    """A town that can be lived in parts, with so many steps ahead; what the model was asked is that
    of the last part.
    """

    folder: Path
    world: World
    steps: int
    start: datetime = MORNING
    seed: int = 1
    slots: int = 8
    listener: Any = None
    embed_seconds: float = 0.0
    stats: dict[str, int] = field(default_factory=dict)

    async def live(self, model: LanguageModel, ahead: int, seconds: float | None = None) -> bool:
        """Lives on, for so many seconds at most; whether it has come to its end."""
        chosen = combine([EAGER, {} if self.seed % 2 else INNER], self.world.settings)
        embedder = SlowEmbedder(make_embedder("hash", chosen), self.embed_seconds)
        begin: dict[str, Any] = {
            "start": self.start,
            "stride": 10,
            "seed": self.seed,
            "steps": self.steps,
        }
        there = (self.folder / "checkpoints" / "town").exists()
        run = (
            RunFile.open(self.folder, "town", write=True)
            if there
            else await create_run(
                self.folder, self.world, chosen, model, embedder, name="town", **begin
            )
        )
        with run:
            game = WatchedGame(
                run, self.world, model, embedder, Machine(ahead=ahead, slots=self.slots)
            )
            game.caller.listener = self.listener
            try:
                async with asyncio.timeout(seconds):
                    while run.last.step < self.steps:
                        await game.step()
            except TimeoutError:
                return False
            finally:
                total = game.stats.total
                self.stats = {
                    "calls": total.calls,
                    "unused": total.unused,
                    "fallback": total.fallback,
                }
        return True

    @property
    def left(self) -> tuple[list[str], list[tuple[Any, ...]], list[bytes], list[bytes]]:
        """All that must not depend on copies: digests, calls, the texts that were embedded, and the
        journal.
        """
        with RunFile.open(self.folder, "town") as run:
            calls = [
                (
                    call.step,
                    call.ref,
                    call.who,
                    call.outcome,
                    call.reply,
                    call.messages,
                    call.prompt_tokens,
                )
                for call in run.calls(1, self.steps)
            ]
            texts = [
                text
                for (text,) in run.database.execute("SELECT hash FROM embeddings ORDER BY hash")
            ]
            journal = [asked for (asked,) in run.database.execute("SELECT asked FROM journal")]
            return list(run.digests()), calls, texts, journal


def lives_alike(
    make: Callable[[Path], Life], order: int = 0, depths: Sequence[int] = (1, 4)
) -> None:
    """The same town with none and with so many steps ahead."""
    lives = {}
    for depth in (0, *depths):
        with TemporaryDirectory() as folder:
            life, model = make(Path(folder)), Server(order)
            assert simulate(life.live(model, depth))
            assert model.most <= life.slots
            assert len(model.asked) == len(set(model.asked)), "nothing is asked twice"
            lives[depth] = life.left
            assert lives[depth] == lives[0], f"with {depth} steps ahead"


@settings(max_examples=examples(3), deadline=None)
@given(
    data=st.data(),
    seed=st.integers(0, 10**6),
    hour=st.integers(6, 20),
    slots=st.sampled_from([1, 3, 8]),
)
def test_a_town_is_the_same_with_any_number_of_steps_ahead(
    data: st.DataObject, seed: int, hour: int, slots: int
) -> None:
    world = minitown(data.draw(st.sampled_from(["en", "zh"])))
    people = data.draw(st.sets(st.sampled_from(sorted(world.personas)), min_size=2))
    world = populate(world, sorted(people))
    lives_alike(
        lambda folder: Life(folder, world, 7, MORNING.replace(hour=hour), seed, slots), seed
    )


def test_the_ville_is_the_same_with_any_number_of_steps_ahead() -> None:
    world = load_world("ville", "en")
    lives_alike(lambda folder: Life(folder, world, 4, MORNING.replace(hour=12)), depths=[4])


def test_a_town_is_the_same_whichever_of_a_residents_thoughts_ends_first(tmp_path: Path) -> None:
    """Reactions and the schedule are thought about at the same time, on one view of the town."""

    class Ordered(Server):
        def __init__(self, slow: frozenset[str]) -> None:
            super().__init__()
            self.slow = slow

        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            self.seconds = 9.0 if request.kind in self.slow else 1.0
            return await super().complete(request, seed=seed, priority=priority)

    lives = []
    for slow in (REACTING, PLANNING):
        life = Life(
            tmp_path / min(slow),
            minitown(),
            24,
            MORNING.replace(hour=11),
            slots=20,
            embed_seconds=30.0 if slow is REACTING else 0.1,
        )
        assert simulate(life.live(Ordered(slow), 0))
        lives.append(life.left)
    assert lives[0] == lives[1]


@settings(max_examples=examples(3), deadline=None)
@given(seed=st.integers(0, 10**6), cuts=st.lists(st.floats(1, 40), min_size=1, max_size=4))
def test_a_town_that_is_cut_off_and_resumed_is_the_same_and_loses_only_what_it_had_not_claimed(
    seed: int, cuts: list[float]
) -> None:
    with TemporaryDirectory() as folder, TemporaryDirectory() as other:
        whole, parts = Life(Path(folder), minitown(), 8), Life(Path(other), minitown(), 8)
        assert simulate(whole.live(Server(seed), 0))
        for seconds in (*cuts, None):
            model = Server(seed)
            there = (parts.folder / "checkpoints").exists()
            journal = set(parts.left[3]) if there else set()
            simulate(parts.live(model, 3, seconds))
            assert not journal & set(model.asked), "a reply in the journal is not asked for again"
        assert parts.left == whole.left


def test_running_ahead_saves_time_and_every_call_is_counted(tmp_path: Path) -> None:
    seconds = {}
    for depth in (0, 2):
        life, model = (
            Life(tmp_path / str(depth), minitown(), 12, MORNING.replace(hour=11), seed=3),
            Server(seconds=1.0),
        )

        async def timed(life: Life = life, model: Server = model, depth: int = depth) -> float:
            await life.live(model, depth)
            return asyncio.get_running_loop().time()

        seconds[depth] = simulate(timed())
        assert len(model.asked) == life.stats["calls"] + life.stats["unused"]
        assert depth or not life.stats["unused"]
        with RunFile.open(life.folder, "town") as run:
            assert sum(stats.get("unused", 0) for stats in run.stats()) == life.stats["unused"]
    assert seconds[2] < 0.95 * seconds[0]


@pytest.mark.parametrize("kind", ["activity", "appointment"])
def test_nothing_is_guessed_where_an_errand_or_a_meeting_leads_a_busy_resident(
    tmp_path: Path, kind: EntryKind
) -> None:
    """Their slow answer would undo the talk of those who are there, line by line."""
    live(tmp_path, 1, start=datetime(2025, 2, 13, 12))
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run, minitown())
        moment = game.begin_step()
        hall = game.world.open_tiles["library/hall"][0]
        for who in ("xiao_mei", "zhang_wei"):
            game.state.put(keys.BODY.of(who), Body(hall))
        minute = minute_of_day(moment.now)
        coming = minute + (moment.stride if kind == "appointment" else 0)
        errand = Entry(coming, coming + 20, "asking about a photograph", kind, "library/hall")
        plan = Schedule(moment.now.date(), (Entry(0, 1440, "reading"),)).splice(errand)
        game.state.put(keys.SCHEDULE.of("wang_fang"), plan)
        near = _find_near({"wang_fang"}, game.look(moment).scene, game.state, moment)
    assert {"xiao_mei", "zhang_wei"} <= near


def test_at_most_one_call_in_a_hundred_is_discarded(tmp_path: Path) -> None:
    """If replies take long, residents near one whose thoughts are unknown are not asked before these
    are known. A single afternoon has too few calls to tell.
    """
    unused = calls = 0
    for seed in (2, 3):
        folder = tmp_path / str(seed)
        life = Life(folder, minitown(), 30, MORNING.replace(hour=15), seed=seed)
        simulate(life.live(Server(2, seconds=2 * CAREFUL_SECONDS), USUAL_STEPS))
        unused, calls = unused + life.stats["unused"], calls + life.stats["calls"]
    assert unused <= 0.01 * calls


def test_what_goes_wrong_in_a_copy_stays_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[Exception] = [
        ModelUnavailable("gone for whoever is ahead"),
        KeyError("a defect"),
    ]
    raised: set[type[Exception]] = set()

    class Weak(Server):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            completion = await super().complete(request, seed=seed)
            if priority and seed % 3 == 0:
                failure = failures[seed % 2]
                raised.add(type(failure))
                raise failure
            return completion

    caplog.set_level(logging.DEBUG, "hometown.speculation")
    whole, weak = Life(tmp_path / "whole", minitown(), 24), Life(tmp_path / "weak", minitown(), 24)
    simulate(whole.live(Server(), 0))
    simulate(weak.live(Weak(), 4))
    assert raised == {ModelUnavailable, KeyError}
    assert "ended early" in caplog.text
    assert weak.left == whole.left


def test_nothing_is_heard_of_a_copy_and_none_ends_early(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "hometown.speculation")

    class Murmurs(Server):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            completion = await super().complete(request, seed=seed)
            assert request.on_text is None or not priority
            if request.on_text:
                request.on_text(completion.text)
            return completion

    class Listener:
        def __init__(self) -> None:
            self.words: list[str] = []

        def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
            self.words.append(text)

    life = Life(
        tmp_path, minitown(), 20, MORNING.replace(hour=10), listener=(listener := Listener())
    )
    simulate(life.live(Murmurs(), 4))
    with RunFile.open(tmp_path, "town") as run:
        spoken = {line.text for talk in run.conversations() for line in talk.lines}
    assert listener.words
    assert set(listener.words) <= spoken
    assert not caplog.records


def test_budgets_hold_for_calls_that_nobody_needs_too(tmp_path: Path) -> None:
    life, model = Life(tmp_path, minitown(), 24), Server()
    with pytest.raises(BudgetSpent):
        simulate(life.live(BudgetedModel(model, CallBudget(60, 0)), 4))
    assert len(model.asked) == 60


@pytest.mark.parametrize(
    ("model", "machine", "turn_order", "steps"),
    [
        ("ollama:qwen3:8b", {}, "simultaneous", USUAL_STEPS),
        ("ollama:qwen3:8b", {"ahead": 1}, "simultaneous", 1),
        ("gguf:m.gguf", {"slots": 2}, "simultaneous", 0),
        ("openai:m", {"openai_base_url": "http://127.0.0.1:8000/v1"}, "simultaneous", USUAL_STEPS),
        ("openai:m", {"openai_base_url": "https://gpu.example/v1"}, "simultaneous", 0),
        ("openai:m", {"openai_base_url": "https://gpu.example/v1", "ahead": 3}, "simultaneous", 3),
        (
            "ollama:m with place=openai:m",
            {"openai_base_url": "https://gpu.example/v1"},
            "simultaneous",
            0,
        ),
        ("mine:m", {}, "simultaneous", 0),
        ("scripted", {}, "simultaneous", 0),
        ("ollama:qwen3:8b", {"ahead": 4}, "sequential", 0),
    ],
)
def test_how_many_steps_ahead_depends_on_the_model(
    model: str, machine: dict[str, Any], turn_order: Any, steps: int
) -> None:
    assert steps_ahead(Settings(machine=Machine(**machine), turn_order=turn_order), model) == steps


@pytest.mark.parametrize(
    ("seconds", "ahead", "runs"), [(5, -1, True), (60, -1, False), (60, 3, True)]
)
def test_a_slow_mind_is_asked_ahead_only_where_the_settings_say_so(
    tmp_path: Path, seconds: float, ahead: int, runs: bool
) -> None:
    class Ollama(Server):
        name = "ollama:mind:70b"
        deepest = 0

        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            self.deepest = max(self.deepest, priority)
            return await super().complete(request, seed=seed)

    life, model = Life(tmp_path, minitown(), 3, MORNING.replace(hour=12)), Ollama(0, seconds)
    assert simulate(life.live(model, ahead))
    assert (model.deepest > 0) == runs
