"""What every language model behind the boundary must do: one suite for all backends.

A backend's tests subclass `ModelConformance` and give it a `model` fixture.
"""

from __future__ import annotations

import asyncio
import json
import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from hometown.language import LANGS, Lang
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.prompt.bounds import items_of
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import Templates
from hometown.prompt.schema import schema_for
from tests.support.hang import HANG
from tests.support.prompt_samples import SAMPLES

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "number": (int, float),
}


TEMPLATES = {lang: Templates(lang) for lang in LANGS}


def request(kind: str, lang: Lang) -> Request:
    prompt, variables = PROMPTS[kind], SAMPLES[kind]
    if kind == "schedule_changes":  # whose bound depends on the language
        variables = replace(variables, situation=replace(variables.situation, lang=lang))
    messages = TEMPLATES[lang].render(prompt, variables)
    return Request(
        kind,
        lang,
        variables,
        messages,
        schema_for(prompt, variables),
        prompt.max_tokens,
        prompt.temperature,
    )


REQUESTS = {(kind, lang): request(kind, lang) for kind in PROMPTS for lang in LANGS}


def faults(value: Any, schema: dict[str, Any], at: str = "reply") -> list[str]:
    """What is wrong with a value by a schema, of the few kinds that replies use."""
    kind = schema.get("type")
    if kind and (
        not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")
    ):
        return [f"{at} is not {kind}"]
    found = [f"{at} is not among the choices"] if value not in schema.get("enum", [value]) else []
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{at} does not match {schema['pattern']}")
    if isinstance(value, str) and not (
        schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
    ):
        found.append(f"{at} is too short or too long")
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get(
        "maximum", value
    ):
        found.append(f"{at} is out of range")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at} has {len(value)} items")
        found += [
            fault
            for number, (one, part) in enumerate(
                zip(value, items_of(schema, len(value)), strict=False)
            )
            for fault in faults(one, part, f"{at}.{number}")
        ]
    if isinstance(value, dict):
        if not set(schema["required"]) <= set(value) <= set(schema["properties"]):
            found.append(f"{at} has the fields {sorted(value)}")
        found += [
            fault
            for name, one in value.items()
            if name in schema["properties"]
            for fault in faults(one, schema["properties"][name], f"{at}.{name}")
        ]
    return found


class ModelConformance:
    promises_seed = True
    """Whether the same request and seed get the same reply."""

    def test_it_has_a_name(self, model: LanguageModel) -> None:
        assert model.name.strip()

    @pytest.mark.parametrize("lang", LANGS)
    @pytest.mark.parametrize("kind", PROMPTS)
    async def test_replies_are_json_by_the_schema(
        self, model: LanguageModel, kind: str, lang: Lang
    ) -> None:
        asked = REQUESTS[kind, lang]
        completion = await model.complete(asked, seed=1)
        assert isinstance(completion, Completion)
        assert faults(json.loads(completion.text), asked.schema) == []
        completion.text.encode("utf-8")
        PROMPTS[kind].reply.model_validate_json(completion.text)

    async def test_tokens_are_counted(self, model: LanguageModel) -> None:
        completion = await model.complete(REQUESTS["utterance", "en"], seed=1)
        for count in (completion.prompt_tokens, completion.reply_tokens):
            assert isinstance(count, int)
            assert count >= 0

    async def test_the_request_is_left_as_it_is(self, model: LanguageModel) -> None:
        asked = REQUESTS["place", "zh"]
        schema, messages = deepcopy(asked.schema), asked.messages
        await model.complete(asked, seed=1)
        assert (asked.schema, asked.messages) == (schema, messages)

    async def test_the_same_seed_gets_the_same_reply(self, model: LanguageModel) -> None:
        if not self.promises_seed:
            return
        for asked in REQUESTS.values():
            assert await model.complete(asked, seed=7) == await model.complete(asked, seed=7)

    async def test_large_seeds_and_priorities_are_taken(self, model: LanguageModel) -> None:
        await model.complete(REQUESTS["wake_up", "en"], seed=2**64 - 1, priority=5)

    async def test_calls_at_once_do_not_mix(self, model: LanguageModel) -> None:
        at_once = await asyncio.gather(
            *(model.complete(asked, seed=3) for asked in REQUESTS.values())
        )
        for asked, completion in zip(REQUESTS.values(), at_once, strict=True):
            assert faults(json.loads(completion.text), asked.schema) == []
            if self.promises_seed:
                assert completion == await model.complete(asked, seed=3)

    async def test_a_cancelled_call_ends_at_once_and_leaves_the_model_usable(
        self, model: LanguageModel
    ) -> None:
        tasks = [asyncio.create_task(model.complete(asked, seed=4)) for asked in REQUESTS.values()]
        await asyncio.sleep(0)
        unanswered = [task for task in tasks if task.cancel()]
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), HANG)
        assert all(task.cancelled() for task in unanswered), "answered all the same"
        await model.complete(REQUESTS["react", "zh"], seed=4)
