"""CONTRIBUTING's row for an option, performed on a copy: one declaration, and its translation.
Command lines, checks, hints and the reference follow from them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown.paths import ROOT
from tests.support.golden import VERSIONS, put_golden
from tools.make_golden import NAME

DECLARED = "def digest(run: ExistingRun, *, folders: Folders) -> int:"
WITH_LAST = """def digest(
    run: ExistingRun,
    *,
    last: Annotated[int | None, Option("N", values.integer(1), help=N_(HELP))] = None,
    folders: Folders,
) -> int:"""
PRINTED = "for step, each in enumerate(opened.digests()):"
LAST_PRINTED = "for step, each in [*enumerate(opened.digests())][-(last or 0) :]:"
IMPORTED = "from hometown.cli.declare import"
HELP = {"en": "print the digests of the last N steps only", "zh": "只打印最后 N 步的摘要"}
LOCALE = Path("data", "locale", "zh", "LC_MESSAGES")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project's code and texts, with a new option `hometown digest --last N`."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("modules/hometown", "tools", "data/locale"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    for each in (ROOT / "data").iterdir():
        if each.name != "locale":
            (folder / "data" / each.name).symlink_to(each)
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "start.py", folder)
    add_the_option(folder)
    yield folder
    shutil.rmtree(folder)


def add_the_option(folder: Path) -> None:
    code = folder / "modules" / "hometown" / "cli" / "record_commands.py"
    text = code.read_text("utf-8")
    for old, new in (
        (DECLARED, WITH_LAST),
        (PRINTED, LAST_PRINTED),
        (IMPORTED, f"from hometown.cli import values\n{IMPORTED}"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    code.write_text(text.replace("N_(HELP)", f'N_("{HELP["en"]}")'), "utf-8")
    assert run(folder, "-m", "tools.messages") == f"zh: not translated: {HELP['en']}\n"
    catalogue = folder / LOCALE / "hometown.po"
    before, message, after = catalogue.read_text("utf-8").partition(f'msgid "{HELP["en"]}"\n')
    translated = after.replace('msgstr ""', f'msgstr "{HELP["zh"]}"', 1)
    catalogue.write_text(before + message + translated, "utf-8")
    assert run(folder, "-m", "tools.messages") == ""


def run(project: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env=os.environ | {"PYTHONPATH": f"{project / 'modules'}{os.pathsep}{project}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_an_option_touches_one_file_of_code_and_the_catalogue(project: Path) -> None:
    changed = [
        str(file.relative_to(project))
        for name in ("modules/hometown", "tools", "data/locale")
        for file in sorted((project / name).rglob("*"))
        if file.is_file()
        and "__pycache__" not in file.parts
        and file.read_bytes() != (ROOT / file.relative_to(project)).read_bytes()
    ]
    assert changed == [
        "modules/hometown/cli/record_commands.py",
        str(LOCALE / "hometown.mo"),
        str(LOCALE / "hometown.po"),
    ]


def test_the_command_has_it_and_so_has_start_beside_that_command_alone(
    project: Path, tmp_path: Path
) -> None:
    put_golden(tmp_path, VERSIONS[0], NAME)
    folders = ["--results", str(tmp_path), "--lang", "en"]
    every = run(project, "-m", "hometown", "digest", NAME, *folders).splitlines()
    assert len(every) > 2
    last = run(project, "-m", "hometown", "digest", NAME, "--last", "2", *folders)
    assert last.splitlines() == every[-2:]
    assert run(project, "start.py", "--digest", NAME, "--last", "2", *folders) == last
    refused = run(project, "start.py", "--name", "x", "--last", "2", *folders, code=2)
    assert "--last is an option of start.py --digest, and would be ignored here" in refused
    misspelt = run(project, "-m", "hometown", "digest", NAME, "--las", "2", *folders, code=2)
    assert "did you mean --last?" in misspelt
    faulty = run(project, "-m", "hometown", "digest", NAME, "--last", "0", *folders, code=2)
    assert "'0' is not a whole number of at least 1" in faulty


def test_the_reference_has_it_in_both_languages(project: Path) -> None:
    run(project, "-m", "tools.write_docs")
    for page, lang in (("commands.md", "en"), ("commands.zh-CN.md", "zh")):
        assert f"| `--last N` | {HELP[lang]} |" in (project / "docs" / page).read_text("utf-8")
