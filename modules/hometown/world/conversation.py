"""A conversation that was held."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance. `speaker` is an id; `call` names the model call it came from."""

    speaker: str
    text: str
    call: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """`id` is `<step>-<opener>`; `address` the arena where it was held."""

    id: str
    step: int
    opener: str
    partner: str
    address: str
    started: datetime
    minutes: int
    lines: tuple[Line, ...]
    summary: str
    ended_by: str
    """"word" (a speaker ended it), "repetition", or "rounds" (as many as `chat_iter` allows)."""
