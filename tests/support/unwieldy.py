"""Texts of JSON and YAML that are nested without end, or grow by their aliases."""

from __future__ import annotations

ALIASES = (
    "a0: &a0 [x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    + "settings: *a29\n"
)
"""YAML of 2 KB, which holds 9 to the power of 29 values."""


def nest_lists(depth: int) -> str:
    """Return lists in lists, so many levels deep: JSON, and YAML too."""
    return "[" * depth + "]" * depth


def nest_objects(depth: int) -> str:
    """Return objects in objects, so many levels deep: JSON, and YAML too."""
    return '{"a":' * depth + "1" + "}" * depth
