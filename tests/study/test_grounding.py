"""The rules that judge answers: what is invented, embellished, contradicted and missed is counted
exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hometown.clock import hhmm
from hometown.history.reader import RunReader
from hometown.history.spread import knowers
from hometown.language import LANGS, Lang
from hometown.model.llm import LanguageModel
from hometown.prompt.interview_answers import InterviewVars
from hometown.shares import Share
from hometown.storage.run import RunFile
from hometown.study.access_conditions import CONDITIONS, AccessCondition
from hometown.study.grounding import Judgement, judge
from hometown.study.interview import Interviewer
from hometown.study.mentions import find_ages, find_numbers, find_times
from hometown.study.questionnaire import (
    Asking,
    InterviewQuestion,
    find_questionnaire,
    list_questionnaires,
    questions_for,
)
from hometown.study.questionnaire_definition import CATEGORIES
from hometown.study.tally import Judged, count_invented, fallbacks, interview, verdicts
from hometown.world.rows import Promises
from hometown.world.state import State
from tests.support.agreements import promise
from tests.support.fake_models import Says
from tests.support.interviews import STEPS, Answers, interviewed, interviewer, now
from tests.support.town import MORNING, minitown

Reply = Callable[[InterviewVars], tuple[str, str, list[int]]]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


def answered(
    results: Path,
    questionnaire: str,
    model: LanguageModel | None = None,
    steps: tuple[int, ...] = (STEPS,),
) -> list[Judged]:
    """The answers of all residents after these steps."""
    judged: list[Judged] = []
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, model)
        for at in steps:
            for who in run.manifest.residents:
                judged += now(
                    interview(
                        asks,
                        questions_for(
                            find_questionnaire(questionnaire),
                            Asking(asks.world(at), who, asks.state(at).clock.now, 1),
                        ),
                        who,
                        at,
                    )
                )
    return judged


def verdict_on(
    results: Path, reply: Reply, question: InterviewQuestion, who: str = "lin_yue", at: int = STEPS
) -> Judgement:
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, Answers(reply))
        return judge(asks, question, now(asks.ask(who, question.text, at)))


def says(text: str, knows: str = "yes", evidence: tuple[int, ...] = ()) -> Reply:
    return lambda v: (text, knows, list(evidence))


# the stand-in --------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_the_stand_in_invents_nothing(lang: Lang, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = interviewed(tmp_path_factory, lang)
    judged = [
        each
        for name in ("awareness", "believability")  # rules judge open questions alone
        for each in answered(folder, name, steps=(0, 30, 60, STEPS))
    ]
    assert len(judged) >= 600
    counts = verdicts(judged)
    assert [counts[bad] for bad in ("invented", "embellished", "contradicted", "unanswered")] == [
        0,
        0,
        0,
        0,
    ]
    assert counts["supported"] > len(judged) / 4, "it also says what it knows"


# liars ---------------------------------------------------------------------------------------


def known_stories(results: Path) -> set[tuple[str, str]]:
    """(resident, storyline) of all who know of one, as the measure of diffusion has it."""
    with RunReader.open(results, "town") as run:
        return {
            (learning.memory.who, story.id)
            for story in minitown().storylines
            for learning in knowers(run, story, STEPS)
        }


def test_a_yes_sayer_is_counted_exactly(results: Path) -> None:
    judged = [
        each
        for each in answered(results, "awareness", Answers(says("Yes, I do.")))
        if each.question.truth == "story"
    ]
    known = known_stories(results)
    assert 0 < len(known) < len(judged) == 18
    found = {
        (each.answer.who, each.question.about)
        for each in judged
        if each.judgement.verdict == "invented"
    }
    assert found == {(each.answer.who, each.question.about) for each in judged} - known
    assert count_invented(judged) == Share(18 - len(known), 18)


@pytest.mark.parametrize("knows", ["no", "unsure"])
@pytest.mark.parametrize("evidence", [(), (1, 2, 3)])
def test_denial_and_doubt_are_counted_exactly(
    knows: str, evidence: tuple[int, ...], results: Path
) -> None:
    """A citation does not turn either into knowledge."""
    judged = [
        each
        for each in answered(results, "awareness", Answers(says("Hm, well.", knows, evidence)))
        if each.question.truth == "story"
    ]
    missed = {
        (each.answer.who, each.question.about)
        for each in judged
        if each.judgement.verdict == "missed"
    }
    assert missed == known_stories(results)
    assert verdicts(judged)["declined"] == 18 - len(missed)


def test_a_model_that_gives_nothing_is_not_judged(results: Path) -> None:
    judged = answered(results, "awareness", Says("?"), steps=(0,))
    assert verdicts(judged) == {"unanswered": len(judged)}
    assert fallbacks(judged) == Share(len(judged), len(judged))
    assert count_invented(judged) == Share(0, 0)


AGE = InterviewQuestion("age", "self", "age", "How old are you?")
WORK = InterviewQuestion("work", "self", "occupation", "What do you do for a living?")
PLACE = InterviewQuestion("now", "plans", "now", "Where are you?")
FREE = InterviewQuestion("free", "reflections", "details", "What is on your mind?")
AT_NIGHT = replace(promise("talk", ["lin_yue", "zhang_wei"]), start=datetime(2025, 2, 14, 3, 17))


def test_facts_of_the_persona(results: Path) -> None:
    me = minitown().personas["lin_yue"]
    assert verdict_on(results, says(f"I am {me.age}."), AGE).verdict == "supported"
    assert verdict_on(results, says("I have just turned 91."), AGE) == Judgement(
        "contradicted", (), ("91",)
    )
    assert verdict_on(results, says("Old."), AGE).verdict == "unchecked"
    assert verdict_on(results, says("XX years.", evidence=(1,)), AGE).verdict == "unchecked"
    assert verdict_on(results, says(f"I work as {me.occupation}."), WORK).verdict == "supported"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("I am {words}; I moved here in 2012, when I was 21.", "supported"),
        ("I have lived here for 12 years, with two children.", "unchecked"),
        ("I'm in my 90s, no one knows exactly.", "unchecked"),
        ("I'm one of those who don't tell.", "unchecked"),
        ("I'm ninety-one.", "contradicted"),
        ("91", "contradicted"),
    ],
)
def test_an_age_is_read_in_words_and_beside_other_numbers(
    results: Path, answer: str, verdict: str
) -> None:
    assert minitown().personas["zhang_wei"].age == 35
    said = says(answer.format(words="thirty-five"))
    assert verdict_on(results, said, AGE, "zhang_wei").verdict == verdict


@pytest.mark.parametrize(
    ("text", "numbers", "ages"),
    [
        ("我在这儿住了12年，今年三十四岁。", {12, 34}, {34}),
        ("我今年三十四，有两个孩子。", {34, 2}, {34}),
        ("我九十多岁了，今年一月搬来，住在二楼。", {90, 1, 2}, set()),
        ("二十。", {20}, {20}),
        ("这得看怎么算。", set(), set()),
    ],
)
def test_chinese_ages_are_told_from_other_numbers(
    text: str, numbers: set[int], ages: set[int]
) -> None:
    assert (find_numbers(text), find_ages(text)) == (numbers, ages)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("我有一点累，晚一点来就好了，一点也不想动。", []),
        ("我有两点想法，还有三点建议。", []),
        ("星期三点了一杯咖啡，第三点再说，五十点。", []),
        ("下午一点见，一点半也行，两点钟散。", ["01:00", "01:30", "02:00"]),
        ("下午一点到两点", ["01:00", "02:00"]),
        ("下午十五点开会，晚上二十点见，周三二十一点散。", ["03:00", "08:00", "09:00"]),
        ("五点四十分，下午3点50分，六点二十，七点零五。", ["03:50", "05:40", "06:20", "07:05"]),
        ("三点十个人一起来，三点一起走。", ["03:00"]),
        ("周三三点，周五十点。", ["03:00", "10:00"]),
    ],
)
def test_chinese_times_of_day_are_told_from_points_and_bits(text: str, times: list[str]) -> None:
    assert [hhmm(minute) for minute in sorted(find_times(text))] == times


def test_a_plan_for_an_hour_is_held_against_the_schedule(results: Path) -> None:
    with RunFile.open(results, "town") as run:
        entries = run.restore(30).schedule("lin_yue").entries
    right = next(entry for entry in entries if entry.start <= 900 < entry.end)
    wrong = next(entry for entry in entries if entry.kind == "sleep")
    question = InterviewQuestion(
        "hour", "plans", "plan", "What will you be doing at 15:00 today?", "15:00"
    )
    assert (
        verdict_on(results, says(f"I will be {right.activity}."), question, at=30).verdict
        == "supported"
    )
    assert (
        verdict_on(results, says(f"I will be {wrong.activity}."), question, at=30).verdict
        == "contradicted"
    )
    assert verdict_on(results, says("Something nice."), question, at=30).verdict == "unchecked"


def test_a_place_is_held_against_where_it_is(results: Path) -> None:
    world = minitown()
    with RunFile.open(results, "town") as run:
        here = interviewer(run, Answers(says("x")))
        where = now(here.ask("lin_yue", "Where?")).given.situation.where
    elsewhere = next(sector.name for sector in world.sectors.values() if sector.name not in where)
    assert verdict_on(results, says(f"At {where}."), PLACE).verdict == "supported"
    assert verdict_on(results, says(f"In the {elsewhere}."), PLACE) == Judgement(
        "contradicted", (), (elsewhere,)
    )


def first_memory(results: Path) -> str:
    """The memory that comes first to mind when it is asked."""
    with RunFile.open(results, "town") as run:
        return (
            now(interviewer(run, Answers(says("x", evidence=(1,)))).ask("lin_yue", FREE.text))
            .cited[0]
            .text
        )


def test_what_comes_from_nowhere_is_embellishment(results: Path) -> None:
    assert verdict_on(results, says("The rain."), FREE).verdict == "unchecked"
    cited = first_memory(results)
    assert verdict_on(results, says(f"Well, {cited}", evidence=(1,)), FREE).verdict == "supported"
    assert verdict_on(results, says("Iaw iaw.", evidence=(1,)), FREE).verdict == "unchecked", (
        "a memory that is cited for nothing"
    )
    assert verdict_on(results, says("I met somebody at 03:17."), FREE, at=0) == Judgement(
        "embellished", (), ("03:17",)
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_verdicts_use_all_data_whatever_the_answer_may_rest_on(
    condition: AccessCondition, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agreement holds where the answer came without it."""
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, Answers(says("I will meet somebody at 03:17.")))
        for agreed, verdict in (((), "embellished"), ((AT_NIGHT,), "unchecked")):
            monkeypatch.setattr(State, "promises", lambda _, who, agreed=agreed: Promises(agreed))
            answer = now(asks.ask("lin_yue", FREE.text, 0, condition=condition))
            assert judge(asks, FREE, answer).verdict == verdict


def test_a_stranger_comes_from_nowhere(results: Path) -> None:
    """Everybody in minitown knows everybody, so one resident is made to know nobody."""
    world = minitown(zhang_wei={"relations": {}})
    with RunFile.open(results, "town") as run:
        asks = interviewer(run)
        remembered = " ".join(
            memory.text for memory in asks.state(0).memory("zhang_wei").concepts.values()
        )
        strangers = [
            persona.name
            for who, persona in world.personas.items()
            if who != "zhang_wei" and persona.name not in remembered
        ]
        asks = Interviewer(
            run,
            world,
            Answers(says(f"I often think of {strangers[0]}.")),
            asks.embedder,
            asks.settings,
        )
        assert judge(asks, FREE, now(asks.ask("zhang_wei", FREE.text, 0))) == Judgement(
            "embellished", (), (strangers[0],)
        )


def test_a_storyline_that_it_cannot_know_is_invented(results: Path) -> None:
    who = next(
        who
        for who in minitown().personas
        if (who, "layoffs") not in known_stories_at_start(results)
    )
    assert (
        verdict_on(
            results, says("They say that half of them will be laid off."), FREE, who=who, at=0
        ).verdict
        == "invented"
    )


def known_stories_at_start(results: Path) -> set[tuple[str, str]]:
    with RunReader.open(results, "town") as run:
        return {
            (learning.memory.who, story.id)
            for story in minitown().storylines
            for learning in knowers(run, story, 0)
        }


def test_another_time_than_it_was_told_contradicts(results: Path) -> None:
    who, story = next(
        (who, story)
        for who, story in sorted(known_stories_at_start(results))
        if story == "song_night" or story == "reading_circle"
    )
    question = InterviewQuestion("story", "memory", "story", "Do you know about it?", story)
    judgement = verdict_on(results, says("Yes, it begins at 04:44."), question, who=who, at=0)
    assert judgement.verdict in ("contradicted", "embellished")
    assert "04:44" in judgement.objections
    assert verdict_on(results, says("Yes, I do."), question, who=who, at=0).verdict == "supported"


# questionnaires ------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_five_questions_in_each_of_five_categories(lang: Lang) -> None:
    world = minitown(lang)
    believability = find_questionnaire("believability")
    questions = questions_for(believability, Asking(world, "lin_yue", MORNING, 1))
    assert [
        sum(question.category == category for question in questions) for category in CATEGORIES
    ] == [*[5] * 5, 0]
    assert all("{" not in question.text for question in questions)
    assert questions == questions_for(believability, Asking(world, "lin_yue", MORNING, 1))
    assert questions != questions_for(believability, Asking(world, "lin_yue", MORNING, 2))


@pytest.mark.parametrize("lang", LANGS)
def test_everybody_is_asked_about_everything(lang: Lang) -> None:
    world = minitown(lang)
    questions = questions_for(find_questionnaire("awareness"), Asking(world, "lin_yue", MORNING, 1))
    assert sorted(question.about for question in questions) == sorted(
        [*(story.id for story in world.storylines), *(set(world.personas) - {"lin_yue"})]
    )


def test_questionnaires_have_both_languages_and_ids_of_their_own() -> None:
    for name in list_questionnaires():
        for each in find_questionnaire(name).questions:
            words = each.text
            assert ("{person}" in words.en) == ("{person}" in words.zh)
            assert any("\u4e00" <= letter <= "\u9fff" for letter in words.zh)
            assert words.en.isascii()
