"""The newspaper tells of its day what the run recorded, in the reader's language, the gathering
first and nobody twice among those who met.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.clock import format_time
from hometown.export.newspaper import Papers, write_gazette
from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.blocks import Blocks
from hometown.history.day_matters import Beat
from hometown.history.diary import memories_on
from hometown.history.entities import OwnedMemory
from hometown.history.familiar import GivenNames, Mentions
from hometown.history.gazette_columns import list_coming
from hometown.history.gazette_events import _is_damage_of, _list_deeds
from hometown.history.gazette_issue import Issue
from hometown.history.gazette_news import NewsTelling, _list_tellings, _trace
from hometown.history.names import Names
from hometown.history.playback import HappeningSpan, happening_spans
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, describe_diffusion
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.memory.concept import NEVER, Concept
from hometown.paths import WORLDS
from hometown.text import coverage
from hometown.world.conversation import Conversation
from hometown.world.happening_process import DAMAGE_KEY
from hometown.world.incidents import (
    Countermeasure,
    Course,
    EndedHappening,
    Happenings,
    StoppedHappenings,
    UnfoldingHappening,
)
from hometown.world.interventions import Intervention
from hometown.world.rows import Promise, Promises
from hometown.world.world import Gathering, Storyline
from tests.support.days import FIRE, frightful_day, lived_day
from tests.support.moving import moving, settle
from tests.support.synthetic_run import make_run
from tests.support.town import live, opened

DAY = date(2025, 2, 13)


@pytest.fixture(scope="module", params=["en", "zh"])
def run(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> RunReader:
    return RunReader.open(lived_day(tmp_path_factory, request.param), "town")


def paper_of(run: RunReader, lang: Lang) -> shapes.Gazette:
    paper: shapes.Gazette = Blocks(run, Names.of(run, WORLDS)).of_run(f"gazette/{lang}/{DAY}")
    return paper


def shorten(run: RunReader, text: str, known: Sequence[str] = ()) -> str:
    """Return a text with given names after the first mention."""
    return Mentions(GivenNames(Names.of(run, WORLDS), run.residents), known).shorten(text)


@pytest.mark.parametrize("lang", LANGS)
def test_it_tells_what_the_run_recorded(run: RunReader, lang: Lang) -> None:
    paper = paper_of(run, lang)
    assert (paper["day"], paper["number"]) == (DAY.isoformat(), 1)
    assert paper["articles"]
    assert paper["thoughts"]
    met: list[str] = []
    for article in paper["articles"]:
        assert article["headline"]
        assert set(article["who"]) <= set(run.residents)
        talk = run.conversation(article["conversation"])
        for quote in article["quotes"] if article["kind"] != "gathering" else ():
            assert talk is not None
            assert any(
                line.speaker == quote["speaker"] and quote["text"] in line.text
                for line in talk.lines
            )
        if article["kind"] == "encounter":
            assert talk is not None
            assert article["tick"] == run.tick(talk.started)
            assert article["quotes"] or article["text"]
            met += article["who"]
    assert len(met) == len(set(met))
    thought = {memory.concept.text for memory in run.memories(1, run.last_step(), ("thought",))}
    for each in paper["thoughts"]:
        name = Names.of(run, WORLDS).person(each["who"][0])
        assert name not in each["text"]
        assert any(coverage(each["text"], text) > 0.3 for text in thought)


def test_its_figures_count_as_the_diary_does(run: RunReader) -> None:
    count = len(memories_on(run, DAY, run.last_step(), ("thought",)))
    figures = " ".join(paper_of(run, "en")["figures"])
    assert f" {count} conclusion" in figures


def test_news_counts_those_who_were_told(run: RunReader) -> None:
    names = Names.of(run, WORLDS)
    for article in paper_of(run, "en")["articles"]:
        if article["kind"] != "news":
            continue
        titled = zip(names.storylines, names.translate("en").storylines, strict=True)
        story = next(own for own, told in titled if article["headline"].endswith(told.title))
        knowing = {
            memory.who
            for memory in run.memories(0, run.last_step())
            if story.is_mentioned_in(memory.concept.text)
        }
        known, everybody = len(knowing), len(run.residents)
        share = f"all {everybody}" if known == everybody else f"{known} of {everybody}"
        assert f"; {share} know." in article["deck"]


def test_the_talk_that_is_quoted_is_named(run: RunReader) -> None:
    for article in paper_of(run, run.manifest.lang)["articles"]:
        talk = run.conversation(article["conversation"]) if article["conversation"] else None
        if article["kind"] == "news" and article["quotes"]:
            assert talk
            assert format_time(talk.started) in article["text"]
            spoken = " ".join(line.text for line in talk.lines)
            assert all(said["text"] in spoken for said in article["quotes"])


def test_who_passed_news_on_stands_behind_how_they_heard_it() -> None:
    def told(teller: str, hearer: str, talk: str, quotes: int = 0) -> NewsTelling:
        conversation = SimpleNamespace(id=talk, address="", started=datetime(2025, 2, 13, 8))
        said = tuple({"speaker": teller} for _ in range(quotes))
        return cast(
            NewsTelling,
            SimpleNamespace(teller=teller, hearer=hearer, talk=conversation, quotes=said),
        )

    issue = SimpleNamespace(
        say=lambda key, **values: " ".join([key, *map(str, values.values())]),
        names=SimpleNamespace(person=str),
        place=str,
        count=str,
        lang="en",
    )
    tellings = [
        told("sam", "adam", "1"),
        told("adam", "hailey", "2", quotes=3),
        told("hailey", "tom", "3"),
        told("hailey", "jane", "4"),
    ]
    trace = list(_trace(cast(Issue, issue), tellings, tellings[1]))
    assert [each.split()[:2] for each in trace] == [
        ["told", "sam"],
        ["told", "adam"],
        ["passed_on", "hailey"],
    ]


def test_nobody_is_told_what_they_knew() -> None:
    story = Storyline("letter", "The letter", ("letter",))
    talk = Conversation("1", 1, "cora", "ada", "farm", NIGHT, 5, (), "", "word")
    both = [
        Beat(NIGHT, "told", 20, (hearer,), "the letter has come", "", talk)
        for hearer in ("ada", "cora")
    ]
    issue = SimpleNamespace(
        run=SimpleNamespace(residents=["cora", "ada"]),
        passed_on=SimpleNamespace(outgoing={"cora": both[:1], "ada": both[1:]}),
        archive=SimpleNamespace(is_confidential=lambda talk: False),
        quote_telling=lambda *_: [],
    )
    concept = SimpleNamespace(talk=talk.id)
    learned = Learning(cast(OwnedMemory, SimpleNamespace(who="ada", concept=concept)), "cora")
    (telling,) = _list_tellings(cast(Issue, issue), story, [learned])
    assert (telling.teller, telling.hearer) == ("cora", "ada")


def test_a_gathering_leads(run: RunReader) -> None:
    kinds = [article["kind"] for article in paper_of(run, "en")["articles"]]
    assert kinds == sorted(kinds, key=["gathering", "news", "encounter"].index)


@pytest.mark.parametrize("lang", LANGS)
def test_a_fire_leads_with_those_who_saw_it(
    lang: Lang, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with RunReader.open(frightful_day(tmp_path_factory, lang), "town") as run:
        names, paper = Names.of(run, WORLDS), paper_of(run, lang)
        article, *others = paper["articles"]
        assert (article["kind"], article["headline"]) == ("event", FIRE[lang])
        assert article["who"]
        assert all(names.person(who) in article["text"] for who in article["who"][:2])
        assert re.search("over|平息|过去了|还没有完", article["text"])
        assert all(each["kind"] != "event" for each in others)
        talk = run.conversation(article["conversation"])
        for quote in article["quotes"]:
            assert talk is not None
            assert any(quote["text"] in line.text for line in talk.lines)


def test_a_deed_at_a_fire_was_begun_before_it_was_over(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with RunReader.open(frightful_day(tmp_path_factory), "town") as run:
        names, (article, *_) = Names.of(run, WORLDS), paper_of(run, "en")["articles"]
        span = next(each for each in happening_spans(run) if each.event.text == FIRE["en"])
        assert span.ended
        done = {
            f" was {action.activity}."
            for who in run.residents
            for _, action in run.actions_of(who, span.begun, span.ended - 1)
        }
        told = [each for who in article["who"] for each in _find_deeds(article, names.person(who))]
    assert told
    assert set(told) <= done


def _find_deeds(article: shapes.Article, name: str) -> list[str]:
    """What an article tells that somebody, called by the full or the given name, did."""
    called = f"(?:{name}|{name.split()[-1]}|{name.split()[0]})"
    return re.findall(f"{called}( was [^.]+\\.)", article["text"])


HERO = "xiao_mei"
NIGHT = datetime(2025, 2, 13, 2)
FIRES = {
    "cafe/main": "the café kitchen is on fire",
    "flower_shop/shop": "the flower shop is on fire",
}


def test_of_two_fires_at_night_those_who_only_heard_one_did_not_see_it(
    tmp_path: Path,
) -> None:
    live(tmp_path, 1, start=NIGHT)
    with opened(tmp_path) as town:
        town.ask([Intervention("event", *each) for each in FIRES.items()])
    live(tmp_path, 14)
    with RunReader.open(tmp_path, "town") as run:
        names = Names.of(run, WORLDS)
        people = [names.person(who) for who in run.residents]
        articles = {each["address"]: each for each in paper_of(run, "en")["articles"]}
        saw = {
            (memory.concept.address, names.person(memory.who))
            for memory in run.memories(1, run.last_step(), ("event",))
            for text in FIRES.values()
            if memory.concept.text.startswith(f"{text}, in")
        }
    for place in FIRES:
        text = articles[place]["text"]
        told = re.search(r"([^.]*) saw it\.", text)
        for who in people:
            assert not told or who not in told[1] or (place, who) in saw
        assert "heard it from elsewhere" in text


def test_who_ends_a_fire_in_the_step_in_which_it_began_is_told_of() -> None:
    place, text = "cafe/main", FIRES["cafe/main"]
    fire = UnfoldingHappening(place, text, NIGHT, course=Course(), since=NIGHT)
    ended = EndedHappening(place, (HERO,), NIGHT, text=text, over="", since=NIGHT)
    measure = Countermeasure(place, text, "beating out the flames", "helps", "", NIGHT, here=True)
    act = Action("act", measure.what, place, 10, started=NIGHT)
    run = SimpleNamespace(
        last_step=lambda: 4,
        moment=lambda step: NIGHT,
        row=lambda key, step: StoppedHappenings((ended,)),
        versions=lambda key, *_: (
            [(2, measure)] if "measure" in key else [(2, Happenings((fire,))), (3, None)]
        ),
        actions_of=lambda who, *_: [(2, act)],
    )
    (span,) = happening_spans(cast(RunReader, run))
    assert cast(UnfoldingHappening, span.event).by == (HERO,)
    issue = cast(Issue, SimpleNamespace(run=run, last=4))
    assert list(_list_deeds(issue, span, [HERO])) == [(HERO, act.activity)]


def test_the_damage_of_a_fire_is_in_its_own_room() -> None:
    """Two fires end in one step."""
    fires, damages = [
        [
            UnfoldingHappening(address, text, NIGHT, course=Course(key=key), since=NIGHT)
            for address, text in FIRES.items()
        ]
        for key in ("fire", DAMAGE_KEY)
    ]
    left = [HappeningSpan(each, 5, None) for each in damages]
    burnt = [HappeningSpan(each, 2, 5) for each in fires]
    run = SimpleNamespace(manifest=SimpleNamespace(lang="en"))
    issue = cast(Issue, SimpleNamespace(run=run, spans=[*burnt, *left]))
    for number, span in enumerate(burnt):
        assert [each for each in issue.spans if _is_damage_of(issue, each, span)] == [left[number]]


def test_its_files_hold_every_headline_and_no_markup_of_a_models(
    run: RunReader, tmp_path: Path
) -> None:
    papers = Papers(run, Names.of(run, WORLDS))
    papers.papers[0]["articles"][0]["headline"] = "<b>*Extra*</b>"
    assert "<b>*Extra" not in papers.html()
    assert "# <b>" not in (markdown := "\n".join(papers.lines()))
    assert r"\*Extra\*" in markdown
    for name in ("gazette.md", "gazette.html"):
        write_gazette(run, Names.of(run, WORLDS), tmp_path / name)
        text = (tmp_path / name).read_text("utf-8")
        assert all(
            article["headline"].split(": ")[0].split("'")[0] in text
            for article in paper_of(run, run.manifest.lang)["articles"]
        )


@pytest.mark.parametrize(
    ("news", "printed"),
    [
        ("Maria Lopez has read a good book about the lighthouses of the north.", True),
        ("Maria Lopez has a crush on somebody.", False),
        ("Maria Lopez talks of her feelings for Klaus.", False),
    ],
)
def test_no_secret_is_printed(news: str, printed: bool, tmp_path: Path) -> None:
    """Neither what calls itself one, nor a storyline that begins as one: the author says that what
    Maria feels for Klaus is a secret.
    """
    with closing(
        sqlite3.connect(
            make_run(
                tmp_path,
                world="ville",
                residents=("maria_lopez", "klaus_mueller", "ayesha_khan"),
                news=news,
            )
        )
    ) as database:
        database.execute("UPDATE conversations SET summary = ?", (news,))
        database.execute("UPDATE memories SET text = ? WHERE type = 'thought'", (news,))
        database.commit()
    with RunReader.open(tmp_path, "sample") as run:
        paper = paper_of(run, "en")
    texts = [article["text"] for article in (*paper["articles"], *paper["thoughts"])]
    worded = {news.replace("Maria Lopez", name) for name in ("Maria Lopez", "Maria", "I")}
    worded = {each.replace("I has", "I've") for each in worded}
    assert sum(text in worded for text in texts) == (2 if printed else 0)
    assert printed or not any(
        "Klaus" in article["headline"] for article in paper["articles"] if article["kind"] == "news"
    )


def test_no_conversation_is_printed_in_which_discretion_was_asked(run: RunReader) -> None:
    archive = Archive(run, Names.of(run, WORLDS))
    asking = {"en": "Please don't tell anyone about the loan.", "zh": "借钱的事，别跟别人说。"}
    talk = run.conversations(0, run.last_step())[0]
    asked = replace(talk.lines[-1], text=asking[run.manifest.lang])
    assert not archive.is_confidential(talk)
    assert archive.is_confidential(replace(talk, lines=(*talk.lines[:-1], asked)))


@pytest.mark.parametrize(
    ("lang", "meant", "is_kept"),
    [
        ("en", "Lin Yue will tell nobody about the layoffs.", True),
        ("en", "Zhang Wei means to ask what can be done, without saying why.", True),
        ("en", "Lin Yue will tell everybody about the roses.", False),
        ("zh", "林悦不跟别人说裁员的事", True),
        ("zh", "林悦分别跟两家说裁员的事", False),
    ],
)
def test_no_conversation_is_printed_about_which_somebody_means_to_keep_silent(
    lang: Lang, meant: str, is_kept: bool
) -> None:
    talk = Conversation("1", 1, "chen_siyuan", "lin_yue", "park", NIGHT, 5, (), "", "word")
    chat = Concept(1, "chat", "…", "lin_yue", "chat", "", "", 8, NIGHT, NEVER, talk="1")
    thought = Concept(2, "thought", meant, "lin_yue", "intend", "", "", 9, NIGHT, NEVER, (1,))
    known = [OwnedMemory("lin_yue", 1, each) for each in (chat, thought)]
    run = SimpleNamespace(
        manifest=SimpleNamespace(lang=lang),
        last_step=lambda: 1,
        memories=lambda first, last, kinds: [each for each in known if each.concept.type in kinds],
    )
    archive = Archive.__new__(Archive)
    archive.run = cast(RunReader, run)
    assert archive.is_confidential(talk) == is_kept


def test_a_paper_of_the_past_knows_no_later_change_of_a_gathering_nor_later_residents(
    tmp_path: Path,
) -> None:
    """On the second day a gathering is called off, and somebody moves in."""
    live(tmp_path, 24, start=datetime(2025, 2, 13, 12), stride=30)
    with RunReader.open(tmp_path, "town") as run:
        before = paper_of(run, "en")
    with opened(tmp_path) as town:
        town.ask([Intervention("tell", "xiao_mei", "Call off the song night", 42)])
    settle(tmp_path, moving(), 26)
    live(tmp_path, 24)
    with RunReader.open(tmp_path, "town") as run:
        after, names = paper_of(run, "en"), Names.of(run, WORLDS)
        (night,) = [each for each in names.storylines if each.id == "song_night"]
        assert night.gathering is None
        assert "mira" in run.residents
    assert any("song" in each["text"] for each in before["coming"])
    assert after["coming"] == before["coming"]
    decks = [[each["deck"] for each in paper["articles"]] for paper in (before, after)]
    assert decks[0] == decks[1]
    assert any("of 6 know" in deck for deck in decks[0])


def test_a_gathering_that_was_over_before_the_run_began_is_not_told_of(tmp_path: Path) -> None:
    live(tmp_path, 1, start=datetime(2025, 2, 28, 23))
    with RunReader.open(tmp_path, "town") as run:
        names = Names.of(run, WORLDS)
        gazette: shapes.Gazette = Blocks(run, names).of_run("gazette/en/2025-02-28")
        assert "gathering" not in {article["kind"] for article in gazette["articles"]}
        told = describe_diffusion(run, names, 1)["storylines"]
        assert [story["id"] for story in told if "gathering" in story] == []


@pytest.mark.parametrize(
    ("days", "is_known", "is_coming"), [(1, True, True), (1, False, False), (700, True, False)]
)
def test_a_gathering_that_nobody_gives_or_that_is_years_away_is_not_announced(
    days: int, is_known: bool, is_coming: bool
) -> None:
    start = datetime(2025, 2, 13) + timedelta(days=days)
    story = Storyline("party", "A party", (), Gathering("cafe/main", start, start))
    archive = SimpleNamespace(public=[(story, ["knows"] * is_known)])
    issue = SimpleNamespace(
        run=SimpleNamespace(
            moment=lambda _: datetime(2025, 2, 13), residents=(), tick=lambda moment: moment.day
        ),
        public=archive.public,
        archive=archive,
        last=1,
        title=lambda story: story.title,
    )
    assert len(list(list_coming(cast("Issue", issue)))) == is_coming


@pytest.mark.parametrize(("days", "is_coming"), [(60, True), (700, False)])
def test_an_appointment_that_is_years_away_is_not_announced(days: int, is_coming: bool) -> None:
    now = datetime(2025, 2, 13)
    tea = Promise("tea", ("ana", "bo"), "cafe/main", now + timedelta(days=days), 30, "talk")
    issue = SimpleNamespace(
        run=SimpleNamespace(
            moment=lambda _: now,
            residents=("ana",),
            row=lambda *_: Promises((tea,)),
            conversation=lambda _: None,
            tick=lambda moment: moment.day,
        ),
        public=(),
        archive=SimpleNamespace(is_secret=lambda _: False, is_confidential=lambda _: False),
        last=1,
        say=lambda _, names, what: f"{names}: {what}",
        people=", ".join,
    )
    coming = list_coming(cast("Issue", issue))
    assert [each["text"] for each in coming] == ["ana, bo: tea"] * is_coming
