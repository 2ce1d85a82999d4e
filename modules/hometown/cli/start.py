"""`start.py`: one flat command line for runs, worlds and checks, as in GenerativeAgentsCN. `hometown` has the same as subcommands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from hometown.cli import actions
from hometown.cli.command import Command, refuse, run
from hometown.cli.options import DEFINITIONS, INTERVENTIONS, Options, Program, option, options_of
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.storage.run_names import file_of

PROGRAM: Program = "start.py"

NOT_HERE = ("collect", "inspect", "lang", "tables", "html", "port", "host", "trial")
"""Options of other command lines; `--lang` takes several languages here, for a new world."""

Action = Callable[[Options, Text], int]

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
"""Options that name what to act on, and the action; the first that is given decides."""

WORLDS = ("new_world", "check_world", "import_world", "districts")

OF_THE_PARENT = ("resume", "world", "langs", "start", "stride", "residents", "clone")
"""What a fork takes from its parent, so that it can't be given."""

OF_AN_INTERVIEW = ("llm", "config", "residents")
"""Options that a session and an interview have in common."""

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
    params = [option(name, text) for name in DEFINITIONS if name not in NOT_HERE]
    return Command(PROGRAM, text, params, partial(_task, text), about=text("about_start"))


def _task(text: Text, ctx: click.Context) -> Callable[[], int]:
    """What is to be done once everything is parsed. Raises BadInput for options that don't go together."""
    given = {name: value for name, value in ctx.params.items() if value is not None and value is not False and value != ()}
    _refuse_contradictions(ctx, given, text)
    target = next((name for name in TARGETS if name in given), None)
    if target is not None:
        return partial(TARGETS[target], options_of(ctx, text, PROGRAM, target=str(given[target])), text)
    options = options_of(ctx, text, PROGRAM)
    if options.ask or options.questionnaire:
        return partial(actions.ask, options, text)
    if options.interventions and given.keys().isdisjoint(OF_A_SESSION) and file_of(options.results, options.name or "").exists():
        return partial(actions.intervene, options, text)
    return partial(actions.doctor if "doctor" in given else actions.live, options, text)


def _refuse_contradictions(ctx: click.Context, given: dict[str, Any], text: Text) -> None:
    worlds = [name for name in WORLDS if name in given]
    asked = "ask" in given or "questionnaire" in given
    if "json" in given and "doctor" not in given and "compare" not in given and not asked:
        refuse(ctx, text("only_doctor"))
    if "name" not in given:
        if "import_world" in given or "districts" in given:
            refuse(ctx, text("no_world_name"))
        if "compare" in given or ("doctor" not in given and given.keys().isdisjoint(TARGETS)):
            refuse(ctx, text("no_name"))
    if "condition" in given and not asked:
        refuse(ctx, text("only_ask"))
    if asked and (others := [name for name in (*OF_A_SESSION, *INTERVENTIONS) if name in given and name not in OF_AN_INTERVIEW]):
        refuse(ctx, text("ask_alone", option=f"--{others[0].replace('_', '-')}"))
    if len(worlds) > 1:
        refuse(ctx, text("one_world"))
    if "count" in given and "districts" not in given:
        refuse(ctx, text("only_districts"))
    if "gguf" in given and "get_model" not in given:
        refuse(ctx, text("only_get_model"))
    if "out" in given and "check_world" not in given:
        refuse(ctx, text("only_check"))
    if len(given.get("langs", ())) > 1 and not worlds:
        refuse(ctx, text("one_lang"))
    if "fork" in given and (kept := [name for name in OF_THE_PARENT if name in given]):
        refuse(ctx, text("fork_keeps", options=", ".join("--lang" if name == "langs" else f"--{name}" for name in kept)))
