"""The records that `hometown.Run` returns. Names and texts are in the run's language."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hometown.frozen import frozen
from hometown.memory.concept import MemoryType


@frozen
class Resident:
    """A resident at one moment; texts are in the run's language.

    `currently` is their present circumstance, `activity` and `place` are their present action and
    location, `tile` its column and row; `place` is "" for those who have left town.
    """

    id: str
    name: str
    occupation: str
    currently: str
    activity: str
    place: str
    tile: tuple[int, int]
    asleep: bool


@frozen
class ConversationRecord:
    """A conversation: `lines` are (speaker's name, text), `minutes` its length in game time."""

    id: str
    step: int
    time: datetime
    minutes: int
    speakers: tuple[str, ...]
    place: str
    lines: tuple[tuple[str, str], ...]
    summary: str


@frozen
class Memory:
    """A memory of the resident named `resident`. `poignancy` is 1 to 10, `evidence` the ids of the
    memories that support it.
    """

    resident: str
    id: int
    type: MemoryType
    text: str
    time: datetime
    poignancy: int
    evidence: tuple[int, ...]


@frozen
class Retrieved:
    """A memory with its score: the weighted sum of recency, importance and relevance (Park et al.
    2023, §4.1).
    """

    memory: Memory
    score: float
    recency: float
    importance: float
    relevance: float


@frozen
class BeliefRecord:
    """A claim that a resident holds, since the memory of a step.

    Attributes:
        channel: "told", "overheard", "saw", "read", "inferred", "injected" (by the user) or "start".
        teller: The resident from whom they have it; "" for none.
        truth: "true" or "over" by the state of the town, of an occasion "moved", "held" or "not held",
            "changed" if the memory has facts that its source did not have, "open" if nothing shows it.
    """

    claim: str
    resident: str
    channel: str
    teller: str
    step: int
    text: str
    truth: str


@frozen
class DecisionRecord:
    """A model call for a resident: the prompt's kind, the reply as JSON, and what followed from it.

    `outcome` is "ok", "retried" or "fallback"; `memories` are those in the prompt, best first.
    `results` are memories, actions, conversations and plans, as `{"type": …, "text": …}`.
    """

    step: int
    prompt: str
    model: str
    outcome: str
    reply: Any
    memories: tuple[Retrieved, ...]
    results: tuple[dict[str, Any], ...]


@frozen
class ReasonRecord:
    """The reason for a resident's activity, which began in `step`: the rule behind it, such as
    "rule:schedule", or the model call, such as "call:react#0"; `decision` is None for a rule.
    """

    activity: str
    step: int
    cause: str
    decision: DecisionRecord | None


@frozen
class JudgedAnswerRecord:
    """An answer to a question of a questionnaire, and the verdict on it (docs/science.md)."""

    category: str
    question: str
    answer: AnswerRecord
    verdict: str


@frozen
class AnswerRecord:
    """A resident's answer to a question, after a step.

    `knows` is their own statement, "yes", "no" or "unsure"; `cited` are the memories on which the
    answer rests. `outcome` is "fallback" where the model gave no usable
    answer, and `text` is a default.
    """

    resident: str
    step: int
    text: str
    knows: str
    cited: tuple[Memory, ...]
    outcome: str
