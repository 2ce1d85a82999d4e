"""Ranges of steps to read at once, so that memory does not grow with a run."""

from __future__ import annotations

from collections.abc import Iterator


def blocks(first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield `first` to `last` in ranges of at most `size` steps.

    >>> list(blocks(1, 5, 2))
    [(1, 2), (3, 4), (5, 5)]
    """
    for start in range(first, last + 1, size):
        yield start, min(start + size - 1, last)
