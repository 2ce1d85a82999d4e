"""The hours that each model of a league lives: an experiment with one condition for each model,
whose runs and interviews are continued where a kill has left them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson
from tqdm import tqdm

from hometown.backends import split_spec
from hometown.clock import DAY
from hometown.config import merge_layers
from hometown.defaults import DEFAULT_STRIDE
from hometown.errors import BadInput, collect_faults
from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.history.reader import RunReader
from hometown.model.llama.gguf_files import find_file
from hometown.model.llama.llama_server import stop_all
from hometown.model.llama.process import await_ends
from hometown.model.permission import SERVED
from hometown.model.routing import usual_name
from hometown.own_commands import list_command
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.study.experiment.asking import ask_run
from hometown.study.experiment.checking import check_experiment
from hometown.study.experiment.interview_ledgers import open_ledgers
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.simulating import LEAVING, live_run
from hometown.study.experiment.spec import (
    Experiment,
    Interviews,
    PrimaryFigure,
    TownSpec,
    Treatment,
)
from hometown.study.experiment.work_pools import WorkPool
from hometown.study.league.card import Card, Farmstead, card_name
from hometown.study.league.card_figures import measure_card, measure_farmstead
from hometown.text import Phrase

STAND_IN = "scripted"
"""The model that takes part in every league."""

INTERVIEWED, QUESTIONS = 2, 12
"""Residents who are interviewed at the end, and the questions to each: the first of the questionnaire,
about themselves, their memory and the moment, which rules can check best.
"""

FARMSTEAD, SETTLERS = "farmstead", "4"
"""The world in which residents have to live on their own work, which is also the folder of its runs,
and the number of those who take part.
"""


@frozen
class LeagueTerms:
    """The hours that every model lives.

    Attributes:
        settings: The user's settings of the town.
        farmstead_days: Days on the farmstead without autopilot, 0 for none.
        results: The folder of all runs.
    """

    town: TownSpec
    seed: int
    embedding: str
    settings: Mapping[str, Any]
    farmstead_days: int
    results: Path

    @property
    def folder(self) -> Path:
        """Return the folder of its runs, cards and page: one for all leagues of the same hours."""
        same = [self.town.model_dump(mode="json"), self.seed, self.embedding, self.settings]
        digest = blake2b(orjson.dumps(same, option=orjson.OPT_SORT_KEYS), digest_size=4).hexdigest()
        return self.results / "leagues" / f"{Path(self.town.world).name}-{self.town.lang}-{digest}"


@frozen
class LeagueEntry:
    """A model that takes part: its runs, in the folder of the league and in that of the farmstead."""

    terms: LeagueTerms
    model: str
    parts: tuple[tuple[Experiment, RunPlan, Path], ...]


def list_entrants(models: Sequence[str], here: Settings) -> list[str]:
    """Return the models that take part, the stand-in first, since it takes no time.

    Raises:
        BadInput: With a line for each model that cannot take part, as far as is known before it is
            loaded.
    """
    faults: list[Phrase] = []
    names: dict[str, str] = {}
    every = list(dict.fromkeys([STAND_IN, *models]))
    for model in every:
        with collect_faults(faults):
            _check_model(model, here)
        other = names.setdefault(card_name(model), model)
        if other != model:
            faults.append(
                Phrase(
                    "{model!r} and {other!r} have the same name for files: rename one of them",
                    model=model,
                    other=other,
                )
            )
    if faults:
        raise BadInput(faults)
    return every


def _check_model(model: str, here: Settings) -> None:
    """Raise BadInput for a model that no backend has, or whose file is missing."""
    if model == "auto":
        raise BadInput(
            "a league compares models by their names: name one in place of auto; {command} names some",
            command=list_command(),
        )
    if model != STAND_IN:
        backend, name = split_spec(model)
        if backend == "gguf":
            find_file(name, here)


def enter(terms: LeagueTerms, model: str, worlds: Path) -> LeagueEntry:
    """Return the entry of a model, and check all of it; nothing is written.

    Raises:
        BadInput: The hours are not possible, the model is not permitted, or a run of its name was
            lived by another one.
    """
    hours = _experiment(
        terms.town,
        model,
        terms.seed,
        terms.embedding,
        terms.settings,
        [Interviews(questionnaire="believability", residents=INTERVIEWED, questions=QUESTIONS)],
    )
    parts = [(hours, terms.folder)]
    if terms.farmstead_days:
        steps = terms.farmstead_days * DAY // DEFAULT_STRIDE
        town = TownSpec(
            world=FARMSTEAD, lang=terms.town.lang, residents=[SETTLERS], until=str(steps)
        )
        settings = merge_layers(terms.settings, {"faculties": {"autopilot": "none"}})
        farmstead = _experiment(town, model, terms.seed, terms.embedding, settings, [])
        parts.append((farmstead, terms.folder / FARMSTEAD))
    checked = []
    for experiment, folder in parts:
        possible = check_experiment(experiment, folder, worlds)
        (plan,) = possible.runs
        _refuse_other_model(folder, plan.name, model)
        checked.append((possible.experiment, plan, folder.absolute()))
    return LeagueEntry(terms, model, tuple(checked))


def _experiment(
    town: TownSpec,
    model: str,
    seed: int,
    embedding: str,
    settings: Mapping[str, Any],
    interviews: list[Interviews],
) -> Experiment:
    return Experiment(
        name="league",
        question="",
        town=town,
        embedding=embedding,
        settings=dict(settings),
        seeds=[seed],
        named_conditions={card_name(model): Treatment(llm=model)},
        interviews=interviews,
        primary=PrimaryFigure(measure="repetition.loops"),
    )


def _refuse_other_model(folder: Path, name: str, model: str) -> None:
    """Raise BadInput if the run of this name was lived by another model."""
    if not file_of(folder, name).exists():
        return
    with RunFile.open(folder, name) as run:
        lived = run.manifest.llm
    if model != usual_name(lived):
        raise BadInput(
            "{model!r}: its run {name!r} in {folder} was lived by {lived!r}; remove that run, or rename a file",
            model=model,
            name=name,
            folder=folder,
            lived=lived,
        )


def live_entry(entry: LeagueEntry, worlds: Path, here: Settings, pool: WorkPool) -> Card:
    """Return the card of a model, which lives what it has not lived yet.

    Raises the errors of sessions.
    """
    for experiment, plan, folder in entry.parts:
        pool.submit(live_part, experiment, plan, folder, worlds.absolute(), here).result()
    return read_entry(entry)


def live_part(
    experiment: Experiment, plan: RunPlan, folder: Path, worlds: Path, here: Settings
) -> bool:
    """Live a run to its end, interview its residents, and keep the memory that it took; return True
    if anything was left to do.
    """
    bar = partial(tqdm, desc=plan.condition, unit="step", disable=None)
    has_lived = live_run(experiment, plan, folder, worlds, here, bar)
    has_asked = ask_run(experiment, plan, folder, here)
    stop_all()
    await_ends(LEAVING)
    if (has_lived or has_asked) and (peak := measure_peak()):
        with atomic_write(_memory_file(folder, plan)) as file:
            file.write(str(peak).encode())
    return has_lived or has_asked


def read_entry(entry: LeagueEntry) -> Card:
    """Return the card of a model that has lived."""
    (_, plan, folder), *others = entry.parts
    farmstead: Farmstead | None = None
    for _, on_farmstead, where in others:
        with RunReader.open(where, on_farmstead.name) as run:
            farmstead = measure_farmstead(run)
    file = _memory_file(folder, plan)
    is_here = entry.model.partition(":")[0] not in SERVED and file.exists()
    with RunReader.open(folder, plan.name) as run:
        return measure_card(
            run,
            "stand-in" if entry.model == STAND_IN else "model",
            list(open_ledgers(folder, plan.name).answers.entries.values()),
            farmstead,
            int(file.read_text()) if is_here else None,
        )


def measure_peak() -> int:
    """Return the most bytes that this process and one of its servers that have ended held; 0 where
    the system does not say.
    """
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * sum(
        resource.getrusage(whose).ru_maxrss
        for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )


def _memory_file(folder: Path, plan: RunPlan) -> Path:
    return folder / "memory" / plan.name
