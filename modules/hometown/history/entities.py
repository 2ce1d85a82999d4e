"""The parts of a run, as `RunReader` returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hometown.memory.concept import Concept


@dataclass(frozen=True, slots=True)
class Step:
    """A committed step; `time` is the game time at its end, `stats` what it cost."""

    number: int
    time: datetime
    digest: str
    stats: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory, its owner and the step that made it."""

    who: str
    step: int
    concept: Concept


@dataclass(frozen=True, slots=True)
class ConversationHead:
    """A conversation without its lines; `people` are those who took part, who began it first."""

    id: str
    step: int
    people: tuple[str, ...]
    started: datetime
    summary: str


@dataclass(frozen=True, slots=True)
class Mending:
    """How often replies to one kind of prompt were mended by one rule."""

    kind: str
    rule: str
    count: int


@dataclass(frozen=True, slots=True)
class CallCount:
    """Model calls of one kind with one outcome ("ok", "retried", "fallback")."""

    kind: str
    outcome: str
    calls: int
    prompt_tokens: int
    reply_tokens: int
