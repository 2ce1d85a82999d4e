"""All prompts by kind."""

from __future__ import annotations

from typing import Any

from modules.prompt.noticing import POIGNANCY, REACT
from modules.prompt.planning import CURRENTLY, DECOMPOSE, PLACE, SCHEDULE_DAILY, SCHEDULE_INIT, WAKE_UP
from modules.prompt.prompt import Prompt
from modules.prompt.reconsidering import RECONSIDER
from modules.prompt.reflecting import CHATS, FOCUS, INSIGHTS
from modules.prompt.talking import RELATION, TALK_SUMMARY, UTTERANCE

PROMPTS: dict[str, Prompt[Any, Any]] = {
    prompt.kind: prompt
    for prompt in (
        CURRENTLY, WAKE_UP, SCHEDULE_INIT, SCHEDULE_DAILY, DECOMPOSE, PLACE, RECONSIDER,
        POIGNANCY, REACT, RELATION, UTTERANCE, TALK_SUMMARY, FOCUS, INSIGHTS, CHATS,
    )
}  # fmt: skip
