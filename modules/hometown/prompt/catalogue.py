"""All prompts by kind."""

from __future__ import annotations

from typing import Any

from hometown.prompt.doing import DECOMPOSE, PLACE
from hometown.prompt.interviewing import INTERVIEW
from hometown.prompt.judging import CHECK_ANSWER, RANK_ANSWERS
from hometown.prompt.lawmaking import LAW
from hometown.prompt.noticing import POIGNANCY, REACT
from hometown.prompt.outcome import CONVERSATION_OUTCOME
from hometown.prompt.planning import CURRENTLY, SCHEDULE_DAILY, SCHEDULE_INIT, WAKE_UP
from hometown.prompt.prompt import Prompt
from hometown.prompt.reconsidering import RECONSIDER
from hometown.prompt.reflecting import CHATS, FOCUS, INSIGHTS
from hometown.prompt.responding import RESPOND
from hometown.prompt.settling import SETTLER
from hometown.prompt.talking import CONVERSATION_SUMMARY, RELATION, UTTERANCE
from hometown.prompt.varying import SCHEDULE_CHANGES
from hometown.prompt.working import GROUND, STEPS

PROMPTS: dict[str, Prompt[Any, Any]] = {
    prompt.kind: prompt
    for prompt in (
        CURRENTLY, WAKE_UP, SCHEDULE_INIT, SCHEDULE_DAILY, SCHEDULE_CHANGES, DECOMPOSE, PLACE, STEPS, GROUND, RECONSIDER,
        POIGNANCY, REACT, RESPOND, RELATION, UTTERANCE, CONVERSATION_SUMMARY, FOCUS, INSIGHTS, CHATS,
        CONVERSATION_OUTCOME, INTERVIEW, RANK_ANSWERS, CHECK_ANSWER, LAW, SETTLER,
    )
}  # fmt: skip
