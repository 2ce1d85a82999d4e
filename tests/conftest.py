"""For all tests."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from hometown.cli import signals
from tests.support import skipped
from tests.support.hang import HANG

collect_ignore = ["offline"]  # replaces the sockets of whoever imports it

# The same examples on every machine and day, however busy it is; `make fuzz` looks for others.
UNTIMED = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", UNTIMED, derandomize=True)
settings.register_profile("random", UNTIMED, print_blob=True)
settings.load_profile("same")


MEMORY, ROOM = Path("/dev/shm"), 6 << 30
"""A folder in memory, where the system has one, and the bytes that it must have free: all tests
leave less than two gigabytes.
"""


signals.GRACE_SECONDS = HANG
"""A command that is stopped in a worker of pytest, however slow, must not end the worker. How long
a command really has is tested in processes of its own.
"""


class Doctests:
    """Look for doctests only in modules, of the project and of its tests, where there are some."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        return [
            found
            for found in (yield)
            if not isinstance(found, DoctestModule) or ">>> " in file_path.read_text("utf-8")
        ]


def pytest_addoption(parser: pytest.Parser) -> None:
    skipped.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Towns are saved in memory, as waiting for a disk to keep every step would take a third of the
    time; power cuts are tested in a simulation.
    """
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    skipped.configure(config)
    config.pluginmanager.register(Doctests())  # a hook of this file would not see the project's


@pytest.fixture(scope="session", autouse=True)
def _own_permissions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the models that tests name, and the ways of asking that they learn, from the user; also
    where a test has these modules imported anew.
    """
    from hometown import paths
    from hometown.model import permission, ways

    with pytest.MonkeyPatch.context() as patch:
        models = tmp_path_factory.mktemp("models")
        patch.setattr(paths, "MODELS", models)
        patch.setattr(permission, "FILE", models / "permitted.txt")
        patch.setattr(ways, "FILE", models / "ways.json")
        yield


@pytest.fixture(scope="session", autouse=True)
def _faults_of_rules() -> Iterator[None]:
    """Raise what a town would live on after: an error in the rules of the scripted model."""
    from hometown.scripted import model

    def fail(error: Exception) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "fail", fail)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One more than there are cores: a test waits for browsers, disks and other processes for a
    quarter of its time.
    """
    return None if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else (os.cpu_count() or 1) + 1


def import_share(root: Path) -> None:
    """Import this worker's share of all test modules first. To compile their assertions takes most
    of the time of collecting, and each worker then finds those of the others compiled.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    for file in sorted((root / "tests").rglob("test_*.py"))[int(worker) :: workers]:
        with suppress(Exception, pytest.skip.Exception):  # told when it is collected
            import_module(".".join(file.relative_to(root).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Import and collect without the garbage collector: nothing of that is garbage."""
    gc.disable()
    try:
        if session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            import_share(session.config.rootpath)
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """All that thousands of tests have imported stays to the end: to look through it for cycles
    again and again took a tenth of their time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
