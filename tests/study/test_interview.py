"""Interviews: the run is untouched, nothing of later is known, a conversation goes on, and bad
input gets one line.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime, time
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main as start
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.prompt.interview_answers import InterviewVars
from hometown.scripted.interviewing import answer_interview
from hometown.session import same_model
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.interview import parse_questions
from hometown.study.questionnaire import Asking, find_questionnaire, questions_for
from hometown.world.intervention_time import step_before
from tests.support.days import set_out
from tests.support.fake_models import Says
from tests.support.interviews import STEPS, Answers, contents, interviewed, interviewer, now
from tests.support.prompt_samples import MEMORIES, SITUATION
from tests.support.town import live, minitown

MOMENTS = (0, 21, 42, 63, STEPS)
QUESTIONS = (
    "Have you heard of the reading circle?",
    "What are your plans?",
    "Who are you?",
    "What did Wang Fang tell you?",
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


# the run is untouched ------------------------------------------------------------------------


async def ask_everybody(run: RunFile) -> int:
    """Asks all residents the questions of both questionnaires at all moments; how many questions
    that were.
    """
    asks, count = interviewer(run), 0
    for at in MOMENTS:
        for who in run.manifest.residents:
            for name in ("believability", "awareness"):
                asking = Asking(asks.world(at), who, asks.state(at).clock.now, 1)
                for question in questions_for(find_questionnaire(name), asking):
                    answer = await asks.ask(who, question.text, at)
                    assert answer.step == at
                    assert all(memory.created <= answer.now for memory in answer.cited)
                    count += 1
    return count


def test_a_thousand_questions_leave_the_run_as_it_was(results: Path) -> None:
    before = contents(results)
    with RunFile.open(results, "town") as run:
        digests = run.digests()
        assert now(ask_everybody(run)) >= 950
        assert run.digests() == digests
    assert contents(results) == before


def test_a_run_that_was_asked_goes_on_like_one_that_never_was(
    results: Path, tmp_path: Path
) -> None:
    asked, twin = (Path(shutil.copytree(results, tmp_path / name)) for name in ("asked", "twin"))
    with RunFile.open(asked, "town") as run:
        asks = interviewer(run)
        for who in run.manifest.residents:
            now(asks.ask(who, QUESTIONS[0]))
    assert live(asked, 3) == live(twin, 3)


def test_a_run_in_progress_can_be_asked(results: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(results, tmp_path / "results"))
    with RunFile.open(folder, "town", write=True), RunFile.open(folder, "town") as run:
        assert now(interviewer(run).ask("lin_yue", QUESTIONS[2], 3)).knows == "yes"


def test_nothing_of_later_is_known(results: Path, tmp_path: Path) -> None:
    """A run that ended at that step gives the very same answers, from the very same memories."""
    set_out(results, tmp_path, 42)
    with RunFile.open(results, "town") as longer, RunFile.open(tmp_path, "town") as shorter:
        for who, question in zip(longer.manifest.residents, cycle(QUESTIONS), strict=False):
            assert now(interviewer(longer).ask(who, question, 42)) == now(
                interviewer(shorter).ask(who, question)
            )


def test_the_prompt_holds_no_memory_made_later(results: Path) -> None:
    model = Answers(lambda v: ("Yes, I am.", "yes", []))
    with RunFile.open(results, "town") as run:
        answer = now(interviewer(run, model).ask("lin_yue", QUESTIONS[0], 30))
        state = run.restore(30)
    assert answer.given.memories
    assert all(memory.created <= answer.now for memory in answer.given.memories)
    assert {memory.id for memory in answer.given.memories} <= set(state.memory("lin_yue").concepts)
    assert answer.given.plan == tuple(
        (entry.start, entry.activity)
        for entry in state.schedule("lin_yue").entries
        if entry.end > 660
    )


# answers -------------------------------------------------------------------------------------


def test_an_answer_cites_what_it_rests_on(results: Path) -> None:
    model = Answers(lambda v: ("So it is.", "yes", [2, 1, 2]))
    with RunFile.open(results, "town") as run:
        answer = now(interviewer(run, model).ask("lin_yue", QUESTIONS[0]))
    assert answer.cited == (answer.given.memories[1], answer.given.memories[0])
    assert {memory.id for memory in answer.cited} <= {
        scored.concept.id for scored in answer.retrieved
    }
    assert [scored.score for scored in answer.retrieved] == sorted(
        (scored.score for scored in answer.retrieved), reverse=True
    )


def test_a_conversation_keeps_its_earlier_questions(results: Path) -> None:
    model = Answers(lambda v: ("At three.", "yes", []))
    with RunFile.open(results, "town") as run:
        now(
            interviewer(run, model).ask(
                "lin_yue",
                "When is it?",
                lines=(
                    ("Is there a reading circle?", "There is one."),
                    ("Where?", "In the library."),
                ),
            )
        )
    text = model.requests[-1].messages[1].content
    places = [
        text.index(part)
        for part in (
            '"Is there a reading circle?"',
            '"There is one."',
            '"Where?"',
            '"In the library."',
            '"When is it?"',
        )
    ]
    assert places == sorted(places)


def test_the_stand_in_knows_what_it_was_asked_before(results: Path) -> None:
    with RunFile.open(results, "town") as run:
        asks = interviewer(run)
        first = now(asks.ask("wang_fang", "Do you know about the reading circle?"))
        second = now(asks.ask("wang_fang", "When is it?", lines=((first.question, first.text),)))
        alone = now(asks.ask("wang_fang", "When is it?"))
    assert "reading circle" in first.text
    assert "reading circle" in second.text
    assert alone.knows == "no"


def test_the_stand_in_says_only_what_it_was_given(results: Path) -> None:
    with RunFile.open(results, "town") as run:
        asks = interviewer(run)
        for who in run.manifest.residents:
            answer = now(
                asks.ask(who, "Do you know about this: A rumour of layoffs at Lanqiao Software?")
            )
            quoted = [
                part.partition("”")[0].replace("‘", "“").replace("’", "”")
                for part in answer.text.split("“")[1:]
            ]
            texts = [
                memory.text.replace("‘", "“").replace("’", "”") for memory in answer.given.memories
            ]
            assert all(any(part.removesuffix("…") in text for text in texts) for part in quoted)
            assert len(quoted) == len(answer.cited)


def test_a_model_that_gives_nothing_usable_is_told_as_such(results: Path) -> None:
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, Says("no JSON"))
        for _ in range(50):  # more than after which a town would be stopped
            answer = now(asks.ask("lin_yue", QUESTIONS[0]))
    assert (answer.outcome, answer.knows, answer.cited) == ("fallback", "unsure", ())


def test_an_interviewer_takes_the_model_of_the_run(results: Path) -> None:
    with RunFile.open(results, "town") as run:
        assert now(same_model(run.manifest, Settings())).name == "scripted"


# the command ---------------------------------------------------------------------------------


def test_the_command_answers_in_both_languages(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "ask",
        "town",
        "Wang Fang: Do you know about the reading circle?",
        "When is it?",
        "--at",
        "09:00",
        "--results",
        str(results),
    ]
    assert hometown(words) == 0
    shown = capsys.readouterr().out
    with RunFile.open(results, "town") as run:
        digest = run.digest(18)
    assert shown.startswith("Wang Fang, 2025-02-13 09:00, after step 18\n")
    assert shown.count("Question: ") == 2
    assert "Rests on these memories:\n" in shown
    assert f"The run was only read: step 18 has the digest {digest}." in shown
    assert "no language model" in shown
    assert hometown([*words, "--lang", "zh"]) == 0
    assert "依据这些记忆：" in capsys.readouterr().out


def test_start_py_asks_the_same(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--results", str(results)]
    assert (
        hometown(["ask", "town", "Yue: Who are you?", "Where are you?", "--at", "30", *folder]) == 0
    )
    shown = capsys.readouterr().out
    assert (
        start(
            [
                "--name",
                "town",
                "--ask",
                "Yue: Who are you?",
                "--ask",
                "Where are you?",
                "--at",
                "30",
                *folder,
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == shown


def test_answers_as_json(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        hometown(
            [
                "ask",
                "town",
                "Wang Fang: Do you know about the reading circle?",
                "--json",
                "--results",
                str(results),
            ]
        )
        == 0
    )
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert (answer["who"], answer["name"], answer["step"], answer["knows"], answer["model"]) == (
        "wang_fang",
        "Wang Fang",
        STEPS,
        "yes",
        "scripted",
    )
    assert {memory["id"] for memory in answer["cited"]} <= {
        scored["id"] for scored in answer["retrieved"]
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ask", "town"], "there is no question: write 'WHO: QUESTION', or add --questionnaire"),
        (["ask", "town", ""], "there is no question: write 'WHO: QUESTION'"),
        (["ask", "town", "Yue:"], "'Yue:' has no text after the name"),
        (["ask", "town", "Yue: Hello?", " "], "has no text after the name"),
        (["ask", "town", "Nobody: Hello?"], "nobody in minitown is called 'Nobody'"),
        (
            ["ask", "town", "Yue: Hello?", "--at", "85"],
            "there is no step 85 yet: the run has steps 0 to 84",
        ),
        (
            ["ask", "town", "Yue: Hello?", "--at", "20250212-10:00"],
            "20250212-10:00 is not in the run, which goes from 20250213-06:00 to 20250213-20:00",
        ),
        (
            ["ask", "town", "Yue: Hello?", "--at", "23:00"],
            "23:00 is not in the run, which goes from 20250213-06:00 to 20250213-20:00",
        ),
        (["ask", "town", f"Yue: {'a' * 501}"], "has 501 characters; at most 500 are allowed"),
        (["ask", "nothing", "Yue: Hello?"], "there is no run 'nothing'"),
        (
            ["ask", "town", "--questionnaire", "x"],
            "there is no questionnaire 'x'; choose one of awareness, believability, dictator",
        ),
        (
            ["ask", "town", "Yue: Hello?", "--condition", "x"],
            "there is no condition 'x'; choose one of full, no-reflection, no-plan, none",
        ),
        (
            ["ask", "town", "Yue: Hello?", "--llm", "what:ever"],
            "unknown language model 'what:ever'",
        ),
    ],
)
def test_bad_input_gets_one_line(
    words: list[str], message: str, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hometown([*words, "--results", str(results)]) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert error.count("\n") == 1
    assert out == ""


def test_start_py_refuses_what_does_not_go_with_a_question(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, refusal in (
        (["--resume"], "--resume, --ask exclude each other: choose one"),
        (["--tell", "Yue: sing"], "--tell is an option of start.py --name, and would be ignored"),
        (["--step", "3"], "--step is an option of start.py --name, and would be ignored here"),
    ):
        assert (
            start(["--name", "town", "--ask", "Yue: Hello?", *more, "--results", str(results)]) == 2
        )
        assert refusal in capsys.readouterr().err


def test_a_condition_is_told(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "ask",
        "town",
        "Wang Fang: Do you know about the reading circle?",
        "--condition",
        "none",
        "--results",
        str(results),
    ]
    assert hometown(words) == 0
    shown = capsys.readouterr().out
    assert "Memory ablation none:" in shown
    assert "says it doesn't know" in shown
    assert hometown([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["condition"] == "none"
    assert (
        start(["--name", "town", "--condition", "none", "--resume", "--results", str(results)]) == 2
    )
    assert (
        "--condition is an option of start.py --ask, and would be ignored here"
        in capsys.readouterr().err
    )


def test_a_questionnaire_is_told_in_figures(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "ask",
        "town",
        "--questionnaire",
        "believability",
        "--residents",
        "Yue,Wang Fang",
        "--results",
        str(results),
    ]
    assert hometown(words) == 0
    shown = capsys.readouterr().out
    assert "50 answers of 2 residents after step 84" in shown
    assert "invented: 0 of " in shown
    assert "without a usable answer: 0 of 50" in shown
    assert hometown([*words, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert len(content["answers"]) == sum(content["verdicts"].values()) == 50
    assert content["invented"]["count"] == 0
    assert {answer["category"] for answer in content["answers"]} == {
        "self",
        "memory",
        "plans",
        "reactions",
        "reflections",
    }


# when ----------------------------------------------------------------------------------------

SIX = datetime(2025, 2, 13, 6, 0)


@pytest.mark.parametrize(
    ("at", "step"),
    [
        (None, 84),
        (0, 0),
        (84, 84),
        (time(6, 0), 0),
        (time(6, 9), 0),
        (time(6, 10), 1),
        (time(20, 0), 84),
        (datetime(2025, 2, 13, 12, 5), 36),
    ],
)
def test_a_moment_means_the_last_step_that_is_over(
    at: int | time | datetime | None, step: int
) -> None:
    assert step_before(at, SIX, 10, 84) == step


@pytest.mark.parametrize(
    "at", [85, time(5, 50), time(20, 1), datetime(2025, 2, 13, 20, 1), datetime(2025, 2, 13, 5, 59)]
)
def test_other_moments_are_refused(at: int | time | datetime) -> None:
    with pytest.raises(BadInput):
        step_before(at, SIX, 10, 84)


def test_a_time_of_day_is_the_last_one() -> None:
    assert step_before(time(7, 0), SIX, 10, 150) == 150  # 07:00 of the next day is the end
    assert step_before(time(8, 0), SIX, 10, 150) == 12


def test_further_questions_go_to_the_same_resident() -> None:
    assert parse_questions(["Yue: Is it true?", "Tom: or not?"], minitown()) == (
        "lin_yue",
        ["Is it true?", "Tom: or not?"],
    )


@pytest.mark.parametrize(
    ("lang", "question", "said"),
    [
        ("en", "What did you do this morning?", "What I have done today: 08:00 baking."),
        ("en", "Where did you have lunch today?", "What I have done today: 12:10 having lunch."),
        ("en", "Who did you talk to today?", "I have talked with Tom and Ann Lee today."),
        ("zh", "你上午做了什么？", "我今天做过的事：08:00烤面包。"),
        ("zh", "你今天跟谁聊过？", "我今天跟Tom、Ann Lee聊过。"),
    ],
)
def test_the_stand_in_tells_its_day(lang: Lang, question: str, said: str) -> None:
    acts = ("baking", "having lunch") if lang == "en" else ("烤面包", "吃午饭")
    asked = InterviewVars(
        replace(SITUATION, lang=lang),
        MEMORIES,
        (),
        (),
        (),
        question,
        so_far=((480, acts[0]), (730, acts[1])),
        talks=((500, "Tom"), (600, "Ann Lee"), (700, "Tom")),
    )
    assert answer_interview(asked, Random(1), lang).answer == said


def test_the_day_so_far_is_in_the_prompt(results: Path) -> None:
    model = Answers(lambda v: ("I know.", "yes", []))
    with RunFile.open(results, "town") as run:
        answer = now(interviewer(run, model).ask("lin_yue", "What did you do?", STEPS))
    text = model.requests[-1].messages[-1].content
    assert answer.given.so_far
    assert all(activity in text for _, activity in answer.given.so_far)


def test_the_stand_in_takes_a_park_for_nobody_called_park() -> None:
    """A name stands in a memory with its capital; in a question it may be typed without."""
    park = replace(MEMORIES[0], text="Ida Berg is passing by, resting in the park", about=())
    ryan = replace(MEMORIES[1], text="Ida Berg saw Ryan at the pier", about=())
    names = (*SITUATION.names, ("ryan", "Ryan Park"))
    for memories, knows in (((park,), "no"), ((park, ryan), "yes")):
        asked = InterviewVars(
            replace(SITUATION, names=names), memories, (), (), (), "do you know of ryan park?"
        )
        assert answer_interview(asked, Random(1), "en").knows == knows
