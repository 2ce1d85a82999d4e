"""Files that keep what was learnt of models, as one JSON object each."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import orjson

from hometown.files import atomic_write
from hometown.json_object import Json


def read_learnt(path: Path) -> Json:
    """Return the object that a file holds; an empty one if the file is missing or damaged."""
    with suppress(OSError, ValueError):
        kept = orjson.loads(path.read_bytes())
        if isinstance(kept, dict):
            return kept
    return {}


def write_learnt(path: Path, learnt: Json) -> None:
    """Write an object with sorted keys in place of a file's content. An OSError names the file."""
    with atomic_write(path) as file:
        file.write(orjson.dumps(learnt, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
