"""A model call as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from modules.model.llm import Message

Outcome = Literal["ok", "retried", "fallback"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came back, and what was wrong with it; "" if nothing was."""

    text: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A memory that the prompt rested on, with its score and the three terms."""

    memory: int
    score: float
    recency: float
    importance: float
    relevance: float


@dataclass(frozen=True, slots=True)
class Call:
    """One question and its answer; `reply` is the JSON of what was used, `ms` the wall time.

    `cut` counts what was left out of the prompt so that it would fit; it is kept in the step's statistics.
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
