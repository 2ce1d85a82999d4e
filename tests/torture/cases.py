"""A case of torture: its number makes it the same on every machine, and its failure tells the line
that repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Lost(AssertionError):
    """Something that had been kept is gone, differs from what it was, or ended in another way than
    it may.
    """


def again(row: str, number: int) -> str:
    """The command that repeats a case."""
    return f"python -m tests.torture {row} {number} 1"


@contextmanager
def case(row: str, number: int) -> Iterator[None]:
    """The context of one case. Whatever is raised in it is Lost, with the command that repeats it."""
    try:
        yield
    except Exception as error:
        told = str(error) if isinstance(error, Lost) else f"{type(error).__name__}: {error}"
        raise Lost(f"{again(row, number)}: {told}") from error
