"""Questions of the scripted model follow up what was said, and are asked once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hometown.language import LANGS, Lang
from hometown.scripted import follow_ups
from hometown.scripted.phrases import bank
from hometown.scripted.scene import Scene
from tests.support.scripted_talks import replies, scene_of

SETBACK = {
    "en": [
        "You know, I've found a crack in the millstone, and a new stone costs more than I have."
    ],
    "zh": ["我跟你说啊，我发现磨盘上有一道裂纹，换新磨盘我没那么多钱。"],
}
BEGINNING = {
    "en": [
        "May I say something? I'd like to tell you what is on my mind, and don't know how to begin."
    ],
    "zh": ["说句心里话，我想把心事跟你说，又不知道怎么开口。"],
}


@pytest.mark.parametrize("lang", LANGS)
def test_a_setback_pleases_nobody_and_one_who_cannot_begin_is_not_asked_for_a_plan(
    lang: Lang,
) -> None:
    for acts in replies(lang, SETBACK[lang]):
        assert "react_own" not in acts
        for act in acts:
            needs = bank(lang).exchanges[act[4:]].needs if act[:4] == "ask:" else {"own-setback"}
            assert "own-setback" in needs
    for acts in replies(lang, BEGINNING[lang]):
        assert not any(act.startswith("ask:") for act in acts)


@pytest.mark.parametrize("lang", LANGS)
def test_small_talk_is_not_repeated_by_those_who_heard_it(lang: Lang) -> None:
    words, v = bank(lang), scene_of(lang, [])
    scene = Scene(v, random.Random(1), lang)
    assert follow_ups.ask_question(scene, lambda needs: not needs, must=True)
    asked = words.exchanges[scene.acts[-1].removeprefix("ask:")]
    answer = words.frames[asked.answers[0]][0].text
    earlier = (("wang_fang", answer),)
    scene = Scene(
        replace(v, situation=replace(v.situation, earlier=earlier)), random.Random(1), lang
    )
    assert follow_ups.ask_question(scene, lambda needs: not needs, must=True)
    assert words.exchanges[scene.acts[-1].removeprefix("ask:")].gist != asked.gist
