"""A reply in the wrong language is asked for again; what only looks foreign is not."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.language import LANGS, Lang
from hometown.model.caller import Caller
from hometown.model.language_check import COMPLAINT, complaint, is_foreign
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import Templates
from hometown.settings import Settings
from tests.support.days import lived_day
from tests.support.fake_models import HashEmbeddings, PocketJournal, PocketTable, Says
from tests.support.prompt_samples import SAMPLES
from tests.support.town import opened

UTTERANCE = PROMPTS["utterance"]


@pytest.mark.parametrize(
    ("lang", "text", "wrong"),
    [
        ("zh", "Good morning! How did you sleep last night?", True),
        ("zh", "早上好！昨晚睡得怎么样？", False),
        ("zh", "OK, thanks!", False),
        ("zh", "我在读 The Old Man and the Sea，写得真好，你也该看看。", False),
        ("zh", "好。I will see you tomorrow at the library.", True),
        ("zh", "cafe_home/kitchen/coffee_machine", False),
        ("zh", "2025-02-13", False),
        ("zh", "☕📖🙂", False),
        ("zh", "", False),
        ("en", "早上好！昨晚睡得怎么样？", True),
        ("en", "Good morning! Did you sleep well, 王芳?", False),
        ("en", "好的", False),
        ("en", "She sells 红烧肉 and 小笼包 at the market on Fridays.", False),
        ("en", "🍞🍞🍞🍞🍞", False),
    ],
)
def test_what_counts_as_foreign(lang: Lang, text: str, wrong: bool) -> None:
    assert is_foreign(lang, text) is wrong


def test_names_that_the_question_gave_do_not_count() -> None:
    assert is_foreign("zh", "Ann Lee Brown, Bob Stone")
    assert not is_foreign("zh", "Ann Lee Brown, Bob Stone", ["Ann Lee Brown", "Bob Stone"])


@given(st.text(alphabet="一二三四五六七八九十，。！ 0123456789☕", max_size=80))
def test_text_without_letters_is_never_foreign_in_chinese(text: str) -> None:
    assert not is_foreign("zh", text)


@given(st.text(alphabet="abcdefghijklmnop ,.!'0123456789☕", max_size=80))
def test_text_without_characters_is_never_foreign_in_english(text: str) -> None:
    assert not is_foreign("en", text)


def test_the_field_is_named() -> None:
    said = complaint("zh", SAMPLES["utterance"], {"say": "Shall we go for a walk?", "end": False})
    assert said == f"say {COMPLAINT['zh']}"


@pytest.mark.parametrize(
    ("lang", "drifted", "good"),
    [("zh", "Shall we take a walk?", "去散步吗？"), ("en", "我们去散步好吗？", "Shall we?")],
)
async def test_a_drifted_reply_is_asked_for_again(lang: Lang, drifted: str, good: str) -> None:
    model = Says(*(orjson.dumps({"say": say, "end": True}).decode() for say in (drifted, good)))
    caller = Caller(
        model, HashEmbeddings(), Templates(lang), PocketJournal(), PocketTable(), Settings()
    )
    reply, call, _ = await caller.ask(
        UTTERANCE, SAMPLES["utterance"], step=1, who="ida", ordinal=0, seed=1
    )
    assert (reply.say, call.outcome) == (good, "retried")
    assert COMPLAINT[lang] in call.attempts[0].error
    assert COMPLAINT[lang] in model.requests[1].messages[-1].content


@pytest.mark.parametrize("lang", LANGS)
def test_the_scripted_town_never_drifts(
    lang: Lang, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with opened(lived_day(tmp_path_factory, lang)) as run:
        attempts = run.database.execute(
            "SELECT attempts FROM calls WHERE outcome != 'ok'"
        ).fetchall()
    assert not [row for row in attempts if COMPLAINT[lang] in row[0]]
