"""The interface of the journal, which keeps replies as they arrive, so that no question is asked
twice.
"""

from __future__ import annotations

from typing import Protocol


class Journal(Protocol):
    """Replies as they arrived, by the place of their request in the run.

    `asked` is the hash of the request: a reply to another request is not returned, and is replaced.
    """

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None:
        """Return the reply to this very request; None if there is none."""
        ...

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        """Keep a reply, in place of one to another request at the same place."""
        ...


class ReadOnlyJournal:
    """The journal of a caller ahead of its run: it returns the replies of `another` and keeps none
    itself.
    """

    def __init__(self, another: Journal | None = None) -> None:
        self._another = another

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None:
        return (
            self._another.get(step, who, kind, ordinal, attempt, asked) if self._another else None
        )

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        pass
