"""The scripted model among residents with the longest names, and with signs that patterns have: its
replies pass the gate of all replies.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hometown.errors import HometownError
from hometown.language import LANGS, Lang
from hometown.model.llm import Request
from hometown.name import LONGEST_NAME, name_fault
from hometown.prompt.dialogue import NEWS_LENGTH
from hometown.prompt.prompt import Reply, Variables
from hometown.prompt.reactions import PoignancyVars
from hometown.scripted import model as scripted
from hometown.scripted.clauses import fitting_source, split_source
from hometown.scripted.grammar import as_me, as_them, to_your_face
from tests.support.town import live, minitown, opened

FAIL = scripted.fail
"""What a town does about a fault of the rules; in tests, it is raised."""

SIGNS = ("Ann (A.) Lee", "C++ [x] Lin", r"Zo\1 \g<0>", "Mr. $ ^ * ? |", "a{2} b")


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("lang", LANGS)
def test_names_and_pronouns_are_no_patterns(name: str, lang: Lang) -> None:
    text = (
        f"{name} wants {name}'s tea, and she met {name}"
        if lang == "en"
        else f"{name}想喝{name}的茶，她见了{name}"
    )
    for pronouns in (("she", "her", "her"), ("(a+)+$", r"\b(", "[")):
        said = to_your_face(text, "Tom", pronouns, name, lang)
        assert said
        assert as_them(as_me(text, name, pronouns, lang), name, pronouns, lang, name)


@pytest.mark.parametrize("lang", LANGS)
def test_news_is_shortened_so_that_its_source_stays_whole(lang: Lang) -> None:
    name, clause = "N" * LONGEST_NAME, "a clause of news " * 20
    told = fitting_source(clause, name, lang, NEWS_LENGTH)
    assert len(told) <= NEWS_LENGTH
    assert split_source(told, lang)[1] == name
    assert fitting_source(
        "a short one", name, lang, NEWS_LENGTH
    ) == "a short one" + told.removeprefix(split_source(told, lang)[0])


def test_a_reply_that_does_not_fit_is_sent_as_it_is_and_not_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Short(Reply):
        text: str

    def answer(variables: PoignancyVars, rng: Random, lang: Lang) -> Reply:
        return Short.model_validate({"text": 7})

    monkeypatch.setattr(scripted, "answer", lambda kind: answer)
    request = Request("poignancy", "en", None, (), {}, 10, 0.0)  # type: ignore[arg-type]  # nothing looks at the variables
    assert asyncio.run(scripted.ScriptedModel().complete(request, seed=1)).text == "[7]"


def test_a_town_lives_on_after_a_fault_of_the_rules(tmp_path: Path) -> None:
    def answer(variables: Variables, rng: Random, lang: Lang) -> Reply:
        raise IndexError("pop from empty list")

    rules = scripted.answer
    request = Request("schedule_init", "en", None, (), {}, 10, 0.0)  # type: ignore[arg-type]  # nothing looks at the variables
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            scripted, "answer", lambda kind: answer if kind == "schedule_init" else rules(kind)
        )
        with pytest.raises(IndexError):  # as in every test
            asyncio.run(scripted.ScriptedModel().complete(request, seed=1))
        patch.setattr(scripted, "fail", FAIL)
        live(tmp_path, 2, world=minitown("en"))
        replied = asyncio.run(scripted.ScriptedModel().complete(request, seed=1))
    with opened(tmp_path) as run:
        outcomes = Counter(call.outcome for call in run.calls())
    assert outcomes["fallback"]
    assert outcomes["ok"]
    assert replied.failure == "the rules failed: IndexError: pop from empty list"


@pytest.mark.parametrize("lang", LANGS)
def test_a_town_of_the_longest_names_lives_on(tmp_path: Path, lang: Lang) -> None:
    town = minitown(lang)
    first = {"en": "Maximiliana Bartholomea", "zh": "很长很长的名字"}[lang]
    names = {
        who: f"{first} {who.title()} ".ljust(LONGEST_NAME, "abcdefghij"[at])
        for at, who in enumerate(town.personas)
    }
    assert not any(map(name_fault, names.values()))
    people = {who: replace(persona, name=names[who]) for who, persona in town.personas.items()}
    try:
        live(
            tmp_path,
            24,
            world=replace(town, personas=people),
            stride=20,
            settings={"chat": {"cooldown_minutes": 10}},
        )
    except HometownError as error:
        pytest.fail(f"the run ended: {error}")
    with opened(tmp_path) as run:
        outcomes = Counter(call.outcome for call in run.calls())
        assert run.last.step == 24
    assert outcomes["ok"] > 20 * (outcomes["fallback"] + outcomes["retried"])
