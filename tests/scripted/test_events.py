"""Events, places and people in memories of the scripted model: outings, past events, and kinship."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from hometown.language import LANGS, Lang
from hometown.memory.concept import OVERHEARD_PREDICATE, Concept, MemoryType
from hometown.scripted.clauses import as_dated, as_of, is_over, one_clause, topic_of
from hometown.scripted.events import events_on
from hometown.scripted.grammar import as_me, as_them, to_your_face
from hometown.scripted.naming import (
    address,
    casual,
    formal,
    is_family,
    kin,
    names_relative,
    short_names,
)
from hometown.scripted.phrases import bank
from hometown.scripted.places import address_of
from hometown.scripted.planning import event_in
from hometown.world.load import load_world

SAID = datetime(2025, 2, 13, 9)
THE_DAY = date(2025, 2, 14)
PARTY = {
    "en": "Ann Lee is organising a garden party at Hobbs Café on Friday the 14th at five o'clock; she wants everybody to come (heard from Bob Day)",
    "zh": "小安正在筹备聚会，定在周五下午五点，也就是14号，地点霍布斯咖啡馆（听小白说的）",
}


def remembered(text: str, kind: MemoryType = "event", talk: str = "9-ann") -> Concept:
    return Concept(
        1,
        kind,
        text,
        "bob",
        "hear",
        "ann",
        "",
        6,
        SAID,
        datetime(2025, 3, 13),
        talk=talk,
        about=("ann",),
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_event_is_known_by_its_day_hour_and_place(lang: Lang) -> None:
    (event,) = events_on(THE_DAY, [remembered(PARTY[lang])] * 2, "Bob", lang)
    assert (event.start, event.own) == (17 * 60, False)
    assert event.venue == {"en": "Hobbs Café", "zh": "霍布斯咖啡馆"}[lang]
    assert not events_on(date(2025, 2, 15), [remembered(PARTY[lang])], "Bob", lang)
    assert not events_on(THE_DAY, [remembered(PARTY[lang], "chat")], "Bob", lang)


OVERHEARD = {
    "en": "Bob overheard Ann say: “Ah, Jim. I'm organising a garden party at Hobbs Café on Friday the 14th at five o'clock; I want everybody to come.”",
    "zh": "小白在旁边听见小安说：“你来得正好。我正在筹备聚会，定在周五下午五点，也就是14号，地点霍布斯咖啡馆。”",
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_event_is_known_from_an_overheard_line(lang: Lang) -> None:
    memory = replace(remembered(OVERHEARD[lang]), predicate=OVERHEARD_PREDICATE)
    (event,) = events_on(THE_DAY, [memory], "Bob", lang)
    assert (event.start, event.own) == (17 * 60, False)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_announced_that_has_begun(lang: Lang) -> None:
    memory = remembered(PARTY[lang])
    assert not is_over(memory, datetime(2025, 2, 14, 16, 50), lang)
    assert is_over(memory, datetime(2025, 2, 14, 17, 10), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_an_event_is_today_on_its_day_and_tomorrow_the_day_before(lang: Lang) -> None:
    words, eve = bank(lang), THE_DAY - timedelta(1)
    said = as_of(eve, PARTY[lang], words)
    assert words.words["today"] in as_of(THE_DAY, PARTY[lang], words)
    assert words.words["tomorrow"] in said
    assert as_of(eve - timedelta(1), PARTY[lang], words) == PARTY[lang]
    (kept,) = events_on(THE_DAY, [remembered(as_dated(eve, said, words))], "Bob", lang)
    assert kept.start == 17 * 60


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("on Thursday evening at 20:00", "this evening at 20:00"),
        ("this evening at eight o'clock", "this evening at eight o'clock"),
        ("tonight at half past seven", "tonight at half past seven"),
        ("on Friday evening at 20:00", "tomorrow evening at 20:00"),
    ],
)
def test_a_part_of_today_is_this_one(when: str, said: str) -> None:
    assert (
        as_of(date(2025, 2, 13), f"there is a dance {when}", bank("en"))
        == f"there is a dance {said}"
    )


def test_a_title_or_a_song_ends_no_sentence() -> None:
    assert one_clause("Mr. Dunn came. His song “Help!” is new.", "en") == (
        "Mr. Dunn came; His song “Help!” is new"
    )


def test_a_compound_surname_stays_whole() -> None:
    me = load_world("minitown", "zh").personas["xiao_mei"]
    assert [address(me, name, "物理学教授", 3, bank("zh")) for name in ("欧阳明", "张伟")] == [
        "欧阳教授",
        "张教授",
    ]


def test_a_student_addresses_a_professor_by_their_title() -> None:
    people = load_world("minitown", "en").personas
    assert [
        address(people[who], name, "professor of physics", 3, bank("en"))
        for who in ("xiao_mei", "zhao_gang")
        for name in ("Zhang Wei", "Ann Lee")
    ] == ["Professor Zhang", "Professor Lee", "Zhang Wei", "Ann"]


def test_a_day_by_number_and_weekday_is_replaced_as_a_whole() -> None:
    eve, words = date(2025, 4, 1), bank("zh")
    said = as_of(eve, "艾达要在二号星期三下午五点半摆一桌播种宴", words)
    assert said == "艾达要在明天下午五点半摆一桌播种宴"
    told = as_of(date(2025, 2, 21), "读书会定在下周六（22号）下午三点", words)
    assert told == "读书会定在明天下午三点"


@pytest.mark.parametrize(
    ("lang", "stroke"),
    [
        ("en", "joining in the party over at Hobbs Café from 17:00 on"),
        ("zh", "17:00起去霍布斯咖啡馆凑凑聚会的热闹"),
    ],
)
def test_a_stroke_says_when_its_event_begins(lang: Lang, stroke: str) -> None:
    event = event_in(stroke, lang)
    assert event is not None
    assert event[1] == 17 * 60
    assert "17:00" not in event[0]
    assert event_in("having supper", lang) is None


def test_topics_are_whole_words() -> None:
    assert topic_of("somebody wrapped a happy snail in an apple leaf", bank("en")) == ""
    assert topic_of("two parties and one app", bank("en")) == "app"


def test_of_several_rooms_the_one_that_suits_is_meant() -> None:
    rooms = (
        ("college/hall", "Oak College, hall"),
        ("college/library", "Oak College, library"),
        ("cafe/terrace", "Inn Café, terrace"),
        ("cafe/main", "Inn Café"),
    )
    assert address_of("Oak College", "library", rooms, bank("en")) == "college/library"
    assert address_of("Inn Café", "cafe", rooms, bank("en")) == "cafe/main"
    assert address_of("the moon", "cafe", rooms, bank("en")) == ""


def test_a_mothers_student_is_not_called_mum() -> None:
    assert [
        kin(relation, bank("en"))
        for relation in ("his mother, who hears wrong notes", "his mother's student")
    ] == ["Mum", ""]
    assert [kin(relation, bank("zh")) for relation in ("妈妈，听得出错音", "妈妈的学生")] == [
        "妈",
        "",
    ]


@pytest.mark.parametrize(
    ("lang", "relation"),
    [
        ("en", "the daughter of the house, quick with a sickle"),
        ("en", "his friend's daughter"),
        ("zh", "东家女儿，镰刀快"),
    ],
)
def test_a_daughter_of_others_is_no_relative(lang: Lang, relation: str) -> None:
    assert (kin(relation, bank(lang)), is_family(relation, bank(lang))) == ("", False)


def test_a_song_names_no_son() -> None:
    named = [
        names_relative(text, "her son, who beats time", bank("en"))
        for text in ("my son called", "Tom sings a song at the fair", "a person came")
    ]
    assert named == [True, False, False]


def test_friends_go_by_first_names_and_family_names_come_first_where_they_do() -> None:
    me = load_world("minitown", "en").personas["lin_yue"]
    assert [
        address(me, name, "", 5, bank("en"))
        for name in ("Isabella Rodriguez", "Wang Fang", "Mei Lin")
    ] == ["Isabella", "Wang Fang", "Mei"]


def test_spouses_and_children_are_family_and_their_friends_are_not() -> None:
    assert [
        is_family(relation, bank("en"))
        for relation in (
            "her husband, who hums",
            "his daughter",
            "her husband's old friend",
            "the baker",
        )
    ] == [
        True,
        True,
        False,
        False,
    ]
    assert [
        is_family(relation, bank("zh"))
        for relation in ("丈夫，爱哼歌", "女儿", "丈夫的老友", "面包师")
    ] == [True, True, False, False]


def test_first_names_in_talk_become_whole_names_in_memories() -> None:
    ville = load_world("ville", "en")
    shorts = short_names(ville.names, bank("en"))
    assert len(shorts) == len(ville.personas)
    for seed in (seed for persona in ville.personas.values() for seed in persona.seeds):
        assert formal(casual(seed.text, shorts), shorts) == seed.text
    assert short_names([("a", "Ann Lee"), ("b", "Ann Day"), ("c", "Bob Day")], bank("en")) == {
        "Bob Day": "Bob"
    }


@pytest.mark.parametrize(
    ("clause", "spoken"),
    [
        (
            "Ann Lee is grateful to Bob Day, who keeps a seat free",
            "I'm grateful to you, who keep a seat free",
        ),
        (
            "Ann Lee has noticed that Bob Day always takes the seat",
            "I've noticed that you always take the seat",
        ),
        (
            "Ann Lee has noticed that Bob Day hides a sword and walks like a crane",
            "I've noticed that you hide a sword and walk like a crane",
        ),
        (
            "Ann Lee beat Bob Day at chess and has been kind about it",
            "I beat you at chess and have been kind about it",
        ),
    ],
)
def test_verbs_agree_with_whoever_is_spoken_to_and_back(clause: str, spoken: str) -> None:
    assert to_your_face(clause, "Ann Lee", ("she", "her", "her"), "Bob Day", "en") == spoken
    assert as_them(spoken, "Ann Lee", ("she", "her", "her"), "en", "Bob Day") == clause


@pytest.mark.parametrize("world", ["minitown", "ville"])
def test_what_anybody_has_on_its_mind_comes_back_as_it_was_said(world: str) -> None:
    """Own memories pass through the first person and back unchanged; through the second, no verb is
    left that nobody would say.
    """
    town = load_world(world, "en")
    for persona in town.personas.values():
        for seed in persona.seeds:
            clause = one_clause(seed.text, "en")
            if persona.name not in clause:
                continue
            assert (
                as_them(
                    as_me(clause, persona.name, persona.pronouns, "en"),
                    persona.name,
                    persona.pronouns,
                    "en",
                    "Bob Day",
                )
                == clause
            )
            for other in (
                town.personas[person].name
                for person in seed.about
                if town.personas[person].name in clause
            ):
                spoken = to_your_face(clause, persona.name, persona.pronouns, other, "en")
                assert not re.search(
                    r"\bI (is|has|does|wants)\b|\byou (is|has|does|was|wants)\b", spoken
                )
                back = as_them(spoken, persona.name, persona.pronouns, "en", other)
                assert not re.search(rf"\b{other} (have|are|do|am)\b", back)
