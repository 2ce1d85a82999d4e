"""The commands that question residents and run experiments. Their work is imported when they are
called.
"""

from pathlib import Path
from typing import Annotated

from hometown.cli.declare import Argument, Option, command
from hometown.cli.options import (
    PATH,
    ExistingRun,
    Folders,
    Json,
    ModelOptions,
    Name,
    QuestionOptions,
    RayAddress,
    Shards,
)
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings


@command(
    "ask",
    helps={"at": "at_past", "llm": "llm_own", "residents": "residents_asked"},
    metavars={"questions": '"WHO: QUESTION" …'},
)
def ask(
    run: ExistingRun,
    asked: QuestionOptions,
    *,
    models: ModelOptions,
    json: Json = False,
    folders: Folders,
    text: Text,
) -> int:
    """Ask residents, after any step of a run, and print their answers."""
    layers = read_settings(models.config, models.llm)
    from hometown.cli.ask import ask_residents

    return ask_residents(run, asked, models.llm or "", folders, layers, text, as_json=json)


@command("experiment", helps={"llm": "llm_experiment", "name": "name_experiment"})
def experiment(
    file: Annotated[Path, Argument("FILE", PATH)],
    *,
    name: Name = None,
    collect: Annotated[tuple[Path, ...], Option("FILE", PATH, is_repeated=True)] = (),
    inspect: Annotated[bool, Option()] = False,
    models: ModelOptions,
    shards: Shards = None,
    ray: RayAddress = None,
    folders: Folders,
    text: Text,
) -> int:
    """Run the experiment that a file describes."""
    layers = read_settings(models.config, models.llm, shards=shards, ray=ray)
    from hometown.cli.experiment import run_experiment
    from hometown.study.experiment.spec import read_experiment

    return run_experiment(
        read_experiment(file, name=name or "", llm=models.llm or ""),
        folders,
        layers,
        text,
        collected=collect,
        with_logs=inspect,
    )
