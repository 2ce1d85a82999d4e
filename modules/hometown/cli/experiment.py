"""The work of `hometown experiment`: an experiment is planned, or carried out and reported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from hometown.cli.options import ExperimentOptions
from hometown.cli.texts import Text
from hometown.config import Layer, combine, merge_layers
from hometown.study_interface import Study
from hometown.text import N_, ngettext

PROGRESS = {
    "lived": N_("{done} of {total} runs simulated: {run}"),
    "asked": N_("{done} of {total} runs interviewed: {run}"),
    "stepped": N_("{run}: simulated steps: {done} of {total}"),
    "answered": N_("{run}: {done} of {total} questions answered"),
}


def run_experiment(
    study: Study, layers: Sequence[Layer], text: Text, asked: ExperimentOptions
) -> int:
    """Plan an experiment, or carry it out and print its progress and the address of its report, and
    return the exit code. Raises BadInput as `Study.run` does.
    """
    print(text("{name}: {question}", name=study.name, question=study.question), flush=True)
    if asked.plan:
        print(study.plan(text.lang))
        print(text("preregistration: {file}", file=study.preregistration))
        return 0
    for file in asked.collect:
        added = ngettext(
            "{file}: {count} block added",
            "{file}: {count} blocks added",
            study.collect(file),
            file=file,
        )
        print(text(added), flush=True)
    if asked.reference:
        added = ngettext(
            "{file}: {count} reference answer",
            "{file}: {count} reference answers",
            study.add_reference(asked.reference),
            file=asked.reference,
        )
        print(text(added), flush=True)
    _carry_out(study, layers, text)
    if asked.inspect:
        print(
            text(
                "logs for Inspect: inspect view --log-dir {folder}",
                folder=study.inspect_logs(),
            )
        )
    return 0


def _carry_out(study: Study, layers: Sequence[Layer], text: Text) -> None:
    """Carry out the missing part of an experiment, and print its progress and its report."""
    from hometown.cli.contacts import contacts, print_servers
    from hometown.model.permission import models_in

    def notify(what: str, run: str, done: int, total: int) -> None:
        print(text(PROGRESS[what], run=run, done=done, total=total), flush=True)

    nothing: Layer = {}
    settings = reduce(merge_layers, layers, nothing)
    here = combine([settings])
    models = [*study.models, *models_in(here)]
    print_servers(contacts(models, study.embedding, here, has_tasks=True), text)
    report = study.run(settings=settings, lang=text.lang, progress=notify)
    if not report.is_new:
        print(
            text(
                ngettext(
                    "nothing was left to do: {count} run has been simulated and interviewed before",
                    "nothing was left to do: all {count} runs have been simulated and interviewed before",
                    len(study.runs()),
                )
            )
        )
    if not report.has_model:
        print(text("No language model took part: the figures check the machinery."))
    print(text("report: {file}", file=report.file))
