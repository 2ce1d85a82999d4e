"""Tables (CSV) that a user gives."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from hometown.config import read_bounded
from hometown.errors import BadInput, reason_of
from hometown.text import Phrase

_SURPLUS = ""
"""The key of the cells of a row for which there is no column."""


def open_table(file: Path) -> csv.DictReader[str]:
    """Return a reader of the rows of a table; `find_surplus_cells` tells those with too many cells.
    Raises BadInput for a file that can't be read.
    """
    try:
        text = StringIO(read_bounded(file).removeprefix("\ufeff"), newline="")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read ({reason})", file=file, reason=reason_of(error)
        ) from None
    return csv.DictReader(text, restkey=_SURPLUS)


def find_surplus_cells(row: Mapping[str, object]) -> Phrase | None:
    """Return the fault of a row that has more values than the table has columns; None for any
    other.
    """
    surplus = row.get(_SURPLUS)
    if not isinstance(surplus, list) or not any(cell.strip() for cell in surplus):
        return None
    return Phrase(
        "{surplus!r} is left over behind the last column; put each value that contains commas in quotation marks",
        surplus=",".join(surplus),
    )
