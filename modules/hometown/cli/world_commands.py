"""The commands that make and check worlds. Their work is imported when they are called."""

from pathlib import Path
from typing import Annotated

from hometown.cli import values
from hometown.cli.declare import Argument, Option, Program, command
from hometown.cli.options import PATH, ExistingWorld, Folders, OutputFile, Trial
from hometown.cli.texts import Text
from hometown.language import Lang

Languages = Annotated[
    tuple[Lang, ...], Option("LANG", values.languages, typed="--lang", text="lang_of_world")
]
NewWorldName = Annotated[str, Option("NAME")]


@command("world new")
def new_world(
    world: Annotated[str, Argument("WORLD")],
    *,
    langs: Languages = (),
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a small world to edit."""
    from hometown.cli.world_making import create_world

    return create_world(world, langs or (text.lang,), folders, program, text)


@command("world import", helps={"name": "name_world"})
def import_world(
    source: Annotated[Path, Argument("PATH", PATH)],
    *,
    name: NewWorldName,
    langs: Languages = (),
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a world from files of another system."""
    from hometown.cli.world_making import create_imported_world

    return create_imported_world(source, name, langs or (text.lang,), folders, program, text)


@command("world districts", helps={"name": "name_world"})
def join_districts(
    world: ExistingWorld,
    *,
    count: Annotated[int, Option("N", values.integer(2))],
    name: NewWorldName,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a large world of districts, each a copy of a small one."""
    from hometown.cli.world_making import create_joined_world

    return create_joined_world(world, count, name, folders, program, text)


@command("world check", helps={"trial": "trial_world"})
def check_world(
    world: ExistingWorld,
    *,
    out: OutputFile = None,
    trial: Trial = None,
    folders: Folders,
    text: Text,
) -> int:
    """List the problems of a world and draw an overview of it."""
    from hometown.cli.world_making import report_world

    return report_world(world, out, trial or 0, folders, text)
