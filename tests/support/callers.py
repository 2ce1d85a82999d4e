"""Callers of fake models, and a question to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from hometown.model.caller import Caller
from hometown.model.llm import LanguageModel
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.prompt import Prompt
from hometown.prompt.render import Templates
from hometown.records import Call
from hometown.settings import Llm, Machine, Settings
from tests.support.fake_models import HashEmbeddings, PocketJournal, PocketTable
from tests.support.prompt_samples import REPLIES, SAMPLES

TEMPLATES = Templates("en")
UTTERANCE, POIGNANCY = PROMPTS["utterance"], PROMPTS["poignancy"]
GOOD = orjson.dumps(REPLIES["utterance"]).decode()


def make_caller(
    model: LanguageModel,
    *,
    retries: int = 1,
    share: float = 0.5,
    slots: int = 8,
    thinking: Sequence[str] = (),
    **parts: Any,
) -> Caller:
    """Return a caller of the model, with a journal and a table of its own unless `parts` name
    others. `share`: of fallbacks, at most.
    """
    settings = Settings(
        llm=Llm(retries=retries, max_fallback_share=share, thinking=[*thinking]),
        machine=Machine(slots=slots),
    )
    parts = {
        "embedder": HashEmbeddings(),
        "templates": TEMPLATES,
        "journal": PocketJournal(),
        "table": PocketTable(),
        **parts,
    }
    return Caller(model, settings=settings, **parts)


async def ask(
    one: Caller,
    prompt: Prompt[Any, Any] = UTTERANCE,
    *,
    who: str = "ida",
    ordinal: int = 0,
    seed: int = 1,
) -> tuple[Any, Call]:
    """Return the reply to the sample of a prompt, asked in step 3, and the call."""
    reply, call, _ = await one.ask(
        prompt, SAMPLES[prompt.kind], step=3, who=who, ordinal=ordinal, seed=seed
    )
    return reply, call
