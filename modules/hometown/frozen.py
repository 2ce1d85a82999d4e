"""The decorator for immutable values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a dataclass with slots whose fields are never set again, comparable and hashable.

    The type checker enforces that. Enforcing it at run time (`dataclass(frozen=True)`) would make
    construction five times as slow, and a town constructs fifty of these for each step of a
    resident. Of its methods only the constructor is compiled: to compile all would take a sixth of
    the time of a short command, which imports hundreds of these classes.
    """
    made = dataclass(slots=True, eq=False, repr=False)(kind)
    parts: tuple[Field[Any], ...] = fields(made)  # type: ignore[arg-type]
    compared = _getter(part.name for part in parts if part.compare)
    hashed = _getter(
        part.name for part in parts if (part.compare if part.hash is None else part.hash)
    )

    def are_equal(self: T, other: object) -> Any:
        same = other.__class__ is self.__class__
        return compared(self) == compared(other) if same else NotImplemented

    def hash_fields(self: T) -> int:
        return hash(hashed(self))

    for name, method in (
        ("__eq__", are_equal),
        ("__hash__", hash_fields),
        ("__repr__", _write_fields),
    ):
        if name not in vars(kind):
            setattr(made, name, method)
    return made


def _getter(names: Iterable[str]) -> Callable[[Any], Any]:
    """Return a function that returns the fields of these names of a value."""
    chosen = [*names]
    return attrgetter(*chosen) if chosen else lambda value: ()


@recursive_repr("...")
def _write_fields(value: Any) -> str:
    """Return a value as it is written in code."""
    shown = ", ".join(
        f"{part.name}={getattr(value, part.name)!r}" for part in fields(value) if part.repr
    )
    return f"{type(value).__qualname__}({shown})"
