"""Code that runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Mapping

from hometown.paths import ROOT


def elsewhere(
    code: str, *args: object, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs code in a new process, from the repository's root; with this process's environment where
    none is given.
    """
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, args)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
