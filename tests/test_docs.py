"""What the documents name exists, and what they tell the reader to type is understood."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from modules.cli.options import parse
from modules.cli.text import Text
from modules.paths import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
WRITTEN_BY_RUNS = ("results/", "data/worlds/mytown", "data/worlds/valley", "data/worlds/WORLD")
LAYERS = (
    {"errors", "clock", "streams", "text", "settings", "config", "paths"},
    {"memory", "art"},
    {"world"},
    {"worlds"},
    {"prompt", "model"},
    {"storage"},
    {"agent"},
    {"founding", "game", "repair", "verify"},
    {"replay"},
    {"cli"},
)
"""As `docs/ARCHITECTURE.md` tells it."""


def named_paths(document: Path) -> set[str]:
    """Paths in backticks: whatever has a slash, or ends like a file of ours."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    words = re.findall(r"`([\w./-]+)`", text)
    known = (".py", ".md", ".json", ".txt", ".cff")
    return {
        word for word in words if word.startswith(("modules/", "docs/", "data/", "tests/", "frontend/", ".ci/")) or ("/" not in word and word.endswith(known))
    }


def commands(document: Path) -> list[list[str]]:
    """The lines of the blocks marked bash or bat, as words, without comments."""
    blocks = re.findall(r"```(?:bash|bat)\n(.*?)```", document.read_text("utf-8"), flags=re.DOTALL)
    return [shlex.split(line.replace("\\", "/"), comments=True) for block in blocks for line in block.splitlines() if line.strip()]


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
        "spread.json",
        "speaking.json",
        "world.json",
        "bench.json",
        "map.tmj",
    }
    missing = {path for path in named_paths(document) - produced if not path.startswith(WRITTEN_BY_RUNS) and not (ROOT / path).exists()}
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.name)
def test_its_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text("utf-8"))
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("document", [ROOT / "README.md", ROOT / "README.zh-CN.md"], ids=lambda one: one.name)
def test_its_commands_are_understood(document: Path) -> None:
    seen = set()
    for words in commands(document):
        script = next((word for word in words if word.endswith(".py")), words[0])
        seen.add(script)
        if script == "start.py":
            parse(words[words.index(script) + 1 :], Text("en"))
        elif script.endswith(".py"):
            assert (ROOT / script).exists(), words
        elif script == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), words
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
        parse(words[words.index("start.py") + 1 :], Text("en"))


def test_the_commands_for_worlds_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL.Image")
    from modules.cli.start import main
    from tests.elsewhere import write_matrices, write_maze
    from tests.test_worlds_tiled import write_tmx

    monkeypatch.chdir(tmp_path)
    write_maze(tmp_path / "generative_agents_cn")
    write_matrices(tmp_path / "the_ville")
    write_tmx(tmp_path / "valley")
    lines = [words[words.index("start.py") + 1 :] for words in commands(ROOT / "docs" / "worlds.md")]
    assert len(lines) == 9
    for words in lines:
        assert main([*words, "--worlds", "worlds", "--results", "results"]) == 0, (words, capsys.readouterr().err)


def test_the_page_on_worlds_names_every_key_and_layer() -> None:
    from modules.world.authored import ResidentFile, ThingProperties, WorldFile
    from modules.world.places import OBJECT_LAYERS

    said = set(re.findall(r"`([\w]+)`", (ROOT / "docs" / "worlds.md").read_text("utf-8")))
    assert {key for model in (WorldFile, ResidentFile, ThingProperties) for key in model.model_fields} | set(OBJECT_LAYERS) <= said


@pytest.mark.parametrize("document", [ROOT / "README.md", ROOT / "README.zh-CN.md"], ids=lambda one: one.name)
def test_it_lists_every_option(document: Path) -> None:
    help_text = (ROOT / "modules" / "cli" / "options.py").read_text("utf-8")
    options = set(re.findall(r'"(--[a-z]+)"', help_text))
    assert options <= set(re.findall(r"`(--[a-z]+)", document.read_text("utf-8")))


def test_both_catalogues_have_the_same_entries() -> None:
    from modules.text import TEXTS, catalogue

    for file in (TEXTS / "en").glob("*.json"):
        english, chinese = catalogue("en", file.stem), catalogue("zh", file.stem)
        assert english.keys() <= chinese.keys(), file.name  # Chinese has more: dates, which English takes from strftime


@pytest.mark.parametrize("file", sorted((ROOT / "modules").rglob("*.py")), ids=lambda one: str(one.relative_to(ROOT)))
def test_layers_import_downwards_only(file: Path) -> None:
    own = rank(".".join(file.relative_to(ROOT).with_suffix("").parts))
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names] if isinstance(node, ast.Import) else []
        for name in imported:
            assert rank(name) <= own, f"{name} lies further out"


def rank(module: str) -> int:
    """The layer of one of our modules, 0 for the innermost; −1 for anybody else's and for the package itself."""
    parts = module.split(".")
    if parts[0] != "modules" or len(parts) == 1 or parts[1] == "__init__":
        return -1 if parts[-1] != "__init__" else len(LAYERS)
    return next(number for number, layer in enumerate(LAYERS) if parts[1] in layer)
