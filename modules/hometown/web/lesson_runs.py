"""The towns of a lesson, made by its commands: the first at once, and the others one after another."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from hometown.language import Lang
from hometown.page.lesson_sheets import lesson_commands
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import free_name, run_folder
from hometown.web.answers import Wrong
from hometown.web.processes import Processes

CHECK_SECONDS = 0.5
"""Seconds between two looks at whether a town has been lived."""


def begin_lesson(
    results: Path, processes: Processes, lesson: str, lang: Lang, seed: int | None = None
) -> str:
    """Begin the first town of a lesson under a free name, which is returned; the other commands
    follow in a thread. A `seed` takes the place of the lesson's own.

    Raises:
        Wrong: 404, for an unknown lesson; 409, if the town does not begin.
    """
    commands = lesson_commands(lesson, lang)
    if not commands:
        raise Wrong(404, "There is no lesson named “{name}”.", name=lesson[:80])
    if seed is not None:
        commands = [_reseed(command, seed) for command in commands]
    names = {given: free_name(results, given) for _, given, *_ in commands}
    renamed = [[command, names[given], *options] for command, given, *options in commands]
    _, name, *_ = renamed[0]
    processes.start(name, renamed[0])
    threading.Thread(
        target=_continue, args=(results, processes, renamed), name=f"lesson-{lesson}", daemon=True
    ).start()
    return name


def _reseed(command: Sequence[str], seed: int) -> list[str]:
    """Return a command of a lesson that, where it makes a town, makes it with another seed."""
    return [*command, f"--seed={seed}"] if command[0] == "run" else [*command]


def _continue(results: Path, processes: Processes, commands: Sequence[Sequence[str]]) -> None:
    """Carry out all commands but the first, each after the one before; none after a town that was
    ended early. The log of a run tells why a command failed.
    """
    for (_, before, *_), (command, name, *options) in pairwise(commands):
        if not _is_lived(results, before):
            return
        try:
            processes.start(name, [command, name, *options])
        except Wrong:
            return


def _is_lived(results: Path, name: str) -> bool:
    """Wait until a run is not being written any more; return True if it has come to its planned
    end.
    """
    while is_held(run_folder(results, name)):
        time.sleep(CHECK_SECONDS)
    with RunFile.open(results, name) as run:
        return run.last.step >= run.planned_end
