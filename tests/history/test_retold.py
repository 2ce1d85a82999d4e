"""Times of day are told as people speak, and summaries without what stands above them."""

from __future__ import annotations

from datetime import date, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.recounts import recount_alone, recount_briefly
from hometown.history.spoken_time import SpokenTime
from hometown.language import Lang
from hometown.world.conversation import Conversation

TODAY = date(2025, 2, 13)
PEOPLE = {
    "en": {"ana": "Ana Li", "bo": "Bo Xu"},
    "zh": {"ana": "安娜", "bo": "波波"},
}


@pytest.mark.parametrize(
    ("lang", "hour", "minute", "clock", "due"),
    [
        ("en", 12, 0, "twelve", "tomorrow at noon"),
        ("en", 16, 10, "about a quarter past four", "tomorrow at ten past four in the afternoon"),
        ("en", 21, 40, "about a quarter to ten", "tomorrow at twenty to ten in the evening"),
        ("zh", 12, 0, "十二点", "明天中午十二点"),
        ("zh", 16, 10, "四点一刻左右", "明天下午四点十分"),
        ("zh", 21, 40, "九点三刻左右", "明天晚上九点四十分"),
    ],
)
def test_a_time_is_told_roughly_and_agreed_on_exactly(
    lang: Lang, hour: int, minute: int, clock: str, due: str
) -> None:
    time = SpokenTime(lang)
    moment = datetime(2025, 2, 14, hour, minute)
    assert time.clock(moment) == clock
    assert time.due(moment, TODAY) == due


@pytest.mark.parametrize(
    ("lang", "text", "spoken"),
    [
        ("en", "They meet today at 16:30.", "They meet today at half past four."),
        ("zh", "今天16:30见，晚上21:10散。", "今天下午四点半见，晚上九点十分散。"),
    ],
)
def test_clock_times_in_a_text_are_spoken(lang: Lang, text: str, spoken: str) -> None:
    assert SpokenTime(lang).speak_hours(text) == spoken


@pytest.mark.parametrize(
    ("lang", "summary", "alone", "briefly"),
    [
        (
            "en",
            "Ana Li and Bo Xu met at the café. Ana Li lent Bo Xu her good umbrella until the rain"
            " stops at 16:30.",
            "Ana Li and Bo Xu met at the café. Ana lent Bo her good umbrella until the rain stops"
            " at half past four.",
            "Ana Li lent Bo Xu her good umbrella until the rain stops at half past four.",
        ),
        (
            "zh",
            "2月13日周四16:10在咖啡店，安娜把好伞借给了对方，说好等雨停了，今天16:30再还。",
            "安娜把好伞借给了波波，说好等雨停了，今天下午四点半再还。",
            "安娜把好伞借给了波波，说好等雨停了，今天下午四点半再还。",
        ),
    ],
)
def test_a_summary_names_each_once_and_not_what_stands_above(
    lang: Lang, summary: str, alone: str, briefly: str
) -> None:
    names = SimpleNamespace(world=SimpleNamespace(lang=lang), person=PEOPLE[lang].get)
    given = GivenNames(cast("Names", names), PEOPLE[lang])
    talk = cast("Conversation", SimpleNamespace(people=("ana", "bo"), summary=summary))
    assert recount_alone(talk, given, lang) == alone
    assert recount_briefly(talk, given, lang, "Ana Li and Bo Xu · the café, 16:10") == briefly
