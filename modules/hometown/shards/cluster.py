"""Shards as actors of Ray (https://docs.ray.io), on this machine or on a cluster. Nothing else
imports Ray.

Ray is told to send nothing home and to show no dashboard. Without an address it is started for this
run alone, on this machine, and ended with it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from hometown.agent.minds import WorkersLost
from hometown.errors import BadInput, reason_of
from hometown.model.call_budget import CallAllowance, CallBudget
from hometown.shards.reports import ShardReport
from hometown.shards.shard import Shard, ShardConfig

QUIET_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
LOCAL_ONLY = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Keeps Ray's processes on the loopback address, on any system."""

PROXY, NOWHERE = "http_proxy", "http://127.0.0.1:9"

ACTOR = {"num_cpus": 0, "max_restarts": 0, "max_concurrency": 1000}


class RayWorker:
    """A shard in a process of Ray's."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor

    async def call(self, method: str, *arguments: Any) -> tuple[Any, ShardReport]:
        answer: tuple[Any, ShardReport]
        answer = await _await_answer(self.actor.call.remote(method, *arguments))
        return answer


class RayBudget:
    """A budget of calls in a process of Ray's."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    async def take(self) -> bool:
        """Take a call from the budget; return False if none is left. Raises WorkersLost."""
        taken: bool = await _await_answer(self._actor.take.remote())
        return taken


async def _await_answer(answer: Any) -> Any:
    """Return the value of a remote call. Raises what the call has raised, and WorkersLost."""
    from ray.exceptions import RayError, RayTaskError

    try:
        return await answer
    except RayTaskError as error:
        raise error.cause from None
    except RayError as error:
        raise WorkersLost(_first_line(error)) from error


class RayCluster:
    """The actors of a run, one for each configuration. A limited `budget` becomes one that all
    share.
    """

    def __init__(
        self, configs: Sequence[ShardConfig], address: str = "", budget: CallAllowance | None = None
    ) -> None:
        """Join the cluster at `address`, or start Ray on this machine if that is "", and share the
        budget; `start` makes the shards. Raises BadInput.
        """
        os.environ.update(_ray_environment(address))
        import ray.util.scheduling_strategies  # reads Ray's settings from the environment

        self._ray, self._configs = ray, configs
        self._actors: list[Any] = []
        self._connect(address)
        self.budget = self._share_budget(budget)

    def _share_budget(self, budget: CallAllowance | None) -> RayBudget | None:
        """Return a limited budget as one that all processes share, kept on this machine; None for
        an unlimited one.
        """
        if not isinstance(budget, CallBudget) or not budget.is_limited:
            return None
        node = self._ray.get_runtime_context().get_node_id()
        beside = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, False)
        actor = self._ray.remote(CallBudget).options(**ACTOR, scheduling_strategy=beside)
        return RayBudget(actor.remote(budget.calls_left, budget.seconds_left))

    async def start(self) -> list[RayWorker]:
        """Start all shards in new processes, in place of any that run, and return them in the order
        of their configurations. Raises WorkersLost where a process dies, as on a machine of which
        Ray does not know yet that it is dead, and any error that keeps a shard from being made.
        """
        self._kill()
        actor = self._ray.remote(Shard).options(**ACTOR, scheduling_strategy="SPREAD")
        self._actors = [actor.remote() for _ in self._configs]
        for started, config in zip(self._actors, self._configs, strict=True):
            await _await_answer(started.open.remote(config, self.budget))
        return [RayWorker(started) for started in self._actors]

    def share(self, value: Any) -> Any:
        """Return a value as a reference of Ray's, so that it travels to each machine once."""
        return self._ray.put(value)

    def _kill(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []

    def _connect(self, address: str) -> None:
        """Join the cluster at an address, or start Ray on this machine if that is "", after leaving
        any other. Raises BadInput.
        """
        if self._ray.is_initialized():
            self._ray.shutdown()
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
                self._ray.init(
                    address=address or "local",
                    logging_level="ERROR",
                    log_to_driver=False,
                    configure_logging=False,
                    **own,
                )
        except Exception as error:  # Ray raises nothing more precise where it doesn't start in time
            raise BadInput(
                "Ray can't be reached or started: {reason}; check that it runs at the address that --ray names, or leave --ray out for this machine alone",
                reason=_first_line(error),
            ) from error

    def close(self) -> None:
        """End the shards; end Ray where it was started for them, or else leave the cluster."""
        self._kill()
        self._ray.shutdown()


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


def _first_line(error: Exception) -> str:
    text = str(reason_of(error)).strip()
    return text.splitlines()[0] if text else type(error).__name__
