"""The scripted model's answers, for tests of its rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from random import Random
from typing import Any

from hometown.language import Lang
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.checks import fault
from hometown.prompt.schema import as_asked, schema_for
from hometown.scripted.model import answer

DATE = date(2025, 2, 13)
NOW = datetime(2025, 2, 13, 10, 0)


def reply(kind: str, variables: Any, seed: int = 1, lang: Lang = "en") -> Any:
    """The answer, checked as the caller would check it."""
    variables = replace(variables, situation=replace(variables.situation, lang=lang))
    found = answer(kind)(variables, Random(seed), lang)
    prompt, schema = PROMPTS[kind], schema_for(PROMPTS[kind], variables)
    parsed = prompt.reply.model_validate_json(found.model_dump_json())
    assert fault(as_asked(parsed.model_dump(mode="json"), schema), schema) == ""
    return parsed
