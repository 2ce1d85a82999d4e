"""`hometown experiment`: an experiment from its file to its report, from wherever it was when it
was stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from hometown.cli.options import Options
from hometown.cli.servers import contacts, print_servers
from hometown.cli.text import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput
from hometown.model.permission import models_in, refuse_unpermitted
from hometown.paths import pip_command
from hometown.study.experiment.inspect_logs import write_logs
from hometown.study.experiment.people import collect
from hometown.study.experiment.plan import RunPlan
from hometown.study.experiment.running import alone, prepare, run_all, write_all
from hometown.study.experiment.spec import Experiment, read_experiment
from hometown.text import Phrase


def experiment(options: Options, layers: Sequence[Layer], text: Text) -> int:
    """Prints what is done as it is done, and where the report lies. `--llm` plays the towns,
    answers and judges in place of the file's models.
    """
    if find_spec("scipy") is None:
        raise BadInput(
            "experiments need {package}, which is not installed: {command}",
            package="scipy",
            command=pip_command("study"),
        )
    given = read_experiment(Path(options.target), name=options.name or "", llm=options.llm or "")
    refuse_unpermitted(
        [given.llm, given.judge, given.embedding], Phrase("experiment {name!r}", name=given.name)
    )
    folder = options.results / "experiments" / given.name
    print(text("experiment_question", name=given.name, question=given.question), flush=True)
    with alone(folder):
        return _carry_out(given, folder, options, layers, text)


def _carry_out(
    given: Experiment, folder: Path, options: Options, layers: Sequence[Layer], text: Text
) -> int:
    plans = prepare(given, folder, options.worlds)

    def notify(what: str, plan: RunPlan, done: int, total: int) -> None:
        print(text(f"experiment_{what}", run=plan.name, done=done, total=total), flush=True)

    for file in options.collect:
        print(
            text("experiment_collected", file=file, count=collect(file, given, plans, folder)),
            flush=True,
        )
    here = combine(layers)
    print_servers(contacts([given.llm, given.judge, *models_in(here)], given.embedding, here), text)
    run_all(given, plans, folder, options.worlds, here, notify)
    results = write_all(given, plans, folder, text.lang)
    if results.scripted:
        print(text("experiment_scripted"))
    print(text("experiment_report", folder=folder))
    if options.inspect:
        print(text("experiment_inspect", folder=write_logs(results, plans, folder)))
    return 0
