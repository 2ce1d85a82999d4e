"""Whatever a model says, the laws of the town hold, and nobody's words become anything but words."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hometown.language import LANGS, Lang
from hometown.model.llm import Request
from hometown.model.reply_parsing import LONGEST_REPLY, UnusableReply, parse_reply, sanitize
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.prompt import Reply, Variables
from hometown.prompt.render import Templates
from hometown.prompt.schema import schema_for
from tests.support.prompt_samples import REPLIES, SAMPLES
from tests.torture.mad import HOSTILE, KINDS, lived, mad

TOWNS = int(os.environ.get("HOMETOWN_MAD_TOWNS", "4"))
ROUNDS = int(os.environ.get("HOMETOWN_MAD_ROUNDS", "1"))
"""How often a reply of each kind is spoiled in each way; `make fuzz` does it 12 times."""


def test_the_laws_of_the_town_hold_whatever_is_said(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    heard: Counter[str] = Counter()

    @settings(
        max_examples=TOWNS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(
        madness=st.integers(0, 10**6),
        lang=st.sampled_from(LANGS),
        share=st.sampled_from([0.2, 0.6, 1.0]),
    )
    def town(madness: int, lang: Lang, share: float) -> None:
        heard.update(
            lived(
                tmp_path_factory.mktemp("mad"),
                madness,
                steps=36,
                lang=lang,
                share=share,
                residents=3,
            ).said
        )

    town()
    asked, ways = (set(each) for each in zip(*(said.split(": ") for said in heard), strict=True))
    assert heard.total() > 120, "too little was said: the test shows less than it says"
    assert len(asked) > 7, "all that a town lives by is answered madly"
    assert ways == set(KINDS), "in every way"


def answered(kind: str, text: str, lang: Lang) -> tuple[str, Reply | None]:
    """The objection to a text, or the reply that it is."""
    try:
        return "", parse_reply(
            PROMPTS[kind], SAMPLES[kind], schema_for(PROMPTS[kind], SAMPLES[kind]), text, lang
        )[0]
    except UnusableReply as error:
        return str(error), None


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", PROMPTS)
def test_a_reply_of_every_kind_of_madness_is_used_or_refused(kind: str, lang: Lang) -> None:
    """And in time: nothing takes longer than it takes to read."""
    prompt, variables = PROMPTS[kind], SAMPLES[kind]
    request = Request(
        kind,
        lang,
        variables,
        (),
        schema_for(prompt, variables),
        prompt.max_tokens,
        prompt.temperature,
    )
    sane = prompt.reply.model_validate(REPLIES[kind]).model_dump_json()
    chance = Random(f"{kind} {lang}")
    for how in KINDS * ROUNDS:
        text = sanitize(mad(request, sane, how, chance))
        assert len(text) <= LONGEST_REPLY
        told, reply = answered(kind, text, lang)
        assert len(told) <= 300
        assert told.isprintable() or "\n" not in told
        if reply is not None:
            prompt.reply.model_validate_json(reply.model_dump_json())


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.sampled_from(HOSTILE),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(sorted({key for reply in REPLIES.values() for key in reply})), inner
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(kind=st.sampled_from(sorted(PROMPTS)), value=JSON, lang=st.sampled_from(LANGS))
def test_any_json_is_used_or_refused(kind: str, value: Any, lang: Lang) -> None:
    for text in (json.dumps(value), str(value)):
        told, _ = answered(kind, sanitize(text), lang)
        assert "\n" not in told


# injections --------------------------------------------------------------------------------


def spoken(value: Any, text: str) -> Any:
    """The same variables, every text in them `text`: activities, memories, lines, names of people
    and places.
    """
    if isinstance(value, str):
        return text if value else value
    if hasattr(value, "_asdict"):
        return value._replace(
            **{name: spoken(one, text) for name, one in value._asdict().items() if name not in KEPT}
        )
    if isinstance(value, tuple):
        return tuple(spoken(one, text) for one in value)
    if isinstance(value, Mapping):
        return {key: spoken(one, text) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value,
            **{
                one.name: spoken(getattr(value, one.name), text)
                for one in fields(value)
                if one.name not in KEPT
            },
        )
    return value


KEPT = (
    "kind",
    "type",
    "id",
    "speaker",
    "address",
    "home",
    "sleeps",
    "who",
    "people",
    "pronouns",
    "tags",
    "places",
    "names",
    "about",
    "talk",
    "lang",
)
"""Fields that the town itself fills in, out of a closed set."""

MARKS = ("<|", "|>", "[INST]", "[/INST]", "</s>", "<s>", "<think>", "<<SYS>>", "<script")
"""What the words of others never bring into a prompt."""


COMMANDS = [one for one in HOSTILE if one.strip() and len(one) < 500 and one.isascii()]


@pytest.fixture(scope="module")
def templates() -> dict[Lang, Templates]:
    return {lang: Templates(lang) for lang in LANGS}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", PROMPTS)
def test_words_of_others_stay_words(
    kind: str, lang: Lang, templates: dict[Lang, Templates]
) -> None:
    for said in COMMANDS:
        plain, spoilt = (
            templates[lang].render(PROMPTS[kind], _with(SAMPLES[kind], text))
            for text in ("x", said)
        )
        assert [message.role for message in spoilt] == [message.role for message in plain]
        for one, other in zip(plain, spoilt, strict=True):
            assert len(other.content.splitlines()) == len(one.content.splitlines()), (
                f"{said!r}: a line became two"
            )
            assert not [
                mark for mark in MARKS if mark in other.content and mark not in one.content
            ], said
            assert "{{" not in said or "54439" not in other.content, said


def _with(variables: Variables, text: str) -> Variables:
    changed: Variables = spoken(variables, text)
    return changed


def test_a_date_is_not_a_text() -> None:
    assert spoken((date(2025, 2, 13), datetime(2025, 2, 13)), "x") == (
        date(2025, 2, 13),
        datetime(2025, 2, 13),
    )
