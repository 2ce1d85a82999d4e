"""Experiments as data: lived, killed and continued, asked, measured and written; a faulty file gets
lines, never a traceback.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import networkx
import orjson
import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.errors import BadInput
from hometown.export.table_export import CSV_ENCODING
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import acquaintances, density
from hometown.model.stats import sum_counts
from hometown.paths import DATA, ROOT
from hometown.storage.run import RunFile
from hometown.study.experiment.analysis import ConditionFigure, analyse
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.experiment_worlds import closest_pairs, world_for
from hometown.study.experiment.inspect_logs import write_logs
from hometown.study.experiment.interview_ledgers import Ledger
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.report import write_report
from hometown.study.experiment.report_figures import PAPERS, beside_paper_figure
from hometown.study.experiment.run_plans import RunPlan, plan_runs
from hometown.study.experiment.running import alone, prepare, report_progress
from hometown.study.experiment.spec import Experiment
from hometown.study.experiment.spec_file import read_experiment
from hometown.study.experiment.tables import COLUMNS
from hometown.study.inference.estimates import estimate_outcome
from hometown.study.mentions import find_people, name_parts
from hometown.version import __version__
from hometown.world.load import load_world
from tests.support.experiments import SMALL, begin, lived_once, small, tables
from tests.support.hang import waited_for
from tests.torture.experiments import killed

EXPERIMENTS = sorted((DATA / "experiments").glob("*.yaml"))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small experiment, lived in one go. Nobody may change it."""
    return lived_once(tmp_path_factory)


@pytest.fixture(scope="module")
def folder(results: Path) -> Path:
    return results / "experiments" / "small"


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding=CSV_ENCODING, newline="") as file:
        return list(csv.DictReader(file))


# living --------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_killed_and_continued_it_writes_the_same_bytes(results: Path, tmp_path: Path) -> None:
    """Twice here; `make torture` kills each ten times."""
    assert killed(tmp_path, results, 1, deaths=("step", "torn answer")).kills.total() == 2


def test_what_is_done_is_not_done_again(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a copy, since it is written again, to the same bytes."""
    copy = Path(shutil.copytree(results, tmp_path / "again"))
    folder = copy / "experiments" / "small"
    before = tables(copy) | read_ledgers(folder)
    command = ["experiment", str(small(copy)), "--results", str(copy), "--lang", "en", "--inspect"]
    assert hometown(command) == 0
    assert tables(copy) | read_ledgers(folder) == before
    shown = capsys.readouterr().out
    assert "nothing was left to do: all 6 runs have been simulated" in shown
    assert " of 6 runs" not in shown
    assert f"inspect view --log-dir {folder / 'inspect'}" in shown


def read_ledgers(folder: Path) -> dict[str, bytes]:
    return {
        f"{name}/{file.name}": file.read_bytes()
        for name in ("answers", "readings", "verdicts")
        for file in (folder / name).iterdir()
    }


def test_conditions_share_their_beginning_and_seeds_do_not(folder: Path) -> None:
    digests = {}
    for name in ("control-1", "reminded-1", "forgetful-1", "control-2"):
        with RunFile.open(folder, name) as run:
            digests[name] = run.digests()
    assert digests["control-1"][:10] == digests["reminded-1"][:10]
    assert digests["control-1"][10] != digests["reminded-1"][10]
    assert digests["control-1"][1] != digests["control-2"][1]
    ends = [row["digest"] for row in rows(folder, "runs")]
    assert len(set(ends)) == len(ends) == 6


def test_the_run_that_conditions_fork_from_is_lived_once() -> None:
    given = Experiment.model_validate(
        {
            "name": "x",
            "question": "?",
            "town": {"world": "minitown", "until": "48"},
            "seeds": [1],
            "primary": {"measure": "cost.calls"},
            "conditions": {
                "a": {"from": "07:00", "do": [{"tell": "Yue: sing"}]},
                "b": {"from": "09:00", "do": [{"tell": "Yue: rest"}]},
            },
        }
    )
    assert plan_runs(given, datetime(2025, 2, 13, 6)) == [
        RunPlan("trunk-1", "", 1, 18),
        RunPlan("a-1", "a", 1, 48, "trunk-1", 6),
        RunPlan("b-1", "b", 1, 48, "trunk-1", 18),
    ]


def test_an_answer_that_a_kill_has_torn_is_asked_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "a.jsonl")
    ledger.put(("q", 1), {"answer": "So."})
    ledger.put(("q", 2), {"answer": "No."})
    torn = (tmp_path / "a.jsonl").read_bytes()[:-4]
    (tmp_path / "a.jsonl").write_bytes(torn)
    again = Ledger(tmp_path / "a.jsonl")
    assert again.entries == {("q", 1): {"answer": "So."}}
    again.put(("q", 2), {"answer": "No."})
    assert Ledger(tmp_path / "a.jsonl").entries == ledger.entries


# the world -----------------------------------------------------------------------------------


def test_the_reduced_ville_begins_at_the_papers_density(tmp_path: Path) -> None:
    given = read_experiment(DATA / "experiments" / "park2023.yaml")
    world = world_for(given.town, tmp_path, DATA / "worlds")
    assert len(world.personas) == 25
    assert world.acquaintance == ""
    mutual = {
        frozenset((a, b))
        for a, one in world.personas.items()
        for b in one.relations or {}
        if a in (world.personas[b].relations or {})
    }
    assert len(mutual) == 50
    assert round(density(len(mutual), 25), 3) == 0.167
    names = name_parts(world)
    for who, one in world.personas.items():
        assert all(
            seed.storyline or find_people(seed.text, names) <= {who, *(one.relations or {})}
            for seed in one.seeds
        ), who
    assert {seed.storyline for one in world.personas.values() for seed in one.seeds} >= {
        story.id for story in world.storylines
    }
    assert load_world("ville", "en").acquaintance


def test_the_closest_are_kept() -> None:
    def person(**known: int) -> dict[str, object]:
        return {
            "relations": {other: {"closeness": closeness} for other, closeness in known.items()}
        }

    people = {"a": person(b=9, c=2, d=9), "b": person(a=1), "c": person(a=9), "d": person()}
    assert closest_pairs(people, 1) == {frozenset("ac")}
    assert closest_pairs(people, 9) == {frozenset("ac"), frozenset("ab")}


# what is written -----------------------------------------------------------------------------


def test_measures_are_those_of_the_runs(folder: Path) -> None:
    values = {
        (row["condition"], row["seed"], row["measure"], row["about"]): float(row["value"])
        for row in rows(folder, "measures")
    }
    with RunFile.open(folder, "forgetful-2") as run:
        _, after = acquaintances(RunReader(run), Names.of(run), 15)
        assert values["forgetful", "2", "network.density", ""] == pytest.approx(density(after, 5))
        assert (
            values["forgetful", "2", "cost.calls", ""]
            == sum_counts(step.stats for step in RunReader(run).steps(1, 15)).calls
        )
    assert not any("seconds" in measure for _, _, measure, _ in values)


def test_every_answer_is_in_the_table(folder: Path) -> None:
    answers = rows(folder, "answers")
    kept = sum(len(file.read_bytes().splitlines()) for file in (folder / "answers").iterdir())
    assert len(answers) == kept == 6 * 5 * (2 * 4 + 3 * 3)
    assert {row["verdict"] for row in answers}.isdisjoint({"invented", "unanswered"})
    claimed = {
        row["who"]
        for row in answers
        if row["condition"] == "control"
        and row["seed"] == "1"
        and row["moment"] == "start"
        and row["knows"] == "yes"
    }
    assert claimed
    judged = {
        (row["questionnaire"], row["moment"], row["access"]) for row in answers if row["judged"]
    }
    assert judged == {("believability", "end", "full")}
    assert sum(bool(row["judged"]) for row in answers) == 6 * 5 * 3


def test_each_block_is_ranked_once(folder: Path) -> None:
    blocks: dict[tuple[str, ...], list[float]] = {}
    for row in rows(folder, "rankings"):
        blocks.setdefault((row["condition"], row["seed"], row["who"], row["question"]), []).append(
            float(row["rank"])
        )
    assert len(blocks) == 6 * 5 * 3
    assert {row["judge"] for row in rows(folder, "rankings")} == {"model"}
    assert all(sum(ranks) == 6 for ranks in blocks.values())


def test_analyses_of_earlier_experiments_find_what_they_import() -> None:
    """Every folder of results has a copy of `analysis.py`, which names these functions."""
    for module, names in (
        ("analysis", ("analyse", "write_results")),
        ("report", ("write_report",)),
        ("tables", ("COLUMNS", "read_table")),
    ):
        found = import_module(f"hometown.study.experiment.{module}")
        assert all(hasattr(found, name) for name in names)


def test_the_analysis_computes_everything_again(folder: Path, tmp_path: Path) -> None:
    """From the tables alone, without the runs."""
    for name in ("tables", "analysis.py", "experiment.json"):
        source, target = folder / name, tmp_path / "small" / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            target.mkdir()
            for file in source.iterdir():
                (target / file.name).write_bytes(file.read_bytes())
        else:
            target.write_bytes(source.read_bytes())
    shown = subprocess.run(
        [sys.executable, str(tmp_path / "small" / "analysis.py")],
        env=os.environ | {"PYTHONPATH": str(ROOT / "modules")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    for name in ("results.json", "report.md", "report.html", "figures/primary.svg"):
        assert (tmp_path / "small" / name).read_bytes() == (folder / name).read_bytes(), name


def test_scripted_figures_say_so_and_nothing_is_significant(folder: Path) -> None:
    figures = list((folder / "figures").glob("*.svg"))
    assert len(figures) == 1 + 3 + 3
    for figure in figures:
        text = figure.read_text("utf-8")
        ElementTree.fromstring(text)
        assert "scripted stand-in: pipeline check" in text
    report = (folder / "report.md").read_text("utf-8")
    assert "No language model took part" in report
    assert "not admitted" in report
    assert re.search(r"the two agree in [\d.]+ %; Cohen's κ is -?[\d.]+,", report)
    assert not re.search(r"p = \d", report)
    assert "could not be used" not in report
    results = orjson.loads((folder / "results.json").read_bytes())
    assert results["scripted"] is True
    assert results["admitted"] is False
    assert all(contrast["p"] is None for contrast in results["contrasts"])


def test_the_papers_values_stand_beside_ours() -> None:
    """Each share in a row, at its place between 0 and 1: the seeds, their mean and the paper's
    value.
    """
    values = {1: 0.25, 2: 0.75}
    outcome = ConditionFigure(
        "diffusion.known",
        "The party",
        "town",
        "share",
        values,
        estimate_outcome(list(values.values()), "share"),
    )
    drawn = ElementTree.fromstring(
        str(
            beside_paper_figure(
                [("know of it", outcome, 0.52)],
                "Ours beside the paper's",
                load_words("en"),
                scripted=True,
            )
        )
    )
    ours = [float(each.get("cx", 0)) for each in drawn.iter() if each.tag.endswith("circle")]
    theirs = [
        float(str(each.get("points")).split(",")[0])
        for each in drawn.iter()
        if each.get("stroke") == PAPERS
    ]
    zero, one = 30.0, 610.0
    assert [round((x - zero) / (one - zero), 3) for x in ours + theirs] == [0.25, 0.75, 0.5, 0.52]
    assert "scripted stand-in: pipeline check" in "".join(drawn.itertext())


def test_a_report_needs_no_world(folder: Path, tmp_path: Path) -> None:
    """An experiment in one's own world is reported from its tables, wherever that world is by now;
    a run of another version is reported, too.
    """
    copy = Path(shutil.copytree(folder, tmp_path / "small"))
    definition = json.loads((copy / "experiment.json").read_bytes())
    definition["town"]["world"] = "nowhere"
    (copy / "experiment.json").write_text(json.dumps(definition), "utf-8")
    for figure in (copy / "figures").iterdir():
        figure.unlink()
    origins = copy / "tables" / "provenance.csv"
    origins.write_text(
        origins.read_text("utf-8").replace(f",{__version__},", ",0.0.1,", 1), "utf-8"
    )
    write_report(analyse(copy), copy, "en")
    report = (copy / "report.md").read_text("utf-8")
    assert "Town nowhere" in report
    assert "not of one version" in report
    assert {each.name for each in (copy / "figures").iterdir()} == {
        each.name for each in (folder / "figures").iterdir()
    }


def test_tables_join_and_name_their_origin(folder: Path) -> None:
    definition = hash_definition(
        Experiment.model_validate_json((folder / "experiment.json").read_bytes())
    )
    for name in COLUMNS:
        assert {row["definition"] for row in rows(folder, name)} <= {definition}, name
    origins = {(row["condition"], row["seed"]): row for row in rows(folder, "provenance")}
    assert origins.keys() == {(row["condition"], row["seed"]) for row in rows(folder, "runs")}
    for row in origins.values():
        assert row["hometown"] == __version__
        assert row["created"]
        assert "temperature" in json.loads(row["sampling"])
    titles = {row["story"]: row["title"] for row in rows(folder, "storylines")}
    assert {row["story"] for row in rows(folder, "learned")} <= set(titles.values())
    assert {row["about"] for row in rows(folder, "answers")} & titles.keys()
    blocks = {row["block"] for row in rows(folder, "answers")}
    assert {row["question"] for row in rows(folder, "rankings")} <= blocks
    first = {
        (row["condition"], row["seed"], row["story"], row["who"]) for row in rows(folder, "learned")
    }
    channels = rows(folder, "channels")
    assert {(row["condition"], row["seed"], row["story"], row["who"]) for row in channels} == first


def test_figures_name_their_axes_and_their_number(folder: Path) -> None:
    primary = (folder / "figures" / "primary.svg").read_text("utf-8")
    for words in ("share", "condition (number of towns)", "control (n = 2)", "bar: 95 % interval"):
        assert words in primary
    news = (folder / "figures" / "news-reading_circle.svg").read_text("utf-8")
    assert "share of residents" in news
    assert "time in the town" in news
    assert 'stroke-dasharray="5 4"' in news, "the intervention has no mark"


def test_the_hash_of_a_definition_is_that_of_its_fields(tmp_path: Path) -> None:
    given = read_experiment(small(tmp_path))
    assert hash_definition(given) == hash_definition(given.model_copy(update={"paper": False}))
    assert hash_definition(given) != hash_definition(given.model_copy(update={"seeds": [1, 3]}))


def test_the_progress_of_runs_under_way_is_counted(folder: Path) -> None:
    given = Experiment.model_validate_json((folder / "experiment.json").read_bytes())
    plans = plan_runs(given, datetime(2025, 2, 13, 6))
    seen: list[tuple[str, str, int, int]] = []
    under_way = [(what, plan) for plan in plans if plan.condition for what in ("lived", "asked")]
    report_progress(
        given,
        [*under_way, ("lived", replace(plans[0], name="not-begun"))],
        folder,
        lambda what, plan, done, total: seen.append((what, plan.name, done, total)),
    )
    assert len(seen) == len(under_way)
    assert {what for what, *_ in seen} == {"stepped", "answered"}
    assert all(done == total > 0 for *_, done, total in seen)


def test_the_page_is_one_file(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    assert page.count("<svg") == 7
    assert not re.search(r"(src|href)=|@import|<script", page)


def test_networks_are_graphml(folder: Path) -> None:
    graph = networkx.read_graphml(folder / "networks" / "control-1.graphml", force_multigraph=True)
    assert set(graph.nodes) == {"chen_siyuan", "lin_yue", "wang_fang", "xiao_mei", "zhang_wei"}
    kinds = {data["kind"] for _, _, data in graph.edges(data=True)}
    assert "knew" in kinds
    assert "talked" in kinds
    ids = re.findall(
        r'<edge .*id="(\d+)"', (folder / "networks" / "control-1.graphml").read_text("utf-8")
    )
    assert len(set(ids)) == len(ids) == graph.number_of_edges()


def test_inspect_gets_every_answer_once(folder: Path) -> None:
    """By what its reader asks of a log: names of files, and the order of fields; `inspect log
    schema` has the rest.
    """
    experiment = Experiment.model_validate_json((folder / "experiment.json").read_bytes())
    logs = sorted(
        write_logs(
            analyse(folder), plan_runs(experiment, datetime(2025, 2, 13, 6)), folder
        ).iterdir()
    )
    assert len(logs) == 3 * (2 + 3)
    seen: dict[tuple[str, ...], str] = {}
    for file in logs:
        log = orjson.loads(file.read_bytes())
        assert list(log)[:6] == ["version", "status", "eval", "plan", "results", "stats"]
        assert re.fullmatch(
            rf"\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d\+00-00_{log['eval']['task']}_{log['eval']['task_id']}\.json",
            file.name,
        )
        assert log["eval"]["tags"] == ["no language model: pipeline check"]
        assert (
            len(set(log["eval"]["dataset"]["sample_ids"]))
            == len(log["samples"])
            == log["results"]["total_samples"]
        )
        shares = log["results"]["scores"][0]["metrics"]
        assert sum(share["value"] for share in shares.values()) == pytest.approx(1)
        for sample in log["samples"]:
            seen[(*log["eval"]["task_args"].values(), sample["id"])] = sample["output"]["choices"][
                0
            ]["message"]["content"]
            assert ("verdict_model" in sample["scores"]) == (
                log["eval"]["task_args"]["questionnaire"] == "believability"
                and "end-full" in log["eval"]["task"]
            )
            assert ("rank_model" in sample["scores"]) == (
                log["eval"]["task_args"]["questionnaire"] == "believability"
            )
    written = {
        (
            row["condition"],
            row["questionnaire"],
            row["moment"],
            row["access"],
            "/".join((row["seed"], row["who"], row["question"], row["about"])).rstrip("/"),
        ): row["answer"]
        for row in rows(folder, "answers")
    }
    assert seen == written


def test_a_log_names_the_model_of_its_condition(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    runs = copy / "tables" / "runs.csv"
    lines = runs.read_text("utf-8").splitlines(keepends=True)
    runs.write_text(
        "".join(
            line.replace(",scripted,", ",ollama:qwen3:8b,") if line.startswith("forget") else line
            for line in lines
        ),
        "utf-8",
    )
    results = analyse(copy)
    logs = write_logs(results, plan_runs(results.experiment, datetime(2025, 2, 13, 6)), copy)
    for file in logs.iterdir():
        spec = orjson.loads(file.read_bytes())["eval"]
        is_other = spec["task_args"]["condition"] == "forgetful"
        assert spec["model"] == ("ollama:qwen3:8b" if is_other else "scripted")


# files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", EXPERIMENTS, ids=lambda file: file.stem)
def test_an_experiment_that_ships_can_be_lived(file: Path, tmp_path: Path) -> None:
    given = read_experiment(file)
    assert given.name == file.stem
    plans = prepare(given, tmp_path, DATA / "worlds").runs
    assert {plan.seed for plan in plans} == set(given.seeds)


def test_yaml_is_not_guessed_at(tmp_path: Path) -> None:
    file = small(tmp_path, SMALL.replace('until: "08:30"', "until: 08:30").replace('["5"]', "[no]"))
    given = read_experiment(file)
    assert given.town.until == "08:30"
    assert given.town.residents == ["no"]


def test_json_is_yaml(tmp_path: Path) -> None:
    given = read_experiment(small(tmp_path))
    file = tmp_path / "small.json"
    file.write_text(given.model_dump_json(by_alias=True), "utf-8")
    assert read_experiment(file) == given


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("seeds: [1, 2]", "seeds: [1, 1]", "seeds: 1, 1 has one seed twice"),
        ("seeds: [1, 2]", "seeds: [x]", "seeds.0 is 'x'"),
        ("seeds: [1, 2]", "", "seeds is missing"),
        ("name: small", "name: Small one", "name is 'Small one'"),
        ("name: small", "nam: small", "there is no field 'nam'"),
        ("world: minitown", "world: minitwn", "there is no world 'minitwn'"),
        ('"08:30"', '"8 o\'clock"', "town.until: "),
        ('from: "07:30"', 'from: "20250212-07:30"', "is in the past"),
        ("retrieve_max: 3", "retrieve_max: many", "associate.retrieve_max is"),
        (
            "questionnaire: awareness",
            "questionnaire: x",
            "there is no questionnaire 'x'; choose one of awareness, believability, dictator",
        ),
        (
            "name: small",
            "name: small\nmeasures: [novlty]",
            "there is no measure 'novlty'; choose among",
        ),
        ("name: small", "name: small\nmeasures: [novelty]", "is of none of the measures novelty"),
        ("diffusion.known", "difusion.known", "there is no measure 'difusion'; choose among"),
        (
            "diffusion.known",
            "diffusion.knwon",
            "'diffusion.knwon' is no figure; choose among diffusion.known_start, diffusion.told, diffusion.known",
        ),
        ("diffusion.known", "network.density", "network.density is about the whole town"),
        ('about: "The reading', 'about: "A reading', "there is no storyline 'A reading circle"),
        (
            "measure: diffusion.known,",
            "measure: diffusion.known, same_within: 0,",
            "primary.same_within is '0'",
        ),
        ("access: [full, no-plan, none]", "access: [full, none]", "there is nothing to rank"),
        ("control: {}", "trunk: {}", "'trunk' is kept for the run that conditions fork from"),
        ("control: {}", "control: {", "not YAML"),
        ("Wang Fang: Tell", "Nobody: Tell", "nobody in minitown is called 'Nobody'"),
        ("tell: ", "shout: ", "conditions.reminded.do.0.shout"),
    ],
)
def test_a_fault_is_named_in_a_line(
    before: str, after: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert before in SMALL
    assert (
        hometown(
            [
                "experiment",
                str(small(tmp_path, SMALL.replace(before, after))),
                "--results",
                str(tmp_path),
            ]
        )
        == 2
    )
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert not (tmp_path / "experiments" / "small" / "checkpoints").exists()


def test_faults_that_do_not_depend_on_each_other_are_named_at_once(tmp_path: Path) -> None:
    """They are of every stage: the form of the file, its settings, its models, and its world."""
    faults = {
        "name: small": ("nam: small", "no field 'nam'; did you mean 'name'?"),
        'from: "07:30"': ("from: noon", "conditions.reminded.from: 'noon' is not a time"),
        "retrieve_max: 3": ("retrieve_mx: 3", "no setting 'associate.retrieve_mx'"),
        "judge: scripted": ("judge: olama:qwen3", "experiment 'small' names 'olama:qwen3'"),
        '["5"]': ("[Yue, Maria]", "nobody in minitown is called 'Maria'"),
        "Wang Fang: Tell": ("most conected: Tell", "'most conected' is no rule for a target"),
        "[start, end]": ('[start, "09:00"]', "09:00 is not in the town's time"),
        "questionnaire: believ": ("questionnaire: bliev", "no questionnaire 'blievability'"),
        "diffusion.known": ("diffusion.knwon", "'diffusion.knwon' is no figure"),
        'about: "The reading': ('about: "A reading', "no storyline 'A reading circle"),
    }
    text = SMALL
    for right, (wrong, _) in faults.items():
        assert right in text
        text = text.replace(right, wrong)
    with pytest.raises(BadInput) as caught:
        read_experiment(small(tmp_path, text))
    for _, message in faults.values():
        assert message in str(caught.value)
    assert len(caught.value.lines) == len(faults)


def test_only_the_measures_that_are_named_are_kept(tmp_path: Path) -> None:
    file = small(
        tmp_path, SMALL.replace("name: small", "name: small\nmeasures: [diffusion, claims]")
    )
    experiment = read_experiment(file)
    assert [
        experiment.keeps(name)
        for name in ("diffusion.known", "claims.known_start", "novelty.activities", "cost.calls")
    ] == [True, True, False, False]
    assert all(
        map(read_experiment(small(tmp_path)).keeps, ("diffusion.known", "novelty.activities"))
    )


@pytest.mark.parametrize(
    "about", ["reading_circle", 'The reading circle "Technology and Life"', "READING_CIRCLE"]
)
def test_a_storyline_goes_by_its_id_or_title(about: str, tmp_path: Path) -> None:
    title = "The reading circle “Technology and Life”"
    given = read_experiment(small(tmp_path))
    primary = given.primary.model_copy(update={"about": about})
    prepare(given.model_copy(update={"primary": primary}), tmp_path / "there", DATA / "worlds")
    stored = Experiment.model_validate_json((tmp_path / "there" / "experiment.json").read_bytes())
    assert stored.primary.about == title
    assert stored == given


def test_a_definition_of_an_earlier_version_is_the_same(tmp_path: Path) -> None:
    """It lacks the fields that this version has added."""
    given = read_experiment(small(tmp_path))
    prepare(given, tmp_path / "there", DATA / "worlds")
    file = tmp_path / "there" / "experiment.json"
    earlier = json.loads(file.read_bytes())
    for name in ("contrasts", "same_within"):
        del earlier["primary"][name]
    file.write_text(json.dumps(earlier), "utf-8")
    prepare(given, tmp_path / "there", DATA / "worlds")


def test_another_definition_does_not_mix_with_the_first(tmp_path: Path) -> None:
    prepare(read_experiment(small(tmp_path)), tmp_path / "there", DATA / "worlds")
    with pytest.raises(BadInput, match="holds an experiment with another definition"):
        prepare(
            read_experiment(small(tmp_path, SMALL.replace("[1, 2]", "[1, 3]"))),
            tmp_path / "there",
            DATA / "worlds",
        )


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert hometown(["experiment", str(tmp_path / "none.yaml")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_its_definition_is_kept(folder: Path) -> None:
    assert json.loads((folder / "experiment.json").read_bytes())["seeds"] == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_ctrl_c_ends_it_without_a_word(tmp_path: Path) -> None:
    process = begin(small(tmp_path), tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait() == 130
    assert "Traceback" not in rest


@pytest.mark.skipif(sys.platform == "win32", reason="counts the processes of a group")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_its_processes_end_with_it(by: signal.Signals, tmp_path: Path) -> None:
    """Only the first of them is told to, as by a supervisor."""
    process = begin(small(tmp_path), tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    process.send_signal(by)
    assert "Traceback" not in process.stdout.read()
    assert process.wait() in (130, -signal.SIGKILL)
    waited_for(lambda: not group_lives(process.pid))


def group_lives(group: int) -> bool:
    """Whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_second_command_at_once_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both would end half-way, each in the way of the other."""
    with alone(tmp_path / "experiments" / "small"):
        assert (
            hometown(
                ["experiment", str(small(tmp_path)), "--results", str(tmp_path), "--lang", "en"]
            )
            == 2
        )
    assert "under way in another process" in capsys.readouterr().err
    assert not (tmp_path / "experiments" / "small" / "checkpoints").exists()
