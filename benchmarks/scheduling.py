"""The schedule of calls of which some wait for others, on a server with so many slots."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

Node = tuple[Any, ...]
"""A call, or a moment: ("begins" or "thought" or "ends", step, resident), ("meets" or "parts",
step, opener, partner).
"""


def scheduled(
    before: Mapping[Node, set[Node]], seconds: Mapping[Node, float], slots: int, *, in_steps: bool
) -> float:
    """Seconds until the last call has ended: in the order of steps, as an engine would ask, or
    those first on which most depends.
    """
    after: dict[Node, list[Node]] = defaultdict(list)
    for node, nodes in before.items():
        for earlier in nodes:
            after[earlier].append(node)
    tail = _tails(before, after, seconds)
    waiting = {node: len(nodes) for node, nodes in before.items()}
    ready: list[tuple[float, float, Node]] = []
    running: list[tuple[float, Node]] = []
    now = 0.0

    def pass_by(nodes: Iterable[Node]) -> None:
        """Moments take no time, and calls become ready."""
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node in seconds:
                heapq.heappush(
                    ready, (node[1] if in_steps else -tail[node], now if in_steps else 0, node)
                )
            else:
                todo += _ended(node, after, waiting)

    pass_by([node for node, count in waiting.items() if not count])
    while ready or running:
        while ready and len(running) < slots:
            node = heapq.heappop(ready)[2]
            heapq.heappush(running, (now + seconds[node], node))
        now, node = heapq.heappop(running)
        pass_by(_ended(node, after, waiting))
    return now


def _ended(node: Node, after: Mapping[Node, list[Node]], waiting: dict[Node, int]) -> list[Node]:
    """What waits for nothing any more now that this node has ended."""
    free = []
    for later in after.get(node, ()):
        waiting[later] -= 1
        if not waiting[later]:
            free.append(later)
    return free


def _tails(
    before: Mapping[Node, set[Node]],
    after: Mapping[Node, list[Node]],
    seconds: Mapping[Node, float],
) -> dict[Node, float]:
    """The longest chain that begins with each node, in seconds."""
    tails: dict[Node, float] = {}
    later = {node: len(after.get(node, ())) for node in before}
    todo = [node for node, count in later.items() if not count]
    while todo:
        node = todo.pop()
        tails[node] = seconds.get(node, 0.0) + max(
            (tails[each] for each in after.get(node, ())), default=0.0
        )
        for earlier in before[node]:
            later[earlier] -= 1
            if not later[earlier]:
                todo.append(earlier)
    return tails
