"""Command lines that we suggest to the user, for the program that was used."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hometown.cli.options import Options
from hometown.cli.text import Text
from hometown.paths import RESULTS, ROOT, USER_WORLDS
from hometown.storage.run_names import file_of

LINES: dict[str, tuple[str, str]] = {
    "run": (
        "--name {name} --world {world} --lang {lang}",
        "run {name} --world {world} --lang {lang}",
    ),
    "resume": ("--name {name} --resume", "resume {name}"),
    "fork": ("--name {name} --fork {step}", "fork {step} --name {name}"),
    "repair": ("--repair {name}", "repair {name}"),
    "check_world": ("--check-world {world}", "world check {world}"),
}
"""What can be suggested: the arguments of `start.py`, and those of `hometown`."""


def suggest(options: Options, what: str, *more: str, **values: str) -> str:
    """A command line to be typed in the same folder, with `more` arguments; it looks for worlds and
    runs where this one does.
    """
    script, command = LINES[what]
    usual = (("--worlds", options.worlds, USER_WORLDS), ("--results", options.results, RESULTS))
    folders = [
        part for name, folder, default in usual if folder != default for part in (name, str(folder))
    ]
    template = script if options.program == "start.py" else command
    return shlex.join(
        [*_program(options), *(word.format(**values) for word in template.split()), *more, *folders]
    )


def how_to_continue(options: Options, text: Text, key: str) -> str:
    """The command that continues the run, with the same settings, or, if it was stopped before it
    existed, that the same one will do.
    """
    name = options.name or ""
    if not file_of(options.results, name).exists():
        return text("stopped_early")
    config = ["--config", str(options.config)] if options.config else []
    return text(key, command=suggest(options, "resume", *config, name=name))


def _program(options: Options) -> list[str]:
    """The program as the user has called it."""
    if options.program == "start.py":
        return [_python(), "start.py"]
    return (
        [_python(), "-m", "hometown"] if Path(sys.argv[0]).name == "__main__.py" else ["hometown"]
    )


def _python() -> str:
    """The Python that is running, relative to the project's folder if it lies there."""
    executable = Path(sys.executable)
    return str(executable.relative_to(ROOT)) if executable.is_relative_to(ROOT) else "python"
