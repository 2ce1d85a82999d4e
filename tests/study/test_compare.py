"""Two runs side by side: where they part, why, and their figures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main as start
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS
from hometown.model.llm import Completion, Request
from hometown.paths import ROOT
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.study.beside import compare_actions
from hometown.study.comparison import ComparisonRow, compare_runs, side_by_side
from hometown.study.comparison_wording import COMPARISON_TEXTS
from hometown.study.difference import Difference, find_first_difference
from hometown.study.measures import registry
from hometown.study.measures.registry import Figure, Subject, measure
from hometown.study.measuring import Measured, measure_run
from hometown.text import translate_all
from hometown.web.server import create_app
from tests.support.interviews import STEPS, interviewed
from tests.support.once import made_once
from tests.support.town import live, minitown

LIVED = 8
SCRIPTED = ["--lang", "en", "--llm", "scripted", "--embedding", "hash"]


class Other(ScriptedModel):
    """The stand-in under another name, which answers as with other seeds."""

    name = "other"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        return await super().complete(request, seed=seed + 1)


class Moody(ScriptedModel):
    """The stand-in, which answers otherwise from the sixteenth call on, as a model server may."""

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.calls += 1
        return await super().complete(request, seed=seed + (self.calls > 15))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def make_runs(folder: Path) -> None:
    """`base` and its likes: each differs from it in one thing."""
    ways: dict[str, Mapping[str, Any]] = {
        "base": {},
        "twin": {},
        "longer": {"steps": LIVED + 2},
        "seeded": {"seed": 8},
        "modelled": {"model": Other()},
        "moody": {"model": Moody()},
        "sighted": {"settings": {"percept": {"vision_r": 2}}},
        "chinese": {"world": minitown("zh")},
    }
    for name, way in ways.items():
        live(folder, **{"steps": LIVED, "name": name, "seed": 7} | way)
    for name, voice in (("told", ["--tell", "Lin Yue: sing a song"]), ("untold", [])):
        assert (
            hometown(
                [
                    "fork",
                    "base@5",
                    "--name",
                    name,
                    "--step",
                    "3",
                    *voice,
                    *SCRIPTED,
                    "--results",
                    str(folder),
                ]
            )
            == 0
        )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "compared", make_runs)


def parted(results: Path, first: str, second: str) -> Difference:
    with RunFile.open(results, first) as one, RunFile.open(results, second) as other:
        found = find_first_difference(one, other)
        ours, theirs = one.digests(), other.digests()
        assert found.step == next(
            (at for at, (mine, its) in enumerate(zip(ours, theirs, strict=False)) if mine != its),
            None,
        )
    return found


# the first difference ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "common"), [("base", LIVED), ("twin", LIVED), ("longer", LIVED), ("untold", LIVED)]
)
def test_runs_that_are_the_same(results: Path, second: str, common: int) -> None:
    assert parted(results, "base", second) == Difference(common)


def test_the_user_is_the_cause(results: Path) -> None:
    found = parted(results, "untold", "told")
    assert (found.step, found.cause) == (6, "intervention")
    assert [(change.first, change.second) for change in found.evidence] == [
        ("", "tell lin_yue: sing a song")
    ]
    assert found.deed is not None
    assert (found.deed.what, found.deed.first) == ("Intervened", "")
    assert parted(results, "told", "untold").evidence[0].first == "tell lin_yue: sing a song"


@pytest.mark.parametrize(
    ("second", "cause", "what", "values"),
    [
        ("seeded", "seed", "seed", ("7", "8")),
        ("modelled", "model", "model", ("scripted", "other")),
        ("sighted", "setting", "percept.vision_r", ("8", "2")),
        ("chinese", "founding", "lang", ("en", "zh")),
    ],
)
def test_the_cause_is_named_with_its_values(
    results: Path, second: str, cause: str, what: str, values: tuple[str, str]
) -> None:
    found = parted(results, "base", second)
    assert found.cause == cause
    assert (
        next((change.first, change.second) for change in found.evidence if change.what == what)
        == values
    )
    assert (found.step == 0) == (cause == "founding")
    assert (found.deed is None) == (cause == "founding")


def test_a_reply_is_the_cause(results: Path) -> None:
    found = parted(results, "base", "moody")
    assert found.cause == "reply"
    (reply,) = found.evidence
    assert reply.what.startswith("reply to ")
    assert reply.first != reply.second
    assert found.thought is not None
    assert found.thought_step is not None
    assert found.step is not None
    assert found.thought_step <= found.step


def test_a_thought_may_differ_before_any_deed(results: Path, tmp_path: Path) -> None:
    """Such a reply is found where nothing came of it."""
    folder = Path(shutil.copytree(results, tmp_path / "results"))
    with RunFile.open(folder, "seeded", write=True) as run:
        run.database.execute(
            "UPDATE calls SET reply = ? WHERE step = 1 AND rowid = (SELECT max(rowid) FROM calls WHERE step = 1)",
            (b"{}",),
        )
        run.database.commit()
        run.database.execute("DELETE FROM calls WHERE step > 1")
        run.database.commit()
    with RunFile.open(results, "base") as one, RunFile.open(folder, "seeded") as other:
        assert find_first_difference(one, other).thought_step == 1


def test_another_engine_is_the_cause(tmp_path: Path) -> None:
    for name in ("1-2", "3-4"):
        folder = run_folder(tmp_path, name)
        folder.mkdir(parents=True)
        shutil.copy(ROOT / "tests" / "golden" / name / "run.sqlite", folder)
    found = parted(tmp_path, "1-2", "3-4")
    assert found.cause == "version"
    assert ("engine", "2", "4") in [
        (change.what, change.first, change.second) for change in found.evidence
    ]


# figures -------------------------------------------------------------------------------------


def test_two_towns_on_one_clock(results: Path) -> None:
    with RunReader.open(results, "base") as base, RunReader.open(results, "seeded") as seeded:
        names = Names.of(base, ROOT / "data" / "worlds")
        same, other = (
            compare_actions(base, base, names, "en"),
            compare_actions(base, seeded, names, "en"),
        )
        assert (same["tick"], same["first"], set(same["parted"])) == (None, None, {0})
        assert len(other["parted"]) == LIVED + 1
        first = other["first"]
        assert first is not None
        assert first["here"] != first["there"]
        step = next(step for step, count in enumerate(other["parted"]) if count)
        assert first["tick"] == base.tick(base.moment(max(0, step - 1)))
        doing = [dict(run.actions_of(first["who"], 0, step)) for run in (base, seeded)]
        assert [first["here"].rpartition(" (")[0], first["there"].rpartition(" (")[0]] == [
            actions[max(actions)].activity for actions in doing
        ]


def test_what_the_user_did_is_named_on_one_clock(results: Path) -> None:
    with RunReader.open(results, "told") as told, RunReader.open(results, "untold") as untold:
        found = compare_actions(told, untold, Names.of(told, ROOT / "data" / "worlds"), "en")
    assert found["tick"] == told.tick(told.moment(5))
    assert "sing a song" in found["cause"]
    assert not any(found["parted"][:6])


def test_the_page_is_told_of_both(results: Path) -> None:
    client = create_app(results, ROOT / "data" / "worlds").test_client()
    answer = client.get("/api/v1/runs/told/beside/untold?lang=zh").get_json()
    assert answer["cause"].startswith(translate_all(COMPARISON_TEXTS, "zh")["cause_intervention"])
    assert client.get("/api/v1/runs/told/beside/nobody").status_code == 404


def test_figures_stand_side_by_side() -> None:
    rows = list(
        side_by_side(
            [Measured("a.x", "", 1.0), Measured("b.y", "party", 2.0)],
            [Measured("b.y", "party", 3.0), Measured("c.z", "", 4.0)],
        )
    )
    assert rows == [
        ComparisonRow("a.x", "", 1.0, None),
        ComparisonRow("b.y", "party", 2.0, 3.0),
        ComparisonRow("c.z", "", None, 4.0),
    ]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    """The figures of a day."""
    with RunFile.open(interviewed(tmp_path_factory), "town") as run:
        return {
            (figure.name, figure.about): figure.value
            for figure in measure_run(RunReader(run), Names.of(run), STEPS)
        }


def test_the_figures_of_a_day(
    day: dict[tuple[str, str], float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with RunFile.open(interviewed(tmp_path_factory), "town") as run:
        held, memories = (
            run.conversations(),
            [memory for who in run.manifest.residents for memory in run.memories(who)],
        )
        calls = sum(1 for _ in run.calls())
    assert day["cost.steps", ""] == STEPS
    assert day["cost.calls", ""] == calls
    assert day["company.conversations", ""] == len(held)
    assert day["company.lines_each", ""] == sum(len(each.lines) for each in held) / len(held)
    assert (
        day["memory.chat", ""]
        == sum(memory.type == "chat" for memory in memories)
        == sum(len(each.people) for each in held if each.step < STEPS)
    )  # the talks of the last step are summed up in the next
    assert 0 < day["memory.reflections", ""] <= day["memory.thought", ""]
    assert 0 < day["novelty.distinct_2", ""] < 1
    assert 0 < day["network.density_start", ""] <= day["network.density", ""] <= 1
    known = [
        (day["diffusion.known_start", story.title], day["diffusion.known", story.title])
        for story in minitown().storylines
    ]
    assert all(0 < at_start <= at_end <= 1 for at_start, at_end in known)


@pytest.mark.parametrize("lang", LANGS)
def test_every_figure_has_words(lang: str, day: dict[tuple[str, str], float]) -> None:
    labels = {key for key in translate_all(COMPARISON_TEXTS, lang) if "." in key}
    assert {name for name, _ in day} <= labels
    others = {name.partition(".")[0] for name in labels - {name for name, _ in day}}
    assert others == {"attending", "opinions", "illness"}  # minitown has none of them


def test_figures_are_those_up_to_the_common_end(results: Path) -> None:
    with RunFile.open(results, "twin") as one, RunFile.open(results, "longer") as other:
        comparison = compare_runs(one, other)
    assert comparison.difference == Difference(LIVED)
    assert all(row.first == row.second for row in comparison.rows if row.name != "cost.seconds")


def test_both_runs_leave_the_residents_told_in_either_out_of_shares(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_measures", registry.list_measures())

    @measure
    def targeted(town: Subject) -> list[Figure]:
        return [Figure("residents", len(town.targets))]

    with RunFile.open(results, "untold") as first, RunFile.open(results, "told") as second:
        (row,) = (
            row for row in compare_runs(first, second).rows if row.name == "targeted.residents"
        )
    assert (row.first, row.second) == (1, 1)


def test_a_measure_of_ones_own(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_measures", registry.list_measures())

    @measure
    def walking(town: Subject) -> list[Figure]:
        return [
            Figure(
                "tiles",
                sum(
                    len(path)
                    for paths in town.run.trajectories(1, town.last).values()
                    for path in paths.values()
                ),
            )
        ]

    with RunFile.open(results, "base") as run:
        (figure,) = (
            figure
            for figure in measure_run(RunReader(run), Names.of(run), LIVED)
            if figure.name == "walking.tiles"
        )
    assert figure.value > 0

    def network(town: Subject) -> list[Figure]:
        return []

    with pytest.raises(ValueError, match="there is a measure called 'network' already"):
        measure(network)


def test_the_order_of_measures_does_not_depend_on_what_was_imported_first() -> None:
    """Tables of an experiment that was interrupted have the same bytes in any process."""
    code = "from hometown.study.measuring import measures; print(*measures())"
    orders = {
        subprocess.run(
            [sys.executable, "-c", f"import hometown.study.measures.{first}; {code}"],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": "modules"},
        ).stdout
        for first in ("costs", "days", "news")
    }
    assert len(orders) == 1


# the command ---------------------------------------------------------------------------------


def test_the_command_in_both_languages(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "untold", "told", "--results", str(results)]
    assert hometown(words) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# untold and told\n")
    assert "without a language model" in shown
    assert (
        "The first difference is in step 6, which begins at 2025-02-13 06:50; up to then the towns are the same."
        in shown
    )
    assert "- intervention: nothing / tell lin_yue: sing a song\n" in shown
    assert "| measure | untold | told | change |\n|---|---:|---:|---:|\n" in shown
    assert hometown([*words, "--lang", "zh"]) == 0
    assert "原因：用户干预了其中一个" in capsys.readouterr().out
    assert start(["--name", "untold", "--compare", "told", "--results", str(results)]) == 0
    assert capsys.readouterr().out == shown


def test_the_comparison_as_json(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(["compare", "base", "seeded", "--json", "--results", str(results)]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["names"] == ["base", "seeded"]
    assert content["difference"]["cause"] == "seed"
    assert {row["name"] for row in content["rows"]} >= {"cost.calls", "network.density"}


def test_comparing_changes_nothing(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.read_bytes() for file in results.rglob("*") if file.is_file()}
    assert hometown(["compare", "base", "told", "--results", str(results)]) == 0
    assert {file: file.read_bytes() for file in results.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare"], "missing: NAME (see hometown compare --help)"),
        (["compare", "base"], "missing: OTHER (see hometown compare --help)"),
        (["compare", "base", "nothing"], "there is no run 'nothing'"),
    ],
)
def test_bad_input_gets_one_line(
    words: list[str], message: str, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hometown([*words, *(["--results", str(results)] if len(words) > 2 else [])]) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert error.count("\n") == 1
    assert out == ""
