"""The decorator for immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a dataclass with slots whose fields are never set again.

    The type checker enforces that. Enforcing it at run time (`dataclass(frozen=True)`) would make
    construction five times as slow, and a town constructs fifty of these for each step of a
    resident.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
