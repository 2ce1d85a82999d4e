"""What a prompt declares of replies that are spoken aloud."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import UTTERANCE
from tests.support.prompt_samples import SAMPLES

SPEECH = UTTERANCE.speech


def test_only_lines_of_dialogue_are_spoken() -> None:
    assert [kind for kind, prompt in PROMPTS.items() if prompt.speech] == ["utterance"]
    assert SPEECH is not None
    assert SPEECH.field in UTTERANCE.reply.model_fields
    sample: Any = SAMPLES["utterance"]
    assert SPEECH.listener(sample) == sample.other.id


@given(
    text=st.text(max_size=40),
    cut=st.integers(0, 80),
    before=st.sampled_from(["", "```json\n", "<think>{tea}</think> "]),
)
def test_words_of_an_unfinished_reply_are_a_beginning_of_the_whole(
    text: str, cut: int, before: str
) -> None:
    assert SPEECH is not None
    reply = before + orjson.dumps({"end": False, "say": text}).decode()
    assert text.startswith(SPEECH.words(reply[:cut]))
    assert SPEECH.words(reply) == text


@pytest.mark.parametrize(
    "reply", ["", "{", '{"say', '{"say": 3', "Good morning!", '[{"x": 1}]', "{" * 500]
)
def test_a_reply_without_words_has_none(reply: str) -> None:
    assert SPEECH is not None
    assert SPEECH.words(reply) == ""
