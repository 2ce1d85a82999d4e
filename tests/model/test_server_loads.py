"""Several servers of one model: each call says which one answered it, and a run what each of them
did.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from hometown.cli.main import run_hometown
from hometown.errors import ModelBusy
from hometown.history.insight import calls
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.model.llm import Completion, Request
from hometown.model.pins import Pins
from hometown.model.server_loads import by_server
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from tests.support.shards import spread
from tests.support.town import game_on, live, opened

STEPS = 3


class OnTwoServers(ScriptedModel):
    """The scripted model on two servers, the first of which fails once."""

    def __init__(self) -> None:
        super().__init__()
        self.pins, self.fails = Pins(["http://one", "http://two"]), True

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        async def at_server(at: int) -> Completion:
            if at == 0 and self.fails:
                self.fails = False
                raise ModelBusy("gone")
            return await super(OnTwoServers, self).complete(request, seed=seed)

        return await self.pins.ask(request.people, at_server)


def test_a_run_says_what_each_of_several_servers_did_and_is_the_same_town(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    assert live(tmp_path, STEPS, model=OnTwoServers()) == live(tmp_path / "one", STEPS)
    with RunReader.open(tmp_path, "town") as run:
        served = [
            attempt.served
            for call in run.run.calls(1, STEPS)
            for attempt in call.attempts
            if attempt.served
        ]
        shown = calls(run, Names.of(run))["servers"]
    assert [server["server"] for server in shown] == [1, 2]
    assert [server["calls"] for server in shown] == [
        sum(one.server == at for one in served) for at in (1, 2)
    ]
    assert [server["tokens"] for server in shown] == [
        sum(one.tokens for one in served if one.server == at) for at in (1, 2)
    ]
    assert [server["failed"] for server in shown] == [1, 0]
    assert shown[1]["moved"] == shown[1]["calls"] > 0 == shown[0]["moved"]
    with RunReader.open(tmp_path / "one", "town") as run:
        assert calls(run, Names.of(run))["servers"] == []


def test_such_a_run_can_be_verified(tmp_path: Path) -> None:
    live(tmp_path, STEPS, model=OnTwoServers())
    assert run_hometown(["verify", "town", "--lang", "en", "--results", str(tmp_path)]) == 0


def test_shards_ask_several_servers_too(tmp_path: Path) -> None:
    async def live_on() -> None:
        with RunFile.open(tmp_path, "town", write=True) as run:
            game = game_on(run)
            spread(game, 2, model=OnTwoServers)
            await game.step()
            await game.step()

    live(tmp_path, 1)
    asyncio.run(live_on())
    with opened(tmp_path) as run:
        attempts = [attempt for call in run.calls(2, 3) for attempt in call.attempts]
        of_step = by_server(run.stats())
    assert all(attempt.served for attempt in attempts)
    assert sum(server["calls"] for server in of_step) == len(attempts)
    assert sum(server["failed"] for server in of_step) > 0


def test_a_server_is_busy_as_long_as_it_is_asked_and_a_share_of_the_time_in_which_any_is() -> None:
    load = {"calls": 2, "moved": 0, "failed": 0, "tokens": 10, "ms": 3000.0}
    steps = [
        {
            "servers": {"1": load | {"busy_ms": 2000.0}, "2": load | {"busy_ms": 500.0}},
            "asked_ms": 2000.0,
        },
        {"servers": {"2": load | {"busy_ms": 500.0}}, "asked_ms": 500.0},
        {},
    ]
    assert [
        (server["server"], server["busy"], server["seconds"]) for server in by_server(steps)
    ] == [(1, 0.8, 1.5), (2, 0.4, 1.5)]
