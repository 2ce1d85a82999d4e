"""Command lines that we suggest to the user."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from modules.cli.options import Options
from modules.paths import RESULTS, ROOT, WORLDS


def start_line(options: Options, *argv: str) -> str:
    """A `start.py` with these arguments, to be typed in the project's folder; it looks for worlds and runs where this one does."""
    folders = (("--worlds", options.worlds, WORLDS), ("--results", options.results, RESULTS))
    elsewhere = [part for name, folder, usual in folders if folder != usual for part in (name, str(folder))]
    return shlex.join([_python(), "start.py", *argv, *elsewhere])


def _python() -> str:
    """The Python that is running, as one would type it there."""
    executable = Path(sys.executable)
    return str(executable.relative_to(ROOT)) if executable.is_relative_to(ROOT) else "python"
