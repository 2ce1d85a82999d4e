"""The scripted model's answers, for tests of its rules."""

from __future__ import annotations

from datetime import date, datetime
from random import Random
from typing import Any

from modules.model.scripted.model import answer
from modules.prompt.catalogue import PROMPTS

DATE = date(2025, 2, 13)
NOW = datetime(2025, 2, 13, 10, 0)


def reply(kind: str, variables: Any, seed: int = 1, lang: str = "en") -> Any:
    """The answer, checked as the caller would check it."""
    found = answer(kind)(variables, Random(seed), lang)
    prompt = PROMPTS[kind]
    parsed = prompt.reply.model_validate_json(found.model_dump_json())
    assert prompt.objection(variables, parsed) is None
    for path, allowed in prompt.choices(variables).items():
        assert getattr(parsed, path) in allowed
    return parsed
