"""The interface of the journal, which keeps replies as they arrive, so that no question is asked
twice.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Protocol

import orjson

from hometown.model.llm import Completion, Request
from hometown.records import Served


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


def request_hash(model: str, request: Request, seed: int) -> bytes:
    """Return BLAKE2b-128 of the canonical JSON of a request: 16 bytes that depend on everything
    sent to the model.
    """
    parts: list[Any] = [
        model,
        request.kind,
        request.lang,
        seed,
        request.max_tokens,
        request.temperature,
        request.schema,
        *(["thinks"] if request.thinks else []),
    ]
    parts += [[message.role, message.content] for message in request.messages]
    return blake2b(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()


def decode_completion(data: bytes | None) -> Completion | None:
    """Return the completion in a row of the journal, or None if there is none that can be read."""
    if data is None:
        return None
    try:
        fields = orjson.loads(data)
        completion = Completion(**{**fields, "served": Served.parsed(fields.get("served"))})
    except (TypeError, ValueError):
        return None
    return completion if completion.is_well_formed else None
