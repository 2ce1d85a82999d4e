"""Command lines as they are understood, without anything being done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from hometown.cli import commands, compress, replay, start
from hometown.cli.options import Options
from hometown.cli.text import Text
from hometown.language import Lang

PROGRAMS = ("start.py", "compress.py", "replay.py", "hometown")


def command_of(program: str, lang: Lang = "en") -> click.Command:
    """The command line of a program."""
    makers = {
        "start.py": start.command,
        "compress.py": compress.command,
        "replay.py": replay.command,
        "hometown": commands.tree,
    }
    return makers[program](Text(lang))


def parse(program: str, words: Sequence[str]) -> Options:
    """What a program would be given; raises BadInput or click's UsageError for what it would
    refuse.
    """
    task = command_of(program).main(list(words), prog_name=program, standalone_mode=False)
    assert isinstance(task, partial), words
    options = task.args[0]
    assert isinstance(options, Options), words
    return options


def options_of(command: click.Command) -> set[str]:
    """The long options of a command and of its subcommands."""
    own = {
        name
        for param in command.params
        if isinstance(param, click.Option)
        for name in param.opts
        if name.startswith("--")
    }
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*map(options_of, below))
