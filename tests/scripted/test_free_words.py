"""The scripted model before words of visitors and users, which are none of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hometown.clock import DAY, hhmm
from hometown.language import LANGS, Lang
from hometown.prompt.dialogue import DialogueLine
from hometown.prompt.law_drafts import BookEntry
from hometown.prompt.trade import Dealings
from hometown.scripted import model as scripted
from hometown.scripted.phrases import bank
from hometown.scripted.planning import event_in
from hometown.scripted.talking import answer_utterance
from hometown.scripted.when import clock_of, find_when, say_clock
from hometown.world.persona import Habit, Pastime
from tests.support.prompt_samples import IDA, SAMPLES, SITUATION
from tests.support.prompt_samples import memory as remembered
from tests.support.scripted_talks import scene_of, world


def answer(kind: str, lang: Lang = "en", **changes: Any) -> dict[str, Any]:
    """The reply to a sample of the variables of a prompt, with some of them changed."""
    sample: Any = SAMPLES[kind]
    reply = scripted.answer(kind)(replace(sample, **changes), Random(1), lang)
    return reply.model_dump(mode="json")


@pytest.mark.parametrize(
    ("lang", "text", "lacks"),
    [
        ("en", "I could let you have my hat for ten coins.", ""),
        ("zh", "我这儿有帽子，给十枚铜钱就行。", ""),
        ("en", "How about a coffee at Starlight Café, today at 25:99?", ""),
        ("zh", "今天三十点，星光咖啡店，喝杯咖啡，来不来？", ""),
        ("zh", "今天下午三四点，星光咖啡店，喝杯咖啡，来不来？", ""),
        ("en", "I can't then. Would 77:00 do?", ""),
        ("en", "Who was that on the telephone?", "telephone"),
        ("zh", "那钟准不准？跟我的对不上。", "钟"),
    ],
)
def test_a_line_that_only_looks_like_a_phrase_is_answered(
    lang: Lang, text: str, lacks: str
) -> None:
    name = world(lang).personas["lin_yue"].name
    v = scene_of(lang, [], lines=(DialogueLine("lin_yue", name, text),))
    v = replace(v, dealings=Dealings(), situation=replace(v.situation, lacks=lacks))
    said = answer_utterance(v, Random(1), lang).say
    replies = {
        frame.text.format(other=name)
        for act in ("not_know", "nod")
        for frame in bank(lang).frames[act]
    }
    assert any(reply in said for reply in replies), said


@pytest.mark.parametrize("lang", LANGS)
def test_another_time_for_nothing_is_answered(lang: Lang) -> None:
    counter = bank(lang).frames["counter"][0].fill({"time": "03:00", "day": ""})
    name = world(lang).personas["lin_yue"].name
    v = scene_of(lang, [], lines=(DialogueLine("lin_yue", name, counter),))
    assert answer_utterance(v, Random(1), lang).say


def test_a_price_is_a_number_in_digits() -> None:
    (offer,) = bank("en").recognise("I could let you have my hat for 10 coins.")
    assert (offer.act, offer.slots["coins"]) == ("offer_sale", "10")


@pytest.mark.parametrize(
    ("lang", "said", "clock"),
    [
        ("en", "on Saturday at 3:30 pm", "15:30"),
        ("en", "on Saturday at 3 p.m", "15:00"),
        ("en", "on the 28th at 20:00", "20:00"),
        ("en", "at 12 am", "00:00"),
        ("en", "tonight at 8:30", "20:30"),
        ("en", "twelve o'clock tonight", "24:00"),
        ("en", "invite 5 amateurs", ""),
        ("en", "at 25:99", ""),
        ("zh", "下周六下午3:30", "15:30"),
        ("zh", "中午一点", "13:00"),
        ("zh", "中午十二点", "12:00"),
        ("zh", "今晚五点", "17:00"),
        ("zh", "晚上十二点", "24:00"),
        ("zh", "夜里十一点", "23:00"),
        ("zh", "十点吃晚饭", "10:00"),
        ("zh", "下午三四点", ""),
        ("zh", "周三四点", "04:00"),
        ("zh", "三十点", ""),
    ],
)
def test_a_time_of_day_is_read_in_whatever_words(lang: Lang, said: str, clock: str) -> None:
    assert clock_of(said, lang) == clock
    if said.startswith(("on Sat", "下周")):
        assert find_when(said, lang) == said


@pytest.mark.parametrize("lang", LANGS)
def test_a_time_that_is_spoken_is_read_back(lang: Lang) -> None:
    for minute in range(15, DAY + 1, 15):
        assert clock_of(say_clock(hhmm(minute), lang), lang) == hhmm(minute)


@pytest.mark.parametrize(
    ("lang", "words", "hours"),
    [
        ("en", "The mill opens at 3:30 pm", {"opens": "15:30"}),
        (
            "en",
            "The mill opens at 8 and closes at 8 in the evening",
            {"opens": "08:00", "closes": "20:00"},
        ),
        ("en", "The mill is open from 9:00 to 17:00", {"opens": "09:00", "closes": "17:00"}),
        ("en", "The mill opens at 30", {}),
        ("zh", "磨坊下午三点开门", {"opens": "15:00"}),
        ("zh", "磨坊上午十点半开门，晚上八点关门", {"opens": "10:30", "closes": "20:00"}),
    ],
)
def test_a_law_sets_the_hours_that_it_names(lang: Lang, words: str, hours: dict[str, str]) -> None:
    mill = BookEntry("fixtures/mill", ("mill", "磨坊"), '{"shop":{"opens":"09:00"}}')
    law = answer(
        "law",
        lang,
        situation=replace(SITUATION, lang=lang),
        words=words,
        entries=(mill,),
        faults="",
    )
    changed = {
        each["key"].removeprefix("shop."): json.loads(each["value"]) for each in law["changes"]
    }
    assert changed == hours


def test_a_day_has_as_many_pastimes_as_there_are() -> None:
    me = replace(
        IDA,
        pastimes=(Pastime("walking in the dunes", ("park",), ("looking out",)),),
        interests=("bread",),
        habits=(Habit(330, 360, "get up", "home/room"),),
    )
    hours = answer("schedule_daily", situation=replace(SITUATION, me=me), strokes=("get up",))
    assert "walking in the dunes" in str(hours)


def test_an_event_at_an_hour_that_no_day_has_is_none() -> None:
    text = "Ida Berg is giving a party today at 27:30 at the Harbour Café"
    strokes = answer("schedule_init", promises=(), memories=(remembered(1, text),))
    assert "party" not in str(strokes)
    assert event_in("joining in the party at the café from 27:30 on", "en") is None


def test_nothing_is_planted_in_a_town_without_people_and_nobody_moves_in_without_a_home() -> None:
    assert answer("director", people=(), matters=())["move"] == "nothing"
    assert answer("settler", words="Tom Cole, 30, a baker", homes=(), faults="")["name"] == ""
