"""State rows, effects and other dataclasses to JSON and back, without loss.

Fields stand in the order of their definition and keys of mappings are sorted, so that equal values
have equal bytes: digests are taken over them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import orjson
import zstandard
from pydantic import TypeAdapter

from hometown.world.effects import Effect
from hometown.world.keys import KINDS
from hometown.world.rows import Row

EFFECTS: dict[str, type[Effect]] = {kind.__name__: kind for kind in get_args(Effect)}
"""The type of each kind of effect, by its name."""


RowData = dict[str, bytes | None]
"""Encoded rows by key; None for a removed row."""

UNDECODABLE = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    struct.error,
    zstandard.ZstdError,
)
"""Exceptions that may be raised by decoding a damaged row and by using its values."""


def encode(value: Any, numbers: Any = None) -> bytes:
    """Return the JSON of a dataclass or of plain values. Raises ValueError for NaN and infinity.

    `numbers` are the parts of the value to check for them, by default all.
    """
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    if b"null" in data:  # orjson's output for NaN, and for None
        _refuse_nan(value if numbers is None else numbers)
    return data


def encode_rows(rows: Mapping[str, Row | None]) -> RowData:
    """Return rows in the form of the table."""
    return {key: None if row is None else encode(row) for key, row in rows.items()}


def decode_row(key: str, data: bytes) -> Row:
    """Return the state row in some bytes; its type follows from its key. Raises KeyError for an
    unknown key, and pydantic's ValidationError.
    """
    row: Row = decode(KINDS[key.partition("/")[0]].row_type, data)
    return row


def decode_effect(kind: str, data: bytes) -> Effect:
    """Return the effect that JSON text holds; `kind` is the name of its class. Raises KeyError for
    an unknown kind, and pydantic's ValidationError.
    """
    effect: Effect = decode(EFFECTS[kind], data)
    return effect


def decode(kind: Any, data: bytes | str) -> Any:
    """Return the value of any type that JSON text holds. Raises pydantic's ValidationError."""
    return _adapter(kind).validate_json(data)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _refuse_nan(value: Any) -> None:
    """Raise ValueError for a NaN or an infinity in a value or in any part of it."""
    kind = type(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a number that can be saved")
    if is_dataclass(kind):
        parts: Any = [getattr(value, name) for name in _float_fields(kind)]
    elif isinstance(value, dict):
        parts = value.values()
    else:
        parts = value if isinstance(value, (list, tuple)) else ()
    for part in parts:
        part_kind: Any = type(part)
        is_valid = math.isfinite(part) if part_kind is float else not _may_hold_float(part_kind)
        if not is_valid:
            _refuse_nan(part)


@cache
def _float_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that may hold a float; few have any."""
    types = get_type_hints(kind)
    return tuple(field.name for field in fields(kind) if _may_hold_float(types[field.name]))


@cache
def _may_hold_float(kind: Any) -> bool:
    """Return True if a value of a type may hold a float, also in its parts or a subclass's fields;
    True for a type about which nothing is known.
    """
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    if kind in _HARMLESS or is_enum or get_origin(kind) is Literal:
        return False
    if is_dataclass(kind) and isinstance(kind, type):
        return any(_float_fields(each) for each in (kind, *kind.__subclasses__()))
    parts = set(get_args(kind)) - {...}
    return any(map(_may_hold_float, parts)) if parts else True


_HARMLESS = frozenset((str, int, bool, type(None), date, datetime))
"""Types of values that hold no float: most values are of these."""
