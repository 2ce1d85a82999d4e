"""An experiment from its file to its report: lives what is missing in parallel, asks, measures and
writes.

What is done is read from the runs and ledgers themselves, so that a killed experiment goes on where
it was, whatever killed it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from hometown.errors import BadInput, HometownError
from hometown.files import atomic_write
from hometown.language import Lang
from hometown.model.permission import models_in, permit, permitted_models
from hometown.paths import DATA
from hometown.settings import Settings
from hometown.storage.run import Run
from hometown.study.experiment.analysis import Results, analyse, write_results
from hometown.study.experiment.asking import ask_run
from hometown.study.experiment.living import interventions_of, is_lived, live_run
from hometown.study.experiment.networks import write_networks
from hometown.study.experiment.people import write_pages
from hometown.study.experiment.plan import RunPlan, plan_runs
from hometown.study.experiment.report import write_report
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.tables import write_tables
from hometown.study.experiment.worlds import world_for

EXPERIMENTS = DATA / "experiments"

LOCK = ".experiment.lock"

Notify = Callable[[str, RunPlan, int, int], None]
"""Is told what is done ("lived" or "asked") of which run, and how many of how many steps of work
are done.
"""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Holds the lock of an experiment: two commands at once would get in each other's way. Raises
    BadInput where another process has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout:
        raise BadInput(
            "the experiment in {folder} is under way in another process: wait until that one has ended, or stop it",
            folder=folder,
        ) from None


def prepare(experiment: Experiment, folder: Path, worlds: Path) -> list[RunPlan]:
    """The runs of an experiment, whose definition is kept in `folder` from now on. Raises BadInput
    where another one is kept there, and for what can't be lived.
    """
    folder.mkdir(parents=True, exist_ok=True)
    definition = experiment.model_dump_json(indent=2, by_alias=True).encode() + b"\n"
    file = folder / DEFINITION
    if file.exists() and file.read_bytes() != definition:
        raise BadInput(
            "{folder} holds an experiment with another definition: give this one another name, or remove that folder",
            folder=folder,
        )
    world = world_for(experiment.town, folder, worlds)
    plans = plan_runs(experiment, world.start)
    for treatment in experiment.conditions.values():
        interventions_of(treatment, world, 1)
    with atomic_write(file) as written:
        written.write(definition)
    return plans


def run_all(
    experiment: Experiment,
    plans: list[RunPlan],
    folder: Path,
    worlds: Path,
    here: Settings,
    notify: Notify,
) -> None:
    """Lives and asks all that is missing. Raises what living and asking raises, once what is under
    way has ended.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers(experiment, len(plans), here),
        context,
        initializer=_settle,
        initargs=(permitted_models(),),
    )
    with pool, _workers_end_at_stop():
        waiting, done = {plan.name: plan for plan in plans}, 0
        lived = {plan.name for plan in plans if is_lived(plan, folder)}
        under_way: dict[Future[None], tuple[str, RunPlan]] = {}
        while waiting or under_way:
            for plan in _ready(waiting.values(), lived):
                del waiting[plan.name]
                under_way[pool.submit(live_run, experiment, plan, folder, worlds, here)] = (
                    "lived",
                    plan,
                )
            ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ended:
                what, plan = under_way.pop(future)
                _finish(future)
                done += 1
                notify(what, plan, done, len(plans) + sum(bool(each.condition) for each in plans))
                if what == "lived":
                    lived.add(plan.name)
                if what == "lived" and plan.condition:
                    under_way[pool.submit(ask_run, experiment, plan, folder, here)] = (
                        "asked",
                        plan,
                    )


@contextmanager
def _workers_end_at_stop() -> Iterator[None]:
    """Ends the workers where a stop ends this process: all that they have done is kept, and a step
    with a model may take minutes.
    """
    try:
        yield
    except KeyboardInterrupt:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise


def workers(experiment: Experiment, runs: int, here: Settings) -> int:
    """Processes at once: one for real models, whose server has the slots, else as many as there are
    cores.
    """
    scripted = {experiment.llm, experiment.judge, *models_in(here)} <= {"scripted", ""}
    return max(1, min(runs, os.cpu_count() or 1)) if scripted else 1


def _finish(future: Future[None]) -> None:
    """Raises what its work has raised."""
    try:
        future.result()
    except BrokenProcessPool:
        raise HometownError(
            "a process of the experiment was ended from outside, maybe for want of memory: the same command goes on with it"
        ) from None


def _settle(models: Collection[str]) -> None:
    """Signals end a worker without a word, since all that it has done is kept, and so does the end
    of the process that started it.

    What a model is waited for is told once, without its log. `models` are permitted there as they
    are here.
    """
    permit(models)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logging.getLogger("hometown").addHandler(logging.NullHandler())


def _end_with_parent() -> None:
    """Ends this process as soon as the one that started it has ended: each step and each answer is
    kept whole.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _ready(plans: Iterable[RunPlan], lived: set[str]) -> Iterator[RunPlan]:
    """A copy, since what is ready is taken out."""
    yield from [plan for plan in plans if not plan.parent or plan.parent in lived]


def write_all(experiment: Experiment, plans: list[RunPlan], folder: Path, lang: Lang) -> Results:
    """Writes tables, networks, results and report of an experiment that has been lived, and gives
    the results.
    """
    write_tables(experiment, plans, folder)
    write_pages(experiment, plans, folder, lang)
    for plan in plans:
        with Run.open(folder, plan.name) as run:
            write_networks(run, folder / "networks", plan.end)
    script = (EXPERIMENTS / "analysis.py").read_text("utf-8").replace('"en"', f'"{lang}"')
    with atomic_write(folder / "analysis.py") as file:
        file.write(script.encode())
    results = analyse(folder)
    write_results(results, folder)
    write_report(results, folder, lang)
    return results
