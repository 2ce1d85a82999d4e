"""What the documents name exists, and what they tell the reader to type is understood."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hometown.language import LANGS, Lang
from hometown.paths import ROOT
from tests.support.command_lines import PROGRAMS, command_of, options_of, parse
from tools.write_docs import PAGES, commands_page

DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "data" / "lessons").glob("*/*.md")]
)
WRITTEN_BY_RUNS = ("results/", "data/worlds/mytown", "data/worlds/valley", "data/worlds/WORLD")


def named_paths(document: Path) -> set[str]:
    """Paths in backticks: whatever has a slash, or ends like a file of ours."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    words = re.findall(r"`([\w./-]+)`", text)
    known = (".py", ".md", ".json", ".txt", ".cff")
    return {
        word
        for word in words
        if word.startswith(("modules/", "docs/", "data/", "tests/", "frontend/", ".ci/"))
        or ("/" not in word and word.endswith(known))
    }


def commands(document: Path) -> list[list[str]]:
    """The lines of the blocks marked bash or bat, as words, without comments."""
    blocks = re.findall(r"```(?:bash|bat)\n(.*?)```", document.read_text("utf-8"), flags=re.DOTALL)
    return [
        shlex.split(line.replace("\\", "/"), comments=True)
        for block in blocks
        for line in block.splitlines()
        if line.strip()
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.name)
def test_the_files_it_names_exist(document: Path) -> None:
    produced = {
        "maze.json",
        "agent.json",
        "scratch.json",
        "spatial_memory.json",
        "maze_meta_info.json",
        "movement.json",
        "simulation.md",
        "sources.json",
        "spread.json",
        "gazette.md",
        "speaking.json",
        "world.json",
        "bench.json",
        "analysis.py",
        "preregistration.md",
        "recompute.py",
        "report.md",
        "results.json",
        "environment.txt",
        "ro-crate-metadata.json",
        "map.tmj",
        "meta.json",
        "config.json",
        "import-report.md",
        "willow_lane.txt",
        "follow_town.py",
    }
    missing = {
        path
        for path in named_paths(document) - produced
        if not path.startswith(WRITTEN_BY_RUNS) and not (ROOT / path).exists()
    }
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.name)
def test_its_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text("utf-8"))
    missing = [
        link for link in links if "://" not in link and not (document.parent / link).exists()
    ]
    assert not missing


@pytest.mark.parametrize(
    "document", [ROOT / "README.md", ROOT / "README.zh-CN.md"], ids=lambda one: one.name
)
def test_its_commands_are_understood(document: Path) -> None:
    seen = set()
    for words in commands(document):
        script = next(
            (word for word in words if word in PROGRAMS or word.endswith(".py")), words[0]
        )
        seen.add(script)
        if script in PROGRAMS:
            parse(script, words[words.index(script) + 1 :])
        elif script.endswith(".py"):
            assert (ROOT / script).exists(), words
        elif script == "make":
            assert re.search(
                rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
            ), words
        else:
            assert all((ROOT / word).exists() for word in words if word.endswith(".txt")), words
    assert {"make", "start.py", "compress.py", "replay.py"} <= seen


@pytest.mark.parametrize("name", ["README", "docs/models"])
def test_both_languages_give_the_same_commands(name: str) -> None:
    assert commands(ROOT / f"{name}.md") == commands(ROOT / f"{name}.zh-CN.md")


def test_the_commands_for_models_are_understood() -> None:
    lines = [words for words in commands(ROOT / "docs" / "models.md") if "start.py" in words]
    assert lines
    for words in lines:
        parse("start.py", words[words.index("start.py") + 1 :])


def test_the_commands_for_worlds_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PIL.Image")
    from hometown.cli.start import main
    from tests.authoring.test_draw_world import example
    from tests.authoring.test_tiled import write_tmx
    from tests.support.ai_town import write_ai_town
    from tests.support.elsewhere import write_matrices, write_maze

    monkeypatch.chdir(tmp_path)
    write_maze(tmp_path / "generative_agents_cn")
    write_matrices(tmp_path / "the_ville")
    write_tmx(tmp_path / "valley")
    write_ai_town(tmp_path / "ai-town")
    (tmp_path / "willow_lane.txt").write_text(example(), "utf-8")
    lines = [
        words[words.index("start.py") + 1 :]
        for words in commands(ROOT / "docs" / "worlds.md")
        if "start.py" in words
    ]
    assert len(lines) == 14
    for words in lines:
        assert main([*words, "--worlds", "worlds", "--results", "results"]) == 0, (
            words,
            capsys.readouterr().err,
        )


def test_the_page_on_worlds_names_every_key_and_layer() -> None:
    from hometown.world.authored import ResidentFile, ThingProperties, WorldFile
    from hometown.world.map_places import OBJECT_LAYERS

    said = set(re.findall(r"`([\w]+)`", (ROOT / "docs" / "worlds.md").read_text("utf-8")))
    assert {
        key for model in (WorldFile, ResidentFile, ThingProperties) for key in model.model_fields
    } | set(OBJECT_LAYERS) <= said


@pytest.mark.parametrize("lang", LANGS)
def test_the_reference_lists_every_option(lang: Lang) -> None:
    page = (ROOT / "docs" / PAGES[lang]).read_text("utf-8")
    assert page == commands_page(lang), "make docs writes it anew"
    options = set().union(*(options_of(command_of(program)) for program in PROGRAMS)) - {
        "--help",
        "--version",
    }
    assert {"--max-calls", "--import-world", "--html"} <= options
    assert options - set(re.findall(r"`(--[a-z-]+)", page)) == set()


def test_the_readme_runs_from_python(tmp_path: Path) -> None:
    english, chinese = (
        re.findall(r"```python\n(.*?)```", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
        for name in ("README.md", "README.zh-CN.md")
    )
    assert english == chinese
    (code,) = english
    wrapper = (
        "import hometown.paths, pathlib, sys\nhometown.paths.RESULTS = pathlib.Path(sys.argv[1])\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", wrapper + code, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "modules")},
        capture_output=True,
        text=True,
    )
    assert shown.returncode == 0, shown.stderr
    assert "sing at the café tonight" in shown.stdout


def test_both_catalogues_have_the_same_entries() -> None:
    from hometown.text import TEXTS, catalogue

    for file in (TEXTS / "en").glob("*.json"):
        english, chinese = catalogue("en", file.stem), catalogue("zh", file.stem)
        assert english.keys() <= chinese.keys(), (
            file.name
        )  # Chinese has more: dates, which English takes from strftime


def test_layers_import_downwards_only() -> None:
    """The contracts are in `pyproject.toml`. In a process of its own, as the check sets up logging
    for itself.
    """
    checked = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
