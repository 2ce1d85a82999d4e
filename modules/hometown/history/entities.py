"""The records of a run, as `RunReader` returns them."""

from __future__ import annotations

from datetime import datetime

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.memory.concept import Concept


@frozen
class SavedStep:
    """A committed step; `time` is the game time at its end, `stats` has its calls, tokens and
    times.
    """

    number: int
    time: datetime
    digest: str
    stats: Json


@frozen
class OwnedMemory:
    """A memory, its owner and the step that made it."""

    who: str
    step: int
    concept: Concept


@frozen
class ConversationHead:
    """A conversation without its lines; `people` are the participants, the opener first."""

    id: str
    step: int
    people: tuple[str, ...]
    started: datetime
    summary: str


@frozen
class Mending:
    """The number of replies to one kind of prompt that one rule mended."""

    kind: str
    rule: str
    count: int


@frozen
class ReplyCount:
    """Requests to models: of their replies, `raw` were used as they came, `corrected` once they had
    been mended, and `unusable` were not used, or never came; `trials` found out how the model is
    asked.
    """

    requests: int
    raw: int
    corrected: int
    unusable: int
    trials: int


@frozen
class CallCount:
    """Model calls of one kind with one outcome ("ok", "retried", "fallback")."""

    kind: str
    outcome: str
    calls: int
    prompt_tokens: int
    reply_tokens: int
