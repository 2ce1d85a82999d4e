"""What a mind does to its own rows is folded on its shard: so it must rest on nothing else. Towns
whose rules rest on all that happens fold it here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from hometown.shards.folding import OF_MEMORY, OWN_EFFECTS, EncodedRows, FarRows
from hometown.shards.package import owner_of
from hometown.storage.codec import encode_rows
from hometown.storage.run import Run
from hometown.world.apply import apply
from hometown.world.keys import Key
from hometown.world.load import load_world
from hometown.world.rows import Pondered
from hometown.world.state import State
from tests.support.shards import ENDS, day_of_one_process, spread
from tests.support.town import game_on, live, opened

STEPS = 2

R = TypeVar("R")


class Watched(State):
    """A state that notes which rows are read and written."""

    def __init__(self, state: State) -> None:
        super().__init__(state.rows, state.memories, state.vector)
        self.used = set[str]()

    def row(self, key: Key[R]) -> R | None:
        self.used.add(key)
        return super().row(key)


def test_own_effects_read_and_write_nothing_but_own_rows(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with opened(day_of_one_process(tmp_path_factory)) as run:
        state, seen = Watched(run.restore(0)), set[type]()
        for _, logged in run.effects(1, ENDS):
            state.used.clear()
            apply(logged.effect, state)
            if isinstance(logged.effect, OWN_EFFECTS):
                seen.add(type(logged.effect))
                assert {owner_of(key) for key in state.used} <= {logged.who}, logged
    assert len(seen - set(OF_MEMORY)) > 10


def test_a_town_with_a_society_is_the_same_on_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hometown.shards.wire.GRACE", 0.0)
    farm, (here, far) = load_world("farmstead", "en"), (tmp_path / name for name in ("here", "far"))
    digests = live(here, STEPS, world=farm)
    live(far, 0, world=farm)

    async def go_on() -> list[str]:
        with Run.open(far, "town", write=True) as run:
            game = game_on(run, farm)
            spread(game, 2)
            while run.last.step < STEPS:
                await game.step()
            return list(run.digests())

    assert asyncio.run(go_on()) == digests


@pytest.mark.parametrize("rows", [EncodedRows, FarRows])
def test_rows_are_decoded_when_somebody_asks(rows: Callable[..., EncodedRows]) -> None:
    kept = rows({"pondered/a": Pondered(1), "pondered/b": Pondered(2)})
    kept.hand(
        encode_rows({"pondered/a": Pondered(3), "pondered/b": None, "pondered/c": Pondered(4)})
    )
    assert sorted(kept) == ["pondered/a", "pondered/c"]
    assert (kept["pondered/a"], kept.get("pondered/b"), kept["pondered/c"]) == (
        Pondered(3),
        None,
        Pondered(4),
    )
    assert "pondered/b" not in kept


def test_only_rows_that_were_put_here_are_sent() -> None:
    rows = FarRows({"pondered/a": Pondered(1)})
    rows.hand(encode_rows({"pondered/a": Pondered(2)}))
    rows["pondered/b"] = Pondered(3)
    rows.pop("pondered/a", None)
    assert rows.take_put() == {"pondered/a": None, "pondered/b": Pondered(3)}
    assert rows.take_put() == {}
