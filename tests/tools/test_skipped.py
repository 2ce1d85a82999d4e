"""The options with which `.ci/run` runs the tests that were skipped where something was missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hometown.paths import ROOT

CONFTEST = """
from tests.support.skipped import add_options as pytest_addoption, configure as pytest_configure
"""

MODULE = """
import os, pytest
if "INSTALLED" not in os.environ:
    pytest.skip("needs a package: pip install it", allow_module_level=True)

def test_of_a_package():
    pass
"""

TESTS = """
import os, pytest, socket

@pytest.fixture
def program():
    if "INSTALLED" not in os.environ:
        pytest.skip("needs a program")

@pytest.mark.parametrize("size", ["a desktop", "a phone"])
def test_of_a_program(program, size):
    pass

@pytest.mark.skipif("NEVER" not in os.environ, reason="needs something else")
def test_of_something_else():
    pass

@pytest.mark.xfail
def test_that_is_expected_to_fail():
    assert False

def test_that_runs():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 9))
"""


def run_pytest(folder: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        "--rootdir",
        str(folder),
        "-c",
        os.devnull,
        *options,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "modules"))),
        **more,
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_what_was_skipped_is_listed_and_runs_once_more(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    (tmp_path / "test_module.py").write_text(MODULE, "utf-8")
    (tmp_path / "test_tests.py").write_text(TESTS, "utf-8")
    file, log, again = tmp_path / "skipped", tmp_path / "refused", tmp_path / "again"
    done = run_pytest(tmp_path, "-n", "2", f"--skipped-to={file}", f"--offline={log}")
    assert done.returncode == 0, done.stdout + done.stderr
    reasons = dict(line.split("\t") for line in file.read_text("utf-8").splitlines())
    assert reasons == {
        "test_module.py": "needs a package: pip install it",
        "test_tests.py::test_of_a_program[a desktop]": "needs a program",
        "test_tests.py::test_of_a_program[a phone]": "needs a program",
        "test_tests.py::test_of_something_else": "needs something else",
    }
    assert "192.0.2.1" in log.read_text("utf-8")

    again.write_text("\n".join(reasons), "utf-8")
    done = run_pytest(tmp_path, "--no-skips", f"@{again}", INSTALLED="1")
    assert done.returncode == 1
    assert "3 passed, 1 error" in done.stdout
    assert "skipped, which --no-skips forbids" in done.stdout
