"""The work of `hometown experiment`: an experiment from its file to its report. One that was
stopped is continued.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hometown.cli.contacts import contacts, print_servers
from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput
from hometown.model.permission import models_in, refuse_unpermitted
from hometown.paths import pip_command
from hometown.study.experiment.inspect_logs import write_logs
from hometown.study.experiment.people_pages import collect
from hometown.study.experiment.report_blocks import format_markdown
from hometown.study.experiment.run_plan import (
    describe_plan,
    plan_study,
    write_preregistration,
)
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.running import alone, prepare, run_all, write_all
from hometown.study.experiment.spec import Experiment
from hometown.system import is_installed
from hometown.text import N_, Phrase, ngettext

PROGRESS = {
    "lived": N_("{done} of {total}: run {run} has been simulated"),
    "asked": N_("{done} of {total}: run {run} has been interviewed"),
}


def run_experiment(
    given: Experiment,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    *,
    collected: Sequence[Path],
    with_logs: bool,
    is_plan_only: bool = False,
) -> int:
    """Run an experiment, print its progress and the address of its report, and return the exit code.

    Args:
        given: The experiment.
        folders: The folders of runs and worlds.
        layers: The user's settings.
        text: The user's language.
        collected: Files that participants have sent back.
        with_logs: Whether logs for Inspect's viewer are written as well.
        is_plan_only: True to check and plan the experiment only, and write its preregistration.

    Raises:
        BadInput: The package for statistics is not installed, or a model is not permitted.
    """
    for package in ("scipy", "choix"):
        if not is_installed(package):
            raise BadInput(
                "experiments need {package}, which is not installed: {command}",
                package=package,
                command=pip_command("study"),
            )
    refuse_unpermitted(
        [*given.models, given.embedding], Phrase("experiment {name!r}", name=given.name)
    )
    folder = folders.results / "experiments" / given.name
    print(text("{name}: {question}", name=given.name, question=given.question), flush=True)
    if is_plan_only:
        plan = plan_study(given, folder, folders.worlds)
        print(format_markdown(describe_plan(plan, text.lang)))
        file = write_preregistration(plan, folder, text.lang)
        print(text("preregistration: {file}", file=file))
        return 0
    with alone(folder):
        return _carry_out(given, folder, folders, layers, text, collected, with_logs)


def _carry_out(
    given: Experiment,
    folder: Path,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    collected: Sequence[Path],
    with_logs: bool,
) -> int:
    checked = prepare(given, folder, folders.worlds)
    given, plans = checked.experiment, checked.runs

    def notify(what: str, plan: RunPlan, done: int, total: int) -> None:
        print(text(PROGRESS[what], run=plan.name, done=done, total=total), flush=True)

    for file in collected:
        print(
            text(
                ngettext(
                    "{file}: {count} block added",
                    "{file}: {count} blocks added",
                    collect(file, given, plans, folder),
                    file=file,
                )
            ),
            flush=True,
        )
    here = combine(layers)
    print_servers(contacts([*given.models, *models_in(here)], given.embedding, here), text)
    run_all(given, plans, folder, folders.worlds, here, notify)
    results = write_all(given, plans, folder, text.lang)
    if results.scripted:
        print(text("No language model took part: the figures check the machinery."))
    print(text("report: {folder}/report.html", folder=folder))
    if with_logs:
        print(
            text(
                "logs for Inspect: inspect view --log-dir {folder}",
                folder=write_logs(results, plans, folder),
            )
        )
    return 0
