"""A model call as a run stores it."""

from __future__ import annotations

from math import inf
from typing import Any, Literal, Self

from hometown.frozen import frozen

Outcome = Literal["ok", "retried", "fallback"]


@frozen
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@frozen
class Served:
    """Which of several servers gave a reply, by its number in the settings, from 1, when it was
    asked, in seconds since 1970, how many milliseconds it took, and the tokens of prompt and reply.
    `moved`: it is not the server of this resident. `failed` are those that were asked before it and
    did not answer.

    Addresses are settings of a machine, and stand in no run.
    """

    server: int
    began: float
    ms: float
    tokens: int
    moved: bool = False
    failed: tuple[int, ...] = ()

    @classmethod
    def parsed(cls, value: Any) -> Self | None:
        """From JSON. Raises TypeError for what it can't be made of."""
        return (
            value if value is None else cls(**{**value, "failed": tuple(value.get("failed", ()))})
        )

    @property
    def well_formed(self) -> bool:
        """Return whether it can be kept, of whatever types its values are."""
        counts, times = (self.server, self.tokens, *self.failed), (self.began, self.ms)
        return all(isinstance(count, int) and count >= 0 for count in counts) and all(
            isinstance(time, (int, float)) and 0 <= time < inf for time in times
        )


@frozen
class Attempt:
    """A reply as received, the error that made it unusable, "" for none, and the rules that mended
    it, by name. With `failed` there was no reply.

    As far as the server reported them: `cached_tokens`, tokens of the prompt that it had in a cache
    and did not read again; `read_ms` and `write_ms`, the milliseconds that it took to read the rest
    of the prompt and to write the reply. 0 where it did not. `served` says which of several servers
    it was.
    """

    text: str
    error: str = ""
    failed: bool = False
    cached_tokens: int = 0
    read_ms: float = 0.0
    write_ms: float = 0.0
    mended: tuple[str, ...] = ()
    served: Served | None = None


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
    time.

    `cut` counts what was left out of the prompt so that it would fit; it is kept in the step's
    statistics.
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
        """How effects and lines of dialogue name this call, within its step and resident."""
        return f"call:{self.kind}#{self.ordinal}"
