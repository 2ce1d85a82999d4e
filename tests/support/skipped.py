"""Options of pytest with which a continuous integration runs all tests, those that were skipped at
first once more.
"""

from __future__ import annotations

import os
import runpy
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

OFFLINE = Path(__file__).parents[1] / "offline"

Report = pytest.TestReport | pytest.CollectReport


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("hometown")
    group.addoption(
        "--skipped-to",
        metavar="FILE",
        type=Path,
        help="write skipped tests to FILE, one a line: its node id, a tabulator, the reason",
    )
    group.addoption("--no-skips", action="store_true", help="a test that is skipped fails")
    group.addoption(
        "--offline",
        metavar="FILE",
        help="refuse all connections that leave this machine, and write their addresses to FILE",
    )


def configure(config: pytest.Config) -> None:
    """Register what the options ask for. Workers inherit the environment."""
    if config.getoption("--no-skips"):
        config.pluginmanager.register(NoSkips())
    if hasattr(config, "workerinput"):
        return
    if file := config.getoption("--skipped-to"):
        config.pluginmanager.register(SkippedTests(file))
    if log := config.getoption("--offline"):
        os.environ["OFFLINE_LOG"] = log
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, (str(OFFLINE), os.environ.get("PYTHONPATH")))
        )
        runpy.run_path(str(OFFLINE / "sitecustomize.py"))


def is_skipped(report: Report) -> bool:
    """Return True if a test did not run: an expected failure did."""
    return report.skipped and not hasattr(report, "wasxfail")


class SkippedTests:
    """The list of tests that were skipped, and of modules that were skipped as a whole."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._reasons: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_sessionfinish(self) -> None:
        lines = (f"{test}\t{reason}\n" for test, reason in sorted(self._reasons.items()))
        self._file.write_text("".join(lines), "utf-8")

    def _note(self, report: Report) -> None:
        if is_skipped(report):
            *_, reason = (
                report.longrepr if isinstance(report.longrepr, tuple) else (str(report.longrepr),)
            )
            self._reasons[report.nodeid] = reason.removeprefix("Skipped: ").replace("\n", " ")


class NoSkips:
    """Where everything is installed, a test that is skipped would never run anywhere."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        return self._failed((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        return self._failed((yield))

    def _failed(self, report: Any) -> Any:
        if is_skipped(report):
            report.outcome = "failed"
            report.longrepr = f"skipped, which --no-skips forbids: {report.longrepr}"
        return report
