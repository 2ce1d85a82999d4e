"""A page of a diary says of a concern what became of it that day."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.history.day_matters import Beat, DayMatters
from hometown.history.day_mind import DayMind
from hometown.history.day_page import Page
from hometown.history.day_present import Present
from hometown.history.day_wording import DayWording
from hometown.history.diary import Doing, Stay
from hometown.history.entities import OwnedMemory
from hometown.history.exchanges import Exchanges
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.memory.concept import NEVER, NEWS_PREDICATE, Concept
from hometown.world.conversation import Conversation, Line
from tests.support.town import MORNING, minitown

TELLER, HEARER = "lin_yue", "zhang_wei"


def tell_page(lang: Lang, concerns: str, told: str) -> list[str]:
    """Return the sentences about concerns of which one was told in the morning."""
    world = minitown(lang)
    names = Names(world)
    wording = DayWording(names, GivenNames(names, world.personas), lang, TELLER)
    reply = "And what will become of that?" if lang == "en" else "那这件事后来会怎么样呢？"
    answer = (
        "I shall see when the time has come." if lang == "en" else "到时候自然就知道了，不着急。"
    )
    lines = [(TELLER, told), (HEARER, reply), (TELLER, answer), (HEARER, "…"), (TELLER, "…")]
    said = tuple(Line(who, text, "") for who, text in lines)
    talk = Conversation("1", 1, TELLER, HEARER, "cafe/main", MORNING, 5, said, "", "word")
    doing = Doing(MORNING, MORNING, "lin_home/room", "")
    life = [Stay(MORNING, MORNING + timedelta(hours=9), "lin_home/room", (doing,))]
    present = Present(wording, concerns, "", life)
    beat = Beat(MORNING, "told", 20, (HEARER,), told, talk.address, talk)
    mind = DayMind(wording, [beat], present, [], [], [], {})
    page = Page(wording, Exchanges([talk], wording.given, lang), [beat], present, mind)
    return [each.text for each in page.tell_present([beat])]


@pytest.mark.parametrize(
    ("lang", "concerns", "told", "begins"),
    [
        (
            "en",
            "Lin Yue has had an offer from the art academy for September, has to answer within"
            " the week, and has told nobody. She also wonders who feeds the ducks.",
            "Lin Yue has had an offer from the art academy for September",
            [
                "I have had an offer from the art academy for September, and have to answer within"
                " the week.",
                "I told Zhang Wei about it",
            ],
        ),
        (
            "en",
            "Lin Yue means to paint the mill. She has told nobody, least of all Wang Fang.",
            "Lin Yue means to paint the mill this summer",
            ["I mean to paint the mill.", "I told Zhang Wei about it"],
        ),
        (
            "en",
            "Lin Yue draws verses on napkins, pins them to the wall, and has caught a cold.",
            "Lin Yue draws verses on napkins for the wall of the café",
            ["I draw verses", "Early in the morning, at Starlight Café, I told Zhang Wei that"],
        ),
        (
            "zh",
            "林悦收到美术学院的信，九月让她去教课，她跟谁也没说。她还纳闷，湖边的鸭子是谁喂的。",
            "林悦收到美术学院的信，九月让她去教课",
            ["我收到美术学院的信，九月让我去教课。", "一大早在星光咖啡店，我跟张伟说起这事。"],
        ),
    ],
)
def test_who_heard_of_a_concern_stands_behind_it_and_nobody_denies_it(
    lang: Lang, concerns: str, told: str, begins: list[str]
) -> None:
    sentences = tell_page(lang, concerns, told)
    assert all(text.startswith(begin) for text, begin in zip(sentences, begins, strict=False))
    assert not any("nobody" in text or "没说" in text for text in sentences)


@pytest.mark.parametrize(
    ("lang", "concern", "about", "teller", "news", "is_left"),
    [
        ("en", "Lin Yue wants roses for Valentine's Day tomorrow.", "", "", "", False),
        ("en", "Lin Yue wants to tell Zhang Wei the news.", HEARER, "", "", True),
        (
            "en",
            "Lin Yue wants to tell Zhang Wei of the rumour.",
            HEARER,
            TELLER,
            "Lin Yue overheard that there will be layoffs at Lanqiao Software",
            False,
        ),
        (
            "en",
            "Lin Yue knows that Zhang Wei is hiding something.",
            HEARER,
            HEARER,
            "Zhang Wei overheard that there will be layoffs at Lanqiao Software",
            False,
        ),
        (
            "en",
            "Lin Yue knows that Zhang Wei is hiding something.",
            HEARER,
            HEARER,
            "Zhang Wei has bought a new jumper",
            True,
        ),
        (
            "en",
            "Lin Yue has drawn the old mill, but hasn't told anybody.",
            "",
            TELLER,
            "Lin Yue has drawn the old mill, but hasn't told anybody",
            False,
        ),
        ("zh", "林悦想请张伟跳舞。", HEARER, TELLER, "林悦想请张伟跳舞", False),
        ("zh", "林悦想请张伟跳舞。", HEARER, HEARER, "张伟想请林悦跳舞", True),
    ],
)
def test_a_concern_is_left_out_once_its_day_is_over_or_it_was_told(
    lang: Lang, concern: str, about: str, teller: str, news: str, is_left: bool
) -> None:
    kept = Concept(
        1,
        "thought",
        concern,
        TELLER,
        "minds",
        "",
        "",
        6,
        MORNING,
        NEVER,
        about=(about,) * bool(about),
    )
    told = Concept(2, "event", news, TELLER, NEWS_PREDICATE, teller, "", 5, MORNING, NEVER)
    known = [OwnedMemory(HEARER if teller == TELLER else TELLER, 1, told)] if news else []
    manifest = SimpleNamespace(lang=lang, start=MORNING, stride=10)
    run = SimpleNamespace(
        manifest=manifest,
        memories=lambda first, *_: [OwnedMemory(TELLER, 0, kept)] if not first else [],
        news=lambda *_: known,
    )
    matters = DayMatters(cast(RunReader, run), Names(minitown(lang)), 288)
    left = matters.open_concerns(TELLER, MORNING.date() + timedelta(days=1))
    assert left == ([kept] if is_left else [])
