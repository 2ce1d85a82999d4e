"""The public interface to an experiment that a file describes (docs/science.md).

study = hometown.Study.read("data/experiments/smoke.yaml")
print(study.plan())
print(study.run().file)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hometown.config import combine
from hometown.deposit_interface import Depositable
from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.permission import permit
from hometown.optional_parts import explain_missing_packages, explain_missing_parts
from hometown.paths import RESULTS, USER_WORLDS, pip_command
from hometown.system import is_installed
from hometown.worker import for_asyncio

if TYPE_CHECKING:
    import pyarrow

    from hometown.forking import Config
    from hometown.study.deposit.subject import DepositSubject
    from hometown.study.experiment.checking import CheckedExperiment
    from hometown.study.experiment.run_plans import RunPlan
    from hometown.study.experiment.spec import Experiment

EXPERIMENTS = "experiments"
"""The folder of experiments, below the results."""

Progress = Callable[[str, str, int, int], None]
"""Called after each part of the work with "lived" or "asked", the name of the run, and the number
of runs for which that is done, and of all; in a minute without any, with "stepped" or "answered",
a run, and its steps or answers so far, and all.
"""


@frozen
class StudyReport:
    """A finished experiment.

    Attributes:
        file: its report, an HTML page.
        is_new: True if a run or an interview had been missing before.
        has_model: True if a language model took part; without one, figures check the machinery.
    """

    file: Path
    is_new: bool
    has_model: bool


class Study(Depositable):
    """An experiment: its plan, its runs, its report and its tables."""

    def __init__(self, experiment: Experiment, results: Path, worlds: Path) -> None:
        self._experiment = experiment
        self._results, self._worlds = results, worlds
        self.folder = results / EXPERIMENTS / experiment.name
        """The folder of its runs, tables and report."""

    @classmethod
    def read(
        cls,
        file: str | Path,
        *,
        name: str = "",
        llm: str = "",
        results: Path = RESULTS,
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Read an experiment from a file, as another one called `name`, or on another model, if
        these are given. Raises BadInput with a line for each fault of the file.
        """
        with explain_missing_parts():
            from hometown.study.experiment.spec_file import read_experiment
        permit([llm])
        return cls(read_experiment(Path(file), worlds, name=name, llm=llm), results, worlds)

    @classmethod
    def open(cls, name: str, *, results: Path = RESULTS, worlds: Path = USER_WORLDS) -> Self:
        """Open an experiment that has begun, by its name. Raises BadInput if there is none."""
        with explain_missing_parts():
            from hometown.study.experiment.spec import DEFINITION, Experiment
        file = results / EXPERIMENTS / name / DEFINITION
        if not file.is_file():
            raise BadInput(
                "there is no experiment {name!r} in {folder}: begin it from its file, by "
                "Study.read or hometown experiment",
                name=name,
                folder=results / EXPERIMENTS,
            )
        return cls(Experiment.model_validate_json(file.read_bytes()), results, worlds)

    @property
    def name(self) -> str:
        return self._experiment.name

    @property
    def question(self) -> str:
        """The question that the experiment is to answer."""
        return self._experiment.question

    @property
    def models(self) -> list[str]:
        """The language models of its towns and its judge, as `--llm` names them."""
        return [model for model in self._experiment.models if model]

    @property
    def embedding(self) -> str:
        """The embedding of its towns, as `--embedding` names it."""
        return self._experiment.embedding

    @property
    def preregistration(self) -> Path:
        """The file that `plan` writes."""
        return self.folder / "preregistration.md"

    def plan(self, lang: Lang = "en") -> str:
        """Check the experiment, write its preregistration into `folder`, and return its plan as
        Markdown: n, calls, hours, the least p and the power. Raises BadInput for each fault.
        """
        _refuse_missing_packages()
        from hometown.study.experiment.report_blocks import format_markdown
        from hometown.study.experiment.run_plan import (
            describe_plan,
            plan_study,
            write_preregistration,
        )

        plan = plan_study(self._experiment, self.folder, self._worlds)
        write_preregistration(plan, self.preregistration, lang)
        return format_markdown(describe_plan(plan, lang))

    def collect(self, file: str | Path) -> int:
        """Add the answers of a participant, a file saved on rank.html or write.html, and return the
        number of blocks in it. Raises BadInput if it is no such file of this experiment, and as
        `run` does.
        """
        from hometown.study.experiment.people_pages import collect

        with self._prepare() as checked:
            return collect(Path(file), checked.experiment, checked.runs, self.folder)

    def add_reference(self, file: str | Path) -> int:
        """Add answers of the people whom residents stand for, a CSV table that replaces an earlier
        one, and return their number. The report compares residents with them. Raises BadInput with
        a line for each fault of the table, and as `run` does.
        """
        from hometown.study.experiment.reference_answers import add_reference

        with self._prepare() as checked:
            return add_reference(Path(file), checked.experiment, self.folder, self._worlds)

    def run(
        self,
        *,
        settings: Config | None = None,
        lang: Lang = "en",
        progress: Progress | None = None,
    ) -> StudyReport:
        """Simulate and interview whatever is missing, and write tables and report. What was
        interrupted is continued by the same call.

        Raises BadInput for a fault of the experiment, a model that is not permitted, a package that
        is not installed, or if another process carries it out; ModelUnavailable if a model does not
        answer.
        """
        from hometown.forking import permit_layers
        from hometown.study.deposit.subject import REPORT
        from hometown.study.experiment.running import run_all, write_all

        here = combine(permit_layers(settings))

        def notify(what: str, plan: RunPlan, done: int, total: int) -> None:
            if progress is not None:
                progress(what, plan.name, done, total)

        with self._prepare() as checked:
            given, runs = checked.experiment, checked.runs
            is_new = run_all(given, runs, self.folder, self._worlds, here, notify)
            results = write_all(given, runs, self.folder, lang)
        return StudyReport(self.folder / REPORT, is_new, results.has_model)

    run_async = for_asyncio(run)

    def inspect_logs(self) -> Path:
        """Write the answers of an experiment that has run as logs for Inspect's viewer, and return
        their folder. Inspect itself is not needed. Raises BadInput as `run` does.
        """
        from hometown.study.experiment.analysis import analyse
        from hometown.study.experiment.inspect_logs import write_logs

        with self._prepare() as checked:
            return write_logs(analyse(self.folder), checked.runs, self.folder)

    @contextmanager
    def _prepare(self) -> Iterator[CheckedExperiment]:
        """Check the experiment, and hold its lock."""
        _refuse_missing_packages()
        from hometown.study.experiment.running import alone, prepare

        with alone(self.folder):
            yield prepare(self._experiment, self.folder, self._worlds)

    def tables(self) -> list[str]:
        """Return the names of the tables that have been written so far."""
        return sorted(file.stem for file in (self.folder / "tables").glob("*.csv"))

    def table(self, name: str) -> pyarrow.Table:
        """Return a table, such as "measures" (docs/science.md), which pandas, Polars and others
        read by the dataframe interchange. Raises BadInput for another name, or if the packages for
        it are not installed.
        """
        if name not in self.tables():
            raise BadInput(
                "{study} has no table {name}; it has: {names}",
                study=self.name,
                name=name,
                names=", ".join(self.tables()) or "none, before it has run",
            )
        with explain_missing_packages("tables"):
            from pyarrow import csv
        return csv.read_csv(self.folder / "tables" / f"{name}.csv")

    def runs(self) -> list[str]:
        """Return the names of its runs, which `Run.open(name, results=study.folder)` opens."""
        from hometown.storage.run_names import run_names

        return run_names(self.folder)

    def _find_subject(self) -> DepositSubject:
        from hometown.study.deposit.subject import find_study

        return find_study(self.folder)


def _refuse_missing_packages() -> None:
    """Raise BadInput if a package for statistics is not installed."""
    for package in ("scipy", "choix"):
        if not is_installed(package):
            raise BadInput(
                "experiments need {package}, which is not installed: {command}",
                package=package,
                command=pip_command("study"),
            )
