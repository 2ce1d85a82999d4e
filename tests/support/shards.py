"""Shards in this process: the same objects and the same encoded messages, without Ray."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hometown.game import Game
from hometown.model.call_budget import BudgetedModel
from hometown.model.embedding import make_embedder
from hometown.model.llm import LanguageModel
from hometown.scripted.model import ScriptedModel
from hometown.shards.leases import LeasedModel
from hometown.shards.minds import Shards
from hometown.shards.outbox import Outbox
from hometown.shards.package import Charter
from hometown.shards.raising import Office
from hometown.shards.shard import Shard
from hometown.shards.start import grants, homes
from hometown.shards.wire import Link
from tests.support.once import made_once
from tests.support.town import live

SETTINGS = {
    "chat": {"cooldown_minutes": 10},
    "think": {"poignancy_max": 30},
    "faculties": {"feel": True, "consolidate": True},
}


OPERATIONS = (
    "begin",
    "think",
    "talk",
    "meet",
    "utter",
    "urge",
    "part",
    "overhear",
    "think_over",
    "settle",
    "keep",
    "finish",
    "see",
)
"""All that a shard does in a step."""


@dataclass
class LocalHost:
    """Shards as objects. `model` makes each its model; `dies(number, method)` says when one is gone
    before it does something.
    """

    charters: list[Charter]
    model: Callable[[], LanguageModel] = ScriptedModel
    dies: Callable[[int, str], bool] = lambda number, method: False
    offices: dict[int, Office] = field(default_factory=dict)
    shards: dict[int, Mortal] = field(default_factory=dict)
    raisings: int = 0

    def close(self) -> None:
        for office in self.offices.values():
            office.stop()

    async def raised(self) -> list[Link]:
        self.raisings += 1
        self.close()
        return [self._raise(charter) for charter in self.charters]

    def _raise(self, charter: Charter) -> Link:
        outbox = Outbox()
        embedder = make_embedder(charter.embedding, charter.settings)
        model = LeasedModel(self.model(), outbox) if charter.leased else self.model()
        shard = self.shards[charter.number] = Mortal(
            Shard(charter, model, embedder, outbox),
            lambda method: self.dies(charter.number, method),
        )
        office = self.offices[charter.number] = Office(shard, outbox)  # type: ignore[arg-type]
        office.introduce(self._call_on)
        return linked(office.serve, shard)

    async def _call_on(self, number: int) -> Link:
        return linked(self.offices[number].welcome, self.shards[number])


def linked(serve: Callable[[Link], None], shard: Mortal) -> Link:
    """One end of a way to a shard, which serves at the other."""
    there, back = asyncio.Queue[bytes](), asyncio.Queue[bytes]()
    serve(LocalLink(back, there, lambda: False))
    return LocalLink(there, back, lambda: shard.dead)


@dataclass
class LocalLink:
    """One end of a way within this process. Nothing comes by it any more once the other end
    `is_gone`.
    """

    there: asyncio.Queue[bytes]
    back: asyncio.Queue[bytes]
    is_gone: Callable[[], bool]

    def send(self, data: bytes) -> None:
        self.there.put_nowait(data)

    async def receive(self) -> bytes:
        data = await self.back.get()
        if self.is_gone():
            raise EOFError
        return data

    def close(self) -> None:
        pass


class Mortal:
    """A shard that may be gone: then it does nothing, and hands over nothing."""

    def __init__(self, shard: Shard, dies: Callable[[str], bool]) -> None:
        self.__dict__.update(shard=shard, dies=dies, dead=False)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.shard, name, value)

    def __getattr__(self, name: str) -> Any:
        if name in OPERATIONS:
            self.__dict__["dead"] |= self.dies(name)
        return getattr(self.shard, name)

    async def take_part(self, method: str, *arguments: Any) -> Any:
        self.__dict__["dead"] |= self.dies(method)
        return await self.shard.take_part(method, *arguments)


def spread(
    game: Game, count: int, budget: BudgetedModel | None = None, listens: bool = False, **how: Any
) -> LocalHost:
    """Gives a game minds on so many shards."""
    fixed = (
        game.settings,
        game.manifest.seed,
        game.manifest.llm,
        game.manifest.embedding,
        listens,
        budget is not None,
    )
    host = LocalHost([Charter(number, game.founded, *fixed) for number in range(count)], **how)
    game.minds = Shards(host, homes(game.founded, count), game.run, print, grants(budget, count))
    return host


ENDS = 19
"""The last step of the day, at ten past nine."""

JOINING = 0.3
"""How readily people join others in it."""


def day_of_one_process(folders: pytest.TempPathFactory) -> Path:
    """A day of people who like to join others, lived in one process."""

    def made(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hometown.agent.acting.talk_urge.JOINING_SHARE", JOINING)
            live(folder, ENDS, settings=SETTINGS)

    return made_once(folders, "day-of-shards", made)
