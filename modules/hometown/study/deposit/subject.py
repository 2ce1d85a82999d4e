"""The subject of a deposit or of a citation: an experiment with its runs, or one run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.model.routing import public_name
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import check_name, existing_file, run_folder, run_names
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.spec import DEFINITION, Experiment

REPORT = "report.html"
"""The file that an experiment has once it is finished."""


@frozen
class DepositedRun:
    """A run of a subject.

    Attributes:
        model: the name of its language model as it was typed, folders of files included.
        digest: the chained digest of its last step.
        versions: the versions of Hometown, Python and the world that it began with.
    """

    name: str
    world: str
    lang: str
    steps: int
    model: str
    digest: str
    engine: int
    versions: dict[str, str]
    created: datetime


@frozen
class DepositSubject:
    """An experiment or a run.

    Attributes:
        title: the question of an experiment, or the name of a run.
        folder: the folder of the experiment, or that of the run.
        results: the folder in which its runs are found.
        definition: the hash of an experiment's definition; "" for a run.
    """

    name: str
    title: str
    folder: Path
    results: Path
    runs: tuple[DepositedRun, ...]
    definition: str = ""

    @property
    def models(self) -> tuple[str, ...]:
        """The public names of all language models, in alphabetical order."""
        return tuple(sorted({public_name(run.model) for run in self.runs}))

    @property
    def exposed_models(self) -> tuple[str, ...]:
        """The names of models that contain folders of the user's machine."""
        return tuple(
            sorted({run.model for run in self.runs if public_name(run.model) != run.model})
        )

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
    return DepositSubject(folder.name, given.question, folder, folder, runs, hash_definition(given))


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
            run.last.digest,
            has.engine,
            has.versions,
            has.created,
        )
