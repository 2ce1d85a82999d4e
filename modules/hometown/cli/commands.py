"""`hometown`: one command with subcommands. Things that exist are arguments; new ones are named by
`--name`.
"""

from functools import partial
from typing import Annotated

from hometown.cli import values
from hometown.cli.command import Group, language_option, run_command
from hometown.cli.declare import Argument, Program, describe_examples
from hometown.cli.declare import command as declare
from hometown.cli.record_commands import (
    check,
    compare,
    digest,
    export,
    picture,
    recorded,
    repair,
    verify,
    wishes,
)
from hometown.cli.rule_commands import law, learn, move_in
from hometown.cli.run_commands import INTERVENTION_COMMANDS, fork, resume, visit
from hometown.cli.run_commands import run as run_town
from hometown.cli.study_commands import archive, ask, cite, experiment, league
from hometown.cli.system_commands import (
    doctor,
    get_model,
    list_models,
    mcp,
    replay,
    start,
    try_on_bench,
)
from hometown.cli.texts import Text
from hometown.cli.user_language import user_language
from hometown.cli.world_commands import (
    check_world,
    draw_world,
    import_world,
    join_districts,
    make_people,
    new_world,
)
from hometown.text import N_

PROGRAM: Program = "hometown"


@declare(
    "completion",
    about=N_("Print the script that completes commands in your shell."),
    example=N_(
        '  bash: add to ~/.bashrc             eval "$(hometown completion bash)"\n'
        '  zsh:  add to ~/.zshrc              eval "$(hometown completion zsh)"\n'
        "  fish: add to config.fish           hometown completion fish | source"
    ),
)
def completion(
    shell: Annotated[str, Argument("|".join(values.SHELLS), values.shell)], *, text: Text
) -> int:
    """Print the script that completes commands in a shell, and return 0."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None, shell
    print(complete(build_command(text), {}, PROGRAM, "_HOMETOWN_COMPLETE").source())
    return 0


COMMANDS = (
    start,
    run_town,
    resume,
    fork,
    visit,
    *INTERVENTION_COMMANDS,
    law,
    move_in,
    learn,
    wishes,
    ask,
    experiment,
    league,
    archive,
    cite,
    compare,
    recorded,
    replay,
    mcp,
    export,
    picture,
    digest,
    verify,
    check,
    repair,
    doctor,
    list_models,
    get_model,
    try_on_bench,
    new_world,
    import_world,
    draw_world,
    join_districts,
    make_people,
    check_world,
    completion,
)
"""All commands, in the order in which users need them; those of two words belong to a group."""

ABOUT = (
    N_(
        "A town of generative agents that runs on your own machine.\n\n"
        "Completion for your shell: hometown completion --help."
    ),
    N_(
        "  hometown run spring --world minitown --step 144\n"
        '  hometown tell spring "Lin Yue: Sing at the café tonight"\n'
        "  hometown resume spring\n"
        "  hometown replay"
    ),
)
"""The help of `hometown`, and its examples."""

GROUPS = {
    "world": (
        N_("Create, import, enlarge and check worlds."),
        N_("  hometown world new mytown\n  hometown world check mytown"),
    ),
    "model": (
        N_("Find, fetch and try language models."),
        N_(
            "  hometown model list\n  hometown model get qwen3-4b\n"
            "  hometown model try gguf:qwen3-4b"
        ),
    ),
}
"""The help of each group of commands, and its examples."""


def main(argv: list[str]) -> int:
    """Run `hometown` with these arguments and return the exit code."""
    lang = user_language(argv)
    return run_command(build_command(Text(lang)), argv, PROGRAM, lang)


def build_command(text: Text) -> Group:
    """Return the whole command in the user's language."""
    root = _group(PROGRAM, text, *ABOUT)
    groups = {"": root}
    for each in COMMANDS:
        words, _, name = each.words.rpartition(" ")
        if words not in groups:
            groups[words] = _group(words, text, *GROUPS[words])
            root.add(words, partial(groups.__getitem__, words))
        groups[words].add(name, partial(each.command, name, text, PROGRAM), each.aliases)
    return root


def _group(name: str, text: Text, about: str, example: str) -> Group:
    options = [language_option(text)]
    return Group(name, text, options, text(about), epilog=describe_examples(example, text))
