"""What an inner voice says becomes the resident's own statement, and is retold as such."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.language import LANGS, Lang
from hometown.memory.concept import Concept
from hometown.prompt.dialogue import Companion, ConversationSummaryVars, DialogueLine
from hometown.scripted.clauses import split_source
from hometown.scripted.talking import answer_talk_summary, answer_utterance
from hometown.world.inner_voice import own_statement
from hometown.world.load import load_world
from hometown.world.persona import Persona
from hometown.world.resolve import parse_intervention
from tests.support.prompt_samples import SAMPLES

NAME = "Isabella Rodriguez"


@cache
def isabella() -> Persona:
    return load_world("ville", "en").personas["isabella_rodriguez"]


@cache
def lin_yue() -> Persona:
    return load_world("minitown", "zh").personas["lin_yue"]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("You want to sing at the café", f"{NAME} wants to sing at the café"),
        (
            "you're tired of coffee, and your feet hurt",
            f"{NAME} is tired of coffee, and her feet hurt",
        ),
        ("You’ve always wanted to dance", f"{NAME} has always wanted to dance"),
        ("You'd like a cake", f"{NAME} would like a cake"),
        ("Couldn't you play for your guests?", f"{NAME} wants to play for her guests."),
        ("It would be good to make peace", f"{NAME} wants to make peace."),
        ("Own up that you lost it", f"{NAME} wants to own up that she lost it"),
        ("Have a word with Tom", f"{NAME} wants to have a word with Tom"),
        ("Have a cold", f"{NAME} has a cold"),
        ("Wish Maria Lopez luck", f"{NAME} wants to wish Maria Lopez luck"),
        ("Congratulate Tom", f"{NAME} wants to congratulate Tom"),
        ("Your rent is due and you have no money", f"{NAME}'s rent is due and she has no money"),
        ("You should tell Maria Lopez your secret", f"{NAME} should tell Maria Lopez her secret"),
        ("You think you should trust yourself", f"{NAME} thinks she should trust herself"),
        ("You want to go to the café and sing", f"{NAME} wants to go to the café and sing"),
        ("You go to the café and sing", f"{NAME} goes to the café and sings"),
        ("You don't want to work today", f"{NAME} doesn't want to work today"),
        ("You dreamt of the sea", f"{NAME} dreamt of the sea"),
        ("YOU WANT TO SING", f"{NAME} wants to sing"),
        (
            "Tonight you want to throw a party and invite everyone",
            f"{NAME} wants to throw a party and invite everyone tonight",
        ),
        (
            "You are in love with Klaus. Tell him tonight!",
            f"{NAME} is in love with Klaus. She wants to tell him tonight!",
        ),
        ("Tom told you to sing", f"Tom told {NAME} to sing"),
        ("Tom gave you flowers", f"Tom gave {NAME} flowers"),
        ("Everybody thinks you sing well", f"Everybody thinks {NAME} sings well"),
        ("There is a quokka in your drawer", f"There is a quokka in {NAME}'s drawer"),
        ("The cake is yours", f"The cake is {NAME}'s"),
    ],
)
def test_the_second_person_becomes_the_third(text: str, statement: str) -> None:
    assert own_statement(text, isabella()) == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("sing at the café", f"{NAME} wants to sing at the café"),
        (
            "Please invite Klaus Mueller to your party",
            f"{NAME} wants to invite Klaus Mueller to her party",
        ),
        ("Tonight, sing at the café.", f"{NAME} wants to sing at the café tonight."),
        ("At 15:00 go to the park", f"{NAME} wants to go to the park at 15:00"),
        ("Don't trust Tom", f"{NAME} does not want to trust Tom"),
        ("Never trust Tom again", f"{NAME} never wants to trust Tom again"),
        ("Be brave", f"{NAME} wants to be brave"),
        ("want to sing", f"{NAME} wants to sing"),
        ("Why don't you sing?", f"{NAME} wants to sing."),
        ("How about singing tonight?", f"{NAME} thinks about singing tonight."),
        ("Do you love Tom?", f"{NAME} wonders whether she loves Tom."),
        ("Why are you so sad?", f"{NAME} wonders why she is so sad."),
        (
            "I'm in love with Klaus, and my heart beats",
            f"{NAME} is in love with Klaus, and her heart beats",
        ),
        (
            "I want to sing, and I'd rather not ask Tom",
            f"{NAME} wants to sing, and she would rather not ask Tom",
        ),
        ("She wants to sing", f"{NAME} wants to sing"),
        ("Isabella wants to sing", f"{NAME} wants to sing"),
        (f"{NAME} wants to sing", f"{NAME} wants to sing"),
    ],
)
def test_commands_questions_and_other_persons_do_too(text: str, statement: str) -> None:
    assert own_statement(text, isabella()) == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("你想在咖啡馆唱歌", "林悦想在咖啡馆唱歌"),
        ("您该道歉了", "林悦该道歉了"),
        ("你的房租到期了，你没有钱", "林悦的房租到期了，她没有钱"),
        ("今晚你要办个派对，邀请所有人", "今晚林悦要办个派对，邀请所有人"),
        ("去年秋天你借了张伟一本书", "去年秋天林悦借了张伟一本书"),
        ("去咖啡馆唱歌", "林悦要去咖啡馆唱歌"),
        ("读书会得换个地方，我还得找人", "读书会得换个地方，林悦还得找人"),
        ("今晚办个派对", "林悦今晚要办个派对"),
        ("请你去看看张伟", "林悦要去看看张伟"),
        ("别告诉任何人", "林悦不想告诉任何人"),
        ("想去唱歌", "林悦想去唱歌"),
        ("你累了。去睡觉吧。", "林悦累了。她要去睡觉。"),
        ("你为什么不去唱歌？", "林悦要去唱歌。"),
        ("你爱张伟吗？", "林悦在想，她爱张伟吗？"),
        ("张伟喜欢你", "张伟喜欢林悦"),
        ("我想唱歌，我的嗓子好了", "林悦想唱歌，她的嗓子好了"),
        ("她想唱歌", "林悦想唱歌"),
        ("林悦想唱歌", "林悦想唱歌"),
    ],
)
def test_so_it_is_in_chinese(text: str, statement: str) -> None:
    assert own_statement(text, lin_yue()) == statement


def test_what_is_quoted_stays_and_what_is_all_quoted_is_unquoted() -> None:
    assert (
        own_statement('You want to tell Klaus "I love you"', isabella())
        == f'{NAME} wants to tell Klaus "I love you"'
    )
    assert own_statement("“You want to sing”", isabella()) == f"{NAME} wants to sing"
    assert own_statement("你想对张伟说“我喜欢你”", lin_yue()) == "林悦想对张伟说“我喜欢你”"


@pytest.mark.parametrize(
    "text", ["The café is closed today", "Dance is life", "咖啡馆今天关门", "看来要下雨了", "", "…"]
)
def test_what_is_not_about_the_resident_stays(text: str) -> None:
    assert own_statement(text, isabella()) == own_statement(text, lin_yue()) == text


def test_other_pronouns() -> None:
    text = "You know that you left your bag to yourself"
    assert (
        own_statement(text, replace(isabella(), pronouns=("they", "them", "their")))
        == f"{NAME} knows that they left their bag to themselves"
    )
    assert (
        own_statement(
            "You say you are late", replace(isabella(), pronouns=("they", "them", "their"))
        )
        == f"{NAME} says they are late"
    )
    assert (
        own_statement("You say you are late", replace(isabella(), pronouns=()))
        == f"{NAME} says {NAME} is late"
    )


@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                [
                    "you",
                    "You",
                    "your",
                    "yours",
                    "yourself",
                    "you're",
                    "sing",
                    "love",
                    "and",
                    "to",
                    "that",
                    "Tom",
                    ",",
                    ".",
                    "?",
                    "!",
                    "café",
                    "don't",
                    "I",
                    "my",
                ]
            ),
            max_size=12,
        ).map(" ".join),
    )
)
def test_nobody_is_spoken_to_in_the_result(text: str) -> None:
    statement = own_statement(text, isabella())
    assert (
        '"' in text
        or "“" in text
        or "'" in text
        or "‘" in text
        or not re.search(r"\b(you|your|yours|yourself|yourselves)\b", statement, re.IGNORECASE)
    )


@given(text=st.text("你您们的我想去唱歌，。？！林悦她今晚别", max_size=16))
def test_nor_in_chinese(text: str) -> None:
    assert not re.search("[你您]", own_statement(text, lin_yue()))


VOICE = {
    "en": "You want to hold a concert at the café on Saturday at six o'clock",
    "zh": "你想周六晚上六点在咖啡店办一场音乐会",
}
STATED = {
    "en": "Lin Yue wants to hold a concert at the café on Saturday at six o'clock",
    "zh": "林悦想周六晚上六点在咖啡店办一场音乐会",
}


@pytest.mark.parametrize("lang", LANGS)
def test_the_words_of_the_user_stay_beside_the_memory(lang: Lang) -> None:
    request = parse_intervention("tell", f"lin_yue: {VOICE[lang]}", load_world("minitown", lang))
    assert (request.text, request.memory, request.remembered) == (
        VOICE[lang],
        STATED[lang],
        STATED[lang],
    )
    assert (
        parse_intervention("set", "cafe/main/counter: wet", load_world("minitown", lang)).memory
        == ""
    )


@pytest.mark.parametrize("lang", LANGS)
def test_it_is_told_in_the_first_person_and_learnt_in_the_third(lang: Lang) -> None:
    me, other = (load_world("minitown", lang).personas[one] for one in ("lin_yue", "wang_fang"))
    now = datetime(2025, 2, 13, 12, 0)
    memory = Concept(
        1, "thought", STATED[lang], me.id, "inner voice", "", "", 8, now, now + timedelta(30)
    )
    sample: Any = SAMPLES["utterance"]
    situation = replace(sample.situation, me=me, now=now, names=((other.id, other.name),))
    friend = replace(
        sample.other, id=other.id, name=other.name, closeness=8, relation="friend", conversations=1
    )
    v = replace(
        sample,
        situation=situation,
        company=(Companion(friend),),
        memories=(memory,),
        lines=(),
        topic="",
        closing=6,
    )
    learnt = []
    for seed in range(40):
        line = answer_utterance(v, random.Random(seed), lang).say
        lines = (DialogueLine(me.id, me.name, line),)
        people, pronouns = ((me.id, me.name), (other.id, other.name)), (me.pronouns, other.pronouns)
        hearing = replace(
            v,
            situation=replace(situation, me=other),
            company=(Companion(replace(friend, id=me.id, name=me.name)),),
            lines=lines,
        )
        heard = ConversationSummaryVars.after(
            hearing, people=people, pronouns=pronouns, place="", sites=(), recounts=False
        )
        summary = answer_talk_summary(heard, random.Random(seed), lang)
        learnt += [news.what for news in summary.learnt]
    assert STATED[lang] in {split_source(what, lang)[0] for what in learnt}
    assert not [what for what in learnt if re.search(r"\b[Yy]ou\b|你", what)]
