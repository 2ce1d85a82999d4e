"""The commands that question residents and run experiments. Their work is imported when they are
called.
"""

from pathlib import Path
from typing import Annotated

from hometown.cli.declare import Argument, command
from hometown.cli.options import (
    LLM_OF_RUN,
    PAST_MOMENT,
    PATH,
    ExistingRun,
    ExperimentOptions,
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
from hometown.text import N_


@command(
    "ask",
    about=N_(
        "Ask a resident anything, as of any step.\n\n"
        "The first question names the resident; further questions continue the "
        "conversation. Each answer cites the memories that it rests on. The run is "
        "only read, and may be in progress."
    ),
    example=N_(
        '  hometown ask spring "Maria: Did you hear of a party?" "Who told you?" --at '
        "100\n"
        "  hometown ask spring --questionnaire believability --residents Maria,Klaus"
    ),
    helps={
        "at": PAST_MOMENT,
        "llm": LLM_OF_RUN,
        "residents": N_(
            "residents who are asked: their names, parts of names or ids, or their number (all)"
        ),
    },
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


@command(
    "experiment",
    about=N_(
        "Run an experiment: simulate, interview, measure, report.\n\n"
        "FILE describes the experiment (docs/science.md). Its tables, figures and "
        "report are written to a folder below results/experiments. The same command "
        "continues an experiment that was stopped."
    ),
    example=N_("  hometown experiment data/experiments/rumour.yaml"),
    helps={
        "llm": N_("language model: auto, scripted, or BACKEND:MODEL (that in FILE)"),
        "name": N_(
            "name of the experiment, and of its folder below results/experiments (that in FILE)"
        ),
    },
)
def experiment(
    file: Annotated[Path, Argument("FILE", PATH)],
    *,
    name: Name = None,
    asked: ExperimentOptions,
    models: ModelOptions,
    shards: Shards = None,
    ray: RayAddress = None,
    folders: Folders,
    text: Text,
) -> int:
    """Run, or only plan, the experiment that a file describes."""
    layers = read_settings(models.config, models.llm, shards=shards, ray=ray)
    from hometown.study.experiment.spec_file import read_experiment

    given = read_experiment(file, folders.worlds, name=name or "", llm=models.llm or "")
    if asked.plan:
        from hometown.cli.experiment_planning import plan_experiment

        return plan_experiment(given, folders, text)
    from hometown.cli.experiment import run_experiment

    return run_experiment(given, folders, layers, text, asked)
