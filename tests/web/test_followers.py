"""The client in docs/followers.md follows a run that it is given, from outside Hometown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from hometown.paths import ROOT
from tests.support.hang import HANG
from tests.support.page_views import served
from tests.support.synthetic_run import make_run

PAGE = (ROOT / "docs" / "followers.md").read_text("utf-8")


def test_the_client_tells_what_happens(tmp_path: Path) -> None:
    make_run(tmp_path, "sample")
    (client,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(client.splitlines()) <= 40
    told = subprocess.run(
        [sys.executable, "-I", "-c", client, served(tmp_path), "sample", ""],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONUTF8": "1"},
        timeout=HANG,
        check=True,
    ).stdout.splitlines()
    assert "06:20 ana: Good morning! Up early today?" in told, told
    assert all(line.startswith("06:2") for line in told)
