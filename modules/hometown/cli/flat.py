"""Flat command lines without subcommands: each of their commands is selected by an option. They
accept the options that these commands declare, and pass a line on to the command that it selects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import click

from hometown.cli.command import Command, LocalizedOption, flags_of, refuse, run_command
from hometown.cli.declare import Argument, Declaration
from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.cli.user_language import user_language
from hometown.text import N_

ALWAYS = {"--lang", *(f"--{field.name}" for field in fields(Folders))}
"""Options that every line may have, also where its command needs none."""

HELPS = {
    "--lang": N_(
        "language of the run and of the output: en or zh; a new world may have "
        "several, as en,zh (that of the system)"
    ),
    "--residents": N_(
        "residents who take part or are asked: their names, parts of names or ids, or "
        "their number (all)"
    ),
    "--llm": N_(
        "language model: auto, scripted, or BACKEND:MODEL (setting llm.default; for "
        "questions that of the run)"
    ),
    "--at": N_(
        "time of the interventions (the next step), or moment that a question is about "
        "(the last step): a step, a time of day or a moment"
    ),
}
"""The help of options that mean different things to the commands of one line."""


@dataclass(frozen=True)
class Mode:
    """A command of a flat command line, and the option that selects it.

    Attributes:
        declaration: The command.
        option: The option without dashes; "" for the command that is meant without one.
        argument: The argument of the command that the option's value fills; "" for a flag, or where
            the command itself has the option.
        help: The help of that option, where it is not one of the command itself.
        refusal: The message that says why options of the command without an option do not go with
            it, where that needs an explanation.
    """

    declaration: Declaration
    option: str = ""
    argument: str = ""
    help: str = ""
    refusal: str = ""

    @property
    def flag(self) -> str:
        """Return the option as it is typed; without one, `--name` selects the command."""
        return f"--{self.option or 'name'}"

    @property
    def name_argument(self) -> str:
        """Return the argument that `--name` fills; "" where there is none, or where the command
        itself has the option.
        """
        if "--name" in self.declaration.flags:
            return ""
        rest = (each.name for each in self.declaration.arguments if each.name != self.argument)
        return next(rest, "")

    @property
    def flags(self) -> frozenset[str]:
        """Return the options that its lines may have."""
        more = {"--name"} if self.name_argument else set()
        return self.declaration.flags | ALWAYS | {self.flag} | more


@dataclass(frozen=True)
class FlatCommandLine:
    """A flat command line.

    Attributes:
        program: The script that has it.
        modes: Its commands; the first is meant without an option that selects one.
        about: Its help.
        name_help: The help of `--name`.
        elsewhere: Commands of `hometown`, to which the user is referred for their options.
        choose: Chooses the command where no option selects one, from the options by flag.
    """

    program: str
    modes: Sequence[Mode]
    about: str
    name_help: str
    elsewhere: Sequence[Declaration] = ()
    choose: Callable[[Mapping[str, Any]], Mode | None] = lambda _: None

    def main(self, argv: list[str]) -> int:
        """Run the command that a line selects and return the exit code."""
        lang = user_language(argv)
        return run_command(self.command(Text(lang)), argv, self.program, lang)

    def command(self, text: Text) -> Command:
        """Return the command line for click, which yields the call to make, unmade."""
        return Command(
            self.program,
            text,
            self._options(text),
            partial(self._bind, text),
            about=text(self.about),
        )

    def _options(self, text: Text) -> list[LocalizedOption]:
        """Return all options: those of each command after the option that selects it, then those
        that only other commands have, hidden.
        """
        options: dict[str, LocalizedOption] = {}
        if any(mode.name_argument for mode in self.modes):
            options["--name"] = _name_option(text(self.name_help))
        for mode in self.modes:
            own = {each.opts[0]: each for each in mode.declaration.options(text)}
            if mode.option and mode.flag not in own:
                options[mode.flag] = _mode_option(mode, text(mode.help))
            for flag, option in own.items():
                if flag not in options:
                    options[flag] = _raw_option(option, self._help(flag, option, text))
        for declaration in self.elsewhere:
            for parameter in declaration.parameters:
                for flag in parameter.flags:
                    if flag not in options:
                        is_flag = parameter.annotation is bool
                        options[flag] = LocalizedOption([flag], is_flag=is_flag, hidden=True)
        return list(options.values())

    def _help(self, flag: str, option: LocalizedOption, text: Text) -> str:
        """Return the help of an option, with the commands that have it unless the first one has."""
        takers = [mode for mode in self.modes if flag in mode.flags]
        own = text(HELPS[flag]) if flag in HELPS and len(takers) > 1 else option.help or ""
        if self.modes[0] in takers or flag in {mode.flag for mode in self.modes}:
            return own
        return text(
            "{help} [only with {options}]", help=own, options=[mode.flag for mode in takers]
        )

    def _takers(self, flag: str) -> list[Mode]:
        """Return the first mode of each command that has an option."""
        takers = {
            mode.declaration.words: mode for mode in reversed(self.modes) if flag in mode.flags
        }
        return [mode for mode in self.modes if mode in takers.values()]

    def _bind(self, text: Text, ctx: click.Context) -> Callable[[], int]:
        """Return the call of the command that a line selects.

        Raises:
            BadInput: Options select several commands, or the command lacks one of them.
        """
        typed = {
            param.opts[0]: ctx.params[param.name]
            for param in ctx.command.params
            if param.name in ctx.params and ctx.params[param.name] not in (None, False, ())
        }
        mode = self._select(typed, ctx, text)
        for flag in typed:
            if flag not in mode.flags:
                self._refuse(flag, mode, ctx, text)
        if mode.name_argument and "--name" not in typed:
            refuse(ctx, text("a run needs a name: add --name NAME"))
        metavars = {mode.argument: mode.flag, mode.name_argument: "--name"}
        command = replace(mode.declaration, metavars=metavars).command(
            self.program, text, "start.py"
        )
        words = [*_option_words(typed, command, ctx), "--", *_arguments(typed, mode)]
        return command.invoke(command.make_context(self.program, words))

    def _select(self, typed: Mapping[str, Any], ctx: click.Context, text: Text) -> Mode:
        selected = [mode for mode in self.modes if mode.option and mode.flag in typed]
        if len({mode.declaration.words for mode in selected}) > 1:
            refuse(
                ctx,
                text(
                    "{options} exclude each other: choose one",
                    options=", ".join(mode.flag for mode in selected),
                ),
            )
        return selected[0] if selected else self.choose(typed) or self.modes[0]

    def _refuse(self, flag: str, mode: Mode, ctx: click.Context, text: Text) -> None:
        if mode.refusal and flag in self.modes[0].flags:
            refuse(ctx, text(mode.refusal, options=flag))
        if flag == "--name":
            refuse(ctx, text("{option} takes no --name: leave it out", option=mode.flag))
        takers = [f"{self.program} {taker.flag}" for taker in self._takers(flag)]
        if takers and self.modes[0] in self._takers(flag):
            takers = takers[:1]
        takers += [f"hometown {each.words}" for each in self.elsewhere if flag in each.flags]
        refuse(
            ctx,
            text(
                "{option} is an option of {commands}, and would be ignored here: leave it out",
                option=flag,
                commands=takers,
            ),
        )


def _name_option(description: str) -> LocalizedOption:
    return LocalizedOption(["--name"], metavar="NAME", help=description)


def _mode_option(mode: Mode, description: str) -> LocalizedOption:
    """Return the option that selects a command: a flag, or one with the value of an argument."""
    for argument in mode.declaration.arguments:
        if argument.name == mode.argument and isinstance(argument.declared, Argument):
            return LocalizedOption(
                [mode.flag],
                metavar=argument.declared.metavar,
                multiple=argument.declared.is_repeated,
                help=description,
            )
    return LocalizedOption([mode.flag], is_flag=True, help=description)


def _raw_option(option: LocalizedOption, description: str) -> LocalizedOption:
    """Return an option with its value as it was typed, for the command to convert."""
    raw = copy(option)
    raw.help, raw.required = description, False
    if option.expose_value and not option.is_flag:
        raw.type = click.STRING
    return raw


def _option_words(typed: Mapping[str, Any], command: Command, ctx: click.Context) -> Iterator[str]:
    """Yield the options that a command has, as they are typed, in the order in which they were."""
    flags = flags_of(command)
    values = {
        flag: iter(value if isinstance(value, tuple) else (value,)) for flag, value in typed.items()
    }
    for param in ctx.meta["occurrences"]:
        flag = param.opts[0]
        for value in () if flag not in flags or flag not in values else [*_first(values[flag])]:
            yield flag if value is True else f"{flag}={value}"


def _first(values: Iterator[Any]) -> Iterator[Any]:
    """Yield the next value if there is one: an option that counts once can be typed twice."""
    for value in values:
        yield value
        return


def _arguments(typed: Mapping[str, Any], mode: Mode) -> Iterator[str]:
    """Yield the values of a command's arguments, out of the options that fill them."""
    for argument in mode.declaration.arguments:
        flag = {mode.argument: mode.flag, mode.name_argument: "--name"}.get(argument.name, "")
        value = typed.get(flag, ())
        yield from value if isinstance(value, tuple) else (value,)
