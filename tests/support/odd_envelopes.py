"""JSON that no protocol describes: good responses in which something has another type, is missing,
or is out of all proportion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**18,
    2**64 - 1,
    1e308,
    -1e308,
    "",
    "many",
    "\u202e\x1b[2J",
    "x" * 40_000,
    [],
    [None],
    [[]],
    [1, 2],
    ["a"],
    {},
    {"content": []},
    {"error": 5},
    [{"type": "text", "text": "hello"}],
    {"a": {"b": {"c": []}}},
)
"""Values that may stand anywhere."""

MISSING = object()

FEW_ODD = (MISSING, None, True, 1e308, "many", [1], {"a": 1})
"""One of each type."""

RAW: tuple[bytes, ...] = (
    b"",
    b"[]",
    b"null",
    b"5",
    b'"text"',
    b"{",
    b"{'id'",
    b"<html>It works!</html>",
    b"\xff\xfe\x00",
    b'{"a": 1e999}',
    b"[" * 5000,
    b'{"a":' * 5000,
    b'{"eval_count": ' + b"9" * 400 + b"}",
    b'{"choices": [' + b"{}," * 3000 + b"{}]}",
    b'{"error": ' * 900 + b"1" + b"}" * 900,
    b'{"error": ' + b"[" * 900 + b"]" * 900 + b"}",
    b"data:\n\n",
    b"data: [DONE]\n\n",
    b": comment\n\n",
)
"""Whole bodies."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a JSON value, itself included."""
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """A copy in which another value stands at a path, or, for MISSING, none."""
    if not path:
        return None if to is MISSING else to
    copy = deepcopy(value)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if to is MISSING:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return copy


def singly(parts: list[Any], values: Sequence[Any] = (MISSING, *ODD)) -> Iterator[list[Any]]:
    """A response with each odd value at each place, one at a time."""
    for path in places(parts):
        if path:
            yield from (changed(parts, path, odd) for odd in values)


def randomly(parts: list[Any], chance: Random) -> list[Any]:
    """A response with one to three odd values at places drawn by chance, and sometimes parts in
    another order, or twice.
    """
    made = parts
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([path for path in places(made) if path] or [()])
        made = changed(made, path, chance.choice((MISSING, *ODD)))
        if not isinstance(made, list):
            return [made]
    if chance.random() < 0.2:
        chance.shuffle(made)
    return made + made[: chance.randrange(2)]
