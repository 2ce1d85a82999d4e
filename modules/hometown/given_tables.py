"""Tables (CSV) that a user gives."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

from hometown.config import read_bounded
from hometown.errors import BadInput, reason_of


def open_table(file: Path) -> csv.DictReader[str]:
    """Return a reader of the rows of a table, whose surplus cells are under the key "". Raises
    BadInput for a file that can't be read.
    """
    try:
        text = StringIO(read_bounded(file).removeprefix("\ufeff"), newline="")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read ({reason})", file=file, reason=reason_of(error)
        ) from None
    return csv.DictReader(text, restkey="")
