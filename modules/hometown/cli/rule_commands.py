"""The commands that change a run's society: its rules, and the residents of the town. Their work is
imported when they are called.
"""

from pathlib import Path
from typing import Annotated

from hometown.cli.declare import Argument, command
from hometown.cli.options import (
    PATH,
    ExistingRun,
    Folders,
    ModelOptions,
    Moment,
    ProposalOptions,
    SettingsFile,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings


@command(
    "law",
    helps={"at": "at_intervention", "llm": "llm_own", "trial": "trial_law"},
)
def law(
    run: ExistingRun,
    patch: Annotated[tuple[str, ...], Argument("PATCH|WORDS", is_repeated=True)],
    *,
    proposal: ProposalOptions,
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Change the rules of a run's society."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.law import ProposalRequest, enter_law

    return enter_law(
        " ".join(patch), ProposalRequest(run, proposal, models.llm or "", folders, layers, text)
    )


@command(
    "move-in",
    aliases=("settle",),
    helps={
        "at": "at_intervention",
        "force": "force_move_in",
        "llm": "llm_own",
        "say": "say_move_in",
        "trial": "trial_move_in",
    },
)
def move_in(
    run: ExistingRun,
    resident: Annotated[tuple[str, ...], Argument("FILE|WORDS", is_repeated=True)],
    *,
    proposal: ProposalOptions,
    models: ModelOptions,
    folders: Folders,
    text: Text,
) -> int:
    """Add a resident to an existing run."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.law import ProposalRequest, add_resident

    return add_resident(
        " ".join(resident), ProposalRequest(run, proposal, models.llm or "", folders, layers, text)
    )


@command("learn", helps={"at": "at_intervention"}, metavars={"files": "FILE …"})
def learn(
    run: ExistingRun,
    resident: Annotated[str, Argument('"WHO"')],
    files: Annotated[tuple[Path, ...], Argument("FILE", PATH, is_repeated=True)],
    *,
    at: Moment = None,
    config: SettingsFile = None,
    folders: Folders,
    text: Text,
) -> int:
    """Let a resident learn files."""
    layers = read_settings(config)
    from hometown.cli.learn import learn_files

    return learn_files(run, resident, files, at, folders, layers, text)
