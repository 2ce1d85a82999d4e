"""No test depends on how busy the machine is: what takes time is tested in simulated time, work is
counted, and only what hangs is ended by a clock.
"""

from __future__ import annotations

import re

import pytest

from hometown.paths import ROOT

LIMIT = re.compile(
    r"""\btime\.(time|monotonic|perf_counter|process_time|thread_time)(_ns)?\(   # measures time
      | \bresource\.getrusage\(
      | \bos\.times\(
      | \btimeout=(?!0[,)])[\d.]+                # or ends something after so many seconds, other than HANG
      | \basyncio\.timeout(_at)?\((?!None\))
      | \bwait_for\(.*,\s*[\d.]+\)
      | \.(wait|join|wait_for_timeout)\([\d.]+\)
      | \bthreading\.Timer\(""",
    re.VERBOSE,
)

ENDS_HANGS = {
    "page/browsing.py": "what a page never comes to",
    "support/hang.py": "whatever another process never comes to",
    "support/installation.py": "a server that never answers",
    "town/test_broken_off_steps.py": "a model that answers nobody else first",
    "town/test_crash.py": "a town that never comes to its fifth step",
    "town/test_ahead.py": "in simulated time",
    "web/test_visits.py": "the time at which a presence is checked",
    "shards/test_shards.py": "in simulated time",
    "torture/hostile_input.py": "the most memory that a process has taken",
    "packaging/__main__.py": "only tells how long it took",
    "torture/__main__.py": "only tells how long it took",
    "test_real_time.py": "this one",
}
"""The files of `tests` in which such a line may stand, and why."""

TESTS = ROOT / "tests"


def limits(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if LIMIT.search(line)]


@pytest.mark.parametrize(
    "line",
    [
        "assert time.monotonic() - began < 2",
        "urlopen(url, timeout=10)",
        "await asyncio.wait_for(work(), 0.5)",
        "done.wait(30)",
        "page.wait_for_timeout(300)",
        "threading.Timer(1, stop)",
        "assert time.process_time() - began < 5",
        "began = time.thread_time()",
        "usage = resource.getrusage(resource.RUSAGE_SELF)",
        "async with asyncio.timeout(2):",
    ],
)
def test_limits_are_found(line: str) -> None:
    assert limits(line) == [line]


def test_no_test_has_a_limit_in_real_time() -> None:
    found = {
        file.relative_to(TESTS).as_posix(): limits(file.read_text("utf-8"))
        for file in TESTS.rglob("*.py")
    }
    assert {file: lines for file, lines in found.items() if lines and file not in ENDS_HANGS} == {}
    assert {file for file in ENDS_HANGS if not found[file]} == set()
