"""Choices of the reference: for items in which a resident chooses, the choices that a careful reader
of the prompt would make.
"""

from __future__ import annotations

from functools import cache

import orjson

from hometown.bench.items import BENCH
from hometown.frozen import frozen

FIELDS = {
    "react": "decision",
    "respond": "decision",
    "check_answer": "verdict",
    "place": "place",
    "clash": "keep",
}
"""The field of the choice, by the kind of prompt."""


@frozen
class Reference:
    """The acceptable values of a field of the reply."""

    field: str
    choices: frozenset[str]


@cache
def references() -> dict[str, Reference]:
    """Return the references by the id of their item."""
    kinds = orjson.loads((BENCH / "choices.json").read_bytes())
    return {
        item: Reference(FIELDS[kind], frozenset(map(str, choices)))
        for kind, items in kinds.items()
        for item, choices in items.items()
    }
