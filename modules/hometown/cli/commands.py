"""`hometown`: one command with subcommands. What exists already is an argument, what is new is
named by `--name`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click

from hometown.cli import actions, values
from hometown.cli.command import Argument, Command, Group, refuse, run
from hometown.cli.options import DEFINITIONS, INTERVENTIONS, Options, Program, option, options_of
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.defaults import DEFAULT_WORLD
from hometown.paths import RESULTS, USER_WORLDS

PROGRAM: Program = "hometown"

Action = Callable[[Options, Text], int]

OF_A_SESSION = (
    "llm",
    "embedding",
    "config",
    "step",
    "until",
    "max-calls",
    "max-hours",
    "pace",
    "shards",
    "ray",
    "verbose",
    "log",
    *INTERVENTIONS,
    "at",
)
OF_A_TOWN = ("world", "start", "stride", "residents", "clone")
FOLDERS = ("lang", "worlds", "results")


@dataclass(frozen=True)
class Subcommand:
    """What it does, the options it takes, its argument (Options field and how it is shown), and
    fields that are given with it.

    `helps` are options that mean something narrower here: the entries of the catalogue that say so.
    """

    action: Action
    options: Sequence[str]
    argument: tuple[str, str] = ("", "")
    fixed: dict[str, Any] = field(default_factory=dict)
    helps: dict[str, str] = field(default_factory=dict)


RUN = ("target", "NAME")

FILE = click.Path(path_type=Path)

LIVED = {"at": "help_at_interventions", "llm": "help_llm_lived"}
FURTHER = LIVED | {"step": "help_step_further"}
FORKED = FURTHER | {
    "name": "help_name_forked",
    "llm": "help_llm_own",
    "embedding": "help_embedding_own",
    "seed": "help_seed_own",
}
ENACTED = {"at": "help_at_intervention", "trial": "help_trial_law", "llm": "help_llm_own"}
SETTLED = {
    "at": "help_at_intervention",
    "trial": "help_trial_settle",
    "say": "help_say_settle",
    "force": "help_force_settle",
    "yes": "help_yes_settle",
    "llm": "help_llm_own",
}
ASKED = {"at": "help_at_past", "llm": "help_llm_own", "residents": "help_residents_asked"}
OF_AN_EXPERIMENT = {"name": "help_name_experiment", "llm": "help_llm_experiment"}
OF_A_WORLD = {"name": "help_name_world"}

COMMANDS: dict[str, Subcommand] = {
    "run": Subcommand(
        actions.live,
        (*OF_A_TOWN, "seed", *OF_A_SESSION, *FOLDERS),
        ("name", "[NAME]"),
        helps=LIVED | {"residents": "help_residents_cast"},
    ),
    "resume": Subcommand(
        actions.live,
        (*OF_A_TOWN, "seed", *OF_A_SESSION, *FOLDERS),
        ("name", "NAME"),
        {"resume": True},
        FURTHER,
    ),
    "fork": Subcommand(
        actions.live, ("name", "seed", *OF_A_SESSION, *FOLDERS), ("fork", "NAME@STEP"), helps=FORKED
    ),
    **{
        kind: Subcommand(
            actions.intervene,
            ("at", *FOLDERS),
            ("name", "NAME"),
            helps={"at": "help_at_intervention"},
        )
        for kind in INTERVENTIONS
    },
    "law": Subcommand(
        actions.give_law,
        ("say", "at", "trial", "force", "yes", "llm", "config", *FOLDERS),
        ("name", "NAME"),
        helps=ENACTED,
    ),
    "settle": Subcommand(
        actions.settle,
        ("say", "at", "trial", "force", "yes", "llm", "config", *FOLDERS),
        ("name", "NAME"),
        helps=SETTLED,
    ),
    "learn": Subcommand(
        actions.learn,
        ("at", "config", *FOLDERS),
        ("name", "NAME"),
        helps={"at": "help_at_intervention"},
    ),
    "ask": Subcommand(
        actions.ask,
        ("at", "questionnaire", "condition", "residents", "llm", "config", "json", *FOLDERS),
        ("name", "NAME"),
        helps=ASKED,
    ),
    "experiment": Subcommand(
        actions.experiment,
        ("name", "collect", "inspect", "llm", "config", "shards", "ray", *FOLDERS),
        ("target", "FILE"),
        helps=OF_AN_EXPERIMENT,
    ),
    "compare": Subcommand(actions.compare, ("json", *FOLDERS), ("name", "NAME")),
    "replay": Subcommand(
        actions.replay, ("port", "host", "public", "behind-proxy", "llm", "config", *FOLDERS)
    ),
    "export": Subcommand(actions.export, ("tables", "html", *FOLDERS), ("name", "NAME")),
    "picture": Subcommand(
        actions.picture, ("at", "out", *FOLDERS), ("name", "NAME"), helps={"at": "help_at_past"}
    ),
    "digest": Subcommand(actions.digest, ("lang", "results"), RUN),
    "verify": Subcommand(actions.verify, FOLDERS, RUN),
    "check": Subcommand(actions.check, ("lang", "results"), RUN),
    "repair": Subcommand(
        actions.repair, ("name", "config", *FOLDERS), RUN, helps={"name": "help_name_repaired"}
    ),
    "doctor": Subcommand(
        actions.doctor,
        ("json", "llm", "embedding", "config", "world", "residents", "clone", *FOLDERS),
    ),
}
MODEL_COMMANDS: dict[str, Subcommand] = {
    "list": Subcommand(actions.list_models, ("config", "lang")),
    "get": Subcommand(actions.get_model, ("gguf", "config", "lang"), ("target", "MODEL")),
}
WORLD_COMMANDS: dict[str, Subcommand] = {
    "new": Subcommand(actions.new_world, ("langs", "worlds", "results"), ("target", "WORLD")),
    "import": Subcommand(
        actions.import_world, ("name", *FOLDERS), ("target", "PATH"), helps=OF_A_WORLD
    ),
    "districts": Subcommand(
        actions.join_districts, ("count", "name", *FOLDERS), ("target", "WORLD"), helps=OF_A_WORLD
    ),
    "check": Subcommand(
        actions.check_world,
        ("out", "trial", *FOLDERS),
        ("target", "WORLD"),
        helps={"trial": "help_trial_world"},
    ),
}

ALL = (
    COMMANDS
    | {f"model {name}": subcommand for name, subcommand in MODEL_COMMANDS.items()}
    | {f"world {name}": subcommand for name, subcommand in WORLD_COMMANDS.items()}
)
"""All subcommands, as they are typed."""

PROPOSALS: dict[Action, str] = {actions.give_law: "PATCH|WORDS", actions.settle: "FILE|WORDS"}
"""What is proposed to a town, as it is shown."""

REQUIRED: dict[Action, tuple[str, ...]] = {
    actions.import_world: ("name",),
    actions.join_districts: ("count", "name"),
}
"""Options without which an action makes no sense."""


def main(argv: list[str]) -> int:
    """Runs `hometown` with these arguments and returns the exit code."""
    lang = user_language(argv)
    return run(tree(Text(lang)), argv, PROGRAM, lang)


def tree(text: Text) -> Group:
    """The whole command in the user's language."""
    worlds = [
        _command(name, f"world_{name}", subcommand, text)
        for name, subcommand in WORLD_COMMANDS.items()
    ]
    models = [
        _command(name, f"model_{name}", subcommand, text)
        for name, subcommand in MODEL_COMMANDS.items()
    ]
    commands: list[click.Command] = [
        _command(name, name, subcommand, text) for name, subcommand in COMMANDS.items()
    ]
    group = Group(
        PROGRAM,
        text,
        commands,
        [option("lang", text, expose_value=False)],
        text("about"),
        epilog=_example("hometown", text),
    )
    group.add_command(
        Group("model", text, models, [], text("about_model"), epilog=_example("model", text))
    )
    group.add_command(
        Group("world", text, worlds, [], text("about_world"), epilog=_example("world", text))
    )
    group.add_command(_completion(group, text))
    return group


def _command(name: str, key: str, subcommand: Subcommand, text: Text) -> Command:
    field_name, metavar = subcommand.argument
    params: list[click.Parameter] = []
    if metavar:
        kind = values.past_step if field_name == "fork" else str
        params.append(
            Argument(
                [field_name],
                metavar=metavar,
                required=not metavar.startswith("["),
                type=kind,
                shell_complete=COMPLETIONS.get(metavar, _runs),
            )
        )
    if name in INTERVENTIONS and key == name:
        params.append(
            Argument(["words"], metavar=f'"{INTERVENTIONS[name]}"', nargs=-1, required=True)
        )
    if subcommand.action in PROPOSALS:
        params.append(
            Argument(["law"], metavar=PROPOSALS[subcommand.action], nargs=-1, required=True)
        )
    if subcommand.action is actions.learn:
        params.append(Argument(["resident"], metavar='"WHO"'))
        params.append(Argument(["files"], metavar="FILE …", nargs=-1, required=True, type=FILE))
    if subcommand.action is actions.ask:
        params.append(Argument(["ask"], metavar=DEFINITIONS["ask"]["metavar"] + " …", nargs=-1))
    if subcommand.action is actions.compare:
        params.append(Argument(["target"], metavar="OTHER", shell_complete=_runs))
    required = REQUIRED.get(subcommand.action, ())
    params += [
        option(each, text, subcommand.helps.get(each, ""), required=each in required)
        for each in subcommand.options
    ]
    return Command(
        name,
        text,
        params,
        partial(_task, name, subcommand, text),
        about=text(f"about_{key}"),
        epilog=_example(key, text),
    )


def _task(name: str, subcommand: Subcommand, text: Text, ctx: click.Context) -> Callable[[], int]:
    """What is to be done once everything is parsed."""
    more = dict(subcommand.fixed)
    if law := ctx.params.get("law"):
        more["law"] = " ".join(law)
    if words := ctx.params.get("words"):
        more["interventions"] = ((name, " ".join(words)),)
    if (
        subcommand.action is actions.ask
        and not ctx.params["ask"]
        and not ctx.params["questionnaire"]
    ):
        refuse(ctx, text("ask_what"))
    if subcommand.action is actions.live and not ctx.params["name"]:
        fork = ctx.params.get("fork")
        more["name"] = free_name(
            ctx.params["results"], fork[0] if fork else ctx.params["world"] or DEFAULT_WORLD
        )
    return partial(subcommand.action, options_of(ctx, text, PROGRAM, **more), text)


def free_name(results: Path, base: str) -> str:
    """The first of BASE-1, BASE-2, … that is not taken by a run."""
    base = re.sub(r"[^\w-]+", "", base).lstrip("-_") or "town"
    number = 1
    while (results / "checkpoints" / f"{base}-{number}").exists():
        number += 1
    return f"{base}-{number}"


def _example(key: str, text: Text) -> str:
    """Examples as they are typed; the mark keeps click from filling the lines."""
    return f"\b\n{text('heading_example')}\n{text(f'example_{key}')}"


def _completion(group: Group, text: Text) -> Command:
    """`hometown completion SHELL`."""

    def task(ctx: click.Context) -> Callable[[], int]:
        return partial(_print_completion, group, ctx.params["shell"])

    shell = Argument(["shell"], metavar="|".join(values.SHELLS), type=values.shell)
    return Command(
        "completion",
        text,
        [shell],
        task,
        about=text("about_completion"),
        epilog=_example("completion", text),
    )


def _print_completion(group: Group, shell: str) -> int:
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None, shell
    print(complete(group, {}, PROGRAM, "_HOMETOWN_COMPLETE").source())
    return 0


def _runs(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    from hometown.storage.run_names import run_names

    return [
        name
        for name in run_names(ctx.params.get("results") or RESULTS)
        if name.startswith(incomplete)
    ]


def _models(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    from hometown.model.recommended import recommended

    return [name for name in recommended() if name.startswith(incomplete)]


def _worlds(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    from hometown.world.load import list_worlds

    return [
        name
        for name in list_worlds(ctx.params.get("worlds") or USER_WORLDS)
        if name.startswith(incomplete)
    ]


COMPLETIONS = {"WORLD": _worlds, "MODEL": _models}
"""What completes an argument, by how it is shown; all others are runs."""
