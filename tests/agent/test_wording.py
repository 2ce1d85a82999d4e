"""Sentences of a town's own texts and prompts that a reader could take amiss."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hometown.language import LANGS, Lang
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import Templates
from hometown.prompt.tasks import Spot
from hometown.scripted.noticing import is_sighting_text
from hometown.text import catalogue
from tests.support.prompt_samples import SAMPLES, SITUATION


def rendered(kind: str, lang: Lang) -> str:
    variables = replace(SAMPLES[kind], situation=replace(SITUATION, lang=lang))
    messages = Templates(lang).render(PROMPTS[kind], variables)
    return "\n".join(message.content for message in messages)


@pytest.mark.parametrize("lang", LANGS)
def test_people_who_live_together_are_not_said_not_to_have_talked(lang: Lang) -> None:
    """A run knows its own conversations, not those of the days before it."""
    text = rendered("react", lang)
    assert "Not talked" not in text
    assert "没聊过" not in text


def test_any_spot_of_a_square_is_not_in_a_room() -> None:
    square = Spot("square/main", "小镇广场", "", False, ())
    situation = replace(SITUATION, lang="zh")
    variables = replace(SAMPLES["place"], situation=situation, spots=(square,))  # type: ignore[call-arg]
    text = Templates("zh").render(PROMPTS["place"], variables)[-1].content
    assert "屋里" not in text
    assert "1 随便哪儿" in text


def test_one_who_sits_does_not_pass_by() -> None:
    """The one who passed is the one who saw it."""
    seen = {
        lang: catalogue(lang, "mind")["passing"].format(name="Lin Yue", activity="sketching")
        for lang in LANGS
    }
    assert seen == {
        "en": "Lin Yue, seen in passing, is sketching",
        "zh": "路过时看见Lin Yue，手头的事：sketching",
    }
    assert all(is_sighting_text(text, lang) for lang, text in seen.items())


@pytest.mark.parametrize(
    "kind", ["reflect_insights", "reflect_focus", "reflect_chats", "interview"]
)
@pytest.mark.parametrize("lang", LANGS)
def test_examples_show_numbers_where_numbers_are_asked_for(kind: str, lang: Lang) -> None:
    text = rendered(kind, lang).replace("……", "…")
    assert '["…", "…"], 0]' not in text
    assert '[["…", "…", "…", 0]]' not in text
    assert '"evidence": ["…"]' not in text


@pytest.mark.parametrize(
    ("lang", "occupation", "relation"),
    [
        ("zh", "诗人", "诗人，他写一章的，人家八行就完了"),
        ("zh", "诗人", "老朋友"),
        ("en", "poet", "a poet of few words"),
        ("en", "poet", "an old friend"),
    ],
)
def test_an_occupation_that_the_relation_names_is_not_told_twice(
    lang: Lang, occupation: str, relation: str
) -> None:
    sample = SAMPLES["relation"]
    other = replace(sample.other, occupation=occupation, relation=relation)  # type: ignore[attr-defined]
    variables = replace(sample, situation=replace(SITUATION, lang=lang), other=other)  # type: ignore[call-arg]
    text = Templates(lang).render(PROMPTS["relation"], variables)[-1].content
    assert text.count(occupation) == 1


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("end", ["", "."])
def test_an_impression_ends_where_a_clause_follows(lang: Lang, end: str) -> None:
    stop = {"en": ".", "zh": "。"}[lang]
    sample = SAMPLES["approach"]
    person = sample.people[0]  # type: ignore[attr-defined]
    thought = f"Ida is brave{end and stop}"
    person = replace(person, neighbour=replace(person.neighbour, impression=thought))
    variables = replace(sample, situation=replace(SITUATION, lang=lang), people=(person,))  # type: ignore[call-arg]
    text = Templates(lang).render(PROMPTS["approach"], variables)[-1].content
    assert f"Ida is brave{stop}" in text
    assert f"brave{stop}{stop}" not in text
