"""For all tests."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

collect_ignore = ["offline"]  # replaces the sockets of whoever imports it

NO_SKIPS = bool(os.environ.get("CI"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _counted((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _counted((yield))


def _counted(report: Any) -> Any:
    """In CI everything is installed, so a test that is skipped there is one that nobody ever runs."""
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report
