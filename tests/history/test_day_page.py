"""A page of a diary says of a concern what became of it that day."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

import pytest

from hometown.history.day_ending import Ending
from hometown.history.day_matters import WEIGHTS, Beat, DayMatters
from hometown.history.day_mind import DayMind, is_past_intention, is_spoken
from hometown.history.day_page import Page
from hometown.history.day_present import Present
from hometown.history.day_story import DayStories
from hometown.history.day_wording import DayWording
from hometown.history.deeds import BegunDeed
from hometown.history.diary import Doing, Stay, _list_deeds
from hometown.history.entities import OwnedMemory
from hometown.history.exchanges import Exchanges
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.memory.concept import NEVER, NEWS_PREDICATE, Concept
from hometown.text import split_sentences
from hometown.world.conversation import Conversation, Line
from hometown.world.happening_process import DAMAGE_KEY
from hometown.world.incidents import Course, Happenings, UnfoldingHappening
from hometown.world.rows import Promise
from tests.support.town import MORNING, minitown

TELLER, HEARER = "lin_yue", "zhang_wei"
MINUTE = timedelta(minutes=1)


def page_of(lang: Lang, concerns: str, told: str) -> Page:
    """Return a page of one who has concerns, of which they told one in the morning."""
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
    return Page(wording, Exchanges([talk], wording.given, lang), [beat], present, mind)


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
    page = page_of(lang, concerns, told)
    sentences = [each.text for each in page.tell_present(page.beats)]
    assert all(text.startswith(begin) for text, begin in zip(sentences, begins, strict=False))
    assert not any("nobody" in text or "没说" in text for text in sentences)


@pytest.mark.parametrize(
    ("lang", "done", "meant", "said"),
    [
        (
            "en",
            "Lin Yue has painted the mill by the river.",
            "Lin Yue means to paint the mill by the river today",
            "I told Zhang Wei that I mean to paint the mill",
        ),
        (
            "zh",
            "林悦今天把磨坊画完了。",
            "林悦想今天就把磨坊画完",
            "我跟张伟说，我想今天就把磨坊画完",
        ),
    ],
)
def test_what_came_of_a_plan_was_not_told_with_the_plan(
    lang: Lang, done: str, meant: str, said: str
) -> None:
    page = page_of(lang, done, meant)
    assert any(said in each.text for each in page.tell_present(page.beats))


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


@pytest.mark.parametrize(
    ("lang", "text", "told"),
    [
        ("en", "a parcel was left at 12:05 in the kitchen", ""),
        ("en", "a goat eats the napkins, in Starlight Café", "a goat eats the napkins"),
        ("en", "There was noise and shouting from the park: there is smoke", "there is smoke"),
        ("zh", "12：05有人留下一个包裹", ""),
        ("zh", "星光咖啡店：山羊在吃餐巾", "山羊在吃餐巾"),
    ],
)
def test_an_event_is_told_with_its_clock_time_and_without_its_place(
    lang: Lang, text: str, told: str
) -> None:
    """The place stands at the front of the sentence."""
    seen = Concept(1, "event", text, "cafe/main", text, "", "cafe/main", 8, MORNING, NEVER)
    run = SimpleNamespace(
        manifest=SimpleNamespace(lang=lang, start=MORNING, stride=10),
        residents=[TELLER],
        memories=lambda *_: [OwnedMemory(TELLER, 1, seen)],
        versions=lambda *_: [],
        last_step=lambda: 108,
    )
    matters = DayMatters(cast(RunReader, run), Names(minitown(lang)), 108)
    (beat,) = matters._remembered(TELLER, MORNING.date())
    assert beat.text == (told or text)


def test_an_accident_is_told_once_as_of_its_first_sound_or_as_heard_and_its_damage_not_at_all() -> (
    None
):
    place, text, left = "cafe/main", "A pipe bursts, and water sprays", "The café is without coffee"
    pipe, damage = [
        UnfoldingHappening(place, each, MORNING, course=Course(key, sound=sound), since=MORNING)
        for each, key, sound in ((text, "", "something fell"), (left, DAMAGE_KEY, ""))
    ]
    memories = [
        ("There was noise and shouting from Starlight Café: something fell", 6),
        (left, 6),
        (f"It is over; it began at 8:00: {text}", 7),
    ]
    seen = [
        Concept(1, "event", said, place, "", "", place, heavy, MORNING + MINUTE * at, NEVER)
        for at, (said, heavy) in enumerate(memories)
    ]
    run = SimpleNamespace(
        manifest=SimpleNamespace(lang="en", start=MORNING, stride=10),
        residents=[TELLER],
        memories=lambda *_: [OwnedMemory(TELLER, 1, each) for each in seen],
        versions=lambda *_: [(1, Happenings((pipe, damage)))],
        last_step=lambda: 108,
    )
    matters = DayMatters(cast(RunReader, run), Names(minitown("en")), 108)
    (beat,) = matters._remembered(TELLER, MORNING.date())
    assert (beat.text, beat.moment, beat.weight) == (text, MORNING, WEIGHTS["event"] + 7)
    page = page_of("en", "", "")
    assert [each.text for each in page.tell([beat], leads=True)] == [
        "Early in the morning, at Starlight Café, a pipe burst, and water sprayed."
    ]
    seen[:] = [replace(seen[0], poignancy=7)]
    beats = list(matters._remembered(TELLER, MORNING.date()))
    assert [each.text for each in page_of("en", "", "").tell(beats, leads=True)] == [
        "Early in the morning, at Starlight Café, there was a commotion that I only heard: something fell."
    ]


def test_the_name_of_a_building_keeps_its_capital_in_a_clause() -> None:
    wording = page_of("en", "", "").wording
    assert wording.clause("Starlight Café is closed") == "Starlight Café is closed"
    assert wording.clause("There is smoke") == "there is smoke"


def test_only_tellings_of_one_matter_stand_with_the_present_concerns() -> None:
    roses = "Lin Yue orders sixty roses for Valentine's Day"
    bridge = "Lin Yue paints the broken wooden bridge across the river"
    page = page_of("en", f"{roses}. She paints the broken wooden bridge across the river.", roses)
    (first,) = page.beats
    page.beats = [first, replace(first, people=("xiao_mei",), text=bridge)]
    assert all(page.present.is_about(beat.text) for beat in page.beats)
    stories = DayStories.__new__(DayStories)
    stories.matters = cast(DayMatters, SimpleNamespace(are_of_one_story=lambda *_: False))
    stories._exchanges = {MORNING.date(): page.exchanges}
    stories.run = cast(RunReader, SimpleNamespace(manifest=SimpleNamespace(lang="en")))
    with patch.object(page, "tell_present", return_value=iter(())) as tell_present:
        stories._choose_parts(page, TELLER, MORNING.date(), ())
    tell_present.assert_called_once_with([first])


def test_a_concern_that_was_told_without_an_answer_stands_with_other_matters() -> None:
    roses = "Lin Yue orders sixty roses for Valentine's Day"
    page = page_of("en", f"{roses}.", roses)
    stories = DayStories.__new__(DayStories)
    stories.matters = cast(DayMatters, SimpleNamespace(are_of_one_story=lambda *_: False))
    with (
        patch.object(stories, "_is_answered", return_value=False),
        patch.object(stories, "_find_threads", return_value=[]) as find_threads,
        patch.object(stories, "_go_on", return_value=[]),
    ):
        stories._choose_parts(page, TELLER, MORNING.date(), ())
    assert find_threads.call_args.args[2] == page.beats


def test_news_is_the_tellers_own_on_their_page_wherever_it_names_them() -> None:
    text = "There is talk of layoffs; Lin Yue fears that she is on the list"
    talk = Conversation("1", 1, TELLER, HEARER, "cafe/main", MORNING, 5, (), "", "word")
    told = Concept(
        1, "event", text, HEARER, NEWS_PREDICATE, TELLER, "", 6, MORNING, NEVER, talk="1"
    )
    run = SimpleNamespace(
        manifest=SimpleNamespace(lang="en", start=MORNING, stride=10),
        memories=lambda *_: [OwnedMemory(HEARER, 1, told)],
    )
    matters = DayMatters(cast(RunReader, run), Names(minitown("en")), 108)
    day = matters.passed_on(MORNING.date(), [talk])
    assert not day.outgoing[TELLER][0].second_hand
    assert day.incoming[HEARER][0].second_hand


@pytest.mark.parametrize(
    ("lang", "part"), [("en", ("around noon", "after lunch")), ("zh", ("中午", "午后"))]
)
def test_what_lasts_is_told_by_the_part_of_the_day_in_its_middle(
    lang: Lang, part: tuple[str, str]
) -> None:
    page, begun = page_of(lang, "", ""), MORNING.replace(hour=13, minute=26)
    assert page.tell_time(begun) == part[0]
    assert page.tell_time(begun, until=MORNING.replace(hour=15)) == part[1]


@pytest.mark.parametrize(
    ("lang", "address", "place"),
    [
        ("en", "park/park/bench", "in the community park"),
        ("en", "outdoors/street", "in the street"),
        ("en", "library/hall", "at the community library"),
        ("zh", "outdoors/street", "在街上"),
    ],
)
def test_a_place_has_the_preposition_of_its_kind(lang: Lang, address: str, place: str) -> None:
    assert page_of(lang, "", "").wording.at(address) == place


@pytest.mark.parametrize(
    ("lang", "ahead"),
    [
        (
            "en",
            "On Friday 28 February at half past seven in the evening: my first song at the café.",
        ),
        ("zh", "2月28号晚上七点半：我在咖啡店的第一次登台。"),
    ],
)
def test_an_event_ahead_names_its_place_once(lang: Lang, ahead: str) -> None:
    page = page_of(lang, "", "")
    page.who = page.wording.who = "xiao_mei"
    story = next(each for each in page.wording.names.storylines if each.id == "song_night")
    promise = Promise(
        story.title, ("xiao_mei",), "cafe/main", datetime(2025, 2, 28, 19, 30), 90, ""
    )
    stay = Stay(MORNING, MORNING, "cafe/main", ())
    ending = Ending(page, MORNING.date(), [stay]).tell([promise], 0, is_quiet=False)
    assert [each.text for each in ending][-1] == ahead


def test_words_that_say_where_somebody_goes_stand_without_a_place() -> None:
    page = page_of("zh", "", "")
    promise = Promise("上石桥看水位", (TELLER,), "park/park", MORNING + timedelta(days=1), 90, "")
    stay = Stay(MORNING, MORNING, "cafe/main", ())
    (ahead,) = Ending(page, MORNING.date(), [stay]).tell([promise], 0, is_quiet=False)
    assert ahead.text.endswith("上石桥看水位。")
    assert "在" not in ahead.text


def test_a_deed_that_begins_with_its_action_is_listed_once() -> None:
    act = Doing(MORNING, MORNING + MINUTE / 2, "barn/main", "🛠️ threshing")
    work = [BegunDeed(MORNING + MINUTE * at, "threshing", "🛠️") for at in (0, 2)]
    assert list(_list_deeds([act], [*work, BegunDeed(MORNING + MINUTE, "eating", "")])) == [
        Doing(MORNING + MINUTE, MORNING + MINUTE, "barn/main", "eating")
    ]


@pytest.mark.parametrize(
    ("lang", "answer", "invitation"),
    [
        (
            "en",
            "Better than I had feared it would be.",
            "Tell you what: a walk at the town square, today at eight o'clock. Will you come?",
        ),
        (
            "zh",
            "比我原先担心的好多了，谢谢。",
            "哎，差点忘了问你，今天晚上八点有空没有？小镇广场，结伴散步。",
        ),
    ],
)
def test_a_quotation_stops_before_an_invitation(lang: Lang, answer: str, invitation: str) -> None:
    page = page_of(lang, "", "")
    assert page.exchanges._before_invitation([f"{answer} ", *split_sentences(invitation)]) == [
        f"{answer} "
    ]


def test_a_thought_in_other_words_is_not_told_again() -> None:
    texts = ("本子找着了，到酒吧请张伟一轮，记在二月的账上", "找着本子就到酒吧请张伟一轮")
    thoughts = [
        Concept(number, "thought", text, TELLER, "intend", "", "", 6, MORNING, NEVER)
        for number, text in enumerate(texts)
    ]
    page = page_of("zh", "", "")
    mind = DayMind(page.wording, [], page.present, [], [], thoughts, {})
    told = mind.take_thought()
    assert told
    assert told[1] == "等本子找着了，我打算到酒吧请张伟一轮，记在二月的账上。"
    assert mind.take_thought() is None


@pytest.mark.parametrize(
    ("lang", "meant", "is_past"),
    [
        ("en", "Lin Yue will tell Zhang Wei at half past eleven why she sings", True),
        ("en", "Lin Yue will bring the latte to the pond at three", True),
        ("en", "Lin Yue means to sing the first verse at lunch", True),
        ("en", "Lin Yue will feed the ducks at half past seven", False),
        ("en", "Lin Yue will sing tomorrow at half past eleven", False),
        ("en", "Lin Yue will sing on the bench", False),
        ("zh", "林悦下午三点半把信讲给张伟听", True),
        ("zh", "林悦明早七点到坡田等着", False),
    ],
)
def test_an_intention_is_left_out_once_its_time_has_passed(
    lang: Lang, meant: str, is_past: bool
) -> None:
    morning = MORNING.replace(hour=9)
    thought = Concept(1, "thought", meant, TELLER, "intend", "", "", 6, morning, NEVER)
    assert is_past_intention(thought, morning.replace(hour=16), lang) == is_past
    assert not is_past_intention(thought, morning, lang)


def test_what_was_said_aloud_is_no_silent_thought() -> None:
    page = page_of("en", "", "")
    line = Line(TELLER, "On the 28th I sit in the first row, cold or no cold.", "")
    talk = Conversation("1", 1, TELLER, HEARER, "cafe/main", MORNING, 5, (line,), "", "word")
    assert is_spoken("Lin Yue will sit in the first row on the 28th.", page.wording, [talk])
    assert not is_spoken("Zhang Wei hides his fear behind scolding.", page.wording, [talk])
