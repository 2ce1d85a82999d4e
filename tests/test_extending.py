"""`docs/extending.md`: every change it shows is made to a copy of the project, and its code is run there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modules.paths import ROOT

BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, with all changes made, and each piece of code in `test_<n>.py`."""
    copy = tmp_path_factory.mktemp("extended")
    for part in ("modules", "data"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    blocks = BLOCK.findall((ROOT / "docs" / "extending.md").read_text("utf-8"))
    for number, (kind, name, content) in enumerate(blocks):
        if kind == "diff":
            change(copy / name, content)
        else:
            file = copy / (f"test_{number}.py" if name == "test" else name)
            assert not file.exists(), f"{name} is there already: show a change to it"
            file.write_text(content, "utf-8")
    return copy


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


def test_all_its_code_runs(extended: Path) -> None:
    scripts = sorted(extended.glob("test_*.py"))
    assert len(scripts) >= 5
    runner = "import runpy, sys\nfor script in sys.argv[1:]:\n    print(script, flush=True)\n    runpy.run_path(script)"
    command = [sys.executable, "-c", runner, *map(str, scripts)]
    result = subprocess.run(command, cwd=extended, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr


def test_ten_lines_are_no_more_than_a_dozen() -> None:
    code = BLOCK.search((ROOT / "docs" / "extending.md").read_text("utf-8"))
    assert code is not None
    body = [line for line in code[3].splitlines() if line.startswith("    ")]
    assert len(body) <= 10
