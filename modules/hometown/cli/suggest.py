"""Command lines that are suggested to the user, for the program that they have used."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hometown.cli.declare import Program
from hometown.cli.options import Folders
from hometown.cli.simulation import Simulation
from hometown.cli.texts import Text
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
"""Suggestions: the arguments of `start.py`, and those of `hometown`."""


def suggest(program: Program, folders: Folders, line: str, *more: str, **values: str) -> str:
    """Return a command line to be typed in the same folder, with `more` arguments and the folders
    of the present one.

    Args:
        program: The program that the user has called.
        folders: The folders of the present command line.
        line: The line to suggest, a key of `LINES`.
        more: Further arguments.
        values: Values of the line's fields.
    """
    script, command = LINES[line]
    usual = (("--worlds", folders.worlds, USER_WORLDS), ("--results", folders.results, RESULTS))
    other_folders = [
        part for name, folder, default in usual if folder != default for part in (name, str(folder))
    ]
    template = script if program == "start.py" else command
    return shlex.join(
        [
            *_words_of(program),
            *(word.format(**values) for word in template.split()),
            *more,
            *other_folders,
        ]
    )


def how_to_continue(simulation: Simulation, text: Text, message: str) -> str:
    """Return a message with the command that continues the run with the same settings; a run
    that was stopped before it existed is started by the same command again.
    """
    if not file_of(simulation.folders.results, simulation.name).exists():
        return text("Stopped before the run was created; the same command starts it.")
    config = simulation.session.config
    more = ["--config", str(config)] if config else []
    command = suggest(simulation.program, simulation.folders, "resume", *more, name=simulation.name)
    return text(message, command=command)


def _words_of(program: Program) -> list[str]:
    """Return the program as the user has called it."""
    if program == "start.py":
        return [_python(), "start.py"]
    return (
        [_python(), "-m", "hometown"] if Path(sys.argv[0]).name == "__main__.py" else ["hometown"]
    )


def _python() -> str:
    """Return the Python that is running, relative to the project's folder if it lies there."""
    executable = Path(sys.executable)
    return str(executable.relative_to(ROOT)) if executable.is_relative_to(ROOT) else "python"
