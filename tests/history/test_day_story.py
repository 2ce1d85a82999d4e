"""A day's story tells what mattered, in the first person, from what the resident knows, and quotes
verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from hometown.history.blocks import Blocks
from hometown.history.day_wording import DayWording
from hometown.history.exchanges import Exchanges
from hometown.history.familiar import GivenNames, Mentions
from hometown.history.names import Names
from hometown.history.quotes import MAX_QUOTE_CHARACTERS, best_line, without_farewell
from hometown.history.reader import RunReader
from hometown.history.shapes import StorySentence
from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.text import catalogue, nest_quotes
from hometown.world.conversation import Conversation, Line
from hometown.world.load import load_world
from hometown.world.world import World
from tests.support.days import lived_day
from tests.support.town import MORNING, minitown

DAY = "2025-02-13"
CLOCK = re.compile(r"\d[:：]\d\d")
QUOTED = re.compile("“([^”]*)”")


@pytest.fixture(scope="module", params=["en", "zh"])
def run(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> RunReader:
    return RunReader.open(lived_day(tmp_path_factory, request.param), "town")


@pytest.fixture(scope="module")
def stories(run: RunReader) -> dict[str, list[list[StorySentence]]]:
    blocks = Blocks(run, Names.of(run, WORLDS))
    return {who: blocks.of_run(f"residents/{who}/diary/{DAY}")["story"] for who in run.residents}


def sentences(stories: dict[str, list[list[StorySentence]]]) -> Iterator[tuple[str, StorySentence]]:
    for who, paragraphs in stories.items():
        yield from ((who, each) for paragraph in paragraphs for each in paragraph)


def test_every_resident_has_a_short_page_of_their_own(
    stories: dict[str, list[list[StorySentence]]],
) -> None:
    pages = ["".join(each["text"] for one in page for each in one) for page in stories.values()]
    assert all(2 <= len(page) <= 6 for page in stories.values())
    assert len({page[:20] for page in pages}) == len(pages)


def test_a_whole_act_stands_in_the_simple_past(
    stories: dict[str, list[list[StorySentence]]],
) -> None:
    told = [QUOTED.sub("", sentence["text"]) for _, sentence in sentences(stories)]
    assert not any(re.search(r"^(?!While|At )[^:]*\b(?:was|were) \w+ing\b", text) for text in told)


@pytest.mark.parametrize(
    ("task", "said"), [("看看乐队的地址", "看乐队的地址"), ("慢慢收拾桌子", "慢慢收拾桌子")]
)
def test_what_lasts_until_late_is_no_mere_look(task: str, said: str) -> None:
    assert re.sub(catalogue("zh", "day")["tentative"], r"\1", task) == said


def test_a_page_names_no_clock_time_and_nobody_in_full(
    run: RunReader, stories: dict[str, list[list[StorySentence]]]
) -> None:
    names = Names.of(run, WORLDS)
    given = GivenNames(names, run.residents).given
    for who, sentence in sentences(stories):
        assert not CLOCK.search(sentence["text"])
        assert names.person(who) not in QUOTED.sub("", sentence["text"])
        assert not any(
            names.person(other) in QUOTED.sub("", sentence["text"])
            for other in run.residents
            if given[other] != names.person(other)
        )


def test_what_is_quoted_was_said_in_the_residents_hearing(
    run: RunReader, stories: dict[str, list[list[StorySentence]]]
) -> None:
    quoted = 0
    for who, sentence in sentences(stories):
        talk = run.conversation(sentence["conversation"]) if sentence["conversation"] else None
        assert talk is None or who in talk.people
        for line in QUOTED.findall(sentence["text"]) if talk else ():
            heard = "".join(each.text for each in talk.lines_for(who)) if talk else ""
            said = nest_quotes(re.sub('"([^"]*)"', r"“\1”", heard))
            quoted += 1
            assert re.sub("[,.]$", "", line) in said
    assert quoted


def test_the_words_of_a_link_stand_in_their_sentence(
    stories: dict[str, list[list[StorySentence]]],
) -> None:
    assert all(each["link"] in each["text"] for _, each in sentences(stories))
    assert any(each["link"] and each["conversation"] for _, each in sentences(stories))


def test_the_paragraphs_after_the_one_that_leads_are_in_the_order_of_the_day(
    stories: dict[str, list[list[StorySentence]]],
) -> None:
    for page in stories.values():
        told = [[each["tick"] for each in paragraph] for paragraph in page[:-1]]
        begins = min((tick for ticks in told for tick in ticks), default=0)
        first = [next((tick for tick in ticks if tick > begins), ticks[0]) for ticks in told]
        others = [first[:at] + first[at + 1 :] for at in range(len(first))] or [first]
        assert any(each == sorted(each) for each in others)


def test_a_page_tells_what_occupies_its_resident(
    run: RunReader, stories: dict[str, list[list[StorySentence]]]
) -> None:
    names = Names.of(run, WORLDS)
    given = GivenNames(names, run.residents)
    for who, page in stories.items():
        words = DayWording(names, given, run.manifest.lang, who)
        present = words.present(run.currently(who, run.last_step()))
        told = [each["text"] for paragraph in page for each in paragraph]
        assert present
        assert [text for text in told if text in present] == present


@pytest.mark.parametrize(
    ("who", "other", "relation"),
    [
        ("zhang_wei", "xiao_mei", "a bright student of my introductory course who hides behind"),
        ("zhang_wei", "zhao_gang", "my chess opponent, against whom I have won four games"),
        ("zhang_wei", "chen_siyuan", "the engineer of the joint project"),
        ("xiao_mei", "zhang_wei", "my physics professor, whom I admire and hardly dare to address"),
        ("xiao_mei", "lin_yue", ""),
        ("xiao_mei", "zhao_gang", ""),
    ],
)
def test_a_relation_is_told_in_the_first_person_only_where_that_is_safe(
    who: str, other: str, relation: str
) -> None:
    told = wording(who).relation(other)
    assert told.startswith(relation)
    assert bool(told) == bool(relation)


def test_a_relative_is_called_by_kinship() -> None:
    assert wording("xiao_mei").name("zhao_gang") == "my grandfather"
    assert wording("lin_yue").name("zhao_gang") == "Zhao Gang"


def test_all_verbs_of_a_series_are_in_the_first_person() -> None:
    text = (
        "Zhang Wei is writing, waits for the post, and since Tuesday carries a letter. He has time."
    )
    assert wording("zhang_wei").present(text) == [
        "I'm writing, wait for the post, and since Tuesday carry a letter.",
        "I have time.",
    ]
    text = "Zhang Wei counts on Xiao Mei, has never asked her, and at Lin Yue's word means to ask."
    (told,) = wording("zhang_wei").present(text)
    assert told == "I count on Xiao Mei, have never asked her, and at Lin Yue's word mean to ask."
    (told,) = wording("zhang_wei").present("Zhang Wei is writing, has found a title, and is happy.")
    assert told == "I'm writing, have found a title, and am happy."
    text = "Zhang Wei wonders who comes by night, since somebody has been eating the pears."
    assert wording("zhang_wei").present(text) == [
        f"I wonder{text.removeprefix('Zhang Wei wonders')}"
    ]


def test_concerns_go_on_after_a_sentence_that_may_be_about_another() -> None:
    text = "Lin Yue has a letter. Wang Fang has told her to go. She draws the mill."
    assert wording("lin_yue").present(text) == ["I have a letter.", "I draw the mill."]


def test_a_debt_is_no_act_to_come() -> None:
    assert wording("lin_yue").intend("I owe Zhang Wei a coffee") == "I owe Zhang Wei a coffee"
    assert wording("lin_yue").intend("I bring the coffee") == "I'll bring the coffee"


def test_a_pronoun_that_may_be_anothers_is_not_made_ones_own() -> None:
    """Also where that one is called by the given name alone."""
    ada = wording("ada", world=load_world("farmstead", "en"))
    assert ada.mine("Ada Thorne means to wait for Cora with her letter") == ""
    told = ada.mine("Ada Thorne means to look it up before he speaks to her tonight")
    assert told == "I mean to look it up before he speaks to me tonight"


def wording(who: str, lang: Lang = "en", world: World | None = None) -> DayWording:
    names = Names(world or minitown(lang))
    assert names.world
    return DayWording(names, GivenNames(names, names.world.personas), lang, who)


@pytest.mark.parametrize(
    ("meant", "told"),
    [
        ("三点在公园说说四首诗", "我打算三点在公园说说四首诗"),
        ("我今晚替张伟问问客人", "我打算今晚替张伟问问客人"),
        ("本子找着了，到酒吧请张伟一轮", "等本子找着了，我打算到酒吧请张伟一轮"),
        ("要是下雨，就在家画画", "要是下雨，我打算在家画画"),
        ("不把这事告诉张伟", "我不打算把这事告诉张伟"),
        ("我今晚再忙也要去广场", "我今晚再忙也要去广场"),
        ("我答应了张伟，明天去看他", "我答应了张伟，明天去看他"),
        ("跟张伟约好，周五一起吃饭", "跟张伟约好，周五一起吃饭"),
        ("张伟今晚来看画", "张伟今晚来看画"),
        ("", ""),
    ],
)
def test_a_chinese_intention_does_not_sound_like_a_fact(meant: str, told: str) -> None:
    assert wording("lin_yue", "zh").intend(meant) == told


@pytest.mark.parametrize(
    ("lang", "matter", "passed_on"),
    [
        ("zh", "张伟的绿皮本子丢了，三点半陈思远等他", "他的绿皮本子丢了，三点半陈思远等他"),
        (
            "en",
            "Zhang Wei's notebook is lost, and Chen Siyuan looks for it",
            "his notebook is lost, and Chen Siyuan looks for it",
        ),
    ],
)
def test_what_belongs_to_the_teller_is_told_without_their_name(
    lang: Lang, matter: str, passed_on: str
) -> None:
    assert wording("lin_yue", lang).of_teller(matter, "zhang_wei") == passed_on


@pytest.mark.parametrize(
    ("memory", "told"),
    [
        ("Lin Yue wants to show her series.", "I want to show my series"),
        ("Lin Yue hopes that Zhang Wei likes her.", "I hope that Zhang Wei likes me"),
        ("Lin Yue thinks that Xiao Mei hides her songs.", ""),
        ("A walk does Lin Yue good.", ""),
        ("Zhang Wei likes roses.", "Zhang Wei likes roses"),
        ("The mill is sold; Lin Yue fears for her room.", "The mill is sold; I fear for my room"),
        ("A walk does Lin Yue good; the mill is sold.", ""),
        ("学院九月肯收林悦，她这星期就得回话", "学院九月肯收我，我这星期就得回话"),
        ("学院来信说起林悦，问了她的事", ""),
    ],
)
def test_a_memory_is_told_in_the_first_person_only_where_that_is_safe(
    memory: str, told: str
) -> None:
    lang: Lang = "en" if memory.isascii() else "zh"
    hearers = ["wang_fang"] if lang == "zh" else []
    assert wording("lin_yue", lang).mine(memory, hearers) == told


def test_a_question_is_quoted_with_its_answer_and_without_greeting_or_clock() -> None:
    def talk(number: int, *lines: str) -> Conversation:
        speakers = ("lin_yue", "zhang_wei")
        said = tuple(Line(speakers[at % 2], text, "") for at, text in enumerate(lines))
        return Conversation(
            f"{number}-lin_yue", number, *speakers, "cafe/main", MORNING, 5, said, "", "word"
        )

    told = talk(
        1,
        "Hello, Zhang Wei. Lovely weather.",
        "Lovely weather. What do you see from your window?",
        "Half a tree, and a man who waters it. Shall we meet at 17:30?",
        "I must go. Goodbye, Lin Yue.",
        "Goodbye.",
    )
    other = talk(2, "Lovely weather.", "I must go.")
    exchange = Exchanges([told, other], wording("lin_yue").given, "en").best(told, "lin_yue")
    assert exchange
    assert [line.text for line in exchange.lines] == [
        "What do you see from your window?",
        "Half a tree, and a man who waters it.",
    ]


@pytest.mark.parametrize(
    ("matter", "reply", "quoted"),
    [
        (
            "Lin Yue has always taken the poems for Zhang Wei's",
            "These sheaves have to be done first. The poems aren't mine, I only tie knots.",
            "The poems aren't mine, I only tie knots.",
        ),
        (
            "Lin Yue has written twelve songs",
            "A waste of paper! You wrote songs behind my back for years. And I like them.",
            "A waste of paper! You wrote songs behind my back for years.",
        ),
        (
            "Lin Yue has written twelve songs",
            "I knew that something kept you up at night.",
            "I knew that something kept you up at night.",
        ),
    ],
)
def test_a_reply_is_quoted_from_where_it_comes_to_the_matter(
    matter: str, reply: str, quoted: str
) -> None:
    lines = [f"It's two o'clock. {matter.replace('Lin Yue has', 'I have')}.", reply, "…", "…"]
    said = tuple(Line(("lin_yue", "zhang_wei")[at % 2], text, "") for at, text in enumerate(lines))
    talk = Conversation("1", 1, "lin_yue", "zhang_wei", "cafe/main", MORNING, 5, said, "", "word")
    day = Exchanges([talk], wording("lin_yue").given, "en")
    assert [each.text for each in day.replies(talk, "lin_yue", "lin_yue", matter).lines] == [quoted]


def test_names_that_two_share_stay_whole() -> None:
    class Two(Names):
        def person(self, who: str) -> str:
            return {"a": "Mei Lin", "b": "Mei Xu", "d": "Eddy Lin"}[who]

    said = Mentions(GivenNames(Two(None), "abd"))
    text = "Mei Lin met Eddy Lin. Mei Lin and Mei Xu know Eddy Lin."
    shorter = "Mei Lin met Eddy Lin. Mei Lin and Mei Xu know Eddy."
    assert said.shorten(text) == shorter


def test_the_best_line_is_short_and_about_its_subject() -> None:
    class Party:
        def is_mentioned_in(self, text: str) -> bool:
            return "party" in text

    lines = [
        Line("ana", "You'll manage. The walk home. " + "Tomorrow there is a party.", ""),
        Line("bo", "Well, " + "and so on " * 40 + "at the party.", ""),
    ]
    about, best = best_line(lines, Party()), best_line(lines)
    assert about is not None
    assert (about.speaker, about.text.endswith("Tomorrow there is a party.")) == ("ana", True)
    assert best is not None
    assert len(best.text) <= MAX_QUOTE_CHARACTERS
    assert best_line(lines, hidden=lambda text: True) is None


def test_a_quotation_is_no_question_nor_a_farewell() -> None:
    lines = [
        Line("ana", "I have sold the old boat at last. And what are you doing the whole day?", ""),
        Line("bo", "Nothing.", ""),
        Line("ana", "Come along.", ""),
        Line("bo", "Another time, when there is less to be done in the garden, I must go.", ""),
        Line("ana", "Then goodbye, and give my very best regards to all of your family.", ""),
    ]
    best = best_line(without_farewell(lines))
    assert best is not None
    assert best.text == "I have sold the old boat at last."


def test_a_quotation_is_about_the_point_of_its_talk() -> None:
    lines = [
        Line("ana", "I have sold my boat at last.", ""),
        Line("bo", "You were in my dream last night, and you were the mayor of a lake.", ""),
    ]
    best = best_line(lines, point="Ana told Bo that she has sold her boat at last.")
    assert best is not None
    assert best.speaker == "ana"


def test_a_quotation_is_verbatim() -> None:
    spaced = Line("ana", "One  thing.\tAnother one!  And a third.", "")
    best = best_line([spaced])
    assert best is not None
    assert (best.speaker, best.text) == ("ana", spaced.text)
