"""Data too deep or too large to work with: nested without end, or grown by the aliases of YAML,
which may double it on every line.
"""

from __future__ import annotations

from typing import Any

MOST_LEVELS = 100
"""Levels of lists and objects within each other; what people write has ten."""

MOST_VALUES = 200_000
"""Values in all, each counted as often as it stands there."""

_NESTED = frozenset({dict, list, tuple})
"""Types of lists and objects: parsers of JSON and YAML make no others."""


def is_unwieldy(value: Any, most: int = MOST_VALUES) -> bool:
    """Return True if lists and objects are nested deeper than `MOST_LEVELS`, or hold more than
    `most` values.

    >>> is_unwieldy({"a": [1, 2]}), is_unwieldy([[1, 2]], most=2)
    (False, True)
    """
    waiting, count = [(value, 1)], 0
    while waiting:
        part, level = waiting.pop()
        inner = (
            [*part, *part.values()]
            if isinstance(part, dict)
            else part
            if isinstance(part, list | tuple)
            else ()
        )
        count += len(inner)
        if count > most or (inner and level > MOST_LEVELS):
            return True
        if not _NESTED.isdisjoint(map(type, inner)):
            waiting += [(each, level + 1) for each in inner if type(each) in _NESTED]
    return False
