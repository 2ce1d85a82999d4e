"""What a resident has in mind of the town is what the engine keeps, whatever the widths of the
blocks.
"""

from __future__ import annotations

from typing import cast

import pytest

from hometown.history import shapes
from hometown.history.blocks import Blocks
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.paths import WORLDS
from hometown.world import keys
from hometown.world.rows import Known, KnownPlaces
from tests.support.days import lived_day


def test_it_is_what_the_state_holds_after_each_step(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with RunReader.open(lived_day(tmp_path_factory, "en"), "town") as run:
        blocks, last = Blocks(run, Names.of(run, WORLDS)), run.last_step()
        who = run.residents[0]
        for width in (5, last):
            for step in (0, 4, last // 2, last):
                first = max(1, step - (step - 1) % width)
                block: shapes.Beliefs = blocks.range(
                    "beliefs", first, min(last, first + width - 1), who
                )
                places = next(
                    (arenas for since, arenas in reversed(block["places"]) if since <= step), []
                )
                known = {arena: things for since, arena, things in block["things"] if since <= step}
                assert places == list(cast(KnownPlaces, run.row(keys.PLACES.of(who), step)).arenas)
                for arena in places:
                    row = run.row(keys.KNOWN.of(who, arena), step) or Known()
                    assert known.get(arena, {}) == {
                        address: state for address, state in row.things if state
                    }
