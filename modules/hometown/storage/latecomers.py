"""Residents who have moved into the town of a run since it began, in the order of their arrival."""

from __future__ import annotations

import sqlite3
from typing import cast

from hometown.storage.codec import decode_row
from hometown.world import keys
from hometown.world.incidents import Law
from hometown.world.moving_in import SECTION

_OF_LATECOMERS = (
    f"FROM state WHERE key >= '{keys.LAW.of(SECTION)}/' AND key < '{keys.LAW.of(SECTION)}0'"
)


def latecomers(database: sqlite3.Connection) -> dict[str, str]:
    """Return the entries of the residents who moved in, in the form of a law, by section and id."""
    query = f"SELECT key, value, min(step) {_OF_LATECOMERS} GROUP BY key ORDER BY 3, key"
    return {
        keys.LAW.owner(key): cast(Law, decode_row(key, value)).entry
        for key, value, _ in database.execute(query)
    }


def arrival_steps(database: sqlite3.Connection) -> dict[str, int]:
    """Return the steps in which residents moved in, by their ids."""
    query = f"SELECT key, min(step) {_OF_LATECOMERS} GROUP BY key ORDER BY 2, key"
    return {key.rpartition("/")[2]: step for key, step in database.execute(query)}


def count_latecomers(database: sqlite3.Connection) -> int:
    """Return the number of residents who moved in, without reading their entries."""
    (count,) = database.execute(f"SELECT count(DISTINCT key) {_OF_LATECOMERS}").fetchone()
    return int(count)
