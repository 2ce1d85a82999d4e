"""`docs/extending.md`: every change it shows is made to a copy of the project, its code is run
there, and a town lives two days in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hometown.paths import ROOT
from tests.support.hang import HANG

BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

RUN_ALL = "import runpy, sys\nfor script in sys.argv[1:]:\n    print(script, flush=True)\n    runpy.run_path(script)"

ASK_THE_PAGE = """
from pathlib import Path
from hometown.memory.concept import MEMORY_TYPES
from hometown.paths import WORLDS
from hometown.text import catalogue
from hometown.web.server import create_app

client = create_app(Path("results"), WORLDS).test_client()
answer = client.get("/api/v1/runs/dreams/residents/lin_yue/memories?from=1&to=48").json
dreams = [memory for memory in answer["items"] if memory["type"] == "dream"]
assert len({memory["tick"] // 8640 for memory in dreams}) >= 2, "dreams of one night only"
assert all(memory["evidence"] for memory in dreams)
assert sum(client.get("/api/v1/runs/dreams/insight/minds").json["memories"]["dream"]) >= 4

for lang, name in (("en", "dream"), ("zh", "梦")):
    assert client.get(f"/frontend/lang/{lang}.json").json["memory_type_dream"] == name
    assert catalogue(lang, "memories").keys() == set(MEMORY_TYPES)
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, with all changes made, and each piece of code in `test_<n>.py`."""
    copy = tmp_path_factory.mktemp("extended")
    for part in ("modules", "data", "frontend"):
        shutil.copytree(
            ROOT / part, copy / part, ignore=shutil.ignore_patterns("*.pyc.*")
        )  # takes compiled modules along, but none half-written
    for script in ("start.py", "compress.py"):
        shutil.copy(ROOT / script, copy)
    blocks = BLOCK.findall((ROOT / "docs" / "extending.md").read_text("utf-8"))
    for number, (kind, name, content) in enumerate(blocks):
        if kind == "diff":
            change(copy / name, content)
        else:
            file = copy / (f"test_{number:02}.py" if name == "test" else name)
            assert not file.exists(), f"{name} is there already: show a change to it"
            file.write_text(content, "utf-8")
    return copy


@pytest.fixture(scope="module")
def installed(extended: Path) -> Path:
    """The folder of installed packages in which pip would leave the example's entry points."""
    groups = tomllib.loads((extended / "pyproject.toml").read_text("utf-8"))["project"][
        "entry-points"
    ]
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    info = extended / "site" / "counting-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(lines))
    return info.parent


def change(file: Path, diff: str) -> None:
    """Applies hunks, divided by @@, of lines that stay, go (-) and come (+)."""
    text = file.read_text("utf-8")
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1, f"{file.name} does not have this once:\n{before}"
        text = text.replace(before, after)
    file.write_text(text, "utf-8")


def python(folder: Path, *argv: str, packages: Path | None = None) -> str:
    """What a Python in the copy prints."""
    path = os.pathsep.join(str(part) for part in (folder / "modules", folder, packages) if part)
    environment = {
        name: value for name, value in os.environ.items() if name != "TIKTOKEN_CACHE_DIR"
    }  # LlamaIndex brings its tokenizer along
    result = subprocess.run(
        [sys.executable, *argv],
        cwd=folder,
        env=environment | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_all_its_code_runs(extended: Path) -> None:
    scripts = sorted(extended.glob("test_*.py"))
    assert len(scripts) >= 7
    python(extended, "-c", RUN_ALL, *map(str, scripts))


def test_a_town_lives_on_with_all_its_changes(extended: Path, installed: Path) -> None:
    """Beyond the first morning: a second night's dreams, the run's summary, its report, and the
    page's answers about the new type.
    """
    run = (
        "--name",
        "dreams",
        "--world",
        "minitown",
        "--lang",
        "en",
        "--residents",
        "3",
        "--stride",
        "60",
        "--step",
        "48",
        "--llm",
        "counting:scripted",
        "--embedding",
        "hash",
    )
    assert " dreams" in python(extended, "start.py", *run, packages=installed)
    python(extended, "compress.py", "--name", "dreams")
    python(extended, "-c", ASK_THE_PAGE)


def test_the_doctor_examines_the_backend_that_the_package_registers(
    extended: Path, installed: Path
) -> None:
    output = python(
        extended,
        "start.py",
        "--doctor",
        "--lang",
        "en",
        "--llm",
        "counting:scripted",
        "--embedding",
        "hash",
        packages=installed,
    )
    assert "counting:scripted would work" in output
    assert "ollama" not in output


def test_ten_lines_are_no_more_than_a_dozen() -> None:
    code = BLOCK.search((ROOT / "docs" / "extending.md").read_text("utf-8"))
    assert code is not None
    assert len([line for line in code[3].splitlines() if line]) <= 10
