"""Whether a town on shards is the same town: `python -m benchmarks.sharded [RESIDENTS [STEPS]]`. It
needs Ray (the extra `ray`).

Steps of the Ville from nine on are lived in one process, on 1, 2 and 4 shards, on 4, 1 and 4 in
three sessions, and on 4 of which one is killed (SIGKILL) in each step but the first four, by turns
while its residents think and while they talk. All digests are to be equal, and no reply that has
reached the process of the run is to be asked for again. `python -m benchmarks.sharded nodes
[RESIDENTS [STEPS]]` does so with a cluster of a head and a worker, both on this machine, the latter
of which is killed in mid-step.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any
from unittest.mock import patch

from benchmarks.shards import MORNING, WORLD
from benchmarks.towns import STRIDE, town_of
from hometown import session
from hometown.config import combine
from hometown.game import Game
from hometown.game_opening import open_game
from hometown.shards.ray_connection import LOCAL_ONLY, NOWHERE, PROXY, QUIET_SETTINGS
from hometown.shards.remote_minds import RemoteMinds
from hometown.storage.journal import RunJournal
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile

RESIDENTS, STEPS, SPARED = 200, 24, 4

WHILE = {"think": ("think",), "talk": ("take_turn",)}
"""What a shard is asked in each phase."""

AMONG = 30
"""A shard is killed when it is asked one of the first so many things of a phase."""


FIXED: dict[str, Any] = {
    "name": "town",
    "start": MORNING,
    "stride": STRIDE,
    "seed": 1,
    "llm": "scripted",
    "embedding": "hash",
}


class Killer:
    """Kills a shard in a phase of each step but the first, with `kills` by phase, and counts the
    replies that were asked for though they were known.
    """

    def __init__(self, game: Game) -> None:
        self.kills: Counter[str] = Counter()
        self.again = 0
        self._minds, self._random = game.minds, random.Random(1)
        assert isinstance(self._minds, RemoteMinds)
        self._call, self._left, self._phase = self._minds.call, 0, ""
        self._minds.call = self.call  # type: ignore[method-assign]
        self._pids: list[int] = []

    async def take_aim(self, step: int) -> None:
        """At a shard, in the step after this one."""
        cluster: Any = self._minds._cluster  # type: ignore[attr-defined]
        self._pids = [
            await actor.__ray_call__.remote(lambda _: os.getpid()) for actor in cluster._actors
        ]
        if step >= SPARED:
            self._phase, self._left = list(WHILE)[step % 2], self._random.randint(1, AMONG)

    async def call(self, number: int, method: str, *arguments: Any) -> Any:
        if self._left and method in WHILE[self._phase]:
            self._left -= 1
            if not self._left:
                os.kill(self._pids[number], signal.SIGKILL)
                self.kills[self._phase] += 1
        return await self._call(number, method, *arguments)

    def put(self, journal: RunJournal, *row: Any) -> None:
        self.again += journal.replies.get(row[:5], (b"",))[0] == row[5]
        _put(journal, *row)


_put = RunJournal.put


def nodes() -> Any:
    """A cluster of two nodes on this machine, which nobody else can join."""
    os.environ.update(
        {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": token_hex(32),
            "PYTHONPATH": os.pathsep.join(sys.path),
            PROXY: NOWHERE,
        }
        | QUIET_SETTINGS
        | LOCAL_ONLY
    )
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False}
    )
    cluster.add_node(num_cpus=2)
    return cluster


async def with_a_node_killed(folder: Path, residents: int, steps: int) -> list[str]:
    """The digests of a town on two shards, one on each node of a cluster, of which the second is
    killed in the last step but one.
    """
    cluster, killed = nodes(), False
    town = town_of(WORLD, residents)
    settings = combine([{"machine": {"shards": 2, "ray": cluster.address}}], town.settings)
    begun = await session.create_session(folder, town, settings, steps=steps, **FIXED)
    with begun.run as run:
        async with open_game(begun) as game:
            while run.last.step < steps:
                step = asyncio.create_task(game.step())
                if run.last.step == steps - 2 and not killed:
                    await asyncio.sleep(0.2)
                    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                    killed = True
                await step
        cluster.shutdown()
        return list(run.digests())


async def lived(
    folder: Path, residents: int, steps: int, sessions: Sequence[int], killed: bool = False
) -> list[str]:
    """The digests of a town after as many sessions as there are numbers of shards."""
    town, digests = town_of(WORLD, residents), list[str]()
    manifest: Manifest | None = None
    for at, shards in enumerate(sessions):
        settings = combine([{"machine": {"shards": shards}}], town.settings)
        begun = await (
            session.resume_session(folder, manifest, town, settings)
            if manifest
            else session.create_session(folder, town, settings, steps=steps, **FIXED)
        )
        with begun.run as run:
            manifest = run.manifest
            async with open_game(begun) as game:
                await live(
                    game, run, steps * (at + 1) // len(sessions), Killer(game) if killed else None
                )
            digests = list(run.digests())
    return digests


async def live(game: Game, run: RunFile, to: int, killer: Killer | None) -> None:
    with patch.object(
        RunJournal,
        "put",
        lambda journal, *row: killer.put(journal, *row) if killer else _put(journal, *row),
    ):
        while run.last.step < to:
            if killer and run.last.step:
                await killer.take_aim(run.last.step)
            await game.step()
    if killer:
        print(f"killed: {dict(killer.kills)}; replies asked for twice: {killer.again}", flush=True)


def main(residents: int, steps: int) -> None:
    one: list[str] = []
    for sessions, killed in (
        ((0,), False),
        ((1,), False),
        ((2,), False),
        ((4,), False),
        ((4, 1, 4), False),
        ((4,), True),
    ):
        with tempfile.TemporaryDirectory() as folder:
            digests = asyncio.run(lived(Path(folder), residents, steps, sessions, killed))
        one = one or digests
        report(f"{' -> '.join(map(str, sessions))} shards{', killed' * killed}", digests, one)


def on_nodes(residents: int, steps: int) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        one = asyncio.run(lived(Path(folder), residents, steps, (0,)))
        report("a node killed", asyncio.run(with_a_node_killed(Path(other), residents, steps)), one)


def report(what: str, digests: list[str], one: list[str]) -> None:
    equal = sum(mine == other for mine, other in zip(digests, one, strict=True))
    print(f"{what}: {equal} of {len(one)} digests equal", flush=True)


if __name__ == "__main__":
    given = [int(value) for value in sys.argv[1:] if value != "nodes"]
    (on_nodes if "nodes" in sys.argv else main)(*given, *(RESIDENTS, STEPS)[len(given) :])
