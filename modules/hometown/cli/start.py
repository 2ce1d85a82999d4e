"""`start.py`: one flat command line for runs, worlds and checks, as in GenerativeAgentsCN.
`hometown` has the same as subcommands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from hometown.cli.commands import COMMANDS
from hometown.cli.declare import Declaration
from hometown.cli.flat import FlatCommandLine, Mode
from hometown.cli.options import INTERVENTIONS, Folders
from hometown.cli.record_commands import check, compare, digest, repair, verify
from hometown.cli.run_commands import fork, resume, send_interventions
from hometown.cli.run_commands import run as run_town
from hometown.cli.study_commands import ask
from hometown.cli.system_commands import doctor, get_model, list_models
from hometown.cli.world_commands import (
    check_world,
    draw_world,
    import_world,
    join_districts,
    new_world,
)
from hometown.storage.run_names import file_of
from hometown.text import N_

MODES = (
    Mode(run_town),
    Mode(resume, "resume", help=N_("continue the run NAME; all other options are read from it")),
    Mode(
        fork,
        "fork",
        "parent",
        refusal=N_("a fork has the town and the time of its parent: leave out {options}"),
        help=N_(
            "branch off after step STEP of the run NAME, into a new run called --name; "
            "--llm, --embedding, --seed and --config may differ"
        ),
    ),
    Mode(
        ask,
        "ask",
        "questions",
        help=N_(
            "ask a resident, as of the moment --at; repeat it for further questions in the "
            "same conversation"
        ),
    ),
    Mode(ask, "questionnaire"),
    Mode(
        compare,
        "compare",
        "other",
        help=N_(
            "compare the run --name with the run OTHER: the first difference with its "
            "cause, and their figures side by side"
        ),
    ),
    Mode(digest, "digest", "run", help=N_("print the digest of every step of the run NAME")),
    Mode(
        verify,
        "verify",
        "run",
        help=N_(
            "verify that the run NAME matches its own records, without a model; exit code "
            "0 if it does, 1 if not"
        ),
    ),
    Mode(
        check,
        "check",
        "run",
        help=N_(
            "show how much of the run NAME is intact, and up to which step; exit code 0 if "
            "all of it is, 1 if not"
        ),
    ),
    Mode(
        repair,
        "repair",
        "run",
        help=N_(
            "create a new run (--name, else NAME-repaired) from the intact part of the run "
            "NAME; the damaged file is only read"
        ),
    ),
    Mode(
        doctor,
        "doctor",
        help=N_("check whether a run would work here, and how long a day would take"),
    ),
    Mode(
        list_models,
        "list-models",
        help=N_("list recommended models, with the memory that they need"),
    ),
    Mode(
        get_model,
        "get-model",
        "model",
        help=N_(
            "fetch a recommended model, through Ollama where that runs, otherwise as a GGUF file"
        ),
    ),
    Mode(
        new_world,
        "new-world",
        "world",
        help=N_("create a small world called WORLD to edit, in the languages of --lang"),
    ),
    Mode(
        check_world,
        "check-world",
        "world",
        help=N_("list all problems of a world (an id or a folder) and draw an overview of it"),
    ),
    Mode(
        import_world,
        "import-world",
        "source",
        help=N_(
            "create the world --name from a town of GenerativeAgentsCN, Smallville or AI "
            "Town, or from a Tiled map"
        ),
    ),
    Mode(
        draw_world,
        "draw-world",
        "file",
        help=N_("draw a town from a plan in plain text (docs/worlds.md)"),
    ),
    Mode(
        join_districts,
        "districts",
        "world",
        help=N_(
            "create the world --name of --count districts, each a copy of WORLD with "
            "residents of its own"
        ),
    ),
)
"""The commands of `start.py`; without an option that selects one, a run is created."""

INTERVENING = Mode(
    Declaration(
        "intervene",
        send_interventions,
        about=N_(
            "Run a town: residents remember, plan, walk, talk and reflect, step by step; "
            "each step is saved.\n\n"
            "Without --step or --until a new run lasts one day. The same is available as "
            "subcommands: python -m hometown --help."
        ),
    )
)
"""The command where options only intervene in a run that exists."""

INTERVENTION_FLAGS = {f"--{kind}" for kind in INTERVENTIONS}
FOLDER_FLAGS = {f"--{field.name}" for field in fields(Folders)}


def _intervening(typed: Mapping[str, Any]) -> Mode | None:
    """Return the command that intervenes in a run, if the options do no more and the run exists;
    else None.
    """
    rest = typed.keys() - INTERVENTION_FLAGS - FOLDER_FLAGS - {"--name", "--at", "--lang"}
    if rest or typed.keys().isdisjoint(INTERVENTION_FLAGS) or "--name" not in typed:
        return None
    results = Path(typed.get("--results", Folders().results))
    return INTERVENING if file_of(results, typed["--name"]).exists() else None


OFFERED = {mode.declaration.words for mode in MODES}

START = FlatCommandLine(
    "start.py",
    MODES,
    N_(
        "Run a town: residents remember, plan, walk, talk and reflect, step by step; "
        "each step is saved.\n\n"
        "Without --step or --until a new run lasts one day. The same is available as "
        "subcommands: python -m hometown --help."
    ),
    N_(
        "name of the run (its database is results/checkpoints/NAME/run.sqlite), or of the new world"
    ),
    [each for each in COMMANDS if each.words not in OFFERED],
    _intervening,
)
main, command = START.main, START.command
