"""Command lines that are suggested to the user, for the program that they have used."""

from __future__ import annotations

import shlex

from hometown.cli.declare import Program
from hometown.cli.options import Folders
from hometown.cli.simulation import Simulation
from hometown.cli.texts import Text
from hometown.own_commands import program_words
from hometown.paths import RESULTS, USER_WORLDS
from hometown.storage.run_names import file_of
from hometown.text import N_

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
            *program_words(program),
            *(word.format(**values) for word in template.split()),
            *more,
            *other_folders,
        ]
    )


STOPPED_EARLY = N_("Stopped before the run was created; the same command starts it.")


def how_to_continue(
    simulation: Simulation, text: Text, message: str, *, without_run: str = STOPPED_EARLY
) -> str:
    """Return a message with the command that continues the run with the same settings, or the
    message `without_run` if there is none: it is started by the same command again.
    """
    if not file_of(simulation.folders.results, simulation.name).exists():
        return text(without_run)
    config = simulation.session.config
    more = ["--config", str(config)] if config else []
    command = suggest(simulation.program, simulation.folders, "resume", *more, name=simulation.name)
    return text(message, command=command)
