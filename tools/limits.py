"""The limits that a model must meet to be accepted: almost no lost replies, and residents who lead
a life.

A run can be judged from its first morning; limits that take a day (numbers of activities, places
and conversations) apply once a day has passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES
from hometown.history.hardship import Hardship
from hometown.history.life import Life
from hometown.prompt.dialogue import UTTERANCE, UtteranceReply
from hometown.prompt.schema import plain_schema
from hometown.records import Call
from hometown.world.conversation import Conversation
from tools.copied import copies

WAKING_DAY = 18 * 60
"""Minutes of a run from which the limits for a whole day apply."""

FAULTY_LINES = 0.1
"""Share of spoken lines in which a rule of the bench may find a fault. In two half days of a strong
mind, read by hand, it finds one in 2 % of 126 lines; in lines of a model of 1.5 billion parameters,
in two of three; in those that the report on one of 135 million shows, in all.
"""

STUCK = 0.2
"""Share of conversations that may end because nothing new was said: none in those half days, 41 % in
a day of a model of 135 million parameters.
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """One figure: its name among the texts of the report, its value, and the limit, a least or a
    most.
    """

    name: str
    value: float
    limit: float
    least: bool = False
    share: bool = False
    """Flag for a value and limit that are shares, written in percent."""

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.least else self.value <= self.limit

    def in_words(self, words: Mapping[str, str]) -> str:
        """Value and limit, as in "fallbacks: 3.1% (at most 1.0%)"."""
        value, limit = (
            f"{number:.1%}" if self.share else f"{number:g}" for number in (self.value, self.limit)
        )
        return words["at_least" if self.least else "at_most"].format(
            name=words[self.name], value=value, limit=limit
        )


def limits(
    calls: Sequence[Call],
    life: Life,
    minutes: int,
    fared: Hardship | None = None,
    conversations: Sequence[Conversation] = (),
) -> Iterator[Limit]:
    """Yield all limits for a run of `minutes` game minutes; in a town with a society, welfare
    included.
    """
    all_calls = max(1, len(calls))
    yield Limit(
        "fallback", sum(call.outcome == "fallback" for call in calls) / all_calls, 0.01, share=True
    )
    yield Limit(
        "retried", sum(call.outcome == "retried" for call in calls) / all_calls, 0.02, share=True
    )
    yield Limit("copied", sum(map(copies, calls)) / all_calls, 0.01, share=True)
    lines = [call for call in calls if call.kind == UTTERANCE.kind and call.messages]
    yield Limit(
        "faulty_lines", sum(map(is_faulty, lines)) / max(1, len(lines)), FAULTY_LINES, share=True
    )
    stuck = sum(conversation.ended_by == "repetition" for conversation in conversations)
    yield Limit("stuck", stuck / max(1, len(conversations)), STUCK, share=True)
    yield Limit("up", life.on_time_share, 0.9, least=True, share=True)
    yield Limit("at_work", life.work_share, 0.6, least=True, share=True)
    yield Limit("times_said", life.times, 5)
    if minutes >= WAKING_DAY:
        yield Limit("activities", life.fewest_activities, 10, least=True)
        yield Limit("places", life.fewest_places, 3, least=True)
        yield Limit("conversations_ended", life.conversations, 15, least=True)
    if fared:
        yield Limit("fallen", len(fared.collapsed), 0)


_LINE = plain_schema(UtteranceReply)
"""JSON schema of a line of dialogue."""


def is_faulty(call: Call) -> bool:
    """Return whether a rule of the bench finds a fault in a line of dialogue as the model wrote it;
    its form is judged by the outcome of the call.
    """
    scored = ScoredReply(call.messages, _LINE, call.attempts[-1].text, kind=call.kind)
    return any(rule(scored) for name, rule in RULES.items() if name != "unusable")
