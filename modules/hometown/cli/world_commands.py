"""The commands that make and check worlds. Their work is imported when they are called."""

from pathlib import Path
from typing import Annotated

from hometown.cli import values
from hometown.cli.declare import Argument, Option, Program, command
from hometown.cli.options import (
    NEW_WORLD_NAME,
    PATH,
    ExistingWorld,
    Folders,
    ModelOptions,
    OutputFile,
    Trial,
)
from hometown.cli.texts import Text
from hometown.language import Lang
from hometown.text import N_

Languages = Annotated[
    tuple[Lang, ...],
    Option(
        "LANG",
        values.languages,
        typed="--lang",
        help=N_("languages of the world, as en,zh (that of the system)"),
    ),
]
NewWorldName = Annotated[str, Option("NAME")]


@command(
    "world new",
    about=N_("Create a small world to edit, in the languages of --lang."),
    example=N_("  hometown world new mytown --lang en,zh"),
)
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


@command(
    "world import",
    about=N_(
        "Create a world from a town of GenerativeAgentsCN, Smallville or AI Town, or "
        "from a Tiled map.\n\n"
        "PATH is a maze.json, a Tiled map (.tmj, .tmx), or a folder with one of these, "
        "maze_meta_info.json or characters.ts at any level."
    ),
    example=N_("  hometown world import generative_agents_cn/maze.json --name valley"),
    helps={"name": NEW_WORLD_NAME},
)
def import_world(
    source: Annotated[Path, Argument("PATH", PATH)],
    *,
    name: NewWorldName,
    town: Annotated[
        str,
        Option(
            "TOWN",
            typed="--from",
            help=N_("the town or saved game to take, where PATH has several"),
        ),
    ] = "",
    langs: Languages = (),
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a world from files of another system."""
    from hometown.cli.world_making import create_imported_world

    return create_imported_world(source, name, langs, town, folders, program, text)


@command(
    "world draw",
    about=N_(
        "Draw a town from a plan in plain text.\n\n"
        "FILE has a plan in characters, the meanings of its letters, and the people with "
        "their homes and days (docs/worlds.md)."
    ),
    example=N_("  hometown world draw willow_lane.txt"),
    helps={"name": N_("name of the new world (that of the file)")},
)
def draw_world(
    file: Annotated[Path, Argument("FILE", PATH)],
    *,
    name: NewWorldName = "",
    langs: Languages = (),
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Draw a town from a plan in plain text."""
    from hometown.cli.world_making import create_drawn_world

    return create_drawn_world(file, name, langs, folders, program, text)


@command(
    "world districts",
    about=N_(
        "Create a large world of districts: N copies of WORLD side by side, connected "
        "by gates.\n\n"
        "Each district has residents of its own, who know each other as those of WORLD "
        "do, and a few people across its border."
    ),
    example=N_("  hometown world districts ville --count 40 --name bigville"),
    helps={"name": NEW_WORLD_NAME},
)
def join_districts(
    world: ExistingWorld,
    *,
    count: Annotated[int, Option("N", values.integer(2, 1000), help=N_("number of districts"))],
    name: NewWorldName,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a large world of districts, each a copy of a small one."""
    from hometown.cli.world_making import create_joined_world

    return create_joined_world(world, count, name, folders, program, text)


@command(
    "world people",
    about=N_(
        "Create a world whose residents are rows of a table, or the people of interviews.\n\n"
        "TABLE is a CSV file with the columns age and occupation; name, gender, traits, about, "
        "concern and interests are optional, and any others are part of the biography "
        "(docs/worlds.md). Rows with contradictions are named and left out. TABLE may also be a "
        "folder with a transcript of an interview for each person, as text or Markdown."
    ),
    example=N_(
        "  hometown world people survey.csv --name sample --count 20 --quota gender=woman:10,man:10"
    ),
    helps={
        "name": NEW_WORLD_NAME,
        "llm": N_("language model that reads transcripts: BACKEND:MODEL (rules for plain words)"),
    },
)
def make_people(
    table: Annotated[Path, Argument("TABLE", PATH)],
    *,
    name: NewWorldName,
    base: Annotated[
        str,
        Option("WORLD", typed="--map", help=N_("world in whose houses they live (ville)")),
    ] = "ville",
    count: Annotated[
        int | None,
        Option("N", values.integer(1), help=N_("number of residents (all plausible rows)")),
    ] = None,
    quota: Annotated[
        tuple[str, ...],
        Option(
            "QUOTA",
            help=N_("exact numbers by the values of a column, as COLUMN=VALUE:N,VALUE:N"),
            is_repeated=True,
        ),
    ] = (),
    seed: Annotated[int, Option("N", values.integer(0), help=N_("seed of the draw (1)"))] = 1,
    models: ModelOptions,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a world whose residents are rows of a table, or the people of interviews."""
    from hometown.cli.population_making import create_population

    return create_population(table, name, base, count, quota, seed, models, folders, program, text)


@command(
    "world check",
    about=N_(
        "List all problems of a world and draw an overview of it.\n\nWORLD is an id or a folder."
    ),
    example=N_("  hometown world check mytown --out mytown.png"),
    helps={
        "trial": N_(
            "days for which the world's society is simulated by its rules, without a model (0)"
        )
    },
)
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
