"""What two agree on, and how they stand with each other, in conversations of the scripted model."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.language import LANGS, Lang
from hometown.prompt.dialogue import ConversationSummaryReply, DialogueLine, RelationVars
from hometown.scripted import meeting
from hometown.scripted.phrases import bank
from hometown.scripted.rumour import distort
from hometown.scripted.scene import Scene
from hometown.scripted.talking import answer_relation, answer_talk_summary, answer_utterance
from tests.support.scripted_talks import Town, scene_of, summary_vars, world


def addresses(lang: Lang) -> list[str]:
    """The addresses of the places in a summary, by which it numbers them."""
    return [address for address, _ in scene_of(lang, []).places]


def summary_of(lang: Lang, texts: tuple[str, str]) -> ConversationSummaryReply:
    v = scene_of(lang, [])
    people = tuple(
        (person, world(lang).personas[person].name) for person in ("chen_siyuan", "lin_yue")
    )
    lines = tuple(
        DialogueLine(person, name, text) for (person, name), text in zip(people, texts, strict=True)
    )
    return answer_talk_summary(
        summary_vars(replace(v, lines=lines), people, ""), random.Random(1), lang
    )


PROPOSED = {
    "en": "How about a coffee at Starlight Café, today at 16:30?",
    "zh": "今天16:30，星光咖啡店，喝杯咖啡，来不来？",
}
ACCEPTED = {"en": "16:30 it is.", "zh": "行，16:30。"}
DECLINED = {
    "en": "I'm sorry, I can't. I've let something lie for days and must get it done.",
    "zh": "对不住，有件事拖了好几天，今天非办完不可。",
}


@pytest.mark.parametrize("lang", LANGS)
def test_an_accepted_proposal_is_a_commitment_and_a_declined_one_is_none(lang: Lang) -> None:
    (agreed,) = summary_of(lang, (PROPOSED[lang], ACCEPTED[lang])).commitments
    assert (addresses(lang)[agreed.where - 1], agreed.day, agreed.start) == (
        "cafe/main",
        date(2025, 2, 13),
        "16:30",
    )
    assert summary_of(lang, (PROPOSED[lang], DECLINED[lang])).commitments == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("at", range(10))
def test_whatever_is_proposed_in_whatever_words_keeps_what_and_where(lang: Lang, at: int) -> None:
    """Plans such as "a look at what we're both making" hold words that frames have too."""
    words = bank(lang)
    slots = {
        "place": "星光咖啡店" if lang == "zh" else "Starlight Café",
        "day": words.words["today"],
        "time": "16:30",
    }
    for meet in words.words["meets"]:
        for plan in meet["say"]:
            reply = summary_of(
                lang, (words.frames["propose"][at].fill({**slots, "what": plan}), ACCEPTED[lang])
            )
            (agreed,) = reply.commitments
            assert (agreed.what, addresses(lang)[agreed.where - 1], agreed.minutes) == (
                meet["do"],
                "cafe/main",
                meet["minutes"],
            ), plan
            assert meet["do"] in reply.summary
            assert slots["place"] in reply.summary


@pytest.mark.parametrize("lang", LANGS)
@given(start=st.integers(0, 1439), end=st.integers(0, 1440), seed=st.integers(0, 99))
def test_nobody_agrees_to_a_time_that_is_taken(lang: Lang, start: int, end: int, seed: int) -> None:
    name = world(lang).personas["lin_yue"].name
    v = replace(
        scene_of(lang, [], lines=(DialogueLine("lin_yue", name, PROPOSED[lang]),)),
        free=((start, end),),
    )
    say = answer_utterance(v, random.Random(seed), lang).say
    free = start <= 16 * 60 + 30 and end >= 17 * 60 + 10
    accepts = any(move.act == "accept" for move in bank(lang).recognise(say))
    assert free or not accepts


@pytest.mark.parametrize("lang", LANGS)
def test_a_clash_is_met_with_one_more_hour_and_a_refused_hour_is_not_proposed_again(
    lang: Lang,
) -> None:
    pity = bank(lang).frames["pity"][0].fill({"time": "16:30"})
    counter = bank(lang).frames["counter"][0].fill({"time": "17:00"})
    lines = (
        DialogueLine("chen_siyuan", "", PROPOSED[lang]),
        DialogueLine("lin_yue", "", counter),
    )
    v = replace(scene_of(lang, [], lines=lines), closing=8, free=((17 * 60 + 30, 1440),))
    moves = bank(lang).recognise(answer_utterance(v, random.Random(1), lang).say)
    assert [move.slots["time"] for move in moves if move.act == "counter"] == ["19:00"]
    v = replace(scene_of(lang, []), free=((15 * 60, 17 * 60 + 30),))
    v = replace(v, situation=replace(v.situation, earlier=(("lin_yue", pity),)))
    for seed in range(20):
        scene = Scene(v, random.Random(seed), lang)
        meeting.propose(scene, False)
        moves = bank(lang).recognise(scene.text)
        assert all(move.slots["time"] != "16:30" for move in moves)


@pytest.mark.parametrize("lang", LANGS)
def test_nobody_is_surprised_to_meet_whom_they_have_an_appointment_with(lang: Lang) -> None:
    talked = {"en": "They spoke of this and that.", "zh": "东拉西扯了几句。"}
    v = scene_of(lang, [], other_knows=talked[lang])
    acts = {
        met_for: {
            move.act
            for seed in range(20)
            for move in bank(lang).recognise(
                answer_utterance(replace(v, met_for=met_for), random.Random(seed), lang).say
            )
        }
        for met_for in ("", "chess")
    }
    assert "again" in acts[""]
    assert "again" not in acts["chess"]


# relations ---------------------------------------------------------------------------------


def test_a_rumour_grows_by_whole_numbers() -> None:
    for text in ("Tom sold twenty-eight ladders", "two or three people are leaving"):
        assert distort(text, "en") == text
    for text in ("来了两三个人", "三年级的孩子", "八三年那场大水"):
        assert distort(text, "zh") == text


@pytest.mark.parametrize("lang", LANGS)
def test_a_relation_is_told_in_the_third_person(lang: Lang) -> None:
    town = Town(world(lang), 1)
    for who in town.world.personas:
        for other in town.world.personas:
            if who != other:
                v = RelationVars(
                    town.situation(who, ""),
                    town.neighbour(who, other),
                    town.recall(who, other, ""),
                    "",
                )
                summary = answer_relation(v, random.Random(1), lang).summary
                assert town.world.personas[other].name in summary
                assert len(summary) <= 300
