"""What a resident means to do at a certain time comes to mind at that time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path

import pytest

from hometown.agent.mind.due import Due, find_date, find_due, find_news_for_today, names_day
from hometown.agent.mind.meant import awaits_event
from hometown.language import LANGS, Lang
from hometown.memory.concept import (
    INTENTION_PREDICATE,
    NEVER,
    NEWS_PREDICATE,
    OVERHEARD_PREDICATE,
    Concept,
)
from hometown.memory.stream import MemoryStream
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.world.persona import Seed
from tests.support.fake_models import Wrapped
from tests.support.town import live, minitown

THURSDAY = date(2025, 2, 13)
MORNING = datetime.combine(THURSDAY, time(6))


@pytest.mark.parametrize(
    ("lang", "text", "due"),
    [
        ("en", "Lin will bring her the book tomorrow.", Due(date(2025, 2, 14))),
        ("en", "Lin means to ask him this evening.", Due(THURSDAY, 1020, 1440)),
        ("en", "Lin has to be there on Saturday at 9:30.", Due(date(2025, 2, 15), 550, 630)),
        ("en", "Lin must pay by Tuesday next week.", Due(date(2025, 2, 18))),
        ("en", "Lin will sing on 1 March.", Due(date(2025, 3, 1))),
        ("en", "Lin will be happy.", None),
        ("en", "Lin saw Chen today.", None),
        ("zh", "林悦打算明天早上给她送书。", Due(date(2025, 2, 14), 300, 720)),
        ("zh", "林悦想今晚问问他。", Due(THURSDAY, 1020, 1440)),
        ("zh", "林悦要在下周二把钱还上。", Due(date(2025, 2, 18))),
        ("en", "Lin will sing on Friday the 28th.", Due(date(2025, 2, 28))),
        ("zh", "林悦要在22号把画带来。", Due(date(2025, 2, 22))),
        ("zh", "林悦答应2月28日去听小美唱歌。", Due(date(2025, 2, 28))),
        ("zh", "林悦今天见过陈思远。", None),
    ],
)
def test_the_date_of_an_intention(lang: Lang, text: str, due: Due | None) -> None:
    assert find_date(text, MORNING, lang) == due


@pytest.mark.parametrize(
    ("lang", "text", "day", "minute"),
    [
        ("en", "set out at 6:30 pm", 13, 18 * 60 + 30),
        ("en", "call at 5:30 in the afternoon", 13, 17 * 60 + 30),
        ("en", "leave at 9:00 and be back in the evening", 13, 9 * 60),
        ("en", "come on February 14 at 17:00", 14, 17 * 60),
        ("en", "come on Feb. 20 at 17:00", 20, 17 * 60),
        ("zh", "晚上7:30去找陈思远", 13, 19 * 60 + 30),
        ("zh", "下午3:15去", 13, 15 * 60 + 15),
        ("zh", "02月14日17:00去咖啡馆", 14, 17 * 60),
        ("zh", "２月１４日17:00去咖啡馆", 14, 17 * 60),
        ("zh", "七点一十去找陈思远", 13, 19 * 60 + 10),
        ("zh", "7点30分去找陈思远", 13, 19 * 60 + 30),
        ("en", "come at 7pm", 13, 19 * 60),
        ("en", "come tomorrow, 11am", 14, 11 * 60),
        ("en", "come at 15.30 tomorrow", 14, 15 * 60 + 30),
        ("en", "come at 7.30 pm", 13, 19 * 60 + 30),
        ("en", "come at seven thirty in the evening", 13, 19 * 60 + 30),
        ("zh", "下午一点去找陈思远", 13, 13 * 60),
        ("zh", "小美一点来搬椅子", 13, 13 * 60),
        ("zh", "早八点去找陈思远", 13, 8 * 60),
    ],
)
def test_times_and_dates_in_other_forms(lang: Lang, text: str, day: int, minute: int) -> None:
    written = datetime.combine(THURSDAY, time(9))
    due = find_date(text, written, lang, True)
    assert due == Due(date(2025, 2, day), minute - 20, minute + 60)


@pytest.mark.parametrize(
    ("text", "written", "day"),
    [
        ("on January 2 at 10:00", date(2024, 12, 31), date(2025, 1, 2)),
        ("on the 31st at 18:00", date(2025, 4, 2), date(2025, 5, 31)),
        ("on the 29th at 18:00", date(2025, 1, 30), date(2025, 3, 29)),
        ("on February 29 at 18:00", date(2025, 6, 1), date(2028, 2, 29)),
        ("on 30 February at 18:00", date(2025, 2, 1), None),
    ],
)
def test_a_date_is_the_next_one_of_the_calendar(text: str, written: date, day: date | None) -> None:
    due = find_date(text, datetime.combine(written, time(9)), "en", True)
    assert (due and due.day) == day


@pytest.mark.parametrize(
    ("lang", "text", "day"),
    [
        ("en", "visit her on the second of March in the morning", date(2025, 3, 2)),
        ("en", "visit her on March twenty-first", date(2025, 3, 21)),
        ("en", "the second may be told at nine", THURSDAY),
        ("en", "visit her on the twenty-third at nine", date(2025, 2, 23)),
        ("en", "look for the second book on the second floor this evening", THURSDAY),
        ("en", "knock on the 2nd floor at nine", THURSDAY),
        ("en", "visit her in three days at nine", date(2025, 2, 16)),
        ("en", "visit her in a week", date(2025, 2, 20)),
        ("en", "visit her two weeks from now, in the afternoon", date(2025, 2, 27)),
        ("en", "visit her next week in the morning", None),
        ("en", "visit her next month at 10:00", None),
        ("en", "visit her in March, in the evening", None),
        ("en", "visit her on 2025-03-02 at 10:00", None),
        ("en", "ask at nine about next week's fair", THURSDAY),
        ("en", "visit her on Tuesday next week", date(2025, 2, 18)),
        ("zh", "三月二日上午去看王芳", date(2025, 3, 2)),
        ("zh", "十二月二十五日去看王芳", date(2025, 12, 25)),
        ("zh", "二月三十日上午去看王芳", None),
        ("zh", "二十三号晚上九点去", date(2025, 2, 23)),
        ("zh", "二号楼九点开门就去", THURSDAY),
        ("zh", "三天后上午去", date(2025, 2, 16)),
        ("zh", "十二天之后去", date(2025, 2, 25)),
        ("zh", "两个星期后下午去", date(2025, 2, 27)),
        ("zh", "大后天下午去", date(2025, 2, 16)),
        ("zh", "后天下午去", date(2025, 2, 15)),
        ("zh", "下周上午去", None),
        ("zh", "下周二上午去", date(2025, 2, 18)),
        ("zh", "下个月十点去", None),
        ("zh", "三个月后上午去", None),
        ("zh", "九点去问问下周的集市", THURSDAY),
        ("zh", "七点去听周末音乐会", THURSDAY),
        ("zh", "八点半帮她把一日三餐安排好", THURSDAY),
    ],
)
def test_a_day_in_words_is_that_day_and_one_left_open_is_none(
    lang: Lang, text: str, day: date | None
) -> None:
    due = find_date(text, MORNING, lang, True)
    assert (due and due.day) == day
    assert names_day(text, MORNING, lang) == (day != THURSDAY or "this evening" in text)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "give him money from five customers"),
        ("en", "look at two houses"),
        ("en", "wait until two neighbours come"),
        ("en", "come by one day"),
        ("en", "cut it at 3.5 metres"),
        ("en", "bake the 3rd batch of bread"),
        ("en", "all 12 may come"),
        ("en", "they may 5 times ask"),
        ("zh", "早一点去公园"),
        ("zh", "提前一点去找林悦"),
        ("zh", "带一点茶叶给王芳"),
        ("zh", "说三点理由"),
        ("zh", "把早就该还的书还给王芳"),
        ("zh", "早日跟王芳和好"),
        ("zh", "一周三次去跑步"),
        ("zh", "每周一次教小明弹琴"),
        ("zh", "雨后天晴了去采蘑菇"),
        ("zh", "以后天天练琴"),
        ("zh", "请小明天天来练琴"),
        ("zh", "去12号摊位买菜"),
        ("zh", "去看5号选手比赛"),
    ],
)
def test_a_count_and_a_part_of_another_word_are_no_time(lang: Lang, text: str) -> None:
    assert find_date(text, MORNING, lang, True) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("小明明天来", date(2025, 2, 14)),
        ("明天天气好就去", date(2025, 2, 14)),
        ("后天天气好就去", date(2025, 2, 15)),
        ("周六回来就去", date(2025, 2, 15)),
        ("每周六去", date(2025, 2, 15)),
        ("come on May 12 with Bob", date(2025, 5, 12)),
        ("come on 12 May", date(2025, 5, 12)),
        ("come on the 28th with Bob", date(2025, 2, 28)),
    ],
)
def test_days_beside_words_that_resemble_others_stay_days(text: str, day: date) -> None:
    assert find_date(text, MORNING, "en" if text.isascii() else "zh", True) == Due(day)


@pytest.mark.parametrize(
    ("lang", "text", "hour"),
    [
        ("en", "bake at four in the small hours tomorrow", 4),
        ("en", "set out at five tomorrow, before dawn", 5),
        ("zh", "明天凌晨四点起来烤面包", 4),
        ("zh", "明天拂晓五点出发", 5),
        ("zh", "明天夜里两点看流星", 2),
        ("zh", "明天夜里十一点看流星", 23),
    ],
)
def test_the_hours_before_dawn_are_not_in_the_afternoon(lang: Lang, text: str, hour: int) -> None:
    due = find_date(text, MORNING, lang, True)
    assert due is not None
    assert due.start == hour * 60 - 20


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "call him at twelve tonight"), ("zh", "晚上12点给他打电话")]
)
def test_midnight_is_in_the_evening_and_not_at_noon(lang: Lang, text: str) -> None:
    assert find_date(text, MORNING, lang, True) == Due(THURSDAY, 1020, 1440)


@pytest.mark.parametrize(
    ("lang", "text", "due"),
    [
        ("en", "Mei will tell him at four, at the chess", Due(THURSDAY, 940, 1020)),
        ("en", "Mei will call after work", Due(THURSDAY, 1020, 1440)),
        ("en", "Mei will bring it by five", Due(THURSDAY, 0, 1020)),
        ("en", "Mei will wait for three days", None),
        ("zh", "小美五点要约他下棋", Due(THURSDAY, 1000, 1080)),
        ("zh", "晚饭前把书还给她", Due(THURSDAY, 0, 1080)),
        ("zh", "明早十点请他喝杯咖啡", Due(date(2025, 2, 14), 580, 660)),
        ("zh", "小美两点来搬椅子", Due(THURSDAY, 820, 900)),
        ("zh", "十二点半去接他", Due(THURSDAY, 730, 810)),
        ("zh", "要说一点心里话", None),
    ],
)
def test_a_time_of_day_alone_is_one_of_the_day_of_the_intention(
    lang: Lang, text: str, due: Due | None
) -> None:
    assert find_date(text, MORNING, lang, is_meant=True) == due


@pytest.mark.parametrize(
    ("lang", "text", "start"),
    [
        ("en", "Mei will bring it at eight", 20 * 60),
        ("en", "Mei will bring it at nine tomorrow", 9 * 60),
        ("zh", "小美八点半把歌本送去", 20 * 60 + 30),
        ("zh", "小美明天九点把歌本送去", 9 * 60),
    ],
)
def test_an_hour_that_is_over_today_is_meant_for_the_evening(
    lang: Lang, text: str, start: int
) -> None:
    due = find_date(text, datetime.combine(THURSDAY, time(15, 30)), lang, is_meant=True)
    assert due is not None
    assert due.holds_at(datetime.combine(due.day, time(*divmod(start, 60))))


def test_a_note_of_the_resident_s_own_intention_needs_no_word_for_it() -> None:
    assert find_date("Bring her the book tomorrow.", MORNING, "en", is_meant=True)
    assert not find_date("Bring her the book tomorrow.", MORNING, "en")


def test_intentions_of_the_hour_and_of_the_day() -> None:
    memories = MemoryStream()
    made = datetime(2025, 2, 13, 20)
    for number, (text, poignancy) in enumerate(
        (("the book tomorrow morning", 2), ("a call tomorrow evening", 4), ("a talk today", 9)), 1
    ):
        memories.add(
            Concept(
                number, "thought", text, "lin", INTENTION_PREDICATE, "", "", poignancy, made, NEVER
            ),
            None,
        )
    morning = datetime(2025, 2, 14, 8)
    assert [each.id for each in find_due(memories, "en", morning, whole_day=True)] == [2, 1]
    assert [each.id for each in find_due(memories, "en", morning, whole_day=False)] == [1]
    assert find_due(memories, "en", datetime(2025, 2, 15, 8), whole_day=True) == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_day_is_planned_with_what_is_dated_for_it(tmp_path: Path, lang: Lang) -> None:
    """It is of little weight, and older than more memories than a plan is made with."""
    text = {
        "en": "Lin Yue means to return the ladder this evening.",
        "zh": "林悦打算今晚去还梯子。",
    }[lang]
    planned: list[bool] = []

    class Looking(Wrapped):
        async def answer(self, request: Request, seed: int) -> Completion:
            if request.kind == "schedule_init" and request.people[0] == "lin_yue":
                planned.append(text in request.messages[-1].content)
            return await super().answer(request, seed)

    seeds = minitown(lang).personas["lin_yue"].seeds
    weighty = tuple(replace(seed, poignancy=9) for seed in seeds * 3)
    world = minitown(lang, lin_yue={"seeds": (Seed(text, poignancy=1), *weighty)})
    live(tmp_path, 12, world=world, model=Looking(ScriptedModel()))
    assert planned == [True]


def test_news_comes_to_mind_on_the_day_for_which_it_is_dated() -> None:
    texts = (
        (NEWS_PREDICATE, "Isabella is giving a party on Friday the 14th at five o'clock"),
        (OVERHEARD_PREDICATE, "Eddy overheard Isabella say: “The party is tomorrow.”"),
        (NEWS_PREDICATE, "Sam will run for mayor"),
        ("stroll", "Maria is strolling to the market, as she does on Fridays"),
    )
    memories = MemoryStream()
    for number, (predicate, text) in enumerate(texts, 1):
        memory = Concept(number, "event", text, "eddy", predicate, "", "", 3, MORNING, NEVER)
        memories.add(memory, None)
    friday = MORNING.replace(day=14)
    assert {each.id for each in find_news_for_today(memories, "en", friday)} == {1, 2}
    assert not find_news_for_today(memories, "en", friday.replace(day=15))


@pytest.mark.parametrize(
    ("text", "awaits"),
    [
        ("本子找着了，到酒吧请亚瑟一轮，记在二月的账上", True),
        ("找着本子就到酒吧请亚瑟一轮", True),
        ("写完信之后，去找亚瑟", True),
        ("看见亚瑟就告诉他", False),
        ("现在就去找亚瑟", False),
        ("卡洛斯病了，去送碗热汤", False),
        ("把信给亚瑟，让他看完", False),
    ],
)
def test_what_waits_for_its_condition_has_no_hour_yet(text: str, awaits: bool) -> None:
    assert awaits_event(text, "zh") == awaits
