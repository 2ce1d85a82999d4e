"""Pools of workers that simulate and interview the runs of an experiment: processes of this
machine, or tasks of a Ray cluster whose machines share the folder of the results.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Protocol

from hometown.errors import HometownError
from hometown.model.permission import models_in, permit, permitted_models
from hometown.settings import Settings
from hometown.study.experiment.spec import Experiment

TASK = {"num_cpus": 1, "max_retries": 3}
"""Options of Ray's tasks: one whose worker died is begun again, and continues its run."""

Work = Callable[..., bool]
"""A function that simulates or interviews a run, and returns True if anything was left to do."""


class WorkPool(Protocol):
    """Workers to which work is submitted; the result of a future raises the errors of the work, and
    HometownError if its worker was ended from outside.
    """

    def submit(self, work: Work, *arguments: Any) -> Future[bool]: ...


@contextmanager
def open_pool(experiment: Experiment, runs: int, here: Settings) -> Iterator[WorkPool]:
    """Open the pool of an experiment: that of the Ray cluster which the settings name, where the
    runs have no shards, or else of processes on this machine.

    Raises:
        BadInput: Ray cannot be reached.
    """
    if here.machine.ray and not here.machine.shards:
        with _open_ray(here.machine.ray) as pool:
            yield pool
        return
    context = multiprocessing.get_context("spawn")
    count = count_workers(experiment, runs, here)
    with (
        ProcessPoolExecutor(
            count, context, initializer=_prepare, initargs=(permitted_models(),)
        ) as executor,
        _workers_end_at_stop(),
    ):
        yield LocalPool(executor)


class LocalPool:
    """Processes of this machine."""

    def __init__(self, executor: ProcessPoolExecutor) -> None:
        self._executor = executor

    def submit(self, work: Work, *arguments: Any) -> Future[bool]:
        return _translate(self._executor.submit(work, *arguments), _find_local_cause)


class RayPool:
    """Tasks of a Ray cluster, given the module `ray`."""

    def __init__(self, ray: Any) -> None:
        self._task = ray.remote(_work).options(**TASK)

    def submit(self, work: Work, *arguments: Any) -> Future[bool]:
        task = self._task.remote(permitted_models(), work, *arguments)
        return _translate(task.future(), _find_remote_cause)


@contextmanager
def _open_ray(address: str) -> Iterator[RayPool]:
    from hometown.shards.ray_connection import connect_ray

    ray = connect_ray(address)
    try:
        yield RayPool(ray)
    finally:
        ray.shutdown()


def _work(models: Collection[str], work: Work, *arguments: Any) -> bool:
    """Do work in a worker of Ray's, in which the same models are permitted."""
    permit(models)
    return work(*arguments)


def _translate(
    given: Future[Any], find_cause: Callable[[BaseException], BaseException]
) -> Future[bool]:
    """Return a future with the result of another, or with the cause of its error."""
    found: Future[bool] = Future()

    def finish(done: Future[Any]) -> None:
        if done.cancelled():
            found.cancel()
        elif error := done.exception():
            found.set_exception(find_cause(error))
        else:
            found.set_result(done.result())

    given.add_done_callback(finish)
    return found


def _find_local_cause(error: BaseException) -> BaseException:
    return _worker_ended() if isinstance(error, BrokenProcessPool) else error


def _find_remote_cause(error: BaseException) -> BaseException:
    from ray.exceptions import RayError, RayTaskError

    if isinstance(error, RayTaskError):
        return error.cause  # type: ignore[no-any-return]
    return _worker_ended() if isinstance(error, RayError) else error


def _worker_ended() -> HometownError:
    return HometownError(
        "a process of the experiment was ended from outside, maybe for want of memory: the same command goes on with it"
    )


@contextmanager
def _workers_end_at_stop() -> Iterator[None]:
    """End the workers when a stop ends this process: all finished work is stored, and a step with a
    model may take minutes.
    """
    try:
        yield
    except KeyboardInterrupt:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise


def count_workers(experiment: Experiment, runs: int, here: Settings) -> int:
    """Return the number of parallel processes: one for real models, as their server works in
    parallel, else up to the number of cores.
    """
    scripted = {*experiment.models, *models_in(here)} <= {"scripted", ""}
    return max(1, min(runs, os.cpu_count() or 1)) if scripted else 1


def _prepare(models: Collection[str]) -> None:
    """Prepare a worker: signals, and the end of the process that started it, for which a thread
    waits, end it silently, since all finished work is stored.

    Messages about waiting for a model appear once, without the worker's log. `models` are permitted
    in the worker as in this process.
    """
    permit(models)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logging.getLogger("hometown").addHandler(logging.NullHandler())


def _end_with_parent() -> None:
    """Wait for the process that started this one to end, then end this one at once: each step and
    each answer is stored whole.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
