"""The limits that a model must meet to be accepted: almost no lost replies, and residents who lead
a life.

A run can be judged from its first morning; limits that take a day (numbers of activities, places
and conversations) apply once a day has passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hometown.bench.copied_examples import copies
from hometown.bench.forms import breaks_demand
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import RULES
from hometown.history.hardship import Hardship
from hometown.history.life import Life
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import UTTERANCE
from hometown.prompt.prompt import Reply
from hometown.prompt.schema import plain_schema
from hometown.records import Call
from hometown.text import N_, pgettext
from hometown.world.conversation import Conversation

WAKING_DAY = 18 * 60
"""Minutes of a run from which the limits for a whole day apply."""

LEAST_LINES = 10
"""Lines of dialogue without which nothing is known of what residents say: two half days of a strong
mind hold 42 and 41, and a morning of a model of 135 million parameters 5.
"""

FAULTY_LINES, FAULTY_REPLIES = 0.1, 0.05
"""Shares of spoken lines, and of all replies, in which a rule of the bench may find a fault. They lie
between the days that a reader rated good and the others; docs/models.md has the figures.
"""

STUCK = 0.2
"""Share of conversations that may end because nothing new was said: none in the good days, 41 % in a
day of a model of 135 million parameters.
"""

AT_WORK = 0.3
"""Share of working hours that residents spend at work at least. In the good days it is 44 % and 39 %,
as a living day takes residents elsewhere; days near habit have up to 87 %.
"""


LIMIT_TEXTS = {
    "retried": N_("asked again, then good"),
    "fallback": N_("fallbacks"),
    "copied": N_("replies that hold a text of their prompt's example"),
    "up": N_("mornings up within two hours of habit"),
    "at_work": N_("working hours spent at work"),
    "activities": N_("different activities, of the resident with fewest"),
    "places": N_("different places, of the resident with fewest"),
    "stuck": N_("conversations ended for repeating themselves"),
    "at_most": N_("{name}: {value} (at most {limit})"),
    "at_least": N_("{name}: {value} (at least {limit})"),
    "lines_judged": N_("spoken lines whose prompts were recorded"),
    "faulty_lines": N_("spoken lines with a fault"),
    "faulty_replies": N_("replies with a fault"),
    "times_said": N_("times that one sentence was said"),
    "conversations_ended": pgettext("figure of acceptance", "conversations"),
    "fallen": N_("people who collapsed"),
}
"""The names of limits, and the words in which a missed one is told."""


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
    replies = list_judged(calls)
    lines = [call for call in replies if call.kind == UTTERANCE.kind]
    yield Limit("lines_judged", len(lines), LEAST_LINES, least=True)
    yield Limit("faulty_lines", faulty_share(lines), FAULTY_LINES, share=True)
    yield Limit("faulty_replies", faulty_share(replies), FAULTY_REPLIES, share=True)
    stuck = sum(conversation.ended_by == "repetition" for conversation in conversations)
    yield Limit("stuck", stuck / max(1, len(conversations)), STUCK, share=True)
    yield Limit("up", life.on_time_share, 0.9, least=True, share=True)
    yield Limit("at_work", life.work_share, AT_WORK, least=True, share=True)
    yield Limit("times_said", life.times, 5)
    if minutes >= WAKING_DAY:
        yield Limit("activities", life.fewest_activities, 10, least=True)
        yield Limit("places", life.fewest_places, 3, least=True)
        yield Limit("conversations_ended", life.conversations, 15, least=True)
    if fared:
        yield Limit("fallen", len(fared.collapsed), 0)


def list_judged(calls: Sequence[Call]) -> list[Call]:
    """Return the calls that the rules can judge: those with a recorded prompt."""
    return [call for call in calls if call.messages and call.kind in PROMPTS]


def faulty_share(calls: Sequence[Call]) -> float:
    """Return the share of calls in whose reply a rule of the bench finds a fault; 0 of none."""
    return sum(map(is_faulty, calls)) / max(1, len(calls))


@cache
def is_faulty(call: Call) -> bool:
    """Return True if a rule of the bench finds a fault in a reply as the model wrote it."""
    return has_fault(scored_reply(call))


def scored_reply(call: Call) -> ScoredReply:
    """Return a reply as the model wrote it, for the rules of the bench."""
    reply: type[Reply] = PROMPTS[call.kind].reply
    return ScoredReply(call.messages, plain_schema(reply), call.attempts[-1].text, kind=call.kind)


_RULES_BEYOND_SCHEMA = {**RULES, "unusable": breaks_demand}


def has_fault(reply: ScoredReply) -> bool:
    """Return True if a rule of the bench finds a fault in a reply; its schema is judged by the outcome
    of the call.
    """
    return any(rule(reply) for rule in _RULES_BEYOND_SCHEMA.values())
