"""Shards as actors of Ray (https://docs.ray.io), on this machine or on a cluster. Nothing else
imports Ray.

Ray is told to send nothing home and to show no dashboard. Without an address it is started for this
run alone, on this machine, and ended with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any

from hometown.errors import BadInput, ModelUnavailable, reason_of
from hometown.shards.channel import Address, Channel, Door, called_on
from hometown.shards.package import Charter
from hometown.shards.pickling import pickled, unpickled
from hometown.shards.raising import Office, opened_office
from hometown.shards.wire import portable

QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
WITHIN = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""What keeps Ray's processes on the loopback address, whatever the system."""

PROXY, NOWHERE = "http_proxy", "http://127.0.0.1:9"

AS_URGENT = {"RAY_worker_niceness": "0"}
"""Shards are the run itself: by default, Ray would have them wait for whatever else the machine has
to do.
"""

THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


NO_IDLE_WORKERS = {"num_cpus": 0}
"""Ray starts a process for each processor that it may use, and actors, which ask for none, in
others.
"""

ATTEMPTS = 4
"""How often a shard is started, since Ray may start it anew on a machine that is gone without its
knowing.
"""

SECRET_BYTES = 32
"""Of what the process of the run has to know when it calls on a shard."""


class Actor:
    """A process with one shard."""

    def __init__(self) -> None:
        self._office: Office | None = None
        self._doors: list[Door] = []

    async def open(
        self, charter: bytes, secret: bytes, neighbours: int
    ) -> Exception | list[Address]:
        """Raises the shard anew, from nothing; where it waits for the process of the run, and for
        so many neighbours, or what has gone wrong.
        """
        import ray

        if self._office is not None:
            self._office.stop()
        for door in self._doors:
            door.close()
        try:
            self._office = await opened_office(unpickled(charter))
            self._doors = [
                Door(secret, self._office.serve),
                *([Door(secret, self._office.welcome, neighbours)] if neighbours else []),
            ]
            return [await door.open(ray.util.get_node_ip_address()) for door in self._doors]
        except Exception as error:
            return portable(error)

    async def introduce(self, neighbours: Sequence[tuple[Address, bytes]]) -> None:
        """Where all shards wait for their neighbours, by number, and with which secret."""
        assert self._office is not None
        self._office.introduce(lambda number: called_on(*neighbours[number]))

    async def remain(self) -> None:
        """Never returns, so that whoever waits for it learns from Ray when the process is gone, or
        its machine.
        """
        await asyncio.Event().wait()


class Cluster:
    """The actors of a run, one for each charter."""

    def __init__(self, charters: Sequence[Charter], address: str = "") -> None:
        self._ray, self._address = _imported(_environment(address)), address
        self._charters = [pickled(charter) for charter in charters]
        self._actors: list[Any] = []
        self._watches: list[asyncio.Task[None]] = []

    async def raised(self) -> list[Channel]:
        """All shards, anew: in their processes as far as those live, else in new ones. Raises what
        keeps a shard from being raised.
        """
        if not self._actors:
            self._connect()
            self._actors = [self._started() for _ in self._charters]
        self._stop_watching()
        opened = [await self._opened(number) for number in range(len(self._charters))]
        channels = [channel for channel, _ in opened]
        await self._introduce([neighbours for _, neighbours in opened])
        self._watches = [
            asyncio.create_task(self._watch(*each))
            for each in zip(self._actors, channels, strict=True)
        ]
        return channels

    async def _opened(self, number: int) -> tuple[Channel, tuple[Address, bytes]]:
        """A way to a shard, and where it waits for its neighbours, with their secret."""
        secret, among = token_bytes(SECRET_BYTES), len(self._charters) - 1
        for left in reversed(range(ATTEMPTS)):
            try:
                opened = await self._actors[number].open.remote(
                    self._charters[number], secret, among
                )
                if not isinstance(opened, Exception):
                    return await called_on(opened[0], secret), (opened[-1], secret)
            except (self._ray.exceptions.RayError, OSError) as lost:
                if not left:
                    self._actors = []
                    raise ModelUnavailable(
                        "shard {number} can't be started: {reason}",
                        number=number + 1,
                        reason=_line(lost),
                    ) from lost
                self._actors[number] = self._started()
            else:
                raise opened
        raise AssertionError("the last attempt returns or raises")

    async def _introduce(self, neighbours: list[tuple[Address, bytes]]) -> None:
        """The shards to each other; of one that is gone already, the process of the run learns when
        it first asks something of it.
        """
        with suppress(self._ray.exceptions.RayError):
            await asyncio.gather(*(actor.introduce.remote(neighbours) for actor in self._actors))

    async def _watch(self, actor: Any, channel: Channel) -> None:
        """Closes the channel of a shard that is gone: of a machine that has fallen silent, the
        connection alone would not tell.
        """
        with suppress(self._ray.exceptions.RayError):
            await actor.remain.remote()
        channel.close()

    def _stop_watching(self) -> None:
        for watch in self._watches:
            watch.cancel()

    def _started(self) -> Any:
        options = {
            "num_cpus": 0,
            "max_restarts": 0,
            "max_concurrency": 1000,
            "scheduling_strategy": "SPREAD",
        }
        return self._ray.remote(Actor).options(**options).remote()

    def _connect(self) -> None:
        if self._ray.is_initialized():
            self._ray.shutdown()
        with _stopped_as_before():
            self._join()

    def _join(self) -> None:
        common = {"logging_level": "ERROR", "log_to_driver": False, "configure_logging": False}
        try:
            if self._address:
                self._ray.init(address=self._address, **common)
            else:
                paths = [str(Path(__file__).parents[2]), *(path for path in sys.path if path)]
                environment = {
                    "env_vars": {
                        **QUIET,
                        **THREADS,
                        PROXY: os.environ.get(PROXY, ""),
                        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
                    }
                }
                with _without_a_way_out():
                    self._ray.init(
                        address="local",
                        include_dashboard=False,
                        runtime_env=environment,
                        **NO_IDLE_WORKERS,
                        **common,
                    )
        except (
            Exception
        ) as error:  # Ray raises nothing more precise where its processes don't come up in time
            raise BadInput(
                "Ray can't be reached or started: {reason}; check that it runs at the address that --ray names, or leave --ray out for this machine alone",
                reason=_line(error),
            ) from error

    def close(self) -> None:
        """Ends the shards, and Ray where it was started for them."""
        self._stop_watching()
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []
        self._ray.shutdown()


@contextmanager
def _stopped_as_before() -> Iterator[None]:
    """SIGTERM keeps its meaning: Ray's own handler would end the process at once, and with it a
    session that is to be stopped in order.
    """
    here = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM) if here else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def _without_a_way_out() -> Iterator[None]:
    """Ray's head asks the addresses of cloud providers where it runs, though it is to report
    nothing: what starts meanwhile finds no way to them.
    """
    before = os.environ.get(PROXY)
    os.environ[PROXY] = NOWHERE
    try:
        yield
    finally:
        if before is None:
            del os.environ[PROXY]
        else:
            os.environ[PROXY] = before


def _environment(address: str) -> dict[str, str]:
    """How Ray is to behave: it asks for a token, which is one of this process for a Ray of its own,
    and for a cluster the user's, if there is one.
    """
    if not address:
        return (
            QUIET
            | WITHIN
            | AS_URGENT
            | {
                "RAY_AUTH_MODE": "token",
                "RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN") or token_hex(32),
            }
        )
    has_token = (
        any(name in os.environ for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
        or (Path.home() / ".ray" / "auth_token").exists()
    )
    return QUIET | (
        {"RAY_AUTH_MODE": os.environ.get("RAY_AUTH_MODE", "token")} if has_token else {}
    )


def _imported(environment: dict[str, str]) -> Any:
    """Ray, which reads how it is to behave when it is imported."""
    os.environ.update(environment)
    import ray
    import ray.exceptions

    return ray


def _line(error: Exception) -> str:
    """The first line of what is wrong."""
    return (
        str(reason_of(error)).strip().splitlines()[0]
        if str(error).strip()
        else type(error).__name__
    )
