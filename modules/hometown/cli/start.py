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
from hometown.cli.world_commands import check_world, import_world, join_districts, new_world
from hometown.storage.run_names import file_of

MODES = (
    Mode(run_town),
    Mode(resume, "resume"),
    Mode(fork, "fork", "parent", refusal="fork_keeps"),
    Mode(ask, "ask", "questions"),
    Mode(ask, "questionnaire"),
    Mode(compare, "compare", "other"),
    Mode(digest, "digest", "run"),
    Mode(verify, "verify", "run"),
    Mode(check, "check", "run"),
    Mode(repair, "repair", "run"),
    Mode(doctor, "doctor"),
    Mode(list_models, "list-models"),
    Mode(get_model, "get-model", "model"),
    Mode(new_world, "new-world", "world"),
    Mode(check_world, "check-world", "world"),
    Mode(import_world, "import-world", "source"),
    Mode(join_districts, "districts", "world"),
)
"""The commands of `start.py`; without an option that selects one, a run is created."""

INTERVENING = Mode(Declaration("intervene", send_interventions, about="start"))
"""The command where options only intervene in a run that exists."""

INTERVENTION_FLAGS = {f"--{kind}" for kind in INTERVENTIONS}
FOLDER_FLAGS = {f"--{field.name}" for field in fields(Folders)}


def _intervening(typed: Mapping[str, Any]) -> Mode | None:
    """Return the command that intervenes in a run, if the options do no more and the run exists."""
    rest = typed.keys() - INTERVENTION_FLAGS - FOLDER_FLAGS - {"--name", "--at", "--lang"}
    if rest or typed.keys().isdisjoint(INTERVENTION_FLAGS) or "--name" not in typed:
        return None
    results = Path(typed.get("--results", Folders().results))
    return INTERVENING if file_of(results, typed["--name"]).exists() else None


OFFERED = {mode.declaration.words for mode in MODES}

START = FlatCommandLine(
    "start.py",
    MODES,
    "about_start",
    "start_name",
    [each for each in COMMANDS if each.words not in OFFERED],
    _intervening,
)
main, command = START.main, START.command
