"""A town whose minds are on shards is the same town, whatever happens to them. The shards are
objects of this process; what they are told is encoded.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from hometown.agent.minds import WorkersLost
from hometown.model.call_budget import BudgetSpent, CallBudget
from hometown.model.llm import Completion, Request
from hometown.model.reply_journal import request_hash
from hometown.scripted.model import ScriptedModel
from hometown.shards.remote_minds import RemoteMinds
from hometown.storage.journal import RunJournal
from hometown.storage.run import RunFile
from hometown.storage.salvage import list_verified_steps
from hometown.world.interventions import Intervention
from hometown.world.keys import resident_of
from tests.support.days import set_out
from tests.support.moving import moving
from tests.support.shards import (
    ENDS,
    OPERATIONS,
    LocalCluster,
    day_of_one_process,
    make_sociable,
    spread,
)
from tests.support.simulated_time import simulate
from tests.support.town import game_on, minitown, opened

BEGINS = 10
"""From twenty to eight to ten past nine: with conversations of two and of more, within shards and
across, and with reflections.
"""


@pytest.fixture(autouse=True)
def sociable(monkeypatch: pytest.MonkeyPatch) -> None:
    """People like to join others."""
    make_sociable(monkeypatch)


@pytest.fixture
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of one process."""
    return day_of_one_process(tmp_path_factory)


async def go_on(
    results: Path, to: int, shards: int, *, budget: CallBudget | None = None, **how: Any
) -> LocalCluster | None:
    """Lives on to a step, on so many shards; with 0, in this process."""
    with RunFile.open(results, "town", write=True) as run:
        game = game_on(run, model=how.get("model", ScriptedModel)())
        home = spread(game, shards, budget=budget, **how) if shards else None
        async with game.minds if home else nullcontext():  # type: ignore[attr-defined]
            while run.last.step < to:
                await game.step()
        return home


def left(results: Path) -> tuple[Any, ...]:
    """All that a run has, but for how long it took."""
    with opened(results) as run:
        calls = [
            (
                call.step,
                call.ref,
                call.who,
                call.outcome,
                call.reply,
                call.messages,
                call.retrieved,
                call.prompt_tokens,
            )
            for call in run.calls(1, ENDS)
        ]
        texts = [
            text for (text,) in run.database.execute("SELECT hash FROM embeddings ORDER BY hash")
        ]
        return list(run.digests()), calls, list(run.effects(1, ENDS)), texts


def rows_of(results: Path) -> list[Any]:
    """What the run's tables have of memories and calls, but for how long these took, and where
    their prompts are.
    """
    with opened(results) as run:
        assert list_verified_steps(run, ENDS) == list(range(ENDS + 1))
        calls = "SELECT step, resident, kind, ordinal, model, outcome, reply, retrieved, prompt_tokens, reply_tokens FROM calls ORDER BY 1, 2, 3, 4"
        queries = (
            "SELECT * FROM memories ORDER BY resident, id",
            "SELECT * FROM memory_changes ORDER BY step, resident",
            calls,
        )
        return [run.database.execute(query).fetchall() for query in queries]


class Counted(ScriptedModel):
    """Keeps what it was asked, for all shards together. What `slow` says takes a while."""

    asked: ClassVar[Counter[bytes]] = Counter()
    slow = 0.0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.asked[request_hash(self.name, request, seed)] += 1
        await asyncio.sleep(self.slow)
        return await super().complete(request, seed=seed)


def test_a_town_on_shards_is_the_same_town(tmp_path: Path, day: Path) -> None:
    set_out(day, tmp_path, BEGINS)
    asyncio.run(go_on(tmp_path, ENDS, 5))
    assert left(tmp_path) == left(day)
    assert rows_of(tmp_path) == rows_of(day)


def test_it_goes_on_with_another_number_of_shards(tmp_path: Path, day: Path) -> None:
    set_out(day, tmp_path, BEGINS)
    for to, shards in ((BEGINS + 3, 4), (BEGINS + 6, 0), (ENDS, 3)):
        asyncio.run(go_on(tmp_path, to, shards))
    assert left(tmp_path) == left(day)


def test_the_day_has_what_is_to_be_tested(day: Path) -> None:
    with opened(day) as run:
        talks = [talk for talk in run.conversations() if talk.step > BEGINS]
        kinds = {call.kind for call in run.calls(BEGINS + 1, ENDS)}
        overheard = [
            logged
            for _, logged in run.effects(BEGINS + 1, ENDS)
            if logged.cause == "rule:overheard"
        ]
    assert {len(talk.people) for talk in talks} & {3, 4, 5}
    assert {"utterance", "talk_summary", "reflect_focus"} <= kinds
    assert overheard


class Fate:
    """Whether a shard is gone: once for each of the operations named."""

    def __init__(self, methods: tuple[str, ...]) -> None:
        self.methods, self.done = methods, set[str]()

    def __call__(self, number: int, method: str) -> bool:
        if method not in self.methods or method in self.done:
            return False
        self.done.add(method)
        return True


def test_shards_that_are_gone_are_raised_again_and_nothing_is_lost(
    tmp_path: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each operation once; what has reached the process of the run is not asked for again."""
    known, again, fate = set[bytes](), list[bytes](), Fate(OPERATIONS)
    put = asked_of_journal(known)

    class Watched(Counted):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            asked = request_hash(self.name, request, seed)
            again.extend([asked] if asked in known else [])
            return await super().complete(request, seed=seed)

    set_out(day, tmp_path, BEGINS)
    monkeypatch.setattr("hometown.storage.journal.RunJournal.put", put)
    monkeypatch.setattr("hometown.shards.remote_minds.MAX_LOSSES", 100)
    cluster = asyncio.run(go_on(tmp_path, ENDS, 3, model=Watched, dies=fate))
    assert fate.done == set(OPERATIONS)
    assert cluster is not None
    assert cluster.starts > len(OPERATIONS) / 2, "some may be lost at once"
    assert not again
    assert left(tmp_path)[:3] == left(day)[:3]


def asked_of_journal(known: set[bytes]) -> Callable[..., None]:
    """A journal's `put` that also notes which requests it has replies to."""
    real = RunJournal.put

    def put(journal: RunJournal, *row: Any) -> None:
        known.add(row[5])
        real(journal, *row)

    return put


async def test_a_call_of_a_shard_that_was_replaced_since_is_no_further_loss() -> None:
    class Lost:
        is_replaced = asyncio.Event()

        async def call(self, method: str, *arguments: Any) -> Any:
            await self.is_replaced.wait()
            raise WorkersLost("dead")

    old, new = [Lost()], [Lost()]
    minds = RemoteMinds(Any, {"ana": 0}, Any, print)  # type: ignore[arg-type]
    minds._workers = old  # type: ignore[assignment]
    late = asyncio.create_task(minds.call(0, "think"))
    await asyncio.sleep(0)
    minds._workers = new  # type: ignore[assignment]
    Lost.is_replaced.set()
    with pytest.raises(WorkersLost):
        await late
    assert minds._workers is new  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("operation", ["begin", "review"])
def test_a_shard_that_is_gone_again_and_again_ends_the_session(
    tmp_path: Path, day: Path, operation: str
) -> None:
    set_out(day, tmp_path, BEGINS)
    with pytest.raises(Exception, match="shards were lost 5 times in step"):
        asyncio.run(go_on(tmp_path, ENDS, 2, dies=lambda number, method: method == operation))


def test_a_step_that_is_cancelled_is_taken_up_with_the_replies_that_were_there(
    tmp_path: Path, day: Path
) -> None:
    class Slow(Counted):
        asked: ClassVar[Counter[bytes]] = Counter()
        slow = 0.02

    async def cancelled() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await go_on(tmp_path, ENDS, 2, model=Slow)

    set_out(day, tmp_path, BEGINS)
    simulate(cancelled())
    assert Slow.asked
    simulate(go_on(tmp_path, ENDS, 3, model=Slow))
    assert left(tmp_path)[:3] == left(day)[:3]


def test_replies_reach_the_journal_while_a_shard_waits_for_others(
    tmp_path: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that they are not lost with it."""
    put, answered, reported = RunJournal.put, 5, list[Any]()

    class Stuck(ScriptedModel):
        calls = 0

        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            Stuck.calls += 1
            if Stuck.calls > answered:
                await asyncio.Event().wait()
            return await super().complete(request, seed=seed)

    async def live_until_stuck() -> None:
        full = asyncio.Event()

        def count(journal: RunJournal, *row: Any) -> None:
            reported.append(row)
            put(journal, *row)
            if len(reported) == answered:
                full.set()

        monkeypatch.setattr(RunJournal, "put", count)
        living = asyncio.create_task(go_on(tmp_path, ENDS, 2, model=Stuck))
        await full.wait()
        living.cancel()
        with suppress(asyncio.CancelledError):
            await living

    with opened(day) as run:
        calls = Counter(call.step for call in run.calls(BEGINS + 1, ENDS))
    busy = min(step for step, count in calls.items() if count > answered)
    set_out(day, tmp_path, busy - 1)
    asyncio.run(live_until_stuck())
    with opened(tmp_path) as run:
        assert run.database.execute("SELECT count(*) FROM journal").fetchone() == (answered,)


@pytest.mark.parametrize("lost_reports", ["", "wait_for_news"])
def test_shards_share_a_budget(
    tmp_path: Path, day: Path, lost_reports: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reply is asked for twice, even if reports are under way when the budget is spent."""
    monkeypatch.setattr("hometown.shards.shard.REPORT_SECONDS", 0)
    set_out(day, tmp_path, BEGINS)
    sessions, asked = 0, Counter[bytes]()
    while True:
        Counted.asked = Counter()
        budget = CallBudget(15, 0)
        try:
            asyncio.run(
                go_on(tmp_path, ENDS, 2, model=Counted, budget=budget, lost_reports=lost_reports)
            )
            break
        except BudgetSpent:
            sessions += 1
            assert Counted.asked.total() == 15
        finally:
            asked += Counted.asked
    assert sessions > 1
    assert max(asked.values()) == 1
    assert left(tmp_path)[:3] == left(day)[:3]


def test_what_the_user_does_reaches_the_shards(
    tmp_path: Path, day: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    done = [
        Intervention("tell", "wang_fang", "You could bake a cake for the whole street", BEGINS + 1),
        Intervention("place", "cafe/main", "grand piano", BEGINS + 2),
        Intervention("event", "cafe/main", "A fire breaks out behind the counter", BEGINS + 3),
        Intervention("leave", "li_mei", "", BEGINS + 3),
        Intervention("arrive", "li_mei", "", BEGINS + 5),
        Intervention("law", "", moving(), BEGINS + 2, memory="Mira Voss lives here now."),
    ]
    other = tmp_path_factory.mktemp("here")
    for folder, shards in ((tmp_path, 3), (other, 0)):
        set_out(day, folder, BEGINS)
        with opened(folder) as run:
            who = [*minitown().personas]
            run.ask(
                [
                    each
                    if each.kind in ("place", "event", "law")
                    else Intervention(each.kind, who[0], each.text, each.step)
                    for each in done
                ]
            )
        asyncio.run(go_on(folder, ENDS, shards))
    assert left(tmp_path) == left(other)
    assert rows_of(tmp_path) == rows_of(other)
    assert left(tmp_path)[0] != left(day)[0]


def test_a_shard_knows_of_others_only_what_is_public(tmp_path: Path, day: Path) -> None:
    set_out(day, tmp_path, BEGINS)
    cluster = asyncio.run(go_on(tmp_path, BEGINS + 2, 3))
    assert cluster is not None
    for number, worker in enumerate(cluster.workers):
        shard = worker.shard
        own = set(shard.state.memories)
        assert own
        assert {resident_of(key) for key in shard.state.rows} <= own | {""}, number
