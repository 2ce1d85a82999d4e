"""News in conversations of the scripted model: what was retrieved is told, to whom it is new, and
learnt by whoever hears it.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from hometown.language import LANGS, Lang
from hometown.memory.concept import Concept
from hometown.prompt.dialogue import Companion, DialogueLine
from hometown.scripted import clauses
from hometown.scripted.gist import takeaway
from hometown.scripted.gossip import news_for
from hometown.scripted.phrases import bank
from hometown.scripted.scene import Scene
from hometown.scripted.sharing import SHARERS, PhraseShare
from hometown.scripted.talking import answer_talk_summary, answer_utterance
from tests.support.scripted_talks import START, Town, scene_of, summary_vars, world

CANARY = {"en": "Old Ming has painted his boat violet", "zh": "老明把船漆成了紫色"}


@pytest.mark.parametrize("lang", LANGS)
def test_only_what_was_retrieved_is_told(lang: Lang) -> None:
    texts = [
        answer_utterance(scene_of(lang, [CANARY[lang]]), random.Random(i), lang).say
        for i in range(60)
    ]
    silent = [answer_utterance(scene_of(lang, []), random.Random(i), lang).say for i in range(60)]
    assert any(CANARY[lang][:6] in line for line in texts)
    assert not any(CANARY[lang][:6] in line for line in silent)


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_other_knows_from_me_is_not_told_again(lang: Lang) -> None:
    v = scene_of(lang, [CANARY[lang]], other_knows=f"… {CANARY[lang]} …")
    assert not any(
        CANARY[lang][:6] in answer_utterance(v, random.Random(i), lang).say for i in range(60)
    )


def test_what_was_told_in_other_words_is_not_told_again() -> None:
    v = scene_of(
        "zh", ["陈思远正在筹备船模小会"], other_knows="陈思远告诉林悦：陈思远正忙着办船模小会。"
    )
    assert not any("船模" in answer_utterance(v, random.Random(i), "zh").say for i in range(60))


@pytest.mark.parametrize("lang", LANGS)
def test_one_s_own_is_not_told_to_somebody_with_whom_a_talk_is_forgotten(lang: Lang) -> None:
    own = {"en": "Chen Siyuan is building a ship in a bottle", "zh": "陈思远在做一只瓶中船"}[lang]
    v = scene_of(lang, [own])
    forgetful = replace(v, company=(Companion(replace(v.other, conversations=2)),))
    mark = {"en": "bottle", "zh": "瓶中船"}[lang]
    assert any(mark in answer_utterance(v, random.Random(i), lang).say for i in range(60))
    assert not any(
        mark in answer_utterance(forgetful, random.Random(i), lang).say for i in range(60)
    )


@pytest.mark.parametrize("lang", LANGS)
def test_only_strangers_introduce_themselves(lang: Lang) -> None:
    v = scene_of(lang, [])
    known, stranger = (
        replace(v, company=(Companion(replace(v.other, relation=relation, closeness=0)),))
        for relation in ("somebody from the village", "")
    )
    for variables, introduces in ((known, False), (stranger, True)):
        acts = {
            move.act
            for i in range(20)
            for move in bank(lang).recognise(
                answer_utterance(variables, random.Random(i), lang).say
            )
        }
        assert ("introduce" in acts) == introduces


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("hour", "drowsy"), [(7, True), (10, False), (15, False)])
def test_nobody_is_half_asleep_at_ten(lang: Lang, hour: int, drowsy: bool) -> None:
    v = scene_of(lang, [])
    v = replace(v, situation=replace(v.situation, now=datetime(2025, 2, 13, hour)))
    early = {frame.text for frame in bank(lang).frames["greet"] if frame.tag == "early"}
    said: list[tuple[str, str]] = []
    for i in range(40):
        situation = replace(v.situation, earlier=tuple(said))
        line = answer_utterance(replace(v, situation=situation), random.Random(i), lang).say
        said.append((v.other.id, line))
    phrases = {move.text for _, line in said for move in bank(lang).recognise(line)}
    assert bool(early & phrases) == drowsy


@pytest.mark.parametrize("lang", LANGS)
def test_a_resident_says_a_phrase_again_only_after_all_others(lang: Lang) -> None:
    scene = Scene(scene_of(lang, []), random.Random(0), lang)
    group = scene.bank.alike(scene.bank.frames["nod"][0])
    said: list[tuple[str, str]] = []
    for _ in range(len(group)):
        situation = replace(scene.v.situation, earlier=tuple(said))
        scene = Scene(replace(scene.v, situation=situation), random.Random(0), lang)
        scene.say("nod")
        said.append((scene.other.id, scene.text))
    assert len({line for _, line in said}) == len(group)


@pytest.mark.parametrize("size", [7, 45])
def test_few_residents_share_a_phrase_on_one_day(size: int) -> None:
    day, phrases = date(2025, 2, 13), tuple(map(str, range(size)))
    residents = [f"resident_{number}" for number in range(25)]
    shares = [PhraseShare(who, residents, day) for who in residents]
    sharers = [sum(not share.place(phrase, phrases)[0] for share in shares) for phrase in phrases]
    assert max(sharers) <= SHARERS
    assert min(sharers) >= 1
    served = [any(not share.place(each, phrases)[0] for each in phrases) for share in shares]
    assert sum(served) == min(len(residents), SHARERS * size)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("other", "tells"), [("zhao_gang", False), ("wang_fang", True)])
def test_what_is_kept_from_somebody_is_not_told_to_them(
    lang: Lang, other: str, tells: bool
) -> None:
    town = Town(world(lang), 1)
    v = town.utterance("xiao_mei", other, "Starlight Café", [], 1)
    v = replace(v, memories=tuple(town.memories["xiao_mei"]))
    song = {"en": "song night", "zh": "弹唱会"}[lang]
    assert any(news.topic == song for news in news_for(v, bank(lang))) == tells


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_told_is_learnt_by_the_other_alone(lang: Lang) -> None:
    v = scene_of(lang, [CANARY[lang]])
    say = next(
        line
        for i in range(60)
        if CANARY[lang][:6] in (line := answer_utterance(v, random.Random(i), lang).say)
    )
    people = tuple(
        (person, world(lang).personas[person].name) for person in ("chen_siyuan", "lin_yue")
    )
    told = summary_vars(
        replace(v, lines=(DialogueLine("chen_siyuan", people[0][1], say),)),
        people,
        "Starlight Café",
    )
    teller = answer_talk_summary(told, random.Random(1), lang)
    assert teller.learnt == []
    assert CANARY[lang] in teller.summary
    hearing = replace(v.situation, me=world(lang).personas["lin_yue"])
    heard = answer_talk_summary(
        replace(told, situation=hearing, recounts=False), random.Random(1), lang
    )
    assert [clauses.split_source(news.what, lang) for news in heard.learnt] == [
        (CANARY[lang], people[0][1])
    ]
    assert heard.summary == ""


# witnesses ---------------------------------------------------------------------------------


FIRE = {
    "en": "A fire breaks out behind the counter, in Starlight Café",
    "zh": "星光咖啡店：柜台后面着火了",
}
CORE = {"en": "fire breaks out", "zh": "着火了"}


def told_of_a_fire(lang: Lang, seed: int) -> tuple[Town, list[str], list[str]]:
    """Lin Yue has seen a fire and talks to Zhang Wei, who talks to Wang Fang; the lines of both
    that tell of it.
    """
    town = Town(world(lang), seed)
    seen = Concept(
        99,
        "event",
        FIRE[lang],
        "cafe/main",
        FIRE[lang],
        "",
        "cafe/main",
        9,
        START,
        START + timedelta(30),
    )
    town.memories["lin_yue"].append(seen)
    told: list[list[str]] = []
    for ordinal, (who, other) in enumerate((("lin_yue", "zhang_wei"), ("zhang_wei", "wang_fang"))):
        lines, v = town.talk(who, other, ordinal)
        town.keep(v, ordinal)
        told.append(
            [line.text for line in lines if line.speaker == who and CORE[lang] in line.text.lower()]
        )
    return town, told[0], told[1]


@pytest.mark.parametrize("lang", LANGS)
def test_a_witness_says_so_and_whoever_was_told_names_who_told(lang: Lang) -> None:
    days = [told_of_a_fire(lang, seed) for seed in range(20)]
    eye = {
        "en": ("saw it", "was there", "what I saw", "seen it"),
        "zh": ("亲眼", "在那儿", "就在边上"),
    }[lang]
    first = [line for _, lines, _ in days for line in lines]
    assert len(first) >= 12, "hardly anybody tells what it has seen"
    assert all(any(word in line for word in eye) for line in first)
    again = [line for _, _, lines in days for line in lines]
    name = world(lang).personas["lin_yue"].name.split()[0]
    assert again
    assert all(name in line for line in again)
    assert not any(any(word in line for word in eye) for line in again)
    for town, lines, _ in days:
        learnt = [
            memory
            for memory in town.memories["zhang_wei"]
            if memory.type == "event" and memory.talk and CORE[lang] in memory.text.lower()
        ]
        assert bool(learnt) == bool(lines)
        assert all(
            clauses.split_source(memory.text, lang)[1] == world(lang).personas["lin_yue"].name
            for memory in learnt
        )


def test_one_who_knew_what_was_told_last_did_not_know_what_was_told_before() -> None:
    words, town = bank("en"), Town(world("en"), 1)
    tell = next(each for each in words.frames["tell"] if each.slots == {"news"} and not each.tag)
    known = next(each for each in words.frames["react_known"] if each.slots <= {"topic"})
    lines = (
        DialogueLine("zhang_wei", "Zhang Wei", tell.fill({"news": "the bridge is to be green"})),
        DialogueLine("lin_yue", "Lin Yue", tell.fill({"news": "Tom sold three old ladders"})),
        DialogueLine("wang_fang", "Wang Fang", known.fill({"topic": "reading circle"})),
    )
    people = tuple((line.speaker, line.name) for line in lines)
    v = replace(town.utterance("lin_yue", "zhang_wei", "Starlight Café", [], 0), lines=lines)
    asked = replace(summary_vars(v, people, ""), pronouns=((), (), ()))
    summary = answer_talk_summary(asked, random.Random(1), "en")
    assert "Zhang Wei told Lin Yue that the bridge" in summary.summary
    assert "which Wang Fang had already heard" in summary.summary
    assert "which Zhang Wei" not in summary.summary
    assert [each.what for each in summary.learnt] == [
        "The bridge is to be green (heard from Zhang Wei)"
    ]


def test_people_meet_in_the_street_not_at_it() -> None:
    v = scene_of("en", [])
    people = ((v.situation.me.id, v.situation.me.name), (v.other.id, v.other.name))
    lines = (DialogueLine(people[0][0], people[0][1], "Good morning."),)
    told = summary_vars(replace(v, lines=lines), people, "the streets")
    summary = answer_talk_summary(told, random.Random(1), "en").summary
    assert " in the street." in summary


def test_summary_uses_first_names_after_the_first_mention() -> None:
    people = (("sam_moore", "Sam Moore"), ("maria_lopez", "Maria Lopez"))
    v = scene_of("en", [])
    sam = replace(v.situation.me, name="Sam Moore")
    v = replace(
        v,
        situation=replace(v.situation, me=sam, names=people),
        lines=(DialogueLine(*people[0], "My own news, then. I'm giving a concert in May."),),
    )
    told = summary_vars(v, people, "Hobbs Café")
    summary = answer_talk_summary(told, random.Random(1), "en").summary
    assert "concert" in summary
    assert summary.count("Sam") > 1
    assert [summary.count(name) for _, name in people] == [1, 1]


def test_summary_names_a_teller_once_and_the_gist_restores_the_name() -> None:
    people = (("sam_moore", "Sam Moore"), ("maria_lopez", "Maria Lopez"))
    v = scene_of("en", [])
    v = replace(
        v,
        situation=replace(v.situation, names=people),
        lines=(DialogueLine(*people[0], "My own news, then. I'm worried about my harvest."),),
    )
    told = replace(
        summary_vars(v, people, "Hobbs Café"), pronouns=(("he", "him", "his"), ("she", "her"))
    )
    text = answer_talk_summary(told, random.Random(1), "en").summary
    assert "Sam told Maria that he is worried about his harvest." in text
    maria = replace(v.situation, me=replace(v.situation.me, name="Maria Lopez"))
    chat = Concept(
        1,
        "chat",
        text,
        "sam_moore",
        "chat",
        "maria_lopez",
        "",
        5,
        START,
        START,
        about=("sam_moore",),
    )
    assert takeaway(chat, maria, "en").text == "Sam Moore is worried about his harvest."
