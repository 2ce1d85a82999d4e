"""Values that never change: most of what a town consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Return a dataclass with slots, no field of which is ever set again.

    The type checker sees to that. Where Python sees to it as well (`dataclass(frozen=True)`), a
    value takes five times as long to make, and a town makes fifty of them for each step of a
    resident.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
