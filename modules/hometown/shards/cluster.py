"""Shards as actors of Ray, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hometown.agent.minds import WorkersLost
from hometown.errors import first_line
from hometown.model.call_budget import CallAllowance, CallBudget
from hometown.shards.ray_connection import connect_ray
from hometown.shards.reports import ShardReport
from hometown.shards.shard import Shard, ShardConfig

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
        raise WorkersLost(first_line(error)) from error


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
        self._ray, self._configs = connect_ray(address), configs
        self._actors: list[Any] = []
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

    def close(self) -> None:
        """End the shards; end Ray where it was started for them, or else leave the cluster."""
        self._kill()
        self._ray.shutdown()
