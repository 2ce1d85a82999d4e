"""Who has moved into the town of a run since it began, in the order in which they came."""

from __future__ import annotations

import sqlite3
from typing import cast

from hometown.storage.codec import decode_row
from hometown.world.incidents import Law
from hometown.world.moving_in import SECTION

_ROWS = f"SELECT key, value, min(step) FROM state WHERE key >= 'law/{SECTION}/' AND key < 'law/{SECTION}0' GROUP BY key ORDER BY 3, key"


def latecomers(database: sqlite3.Connection) -> dict[str, str]:
    """Their entries, as a law has them, by section and id."""
    return {key.removeprefix("law/"): cast(Law, decode_row(key, value)).entry for key, value, _ in database.execute(_ROWS)}
