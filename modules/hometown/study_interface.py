"""The public interface to an experiment that a file describes (docs/science.md).

study = hometown.Study.read("data/experiments/smoke.yaml")
print(study.plan())
print(study.run())
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from hometown.config import combine
from hometown.errors import BadInput
from hometown.forking import Config, permit_layers
from hometown.language import Lang
from hometown.model.permission import permit
from hometown.optional_parts import explain_missing_packages, explain_missing_parts
from hometown.paths import RESULTS, USER_WORLDS

if TYPE_CHECKING:
    import pyarrow

    from hometown.study.experiment.spec import Experiment

Progress = Callable[[str, str, int, int], None]
"""Called after each part of the work with "lived" or "asked", the name of the run, and the number
of runs for which that is done, and of all.
"""


class Study:
    """An experiment: its plan, its runs, its report and its tables."""

    def __init__(self, experiment: Experiment, results: Path, worlds: Path) -> None:
        self._experiment = experiment
        self._worlds = worlds
        self.folder = results / "experiments" / experiment.name
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

    @property
    def name(self) -> str:
        return self._experiment.name

    @property
    def question(self) -> str:
        """The question that the experiment is to answer."""
        return self._experiment.question

    def plan(self, lang: Lang = "en") -> str:
        """Check the experiment, write its preregistration into `folder`, and return its plan as
        Markdown: n, calls, hours, the least p and the power. Raises BadInput for each fault.
        """
        from hometown.study.experiment.report_blocks import format_markdown
        from hometown.study.experiment.run_plan import (
            describe_plan,
            plan_study,
            write_preregistration,
        )

        plan = plan_study(self._experiment, self.folder, self._worlds)
        write_preregistration(plan, self.folder, lang)
        return format_markdown(describe_plan(plan, lang))

    def run(
        self,
        *,
        settings: Config | None = None,
        lang: Lang = "en",
        progress: Progress | None = None,
    ) -> Path:
        """Simulate and interview whatever is missing, write tables and report, and return the path
        of the report. What was interrupted is continued by the same call.

        Raises BadInput for a fault of the experiment, a model that is not permitted or a package
        that is not installed, BadRun if another process carries it out, ModelUnavailable if a model
        does not answer.
        """
        from hometown.study.experiment.running import alone, prepare, run_all, write_all

        here = combine(permit_layers(settings))

        def notify(what: str, plan: Any, done: int, total: int) -> None:
            if progress is not None:
                progress(what, plan.name, done, total)

        with alone(self.folder):
            checked = prepare(self._experiment, self.folder, self._worlds)
            run_all(checked.experiment, checked.runs, self.folder, self._worlds, here, notify)
            write_all(checked.experiment, checked.runs, self.folder, lang)
        return self.folder / "report.html"

    async def run_async(
        self,
        *,
        settings: Config | None = None,
        lang: Lang = "en",
        progress: Progress | None = None,
    ) -> Path:
        """Do what `run` does, in a thread of its own."""
        return await asyncio.to_thread(self.run, settings=settings, lang=lang, progress=progress)

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
