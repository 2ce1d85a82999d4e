"""The summary of a conversation in a society, which includes goods handed over."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hometown.prompt.bounds import LEFT_OUT, Keywords, between
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import (
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.prompt.prompt import Prompt
from hometown.prompt.trade import GIFTS, Given, bounds


class ConversationOutcomeReply(ConversationSummaryReply):
    """The reply of a summary, with `given`: the goods that the resident who answers has handed over
    themselves, since no resident gives anything away for another. `closer` may be as low as -2 and
    as high as 2.
    """

    given: list[Given] = Field(
        default_factory=list,
        max_length=GIFTS,
        description="What I hand over or sell, [] for nothing.",
    )


def _narrow(v: ConversationSummaryVars) -> Mapping[str, Keywords]:
    """Return the bounds of the reply's fields: those of any summary, those of `given` (goods handed
    over), and -2 to 2 for `closer`. Very small models are not asked for `given`, and have the
    bounds of any summary for all other fields.
    """
    narrowed = CONVERSATION_SUMMARY.narrow(v)
    if v.situation.plain:
        return {**narrowed, "given": LEFT_OUT}
    return {**narrowed, "closer[]": between(-2, 2), **bounds(v.dealings, len(v.people))}


CONVERSATION_OUTCOME = Prompt(
    "talk_outcome",
    ConversationSummaryVars,
    ConversationOutcomeReply,
    fallback=lambda v: ConversationOutcomeReply.model_validate(
        CONVERSATION_SUMMARY.fallback(v).model_dump()
    ),
    narrow=_narrow,
    mend=CONVERSATION_SUMMARY.mend,
    persona=CONVERSATION_SUMMARY.persona,
    max_tokens=CONVERSATION_SUMMARY.max_tokens,
    temperature=CONVERSATION_SUMMARY.temperature,
)
