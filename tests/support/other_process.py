"""Code that runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap

from hometown.paths import ROOT


def elsewhere(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Runs code in a new process, from the repository's root."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
