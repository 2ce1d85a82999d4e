"""What the stand-in says suits the world: nothing is named that there is not in it."""

from __future__ import annotations

import re

import pytest

from hometown.language import LANGS, Lang
from hometown.scripted.phrases import bank, bank_for
from hometown.world.load import load_world

OLD = ("cloudvale", "farmstead")
PHONE = {"en": "phone", "zh": "手机"}


@pytest.mark.parametrize("lang", LANGS)
def test_phrases_with_words_for_what_there_is_not_go(lang: Lang) -> None:
    whole, fit = bank(lang), bank_for(lang, PHONE[lang])
    named = [
        frame.text
        for frames in whole.frames.values()
        for frame in frames
        if PHONE[lang] in frame.text.lower()
    ]
    kept = {frame.text for frames in fit.frames.values() for frame in frames}
    assert named
    assert not kept & set(named)
    assert bank_for(lang, "") is whole
    for exchange in fit.exchanges.values():
        assert fit.frames[exchange.ask]
        for answer in exchange.answers:
            course = [
                act for act in whole.frames if act.startswith(answer.rpartition("-")[0] + "-")
            ]
            assert len({bool(fit.frames[act]) for act in course}) == 1, (
                "a course without one of its lines goes as a whole"
            )
    assert all(meet["say"] for meet in fit.words["meets"])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", OLD)
def test_old_worlds_name_nothing_that_they_lack_and_have_enough_to_say(
    name: str, lang: Lang
) -> None:
    world = load_world(name, lang)
    people = world.personas.values()
    own = [
        text
        for me in people
        for text in (
            me.occupation,
            me.innate,
            me.learned,
            me.lifestyle,
            me.currently,
            *me.interests,
        )
    ]
    own += [story.title for story in world.storylines] + [
        habit.activity for me in people for habit in me.habits
    ]
    assert [text for text in own if re.search(world.lacks, text, re.IGNORECASE)] == []
    whole, fit = bank(lang), bank_for(lang, world.lacks)
    assert all(
        fit.frames[act] for act, frames in whole.frames.items() if frames and ":" not in act
    ), "nobody is left without words"
    assert len(fit.exchanges) > len(whole.exchanges) // 2
