"""The work of `hometown experiment`: an experiment from its file to its report. One that was
stopped is continued.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hometown.cli.contacts import contacts, print_servers
from hometown.cli.experiment_planning import announce
from hometown.cli.options import ExperimentOptions, Folders
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.model.permission import models_in
from hometown.study.experiment.inspect_logs import write_logs
from hometown.study.experiment.people_pages import collect
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.running import alone, prepare, run_all, write_all
from hometown.study.experiment.spec import Experiment
from hometown.text import N_, ngettext

PROGRESS = {
    "lived": N_("{done} of {total} runs simulated: {run}"),
    "asked": N_("{done} of {total} runs interviewed: {run}"),
}


def run_experiment(
    given: Experiment,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    asked: ExperimentOptions,
) -> int:
    """Run an experiment, print its progress and the address of its report, and return the exit code.

    Args:
        given: The experiment.
        folders: The folders of runs and worlds.
        layers: The user's settings.
        text: The user's language.
        asked: The answers to collect, and if logs for Inspect are written.

    Raises:
        BadInput: The package for statistics is not installed, or a model is not permitted.
    """
    announce(given, text)
    folder = folders.results / "experiments" / given.name
    with alone(folder):
        return _carry_out(given, folder, folders, layers, text, asked)


def _carry_out(
    given: Experiment,
    folder: Path,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    asked: ExperimentOptions,
) -> int:
    checked = prepare(given, folder, folders.worlds)
    given, plans = checked.experiment, checked.runs

    def notify(what: str, plan: RunPlan, done: int, total: int) -> None:
        print(text(PROGRESS[what], run=plan.name, done=done, total=total), flush=True)

    for file in asked.collect:
        count = collect(file, given, plans, folder)
        added = ngettext(
            "{file}: {count} block added", "{file}: {count} blocks added", count, file=file
        )
        print(text(added), flush=True)
    here = combine(layers)
    models = [*given.models, *models_in(here)]
    print_servers(contacts(models, given.embedding, here, has_tasks=True), text)
    if not run_all(given, plans, folder, folders.worlds, here, notify):
        print(
            text(
                ngettext(
                    "nothing was left to do: {count} run has been simulated and interviewed before",
                    "nothing was left to do: all {count} runs have been simulated and interviewed before",
                    len(plans),
                )
            )
        )
    results = write_all(given, plans, folder, text.lang)
    if not results.has_model:
        print(text("No language model took part: the figures check the machinery."))
    print(text("report: {folder}/report.html", folder=folder))
    if asked.inspect:
        print(
            text(
                "logs for Inspect: inspect view --log-dir {folder}",
                folder=write_logs(results, plans, folder),
            )
        )
    return 0
