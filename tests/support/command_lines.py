"""Command lines as they are understood, without anything being done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import click

from hometown.cli import commands, compress, replay, start
from hometown.cli.command import Group
from hometown.cli.texts import Text
from hometown.language import Lang

PROGRAMS = ("start.py", "compress.py", "replay.py", "hometown")


def command_of(program: str, lang: Lang = "en") -> click.Command:
    """The command line of a program."""
    makers = {
        "start.py": start.command,
        "compress.py": compress.command,
        "replay.py": replay.command,
        "hometown": commands.build_command,
    }
    return makers[program](Text(lang))


def parse(program: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the `function` that a program would call and its values, those of groups by their own
    names, without the user's language and program.

    Raises:
        BadInput: The program would refuse the line, as click would by a UsageError.
    """
    call = command_of(program).main(list(words), prog_name=program, standalone_mode=False)
    assert isinstance(call, partial), words
    return {"function": call.func, **dict(_values(call.keywords))}


def _values(keywords: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in keywords.items():
        if is_dataclass(value):
            yield from _values({each.name: getattr(value, each.name) for each in fields(value)})
        elif name not in ("text", "program"):
            yield name, value


def options_of(command: click.Command) -> set[str]:
    """The long options of a command and of its subcommands."""
    own = {
        name
        for param in command.params
        if isinstance(param, click.Option)
        for name in param.opts
        if name.startswith("--")
    }
    below = command.subcommands().values() if isinstance(command, Group) else ()
    return own.union(*map(options_of, below))
