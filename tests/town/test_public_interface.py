"""`import hometown`: what the package promises to its users, used as they would use it."""

from __future__ import annotations

import asyncio
import math
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest

import hometown
from hometown.paths import ROOT
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.support.town import live


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A morning in minitown, under the name "spring"."""
    folder = tmp_path_factory.mktemp("results")
    with hometown.Town.create(
        "spring", world="minitown", llm="scripted", seed=3, results=folder
    ) as town:
        town.tell("Lin Yue", "You want to sing at the café tonight", at=2)
        assert [step.number for step in town.live(hours=4)] == list(range(1, 25))
        assert town.now == datetime(2025, 2, 13, 10, 0)
    return folder


@pytest.fixture
def run(results: Path) -> Iterator[hometown.Run]:
    with hometown.Run.open("spring", results=results) as run:
        yield run


def test_everything_listed_is_there() -> None:
    assert all(getattr(hometown, name).__doc__ for name in hometown.__all__)
    assert sorted(hometown._HOMES) == sorted(hometown.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Village'"):
        hometown.Village  # noqa: B018


def test_importing_it_imports_nothing_heavy() -> None:
    code = "import sys, hometown; assert not {'numpy', 'pydantic', 'flask', 'llama_index'} & set(sys.modules), sorted(sys.modules)"
    subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "modules")}, check=True
    )


def test_a_run_is_read(run: hometown.Run, results: Path) -> None:
    assert (run.name, run.model, run.steps, run.now) == (
        "spring",
        "scripted",
        24,
        datetime(2025, 2, 13, 10, 0),
    )
    assert hometown.runs(results) == ["spring"]
    assert len(run.digests()) == 25
    people = {resident.name: resident for resident in run.residents()}
    assert len(people) == 6
    assert people["Lin Yue"].activity
    assert people["Lin Yue"].place
    assert all(resident.asleep for resident in run.residents(0))


def test_conversations_have_names_and_words(run: hometown.Run) -> None:
    conversations = run.conversations()
    names = {resident.name for resident in run.residents()}
    assert conversations
    for conversation in conversations:
        assert {speaker for speaker, _ in conversation.lines} <= set(conversation.speakers) <= names
        assert all(words for _, words in conversation.lines)
    assert run.conversations(last=conversations[0].step)[0] == conversations[0]


@pytest.mark.parametrize("step", [-1, 25, 10**30])
def test_nothing_is_read_of_a_step_that_does_not_exist(run: hometown.Run, step: int) -> None:
    readings: list[Callable[[], object]] = [
        lambda: run.picture(step),
        lambda: run.time_of(step),
        lambda: run.residents(step),
        lambda: run.memories("Lin Yue", step),
        lambda: run.why("Lin Yue", step),
        lambda: run.decisions("Lin Yue", last=step),
        lambda: run.conversations(last=step),
    ]
    for read in readings:
        with pytest.raises(hometown.BadRun, match=f"has no step {step}: it has steps 0 to 24"):
            read()
    assert run.conversations(first=step) == (run.conversations() if step < 0 else [])


def test_memories_are_searched_as_the_resident_would(run: hometown.Run) -> None:
    best = run.retrieve("Lin", "singing at the café", count=3)
    assert "sing" in best[0].memory.text
    assert [each.score for each in best] == sorted((each.score for each in best), reverse=True)
    assert best[0].memory in run.memories("Lin Yue")
    assert {memory.type for memory in run.memories("Lin Yue", types=["thought"])} == {"thought"}
    assert len(run.memories("Lin Yue", step=0)) < len(run.memories("Lin Yue"))


def test_a_town_is_continued_and_forked(results: Path) -> None:
    with hometown.Town.fork("spring", 12, "again", results=results) as town:
        assert [step.number for step in town.live(steps=2)] == [13, 14]
    with hometown.Town.resume("again", results=results) as town:
        last = [*town.live(until=datetime(2025, 2, 13, 10, 0))][-1]
    with hometown.Run.open("spring", results=results) as run:
        assert last.digest == run.digests()[-1], "an unchanged fork repeats its parent"
        run.fork(20, "late", seed=4)
        with pytest.raises(hometown.BadRun, match="late"):
            run.fork(20, "late")
    with hometown.Town.resume("late", results=results) as town:
        assert town.step().number == 21


def test_interventions_take_place(tmp_path: Path) -> None:
    with hometown.Town.create(
        "busy",
        world="minitown",
        residents=["Lin Yue", "zhang_wei"],
        llm="scripted",
        results=tmp_path,
    ) as town:
        town.set("cafe/main/counter", "broken", at=1)
        town.event("Starlight Café", "a fire")
        town.place("Starlight Café", "a piano")
        town.leave("Lin Yue")
        town.step()
        assert {each.id: bool(each.place) for each in town.residents()} == {
            "lin_yue": False,
            "zhang_wei": True,
        }
        with pytest.raises(hometown.BadInput, match="Lin Yue has left town"):
            town.leave("Lin Yue")
    with RunFile.open(tmp_path, "busy") as file:
        assert len(file.inbox.interventions()) == 4


def test_a_world_is_created_checked_and_drawn(tmp_path: Path) -> None:
    world = hometown.WorldFolder.create("mytown", worlds=tmp_path)
    assert (world.name, world.check()) == ("mytown", [])
    assert world._repr_png_().startswith(b"\x89PNG")
    (world.folder / "map.tmj").write_text("{}")
    assert {problem.level for problem in world.check()} == {"error"}
    with pytest.raises(hometown.BadInput, match="mytown cannot be read"):
        world.overview()
    with pytest.raises(hometown.BadWorld, match="minitown"):
        hometown.WorldFolder.find("minitwn")


def test_it_works_where_a_loop_is_running(tmp_path: Path) -> None:
    """As in a notebook."""

    async def cell() -> hometown.Step:
        with hometown.Town.create(
            "cell", world="minitown", residents=["2"], llm="scripted", results=tmp_path
        ) as town:
            return town.step()

    assert asyncio.run(cell()).number == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "a/b"}, "a/b"),
        ({"world": "nowhere"}, "no world"),
        ({"residents": ["Nobody"]}, "Nobody"),
        ({"llm": "no-such:model"}, "no-such"),
        ({"settings": {"stride": 5}}, "no setting"),
        ({"stride": 0}, "stride is 0: .* from 1 to 240"),
        ({"stride": 1440}, "stride is 1440"),
        ({"stride": 7.5}, "stride is 7.5"),
        ({"start": "2025-02-13"}, "start is 2025-02-13"),
        ({"start": datetime(2025, 2, 13, tzinfo=UTC)}, "without a time zone"),
        ({"clones": -1}, "clones is -1"),
    ],
)
def test_what_does_not_fit_is_said_and_writes_nothing(
    arguments: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(hometown.BadInput, match=message):
        hometown.Town.create(
            **{"name": "x", "world": "minitown", "llm": "scripted", "results": tmp_path} | arguments  # type: ignore[arg-type]
        )
    assert hometown.runs(tmp_path) == []


def test_one_end_only_which_is_ahead(results: Path, tmp_path: Path) -> None:
    with hometown.Town.create(
        "x", world="minitown", residents=["1"], llm="scripted", results=tmp_path
    ) as town:
        with pytest.raises(hometown.BadInput, match="give one of them"):
            next(town.live(steps=1, hours=1))
        with pytest.raises(hometown.BadInput, match="Nobody"):
            town.tell("Nobody", "hello")
        before = town.now
        for end in (
            {"steps": -1},
            *({"hours": hours} for hours in (-3, math.nan, math.inf, 1e9)),
            {"until": before - timedelta(minutes=1)},
            {"until": before.replace(tzinfo=UTC)},
        ):
            with pytest.raises(hometown.BadInput, match="leads to no moment after"):
                next(town.live(**end))  # type: ignore[arg-type]
        assert list(town.live(until=before)) == []
        assert town.now == before


def test_a_run_of_longer_steps_than_new_ones_have_goes_on(tmp_path: Path) -> None:
    live(tmp_path, 1, stride=1440)
    with hometown.Town.resume("town", results=tmp_path) as town:
        assert town.step().number == 2


SMALL_STUDY = """
name: small
question: Does a reminder change the morning?
town: {world: minitown, until: "06:30"}
llm: scripted
embedding: hash
seeds: [1, 2]
conditions:
  control: {}
  reminded: {from: "06:10", do: [{tell: "Wang Fang: Tell everybody about the reading circle."}]}
interviews: []
primary: {measure: diffusion.known, about: "The reading circle “Technology and Life”"}
"""


def test_an_experiment_is_planned_and_run(tmp_path: Path) -> None:
    pytest.importorskip("choix", reason="experiments need the extra study")
    pytest.importorskip("pyarrow", reason="tables need the extra tables")
    file = tmp_path / "small.yaml"
    file.write_text(SMALL_STUDY, "utf-8")
    with pytest.raises(hometown.BadInput, match="no experiment 'small'"):
        hometown.Study.open("small", results=tmp_path)
    study = hometown.Study.read(file, results=tmp_path)
    assert study.name == "small"
    assert "Seeds: 2" in study.plan()
    with pytest.raises(hometown.BadInput, match="before it has run"):
        study.table("measures")
    done = list[str]()
    with pytest.raises(hometown.BadInput, match="no report yet"):
        study.cite()
    report = asyncio.run(study.run_async(progress=lambda what, run, *_: done.append(run)))
    assert report.file.is_file()
    assert (report.is_new, report.has_model) == (True, False)
    assert set(done) <= set(study.runs())
    assert not hometown.Study.open("small", results=tmp_path).run().is_new
    assert study.inspect_logs() == study.folder / "inspect"
    assert "an experiment simulated with Hometown" in study.cite()
    assert "measures" in study.tables()
    assert study.table("measures").num_rows
    with hometown.Run.open(study.runs()[0], results=study.folder) as run:
        assert run.steps


def test_a_questionnaire_is_answered_with_verdicts(run: hometown.Run) -> None:
    answers = run.question("awareness", residents=["Lin Yue"])
    assert {each.answer.resident for each in answers} == {"Lin Yue"}
    assert all(each.question and each.verdict for each in answers)
    with pytest.raises(hometown.BadInput, match="awareness"):
        run.question("zodiac")


def test_towns_and_questions_share_an_event_loop(tmp_path: Path, run: hometown.Run) -> None:
    async def live() -> list[int]:
        with hometown.Town.create(
            "async", world="minitown", llm="scripted", results=tmp_path
        ) as town:
            return [step.number async for step in town.live_async(steps=2)]

    async def both() -> tuple[list[int], hometown.Answer]:
        return await asyncio.gather(live(), run.ask_async("Lin Yue", "Who are you?"))

    steps, answer = asyncio.run(both())
    assert steps == [1, 2]
    assert answer.text


def test_a_run_is_verified_archived_and_cited(run: hometown.Run, tmp_path: Path) -> None:
    found = asyncio.run(run.verify_async())
    assert found.matches
    assert (found.folded, found.thought, found.obstacle) == (24, 24, "")
    assert "{Ann}" in run.cite(authors=["Ann <0000-0002-1825-0097>"])
    parts = list[str]()
    file = run.archive(tmp_path / "deposit.zip", licence="CC0-1.0", progress=parts.append)
    assert ZipFile(file).namelist() == parts
    with pytest.raises(hometown.BadInput, match="spdx"):
        run.archive(licence="my own")
    with pytest.raises(hometown.BadInput, match="can't write"):
        run.archive(file / "below a file")


def test_a_damaged_run_is_checked_and_repaired(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results, tmp_path, dirs_exist_ok=True)
    assert hometown.check_run("spring", results=tmp_path).sound
    with sqlite3.connect(file_of(tmp_path, "spring")) as database:
        database.execute("UPDATE steps SET digest = 'x' WHERE step = 20")
    found = asyncio.run(hometown.check_run_async("spring", results=tmp_path))
    assert not found.sound
    assert found.folds == 19
    done = asyncio.run(hometown.repair_run_async("spring", results=tmp_path))
    assert (done.name, done.last, done.steps) == ("spring-repaired", 19, 24)
    assert hometown.check_run(done.name, results=tmp_path).sound
    with pytest.raises(hometown.BadRun, match="spring-repaired"):
        hometown.repair_run("spring", results=tmp_path)
    with hometown.Run.open("spring", results=tmp_path) as run:
        difference = run.verify().difference
    assert difference
    assert (difference.step, difference.what) == (20, "digest")


def test_a_question_continues_a_conversation(run: hometown.Run) -> None:
    first = run.ask("Lin Yue", "Who are you?")
    second = run.ask("Lin Yue", "And where?", earlier=[("Who are you?", first.text)])
    assert second.text
    assert run.ask("Lin Yue", "Who are you?", condition="none").cited == ()


def test_interventions_wait_for_the_town_that_another_process_simulates(tmp_path: Path) -> None:
    with hometown.Town.create("later", world="minitown", llm="scripted", results=tmp_path) as town:
        town.step()
        with town.read() as run:
            number = run.set("cafe/main/counter", "broken")
            run.withdraw(run.leave("Lin Yue"))
            assert [each.number for each in run.waiting()] == [number]
            with pytest.raises(hometown.BadInput, match="intervention 9 that still waits"):
                run.withdraw(9)
        town.step()
        assert not town.waiting()
        assert all(each.place for each in town.residents())


def test_a_machine_is_examined(tmp_path: Path) -> None:
    examining = hometown.diagnose_async("minitown", llm="scripted", results=tmp_path)
    found = asyncio.run(examining)
    assert (found.works, found.hours, found.model) == (True, 0, "scripted")
    assert found.load.calls > 0
    with pytest.raises(hometown.BadWorld, match="nowhere"):
        hometown.diagnose("nowhere", llm="scripted")


def test_a_society_is_tried_and_its_laws_are_drafted(tmp_path: Path) -> None:
    world = hometown.WorldFolder.find("farmstead")
    assert {each.need for each in world.livelihoods()} >= {"hunger"}
    assert [day.number for day in world.trial(1)] == [1]
    with hometown.Town.create("farm", world="farmstead", llm="scripted", results=tmp_path):
        pass
    with hometown.Run.open("farm", results=tmp_path) as run:
        patch = run.draft("law", "the mill is closed on Sundays")
        assert {"closed_on": ["sun"]} in patch["fixtures"].values()
        assert run.law(patch, trial=0) == 1
