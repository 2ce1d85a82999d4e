"""Declarations of commands: the signature of a command's function declares its arguments and
options, each beside its type. Command lines, help, references and checks follow from that.

A parameter is `Annotated` with an `Argument`, an `Option` or `OrderedOptions`, or is a dataclass of
such fields: options that several commands share, with a `__post_init__` that refuses those that
contradict each other. Modules that declare commands do not postpone annotations, which would take
time to evaluate. The texts of help are messages, marked by `N_` and translated when help is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache, cached_property, partial
from inspect import Parameter as Signed
from inspect import signature
from typing import Any, Literal, TypeAlias, get_args

import click

from hometown.cli.command import (
    Command,
    LocalizedArgument,
    LocalizedOption,
    language_option,
    refuse,
)
from hometown.cli.texts import Text
from hometown.errors import BadInput

Program = Literal["start.py", "hometown"]
"""The command line that the user has typed, and that hints are written for."""

Converter: TypeAlias = "Callable[[str], Any] | click.ParamType[Any]"
"""Makes a value of a word, or raises BadInput."""

Completer = Callable[[click.Context, click.Parameter, str], Any]


@dataclass(frozen=True)
class Option:
    """An option, typed as the parameter is called, with dashes; a `bool` is a flag.

    Attributes:
        metavar: The value as help shows it.
        convert: Makes the value of the word that is typed.
        typed: The option as it is typed, where the parameter is called otherwise.
        is_repeated: Whether it can be given several times; its values are a tuple.
        alone: The word that it means without a value, where it can go without one.
        help: Its help, unless each command that takes it has one of its own.
    """

    metavar: str = ""
    convert: Converter | None = None
    typed: str = ""
    is_repeated: bool = False
    alone: str | None = None
    help: str = ""


@dataclass(frozen=True)
class Argument:
    """A positional argument, required where its parameter has no default.

    Attributes:
        metavar: The value as help shows it.
        convert: Makes the value of the word that is typed.
        complete: Completes a word in the shell.
        is_repeated: Whether all further words belong to it; its values are a tuple.
    """

    metavar: str
    convert: Converter | None = None
    complete: Completer | None = None
    is_repeated: bool = False


@dataclass(frozen=True)
class OrderedOptions:
    """Options that can be repeated, and keep their order: pairs of an option's name and its value.

    Attributes:
        metavars: The options by name, with their values as help shows them.
        helps: Their help by name.
    """

    metavars: Mapping[Any, str]
    helps: Mapping[Any, str]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command's function, or a field of a dataclass of options.

    Attributes:
        group: The dataclass where it is one, else None.
        default: The value where nothing is typed; `Signed.empty` if something must be.
    """

    name: str
    annotation: Any
    declared: Option | Argument | OrderedOptions | None
    group: type | None
    default: Any

    @property
    def flags(self) -> tuple[str, ...]:
        """Return the options that it declares, as they are typed; () for an argument."""
        match self.declared:
            case Option(typed=typed):
                return (typed or f"--{self.name.replace('_', '-')}",)
            case OrderedOptions(metavars=metavars):
                return tuple(f"--{name}" for name in metavars)
        return ()

    @property
    def is_required(self) -> bool:
        """Return True if the user must give a value."""
        return self.default is Signed.empty


@dataclass(frozen=True)
class Declaration:
    """A command as its function declares it.

    Attributes:
        words: The command as it is typed after `hometown`, such as "world check".
        run: The function, which does the work and returns the exit code.
        aliases: Older names, which keep working.
        about: Its help; the first line is its summary.
        example: Examples as they are typed.
        helps: The help of parameters, where it differs from that of their options.
        metavars: Arguments that are shown otherwise here.
        fixed: Values of parameters that are not typed.
    """

    words: str
    run: Callable[..., int]
    about: str = ""
    example: str = ""
    aliases: tuple[str, ...] = ()
    helps: Mapping[str, str] = field(default_factory=dict)
    metavars: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Return the parameters that are typed, those of groups in their place."""
        return [each for each in _expand(parameters_of(self.run)) if each.name not in self.fixed]

    @property
    def arguments(self) -> list[Parameter]:
        """Return the positional arguments in order."""
        return [each for each in self.parameters if isinstance(each.declared, Argument)]

    @cached_property
    def flags(self) -> frozenset[str]:
        """Return its options as they are typed; each command has `--lang`."""
        return frozenset({"--lang"}.union(*(each.flags for each in self.parameters)))

    def options(self, text: Text) -> list[LocalizedOption]:
        """Return the options, with their help in a language; each command has `--lang`."""
        options = [option for each in self.parameters for option in self._options(each, text)]
        if not any("--lang" in option.opts for option in options):
            options.append(language_option(text))
        return options

    def _options(self, parameter: Parameter, text: Text) -> list[LocalizedOption]:
        match parameter.declared:
            case Option() as option:
                message = self.helps.get(parameter.name, option.help)
                return [_option(parameter, option, text(message))]
            case OrderedOptions(metavars, helps):
                return [
                    LocalizedOption(
                        [flag],
                        metavar=f'"{metavar}"',
                        multiple=True,
                        help=text(helps[name]),
                    )
                    for flag, (name, metavar) in zip(parameter.flags, metavars.items(), strict=True)
                ]
        return []

    def command(self, name: str, text: Text, program: Program, *, hidden: bool = False) -> Command:
        """Return the command for click, under a name."""
        params: list[click.Parameter] = [
            _argument(each, self.metavars.get(each.name, "")) for each in self.arguments
        ]
        return Command(
            name,
            text,
            [*params, *self.options(text)],
            partial(self.bind, text=text, program=program),
            about=text(self.about),
            epilog=describe_examples(self.example, text) if self.example else None,
        )

    def bind(self, ctx: click.Context, text: Text, program: Program) -> partial[int]:
        """Return the call of the function with the values that were typed.

        Raises:
            BadInput: Options contradict each other.
        """
        known = {"text": text, "program": program, **self.fixed}
        try:
            return partial(
                self.run,
                **{
                    each.name: known[each.name] if each.name in known else _read(each, ctx)
                    for each in parameters_of(self.run)
                },
            )
        except Misuse as misuse:
            refuse(ctx, misuse.lines[0])


class Misuse(BadInput):
    """Options or arguments that do not go together; the user is referred to the command's help."""


def command(words: str, **more: Any) -> Callable[[Callable[..., int]], Declaration]:
    """Declare a function as the command of these words; `more` are attributes of `Declaration`."""
    return lambda run: Declaration(words, run, **more)


@cache
def parameters_of(declaring: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of a command's function or of a dataclass of options, in order.

    >>> from typing import Annotated
    >>> def digest(run: Annotated[str, Argument("NAME")]) -> int: ...
    >>> [(each.name, each.declared.metavar, each.is_required) for each in parameters_of(digest)]
    [('run', 'NAME', True)]
    """
    return [
        _parameter(name, signed.annotation, signed.default)
        for name, signed in signature(declaring, eval_str=True).parameters.items()
    ]


def describe_examples(example: str, text: Text) -> str:
    """Return examples as they are typed; the mark keeps click from filling the lines."""
    return "\n".join(("\b", text("Example:"), text(example)))


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    """Describe a parameter of a command's function: the option or argument that its hint declares,
    or the dataclass whose fields are options.
    """
    declared = next(
        (
            each
            for each in getattr(hint, "__metadata__", ())
            if isinstance(each, Option | Argument | OrderedOptions)
        ),
        None,
    )
    annotation = get_args(hint)[0] if declared else hint
    group = hint if is_dataclass(hint) and isinstance(hint, type) else None
    return Parameter(name, annotation, declared, group, default)


def _expand(parameters: Sequence[Parameter]) -> list[Parameter]:
    return [
        inner
        for each in parameters
        for inner in (_expand(parameters_of(each.group)) if each.group else [each])
        if inner.declared
    ]


def _read(parameter: Parameter, ctx: click.Context) -> Any:
    """Return the value that the user has typed for a parameter, or its default; a dataclass for a
    group of options.
    """
    if parameter.group:
        return parameter.group(
            **{each.name: _read(each, ctx) for each in parameters_of(parameter.group)}
        )
    if isinstance(parameter.declared, OrderedOptions):
        return _read_pairs(parameter.declared, ctx)
    value = ctx.params[parameter.name]
    return parameter.default if value is None else value


def _read_pairs(options: OrderedOptions, ctx: click.Context) -> tuple[tuple[str, str], ...]:
    values = {name: iter(ctx.params[name]) for name in options.metavars}
    return tuple(
        (param.name, next(values[param.name]))
        for param in ctx.meta["occurrences"]
        if param.name in values
    )


def _option(parameter: Parameter, option: Option, description: str) -> LocalizedOption:
    names = [*parameter.flags, parameter.name]
    if parameter.annotation is bool:
        return LocalizedOption(names, is_flag=True, help=description)
    more: dict[str, Any] = (
        {} if option.alone is None else {"is_flag": False, "flag_value": option.alone}
    )
    return LocalizedOption(
        names,
        metavar=option.metavar,
        type=option.convert,
        multiple=option.is_repeated,
        required=parameter.is_required,
        help=description,
        **more,
    )


def _argument(parameter: Parameter, metavar: str) -> LocalizedArgument:
    argument = parameter.declared
    assert isinstance(argument, Argument)
    shown = metavar or argument.metavar
    return LocalizedArgument(
        [parameter.name],
        metavar=shown if parameter.is_required or argument.is_repeated else f"[{shown}]",
        required=parameter.is_required,
        nargs=-1 if argument.is_repeated else 1,
        type=argument.convert,
        shell_complete=argument.complete,
    )
