"""Commands on click with help in English and Chinese and errors of one line, and the exit codes of
errors.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import click

from hometown.cli.output import readable_output
from hometown.cli.signals import INTERRUPTED, stoppable
from hometown.cli.texts import Text
from hometown.cli.values import language
from hometown.errors import BadInput, HometownError, OutputClosed, OutputLost, reason_of
from hometown.language import Lang
from hometown.optional_parts import explain_missing_parts
from hometown.text import N_, Phrase
from hometown.version import __version__

OUT_OF_MEMORY = 3
"""Exit code as for a full disk: all saved steps are kept, and a run can be resumed."""

HEADINGS = {"Options": N_("Options:"), "Commands": N_("Commands:")}
"""Headings of click, and their messages."""


class _Formatter(click.HelpFormatter):
    """click's layout of help, with headings in the user's language."""

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, self._text("Usage: "))

    def write_heading(self, heading: str) -> None:
        self.write(self._text(HEADINGS[heading]) + "\n")


class LocalizedOption(click.Option):
    """An option with a converter that may raise BadInput; the message names the option. It refuses
    a value that is itself an option of the command.
    """

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        values = value if isinstance(value, tuple) else (value,)
        if not set(flags_of(ctx.command)).isdisjoint(
            word for word in values if isinstance(word, str)
        ):
            refuse(ctx, _fault_of("/".join(self.opts), Phrase("expected one argument")))
        try:
            return super().type_cast_value(ctx, value)
        except BadInput as error:
            refuse(ctx, _fault_of("/".join(self.opts), error.lines[0]))


class LocalizedArgument(click.Argument):
    """A positional argument with a converter that may raise BadInput; the message names the argument."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().type_cast_value(ctx, value)
        except BadInput as error:
            refuse(ctx, _fault_of(self.human_readable_name, error.lines[0]))


def language_option(text: Text) -> LocalizedOption:
    """Return `--lang` for a command that only speaks it: `user_language` has read it already."""
    return LocalizedOption(
        ["--lang"],
        metavar="LANG",
        type=language,
        expose_value=False,
        help=text("language of the output: en or zh (that of the system)"),
    )


class _Localized(click.Command):
    """Help in the user's language, with `--help` and `--version`."""

    def __init__(
        self, name: str, text: Text, params: Sequence[click.Parameter], about: str, **more: Any
    ) -> None:
        summary = about.partition("\n")[0].rstrip(".。")
        flags = [
            _flag(["-h", "--help"], text("show this help and exit"), lambda ctx: ctx.get_help()),
            _flag(["--version"], text("show the version and exit"), _version),
        ]
        metavar = text("[OPTIONS]")
        super().__init__(
            name,
            params=[*params, *flags],
            help=about,
            short_help=summary,
            add_help_option=False,
            options_metavar=metavar,
            **more,
        )
        self._text = text

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out where an option lacks its value
            raise

    def get_help(self, ctx: click.Context) -> str:
        formatter = _Formatter(self._text)
        self.format_help(ctx, formatter)
        return formatter.getvalue().rstrip("\n")


class Command(_Localized):
    """A command without subcommands. Its callback returns the call to make, which is made outside
    of click.

    `meta["occurrences"]` of its context are the options that were typed, in order, with
    repetitions.
    """

    def __init__(
        self,
        name: str,
        text: Text,
        params: Sequence[click.Parameter],
        callback: Callable[[click.Context], Callable[[], int]],
        **more: Any,
    ) -> None:
        super().__init__(
            name, text, params, callback=None, context_settings={"allow_extra_args": True}, **more
        )
        self._prepare = callback

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            refuse(ctx, Phrase("unexpected argument {argument!r}", argument=rest[0]))
        *_, ctx.meta["occurrences"] = self.make_parser(ctx).parse_args(args=given)
        return rest

    def invoke(self, ctx: click.Context) -> Callable[[], int]:
        return self._prepare(ctx)


class Group(_Localized, click.Group):
    """A command with subcommands, which are built when they are needed. Called without a subcommand,
    it prints its help.
    """

    def __init__(
        self, name: str, text: Text, params: Sequence[click.Parameter], about: str, **more: Any
    ) -> None:
        super().__init__(
            name,
            text,
            params,
            about,
            subcommand_metavar=text("COMMAND …"),
            invoke_without_command=True,
            callback=_help_alone,
            **more,
        )
        self._builders: dict[str, Callable[[], click.Command]] = {}
        self._aliases: dict[str, str] = {}

    def add(
        self, name: str, build: Callable[[], click.Command], aliases: Iterable[str] = ()
    ) -> None:
        """Add a subcommand with the function that builds it; help does not list its aliases."""
        self._builders[name] = build
        self._aliases |= dict.fromkeys(aliases, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the subcommands in the order in which they were added."""
        return list(self._builders)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a subcommand by its name or an alias, built at first use; None if there is none."""
        name = self._aliases.get(name, name)
        if name not in self.commands and name in self._builders:
            self.commands[name] = self._builders[name]()
        return self.commands.get(name)

    def subcommands(self) -> dict[str, click.Command]:
        """Return all subcommands by name, building those that are not built yet."""
        ctx = click.Context(self)
        found = {name: self.get_command(ctx, name) for name in self._builders}
        return {name: command for name, command in found.items() if command}

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        known = [*self._builders, *self._aliases]
        if not ctx.resilient_parsing and args[0] not in known:
            hint = _hint(args[0], known)
            refuse(ctx, Phrase("unknown command {command!r}{hint}", command=args[0], hint=hint))
        return super().resolve_command(ctx, args)


def run_command(command: click.Command, argv: Sequence[str], program: str, lang: Lang) -> int:
    """Parse the arguments, call the command and return the exit code."""

    def work() -> int:
        try:
            task = command.main(list(argv), prog_name=program, standalone_mode=False)
        except click.UsageError as error:
            refuse(error.ctx or click.Context(command, info_name=program), _translate(error))
        except click.Abort:  # click's word for a KeyboardInterrupt
            raise KeyboardInterrupt from None
        return task() if callable(task) else task or 0

    return run_safely(work, lang)


def refuse(ctx: click.Context, complaint: str) -> NoReturn:
    """Raise BadInput with the complaint and the command that prints help."""
    raise BadInput(
        "{complaint} (see {program} --help)", complaint=Phrase(complaint), program=ctx.command_path
    )


def run_safely(command: Callable[[], int], lang: Lang) -> int:
    """Run a command and return its exit code. Errors go to stderr in a language, one line each."""
    with stoppable(), readable_output():
        try:
            code = _call(command, lang)
            sys.stdout.flush()
            return code
        except OutputLost as error:
            if not isinstance(error, OutputClosed):  # the reader has closed the pipe and knows
                print(error.localize(lang), file=sys.stderr)
            return error.exit_code


def _call(command: Callable[[], int], lang: Lang) -> int:
    """Return the exit code of a command. Raises OutputLost where it can't print."""
    try:
        with explain_missing_parts():
            return command()
    except OutputLost:
        raise
    except HometownError as error:
        print(error.localize(lang), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except sqlite3.DatabaseError as error:  # in a part of the file that nothing had read before
        damage = Phrase(
            "the run's database is damaged ({reason}): hometown check (start.py --check) reports what is intact",
            reason=reason_of(error),
        )
        print(damage.localize(lang), file=sys.stderr)
        return BadInput.exit_code
    except MemoryError:
        print(
            Phrase(
                "there is not enough memory: close other programs, or use fewer residents or a smaller model"
            ).localize(lang),
            file=sys.stderr,
        )
        return OUT_OF_MEMORY


def _translate(error: click.UsageError) -> Phrase:
    """Return a complaint of click in words that exist in both languages."""
    match error:
        case click.NoSuchOption(option_name=name, ctx=ctx):
            return Phrase(
                "unknown option {option!r}{hint}",
                option=name,
                hint=_hint(name, flags_of(ctx.command) if ctx else ()),
            )
        case click.BadOptionUsage(option_name=name, ctx=ctx):
            flags = [
                opt
                for param in (ctx.command.params if ctx else ())
                if isinstance(param, click.Option) and param.is_flag
                for opt in param.opts
            ]
            return _fault_of(
                name, Phrase("takes no value") if name in flags else Phrase("expected one argument")
            )
        case click.MissingParameter(param=click.Option(opts=names, metavar=metavar)):
            return Phrase("missing: {argument}", argument=f"{names[0]} {metavar}")
        case click.MissingParameter(param=click.Argument() as argument):
            return Phrase("missing: {argument}", argument=argument.human_readable_name)
    return Phrase(error.format_message())


def _fault_of(argument: str, fault: Phrase) -> Phrase:
    return Phrase("argument {option}: {fault}", option=argument, fault=fault)


def _hint(word: str, known: Iterable[str]) -> str:
    import difflib

    likely = difflib.get_close_matches(word, list(known), n=1)
    return Phrase(", did you mean {likely}?", likely=likely[0]) if likely else ""


def flags_of(command: click.Command) -> list[str]:
    """Return the options of a command as they are typed."""
    return [
        name for param in command.params if isinstance(param, click.Option) for name in param.opts
    ]


def _flag(
    names: list[str], description: str, shown: Callable[[click.Context], str]
) -> click.Option:
    """Return a flag that prints a text and exits."""

    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            print(shown(ctx))
            ctx.exit()

    return click.Option(
        names, is_flag=True, is_eager=True, expose_value=False, callback=show, help=description
    )


def _version(_: click.Context) -> str:
    return f"hometown {__version__}"


def _help_alone() -> None:
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
