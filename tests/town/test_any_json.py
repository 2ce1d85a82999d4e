"""A reply that fits its schema is usable, whatever it says."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from hometown.language import LANGS, Lang
from hometown.model.reply_parsing import parse_reply
from hometown.prompt.budget import TOKENS_PER_MESSAGE, about_tokens
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.prompt import Variables
from hometown.prompt.schema import schema_for
from hometown.records import Message
from hometown.scripted.model import ScriptedModel
from hometown.world.clones import populate
from tests.support.any_json import AnyJson, Asked, largest, value
from tests.support.prompt_samples import SAMPLES, plainly
from tests.support.town import live, minitown
from tests.torture.any_day import EAGER, lived

REPLIES = int(os.environ.get("HOMETOWN_REPLIES", "30"))
"""Random replies for each kind of prompt and language; `make fuzz` tries 1000."""


@cache
def asked(lang: Lang) -> dict[str, list[Variables]]:
    """Variables that residents have asked with, by kind, in a town on the scripted model and in one
    on any JSON, and those of the samples.
    """
    world = minitown(lang)
    found = {kind: [variables, plainly(variables, lang)] for kind, variables in SAMPLES.items()}
    for model in (Asked(ScriptedModel()), Asked(AnyJson())):
        with TemporaryDirectory() as folder:
            live(
                Path(folder),
                10,
                world=populate(world, list(world.personas)[:3]),
                stride=60,
                model=model,
                settings=EAGER,
            )
        for kind, requests in model.requests.items():
            found[kind] += [request.variables for request in requests]
    return found


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", PROMPTS)
def test_any_reply_that_fits_its_schema_is_used(kind: str, lang: Lang) -> None:
    prompt, pool, chance = PROMPTS[kind], asked(lang)[kind], Random(f"{kind} {lang}")
    for number in range(REPLIES):
        variables = pool[number % len(pool)]
        schema = schema_for(prompt, variables)
        text = json.dumps(value(schema, chance, lang), ensure_ascii=False)
        reply, mended = parse_reply(prompt, variables, schema, text, lang)
        assert prompt.mended(variables, reply)[1] == (), (
            f"mended by {mended}, and not for good: {text}"
        )


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", PROMPTS)
def test_the_longest_reply_fits_its_limit_of_tokens(kind: str, lang: Lang) -> None:
    """So that no reply is cut off, and nothing in it is unbounded."""
    prompt = PROMPTS[kind]
    for variables in asked(lang)[kind]:
        reply = json.dumps(
            largest(schema_for(prompt, variables), variables.situation.lang), ensure_ascii=False
        )
        assert (
            about_tokens((Message("assistant", reply),)) - TOKENS_PER_MESSAGE <= prompt.max_tokens
        )


@pytest.mark.parametrize("lang", LANGS)
def test_a_town_lives_a_day_on_any_json(lang: Lang, tmp_path: Path) -> None:
    calls = lived(tmp_path, minitown(lang), AnyJson(), steps=36, stride=30, seed=2)
    assert {"place", "react", "utterance", "talk_summary", "reflect_insights"} <= calls.keys()
