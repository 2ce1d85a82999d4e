"""Activities get their form from a dictionary, whatever form a model gives them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hometown.language import Lang
from hometown.prompt.activity_form import word_activity
from hometown.prompt.plans import ACTIVITY
from tests.support.prompt_samples import SITUATION

IDA = SITUATION.me

WORDED = [
    ("Visit the library", "visiting the library"),
    ("opens the library reading room", "opening the library reading room"),
    ("I will fix half the lanterns around noon.", "fixing half the lanterns around noon"),
    ("I'm going to ask Chen Siyuan", "asking Chen Siyuan"),
    (f"{IDA.name} is kneading dough", "kneading dough"),
    (f"{IDA.name.split()[0]} practises the piano", "practising the piano"),
    ("10:00 - Get up", "getting up"),
    ("10:00-11:30: Water the plants", "watering the plants"),
    ("2. to buy bread", "buying bread"),
    ("Lie down", "lying down"),
    ("Morning coffee with Tom", "busy with morning coffee with Tom"),
    ("Book club at the café", "busy with book club at the café"),
    ("at the café", "at the café"),
    ("Quietly reading a novel", "quietly reading a novel"),
    ("sketching the noodle seller's hands", "sketching the noodle seller's hands"),
    ("Tom's party", "Tom's party"),
    ("play my song to Tom", "playing her song to Tom"),
    ("buying Tom the coffee I still owe him", "buying Tom the coffee she still owes him"),
    ("showing Tom what I've made myself", "showing Tom what she has made herself"),
    ("telling Tom I'm sorry, it was mine", "telling Tom she is sorry, it was hers"),
    ("asking Tom what I could bring and did", "asking Tom what she could bring and did"),
    ("singing “What I am” and a song I wrote", "singing “What I am” and a song she wrote"),
]


@pytest.mark.parametrize(("words", "worded"), WORDED)
def test_an_english_activity_follows_she_is(words: str, worded: str) -> None:
    assert word_activity(words, IDA, "en", ACTIVITY) == worded
    assert word_activity(worded, IDA, "en", ACTIVITY) == worded


@pytest.mark.parametrize(
    ("words", "worded"),
    [
        ("我要去图书馆看书。", "去图书馆看书"),
        ("10:00 小艾正在揉面", "揉面"),
        ("10:00到11:30，给花浇水", "给花浇水"),
        ("在图书馆看书", "在图书馆看书"),
        ("会见老朋友", "会见老朋友"),
        ("弹我的歌给我爷爷听", "弹自己的歌给自己爷爷听"),
        ("还林悦我欠她的咖啡", "还林悦她欠她的咖啡"),
    ],
)
def test_a_chinese_activity_is_a_bare_verb_phrase(words: str, worded: str) -> None:
    ida = replace(IDA, name="小艾", pronouns=("她",))
    assert word_activity(words, ida, "zh", 32) == worded
    assert word_activity(worded, ida, "zh", 32) == worded


def test_habits_stay_as_they_are_worded() -> None:
    for habit in IDA.habits:
        assert word_activity(habit.activity, IDA, "en", ACTIVITY) == habit.activity


@pytest.mark.parametrize(
    ("words", "lang", "length"),
    [
        ("having an americano at the café by the river with Chen Siyuan and Lin Yue", "en", 25),
        ("opening the library reading room for the children of the town", "en", 24),
        ("把拆下来的灯笼一只只擦干净，收进社区活动室的柜子里", "zh", 20),
    ],
)
def test_a_long_activity_ends_with_a_whole_word(words: str, lang: Lang, length: int) -> None:
    """Not with half a word, nor with one that needs another: "americano at the"."""
    short = word_activity(words, IDA, lang, length)
    assert words.startswith(short)
    assert len(short) <= length
    assert words[len(short)] in " ，"
    assert not re.search(r"\b(?:the|an?|at|by|and|for|of)$", short)
