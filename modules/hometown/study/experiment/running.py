"""An experiment from its file to its report: simulates missing runs in parallel, interviews,
measures and writes.

Progress is read from the runs and ledgers themselves, so that a killed experiment continues where
it was, whatever the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from hometown.errors import BadInput
from hometown.files import atomic_write
from hometown.language import Lang
from hometown.paths import DATA
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.study.experiment.analysis import Results, analyse, write_results
from hometown.study.experiment.asking import ask_run, count_answers
from hometown.study.experiment.checking import CheckedExperiment, check_experiment
from hometown.study.experiment.experiment_worlds import world_for
from hometown.study.experiment.networks import write_networks
from hometown.study.experiment.origins import keep_prompts
from hometown.study.experiment.people_pages import write_pages
from hometown.study.experiment.recomputing import write_recomputation
from hometown.study.experiment.report import write_report
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.simulating import is_lived, live_run
from hometown.study.experiment.spec import DEFINITION, Experiment
from hometown.study.experiment.tables import write_experiment_tables
from hometown.study.experiment.work_pools import open_pool

EXPERIMENTS = DATA / "experiments"

LOCK = ".experiment.lock"

Notify = Callable[[str, RunPlan, int, int], None]
"""Receives the kind of work done ("lived" or "asked"), its run, and the number of runs with which
that is done, and of all with which it has to be. Where nothing is done for `QUIET_SECONDS`, it
receives "stepped" or "answered" of each run under way, with its steps or answers so far, and all.
"""

QUIET_SECONDS = 60.0


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of an experiment: two commands at once would interfere.

    Raises:
        BadInput: Another process has the lock.
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


def prepare(experiment: Experiment, folder: Path, worlds: Path) -> CheckedExperiment:
    """Check an experiment, and store its world, where it needs a copy, and its definition in
    `folder`.

    Raises:
        BadInput: The folder has another definition, or the experiment is not possible.
    """
    folder.mkdir(parents=True, exist_ok=True)
    checked = check_experiment(experiment, folder, worlds)
    resolved = checked.experiment
    file = folder / DEFINITION
    if not file.exists():
        world_for(resolved.town, folder, worlds)
        with atomic_write(file) as written:
            written.write(resolved.model_dump_json(indent=2, by_alias=True).encode() + b"\n")
    return checked


def run_all(
    experiment: Experiment,
    plans: list[RunPlan],
    folder: Path,
    worlds: Path,
    here: Settings,
    notify: Notify,
) -> bool:
    """Simulate and interview everything that is missing, and return True if anything was. Raises
    the errors of this work, once the work in progress has ended.
    """
    folder, worlds = folder.absolute(), worlds.absolute()  # workers have folders of their own
    with open_pool(experiment, len(plans), here) as pool:
        lived = {plan.name for plan in plans if is_lived(plan, folder)}
        waiting = {plan.name: plan for plan in plans if plan.name not in lived}
        totals = {"lived": len(plans), "asked": sum(bool(plan.condition) for plan in plans)}
        done, has_worked = Counter(lived=len(lived)), False
        under_way: dict[Future[bool], tuple[str, RunPlan]] = {}

        def ask(plan: RunPlan) -> None:
            if plan.condition:
                under_way[pool.submit(ask_run, experiment, plan, folder, here)] = ("asked", plan)

        for plan in [each for each in plans if each.name in lived]:
            ask(plan)
        while waiting or under_way:
            for plan in _ready(waiting.values(), lived):
                del waiting[plan.name]
                keep_prompts(folder)
                living = pool.submit(live_run, experiment, plan, folder, worlds, here)
                under_way[living] = ("lived", plan)
            ended, _ = wait(under_way, QUIET_SECONDS, FIRST_COMPLETED)
            if not ended:
                report_progress(experiment, list(under_way.values()), folder, notify)
            for future in ended:
                what, plan = under_way.pop(future)
                is_new = future.result()
                done[what] += 1
                if is_new:
                    has_worked = True
                    notify(what, plan, done[what], totals[what])
                if what == "lived":
                    lived.add(plan.name)
                    ask(plan)
        return has_worked


def report_progress(
    experiment: Experiment, under_way: Iterable[tuple[str, RunPlan]], folder: Path, notify: Notify
) -> None:
    """Notify how far runs are that are being simulated ("lived") or interviewed ("asked")."""
    for what, plan in under_way:
        if what == "asked":
            notify("answered", plan, *count_answers(experiment, plan, folder))
        elif file_of(folder, plan.name).exists():
            with RunFile.open(folder, plan.name) as run:
                notify("stepped", plan, run.last.step, plan.end)


def _ready(plans: Iterable[RunPlan], lived: set[str]) -> Iterator[RunPlan]:
    """Yield the plans that can start, from a copy, since started ones are removed."""
    yield from [plan for plan in plans if not plan.parent or plan.parent in lived]


def write_all(experiment: Experiment, plans: list[RunPlan], folder: Path, lang: Lang) -> Results:
    """Write the tables, pages for people, networks, results, report and scripts of a completed
    experiment, and return the results.
    """
    write_experiment_tables(experiment, plans, folder)
    write_pages(experiment, plans, folder, lang)
    for plan in plans:
        with RunFile.open(folder, plan.name) as run:
            write_networks(run, folder / "networks", plan.end)
    script = (EXPERIMENTS / "analysis.py").read_text("utf-8").replace('"en"', f'"{lang}"')
    with atomic_write(folder / "analysis.py") as file:
        file.write(script.encode())
    results = analyse(folder)
    write_results(results, folder)
    write_recomputation(results, folder)
    write_report(results, folder, lang)
    return results
