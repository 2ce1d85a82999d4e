"""Choices of the reference: for items in which a resident chooses, or a happening is judged, the
choices that a careful reader of the prompt would make.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from hometown.bench.items import BENCH
from hometown.frozen import frozen

FIELDS = {
    "react": "decision",
    "respond": "decision",
    "check_answer": "verdict",
    "place": "place",
    "clash": "keep",
    "reconsider": "activity",
    "happening": "weight",
    "measure": "effect",
}
"""The field of the choice, by the kind of prompt."""

STAYS, CHANGES = "stays", "changes"
"""Choices of a resident who reconsiders the day: the plan stays as it is, or something is done."""


@frozen
class Reference:
    """The acceptable values of a field of the reply."""

    field: str
    choices: frozenset[str]

    def agrees(self, reply: Mapping[str, Any]) -> bool:
        """Return True if the field of a reply has an acceptable value. Where the choices are those
        of a resident who reconsiders the day, an empty field means `STAYS`, any text `CHANGES`.
        """
        chosen = str(reply.get(self.field))
        if self.choices <= {STAYS, CHANGES}:
            chosen = CHANGES if chosen.strip() else STAYS
        return chosen in self.choices


@cache
def references() -> dict[str, Reference]:
    """Return the references by the id of their item."""
    kinds = orjson.loads((BENCH / "choices.json").read_bytes())
    return {
        item: Reference(FIELDS[kind], frozenset(map(str, choices)))
        for kind, items in kinds.items()
        for item, choices in items.items()
    }
