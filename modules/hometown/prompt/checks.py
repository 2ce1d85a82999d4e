"""Validation of replies against their schema, for servers that do not enforce it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

from hometown.prompt.bounds import items_of
from hometown.prompt.mending import in_words

SAYS_NOTHING = "says nothing"
"""End of the fault of a text without words."""


def fault(value: Any, schema: dict[str, Any], at: str = "") -> str:
    """Return the first fault of a value by its schema, worded for the model; "" if it fits.

    Types and required fields must have been checked; `at` is the path of the value.

    >>> fault({"ratings": [1, 12]}, {"properties": {"ratings": {"items": {"minimum": 1, "maximum": 10}}}})
    'ratings.1: 12 is not a number from 1 to 10'
    >>> fault([4], {"minItems": 3, "maxItems": 3}), fault("fly", {"enum": ["talk", "wait"]}), fault(1, {"minimum": 1})
    ('1 items; give exactly 3', '"fly" is not one of "talk", "wait"', '')
    """
    return next(
        (f"{path}: {what}" if path else what for path, what in _faults(value, schema, at)), ""
    )


def _faults(value: Any, schema: dict[str, Any], at: str) -> Iterator[tuple[str, str]]:
    """Yield the faults of a value and of its parts as (path, description): other values than the
    options, texts without words or of another form, numbers out of range, and too few or too many
    items.
    """
    if value not in schema.get("enum", [value]):
        yield at, f"{_as_json(value)} is not one of {', '.join(map(_as_json, schema['enum']))}"
    if isinstance(value, str) and schema.get("minLength") and not in_words(value):
        yield at, f"{_as_json(value[:40])} {SAYS_NOTHING}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield at, f"{_as_json(value[:40])} does not have the form asked for"
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get(
        "maximum", value
    ):
        yield at, f"{value} is not a number from {schema['minimum']} to {schema['maximum']}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield (
                at,
                f"{len(value)} items; give {_count(schema.get('minItems', 0), schema.get('maxItems'))}",
            )
        for number, (item, part) in enumerate(
            zip(value, items_of(schema, len(value)), strict=False)
        ):
            yield from _faults(item, part, _path(at, part.get("title", number)))
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _faults(part, schema["properties"][name], _path(at, name))


def _path(at: str, name: str | int) -> str:
    """Return the path of a part of the value at a path."""
    return f"{at}.{name}" if at else str(name)


def _count(least: int, most: int | None) -> str:
    """Return the permitted number of items in words."""
    if least == most:
        return f"exactly {least}"
    return f"at least {least}" if most is None else f"{least} to {most}"


def _as_json(value: Any) -> str:
    return orjson.dumps(value).decode()
