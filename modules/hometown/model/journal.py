"""Where replies are kept as they arrive, so that none is asked for twice."""

from __future__ import annotations

from typing import Protocol


class Journal(Protocol):
    """Replies as they arrived, by the place in the run of the request.

    `asked` is the hash of the request: a reply to another request is not returned, and is replaced.
    """

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None: ...

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None: ...


class NoJournal:
    """That of a caller whose calls belong to no step that is being lived: nothing is kept, and
    known is only what `another` has.
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
