"""All prompts by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hometown.errors import BadSettings
from hometown.prompt.approach_prompt import APPROACH
from hometown.prompt.clashes import CLASH
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import RELATION, UTTERANCE
from hometown.prompt.director_prompt import DIRECTOR_MOVE
from hometown.prompt.errand_matching import GROUND, STEPS
from hometown.prompt.happening_drafts import HAPPENING
from hometown.prompt.interview_answers import INTERVIEW
from hometown.prompt.law_drafts import LAW
from hometown.prompt.measures import MEASURE
from hometown.prompt.newcomers import SETTLER
from hometown.prompt.night_gist import NIGHT_GIST
from hometown.prompt.outcome import CONVERSATION_OUTCOME
from hometown.prompt.plans import CURRENTLY, SCHEDULE_DAILY, SCHEDULE_INIT, WAKE_UP
from hometown.prompt.prompt import Prompt
from hometown.prompt.reactions import POIGNANCY, REACT
from hometown.prompt.reflections import CHATS, FOCUS, INSIGHTS
from hometown.prompt.responses import RESPOND
from hometown.prompt.second_thoughts import RECONSIDER
from hometown.prompt.stranger_drafts import STRANGER
from hometown.prompt.tasks import DECOMPOSE, PLACE
from hometown.prompt.varying import SCHEDULE_CHANGES
from hometown.prompt.verdicts import CHECK_ANSWER, RANK_ANSWERS
from hometown.prompt.world_edits import WORLD_EDIT

PROMPTS: dict[str, Prompt[Any, Any]] = {
    prompt.kind: prompt
    for prompt in (
        CURRENTLY,
        WAKE_UP,
        SCHEDULE_INIT,
        SCHEDULE_DAILY,
        SCHEDULE_CHANGES,
        DECOMPOSE,
        PLACE,
        STEPS,
        GROUND,
        RECONSIDER,
        POIGNANCY,
        REACT,
        APPROACH,
        RESPOND,
        MEASURE,
        HAPPENING,
        CLASH,
        RELATION,
        UTTERANCE,
        CONVERSATION_SUMMARY,
        FOCUS,
        INSIGHTS,
        CHATS,
        NIGHT_GIST,
        CONVERSATION_OUTCOME,
        INTERVIEW,
        RANK_ANSWERS,
        CHECK_ANSWER,
        LAW,
        SETTLER,
        DIRECTOR_MOVE,
        STRANGER,
        WORLD_EDIT,
    )
}


def check_prompt_kinds(
    setting: str, kinds: Iterable[str], prompts: Mapping[str, Prompt[Any, Any]] = PROMPTS
) -> None:
    """Raise BadSettings if a setting names an unknown kind of prompt."""
    for kind in kinds:
        if kind not in prompts:
            raise BadSettings(
                "{setting} has an unknown kind of prompt, {kind!r}; it should be one of {prompts}",
                setting=setting,
                kind=kind,
                prompts=list(prompts),
            )
