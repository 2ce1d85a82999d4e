"""`start.py`: one flat command line for runs, worlds and checks, as in GenerativeAgentsCN.
`hometown` has the same as subcommands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from hometown.cli import actions
from hometown.cli.command import Command, refuse, run
from hometown.cli.commands import ALL, Action
from hometown.cli.options import DEFINITIONS, INTERVENTIONS, Program, option, options_of
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.storage.run_names import file_of

PROGRAM: Program = "start.py"

ELSEWHERE = (
    "collect",
    "inspect",
    "tables",
    "html",
    "port",
    "host",
    "public",
    "behind-proxy",
    "trial",
    "say",
    "force",
    "yes",
)
"""Options of subcommands that `start.py` lacks: known here so that it can be said where they
belong.
"""

ALWAYS = ("langs", "worlds", "results")
"""Options that may stand in every command line; `--lang` takes several languages here, for a new
world.
"""

TARGETS: dict[str, Action] = {
    "compare": actions.compare,
    "digest": actions.digest,
    "new_world": actions.new_world,
    "check_world": actions.check_world,
    "import_world": actions.import_world,
    "districts": actions.join_districts,
    "list_models": actions.list_models,
    "get_model": actions.get_model,
    "verify": actions.verify,
    "check": actions.check,
    "repair": actions.repair,
}
"""Options that name what to act on, and the action."""

MODES: dict[str, Action] = TARGETS | {
    "ask": actions.ask,
    "questionnaire": actions.ask,
    "doctor": actions.doctor,
}
"""Options that decide what is done; without any, a run is lived or intervened in."""

WORLDS = ("new_world", "check_world", "import_world", "districts")

OF_THE_PARENT = ("resume", "world", "langs", "start", "stride", "residents", "clone")
"""What a fork takes from its parent, so that it can't be given."""

OF_A_SESSION = (
    "resume", "fork", "step", "until", "max_calls", "max_hours", "pace", "world", "start", "stride", "residents", "clone", "seed", "llm", "embedding", "config",
    "shards",
)  # fmt: skip
"""Options that mean that a run is to be lived now, and not only to be intervened in."""


def main(argv: list[str]) -> int:
    """Does what the command line says and returns the exit code."""
    lang = user_language(argv)
    return run(command(Text(lang)), argv, PROGRAM, lang)


def command(text: Text) -> Command:
    """The command line of `start.py`."""
    params = [
        option(name, text, hidden=name in ELSEWHERE) for name in DEFINITIONS if name != "lang"
    ]
    return Command(PROGRAM, text, params, partial(_task, text), about=text("about_start"))


def _task(text: Text, ctx: click.Context) -> Callable[[], int]:
    """What is to be done once everything is parsed. Raises BadInput for options that don't go
    together.
    """
    given = {
        name: value
        for name, value in ctx.params.items()
        if value is not None and value is not False and value != ()
    }
    modes = [name for name in MODES if name in given]
    if len(modes) > 1:
        refuse(ctx, text("one_mode", options=", ".join(map(_flag, modes))))
    action = MODES[modes[0]] if modes else actions.intervene if _intervenes(given) else actions.live
    _refuse_unused(ctx, action, text)
    _refuse_contradictions(ctx, given, action, text)
    target = {"target": str(given[modes[0]])} if modes and modes[0] in TARGETS else {}
    return partial(action, options_of(ctx, text, PROGRAM, **target), text)


def _intervenes(given: dict[str, Any]) -> bool:
    """Return whether the options intervene in a run that exists, and do no more."""
    intervenes = not given.keys().isdisjoint(INTERVENTIONS) and given.keys().isdisjoint(
        OF_A_SESSION
    )
    return intervenes and file_of(given["results"], given.get("name", "")).exists()


def _refuse_unused(ctx: click.Context, action: Action, text: Text) -> None:
    """Raise BadInput for an option that the action would ignore, with the commands that it belongs
    to.
    """
    used = _used(action)
    for name in ctx.params:
        if name not in used and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            refuse(ctx, text("unused_option", option=_flag(name), commands=_takers(name)))


def _used(action: Action) -> set[str]:
    """Return the names of the options that an action heeds."""
    subcommands = [subcommand for subcommand in ALL.values() if subcommand.action is action]
    names = {
        name.replace("-", "_")
        for each in subcommands
        for name in (*each.options, *each.fixed, each.argument[0])
    }
    modes = {name for name, does in MODES.items() if does is action}
    return names | modes | {*ALWAYS} | ({*INTERVENTIONS} if action is actions.intervene else set())


def _takers(name: str) -> list[str]:
    """Return the commands that take an option, as they are typed: of `start.py` where it has them,
    else of `hometown`.
    """
    ours: dict[Action, str] = {
        actions.live: f"{PROGRAM} --name",
        actions.intervene: f"{PROGRAM} --name",
    }
    ours |= {
        does: f"{PROGRAM} {_flag(mode)}" for mode, does in MODES.items() if mode != "questionnaire"
    }
    takers = [
        ours.get(each.action, f"hometown {command}")
        for command, each in ALL.items()
        if name in _used(each.action)
    ]
    return list(dict.fromkeys(takers))


def _refuse_contradictions(
    ctx: click.Context, given: dict[str, Any], action: Action, text: Text
) -> None:
    if "name" not in given:
        if action in (actions.import_world, actions.join_districts):
            refuse(ctx, text("no_world_name"))
        if action in (actions.compare, actions.ask, actions.live):
            refuse(ctx, text("no_name"))
    if len(given.get("langs", ())) > 1 and given.keys().isdisjoint(WORLDS):
        refuse(ctx, text("one_lang"))
    if "fork" in given and (kept := [name for name in OF_THE_PARENT if name in given]):
        refuse(ctx, text("fork_keeps", options=", ".join(map(_flag, kept))))


def _flag(name: str) -> str:
    """Return an option as it is typed.

    >>> _flag("max_calls"), _flag("langs")
    ('--max-calls', '--lang')
    """
    return "--lang" if name == "langs" else f"--{name.replace('_', '-')}"
