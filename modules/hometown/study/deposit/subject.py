"""The subject of a deposit or of a citation: an experiment with its runs, or one run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.model.routing import public_name
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import check_name, existing_file, run_folder, run_names
from hometown.study.experiment.people_pages import rankings_of_people
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.reference_answers import REFERENCE
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.tables import read_table
from hometown.study.experiment.weights import UNKNOWN

REPORT = "report.html"
"""The file that an experiment has once it is finished."""


@frozen
class DepositedRun:
    """A run of a subject.

    Attributes:
        model: the name of its language model as it was typed, folders of files included.
        embedding: that of its embedding, likewise.
        digest: the chained digest of its last step.
        versions: the versions of Hometown, Python and the world that it began with.
    """

    name: str
    world: str
    lang: str
    steps: int
    model: str
    embedding: str
    digest: str
    engine: int
    versions: dict[str, str]
    created: datetime

    @property
    def version(self) -> str:
        """The version of Hometown that it began with."""
        return self.versions.get("hometown", UNKNOWN)


@frozen
class DepositSubject:
    """An experiment or a run.

    Attributes:
        title: the question of an experiment, or the name of a run.
        folder: the folder of the experiment, or that of the run.
        results: the folder in which its runs are found.
        definition: the hash of an experiment's definition; "" for a run.
        planned_models: the models that this definition names, as they were typed.
    """

    name: str
    title: str
    folder: Path
    results: Path
    runs: tuple[DepositedRun, ...]
    definition: str = ""
    planned_models: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The public names of all language models, in alphabetical order."""
        return tuple(sorted({public_name(run.model) for run in self.runs}))

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of Hometown that its runs began with."""
        return tuple(dict.fromkeys(run.version for run in self.runs))

    @property
    def exposed_models(self) -> tuple[str, ...]:
        """The names of models that contain folders of the user's machine."""
        lived = {name for run in self.runs for name in (run.model, run.embedding)}
        named = lived.union(self.planned_models)
        return tuple(sorted(name for name in named if public_name(name) != name))

    @property
    def files_of_people(self) -> tuple[str, ...]:
        """The paths of an experiment's files with what real people answered or ranked."""
        return tuple(_list_files_of_people(self.folder)) if self.definition else ()

    @property
    def created(self) -> datetime:
        """The time at which the latest run was begun."""
        return max(run.created for run in self.runs)


def find_subject(results: Path, name: str) -> DepositSubject:
    """Return the finished experiment of that name below a results folder, or else the run.

    Raises:
        BadInput: There is neither, the experiment is not finished, or a run is in use.
    """
    folder = results / "experiments" / check_name(name)
    return find_study(folder) if (folder / DEFINITION).is_file() else find_run(results, name)


def find_run(results: Path, name: str) -> DepositSubject:
    """Return the run of that name. Raises BadInput if there is none, or it is being written."""
    existing_file(results, name)
    return DepositSubject(
        name, name, run_folder(results, name), results, (_read_run(results, name),)
    )


def find_study(folder: Path) -> DepositSubject:
    """Return the experiment in a folder. Raises BadInput if it is not finished, or a run is being
    written.
    """
    if not (folder / REPORT).is_file():
        raise BadInput(
            "the experiment {name} has no report yet: repeat hometown experiment with its file, "
            "which continues it to the end",
            name=folder.name,
        )
    given = Experiment.model_validate_json((folder / DEFINITION).read_bytes())
    runs = tuple(_read_run(folder, each) for each in run_names(folder))
    planned = (*given.models, given.embedding)
    return DepositSubject(
        folder.name, given.question, folder, folder, runs, hash_definition(given), planned
    )


def _list_files_of_people(folder: Path) -> Iterator[str]:
    rankings = rankings_of_people(folder).file
    if rankings.exists():
        yield rankings.relative_to(folder).as_posix()
    for name in (REFERENCE, "people", "answers"):
        file = folder / "tables" / f"{name}.csv"
        rows = read_table(folder, name) if file.exists() else []
        if name == "answers":
            rows = [row for row in rows if row["access"] == "human"]
        if rows:
            yield file.relative_to(folder).as_posix()


def _read_run(results: Path, name: str) -> DepositedRun:
    if is_held(run_folder(results, name)):
        raise BadInput("{name} is being written: stop it first, or wait for its end", name=name)
    with RunFile.open(results, name) as run:
        has = run.manifest
        return DepositedRun(
            name,
            has.world,
            has.lang,
            run.last.step,
            has.llm,
            has.embedding,
            run.last.digest,
            has.engine,
            has.versions,
            has.created,
        )
