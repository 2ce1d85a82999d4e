"""The record of a model call in a run."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, Literal, Self

from hometown.frozen import frozen

Outcome = Literal["ok", "retried", "fallback"]

Replies = Mapping[tuple[Any, ...], tuple[bytes, bytes]]
"""Replies with the hashes of their requests, by step, resident, kind, ordinal and attempt."""


class ReplyTable:
    """Replies in RAM, by the place of their request in the run (`Journal`)."""

    def __init__(self, replies: Replies) -> None:
        self.replies = dict(replies)

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None:
        """Return the reply to exactly this request; None where there is none."""
        kept_for, reply = self.replies.get((step, who, kind, ordinal, attempt), (b"", b""))
        return reply if kept_for == asked else None

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        """Keep a reply; it replaces any other at the same place."""
        self.replies[step, who, kind, ordinal, attempt] = (asked, reply)

    def drop(self, step: int) -> None:
        """Drop the replies of a step and of all before it."""
        self.replies = {place: kept for place, kept in self.replies.items() if place[0] > step}


@frozen
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@frozen
class Served:
    """The server that gave a reply, where there are several: its number in the settings, from 1;
    the time of the request, in seconds since 1970; the milliseconds until the reply; and the tokens
    of both.

    `moved` says that it is not the resident's own server. `failed` are the servers that were asked
    before and did not answer. Addresses are settings of a machine and never part of a run.
    """

    server: int
    began: float
    ms: float
    tokens: int
    moved: bool = False
    failed: tuple[int, ...] = ()

    @classmethod
    def parsed(cls, value: Any) -> Self | None:
        """Convert from JSON, None from null. Raises TypeError for an invalid value."""
        return (
            value if value is None else cls(**{**value, "failed": tuple(value.get("failed", ()))})
        )

    @property
    def is_well_formed(self) -> bool:
        """Return True if it can be stored; its values may be of any type."""
        counts, times = (self.server, self.tokens, *self.failed), (self.began, self.ms)
        return all(isinstance(count, int) and count >= 0 for count in counts) and all(
            isinstance(time, (int, float)) and 0 <= time < inf for time in times
        )


@frozen
class Attempt:
    """A reply as received, the error that made it unusable ("" for none), and the names of the
    rules that mended it. With `failed` there was no reply.

    `cached_tokens` of the prompt were not read again; `read_ms` and `write_ms` are the milliseconds
    for reading the rest of the prompt and for writing the reply. They are 0 if the server did not
    report them. `served` names the server among several. `trials` counts the requests before it
    that found out how the model is asked.
    """

    text: str
    error: str = ""
    failed: bool = False
    cached_tokens: int = 0
    read_ms: float = 0.0
    write_ms: float = 0.0
    mended: tuple[str, ...] = ()
    served: Served | None = None
    trials: int = 0


@frozen
class Retrieval:
    """A memory that was retrieved for a prompt, with its score and its three terms."""

    memory: int
    score: float
    recency: float
    importance: float
    relevance: float


@frozen
class Call:
    """One request and its outcome; `reply` is the JSON of the reply that was used, `ms` the wall
    time. `ordinal` numbers the calls of a kind by a resident in a step, from 0; `who` is "" for a
    call of no resident.

    `cut` counts the parts of the prompt that were left out to make it fit; it is stored in the
    step's statistics.
    """

    step: int
    who: str
    kind: str
    ordinal: int
    model: str
    outcome: Outcome
    reply: str
    attempts: tuple[Attempt, ...]
    messages: tuple[Message, ...]
    retrieved: tuple[Retrieval, ...]
    prompt_tokens: int
    reply_tokens: int
    ms: float
    cut: int = 0

    @property
    def ref(self) -> str:
        """The name of this call in effects and lines of dialogue, unique within its step and
        resident.
        """
        return f"call:{self.kind}#{self.ordinal}"
