"""Values that change from step to step."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

Versions = list[tuple[int, T]]
"""(Step since which it holds, value), including the version in force at the first step."""
