"""The connection to Ray (https://docs.ray.io), on this machine or on a cluster.

Ray is told to send nothing home and to show no dashboard. Without an address it is started for this
process alone, on this machine, and ended with it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import Any

from hometown.errors import BadInput, first_line
from hometown.paths import pip_command

QUIET_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
LOCAL_ONLY = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Keeps Ray's processes on the loopback address, on any system."""

PROXY, NOWHERE = "http_proxy", "http://127.0.0.1:9"


def connect_ray(address: str) -> Any:
    """Join the cluster at an address, or start Ray on this machine if that is "", after leaving any
    other, and return the module `ray`.

    Raises:
        BadInput: Ray is not installed, or cannot be reached or started.
    """
    if find_spec("ray") is None:
        raise BadInput(
            "--ray needs the package ray, which is not installed: {command}",
            command=pip_command("ray"),
        )
    os.environ.update(_ray_environment(address))
    import ray.util.scheduling_strategies  # reads Ray's settings from the environment

    if ray.is_initialized():
        ray.shutdown()
    own: dict[str, Any] = (
        {}
        if address
        else {
            "include_dashboard": False,
            "runtime_env": {"env_vars": _shard_environment()},
            "num_cpus": 0,  # for each processor, Ray would start a process that nobody uses
        }
    )
    try:
        with _starting_quietly(is_own=not address):
            ray.init(
                address=address or "local",
                logging_level="ERROR",
                log_to_driver=False,
                configure_logging=False,
                **own,
            )
    except Exception as error:  # Ray raises nothing more precise where it doesn't start in time
        raise BadInput(
            "Ray can't be reached or started: {reason}; check that it runs at the address that --ray names, or leave --ray out for this machine alone",
            reason=first_line(error),
        ) from error
    return ray


@contextmanager
def _starting_quietly(*, is_own: bool) -> Iterator[None]:
    """Keep the handler of SIGTERM while Ray starts: Ray's own would end the process at once. A Ray
    of this run's own finds no way to the addresses at which it would ask cloud providers where it
    runs.
    """
    is_main = threading.current_thread() is threading.main_thread()
    handler, proxy = signal.getsignal(signal.SIGTERM), os.environ.get(PROXY)
    if is_own:
        os.environ[PROXY] = NOWHERE
    try:
        yield
    finally:
        if is_main and handler is not None:
            signal.signal(signal.SIGTERM, handler)
        os.environ.pop(PROXY, None)
        if proxy is not None:
            os.environ[PROXY] = proxy


def _shard_environment() -> dict[str, str]:
    """Return the environment of shards on this machine: one thread for each library of arithmetic,
    this process's proxy and its paths of modules.
    """
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = dict.fromkeys([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    proxy = os.environ.get(PROXY, "")
    return {**QUIET_SETTINGS, **threads, PROXY: proxy, "PYTHONPATH": os.pathsep.join(paths)}


def _ray_environment(address: str) -> dict[str, str]:
    """Return Ray's settings. A Ray that this process starts stays on this machine, and has the
    user's token or else a new one; for a cluster, the user's token is used if there is one.
    """
    if not address:
        token = os.environ.get("RAY_AUTH_TOKEN") or token_hex(32)
        return {
            **QUIET_SETTINGS,
            **LOCAL_ONLY,
            "RAY_worker_niceness": "0",  # shards are as urgent as the run itself
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": token,
        }
    names = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
    if any(name in os.environ for name in names) or (Path.home() / ".ray" / "auth_token").exists():
        return {**QUIET_SETTINGS, "RAY_AUTH_MODE": os.environ.get("RAY_AUTH_MODE", "token")}
    return QUIET_SETTINGS
