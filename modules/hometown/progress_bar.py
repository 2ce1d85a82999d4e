"""A progress bar for long work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")

DELAY = 2.0
"""Seconds after which a progress bar appears."""


def progress(items: Iterable[T], what: str, unit: str, total: int) -> Iterable[T]:
    """Return the `total` items, with a progress bar if they take long and the output is a terminal."""
    return tqdm(items, desc=what, unit=unit, total=total, delay=DELAY, leave=False, disable=None)
